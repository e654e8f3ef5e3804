// The lists of what of CUDA there is, and what there isn't.
#include "unit_test.h"

#include <string.h>

#include <glib.h>

#include "support/unsupported.h"

// A name that the pattern matches: the API's words begin with a capital letter.
static char *sample_of(const char *pattern) {
    size_t length = strcspn(pattern, "*");
    return g_strdup_printf("%.*s%s", (int)length, pattern, pattern[length] ? "Zz" : "");
}

// First match wins: a row behind one that matches more would never be reported.
static void finds_each_row_of_what_is_refused(void **state) {
    (void)state;
    const struct gcl_unsupported *row;
    bool is_header;
    size_t count = 0;
    for (; (row = gcl_unsupported_row(count, &is_header)); count++) {
        g_autofree char *name = sample_of(row->pattern);
        const struct gcl_unsupported *found = is_header
                                                  ? gcl_unsupported_find_header(name, strlen(name))
                                                  : gcl_unsupported_find(name, strlen(name));
        if (found != row)
            fail_msg("%s is found by %s, not by %s", name, found ? found->pattern : "no row",
                     row->pattern);
        assert_true(*row->part && *row->help);
    }
    assert_true(count > 0 && is_header);
}

static void takes_no_name_of_the_program(void **state) {
    (void)state;
    static const char *const names[] = {"cuda_helper", "cudas", "custom", "cu", "cuda_Check", "nv"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        assert_null(gcl_unsupported_find(names[i], strlen(names[i])));
    assert_null(gcl_unsupported_find_header("cuda_helpers.h", 14));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_row_of_what_is_refused),
        cmocka_unit_test(takes_no_name_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
