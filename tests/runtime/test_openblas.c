// OpenBLAS called by several threads at once gives what it gives one.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cblas.h>
#include <cmocka.h>

#include "openblas/openblas.h"

enum { ORDER = 24, THREADS = 8, CALLS = 20000 };

static double matrix[ORDER * ORDER], expected[ORDER];

static void multiply(double *vector) {
    for (int i = 0; i < ORDER; i++)
        vector[i] = i % 5 - 2;
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, ORDER, 1, 1,
                matrix, ORDER, vector, ORDER);
}

static void *call(void *wrong) {
    for (int i = 0; i < CALLS; i++) {
        double vector[ORDER];
        multiply(vector);
        *(int *)wrong += memcmp(vector, expected, sizeof expected) != 0;
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    (void)state;
    assert_true(gcl_openblas_is_safe());
    for (int i = 0; i < ORDER * ORDER; i++)
        matrix[i] = i * 7919 % 17 - 8;
    multiply(expected);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
