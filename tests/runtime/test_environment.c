// GCL_ variables, as a whole program sees them: a child runs with them, the parent looks at what it
// printed and left behind.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "kernels.h"

static const char *trace_path;

static void run_program(void) {
    gclStream_t stream;
    size_t free_size, total;
    int ms = 2, value = 0;
    void *p;

    if (gclMemGetInfo(&free_size, &total) || total != 64 << 20)
        exit(1);
    if (gclMalloc(&p, (64 << 20) + 1) != gclErrorMemoryAllocation)
        exit(2);
    gclGetLastError();
    if (gclMalloc(&p, 32 << 20) || gclStreamCreate(&stream))
        exit(3);
    TEST_LAUNCH(test_sleep, 4, 1, stream, &ms);
    gclMemcpyAsync(p, &value, sizeof value, gclMemcpyHostToDevice, stream);
    TEST_LAUNCH(test_append, 1, 1, NULL, &p, &value);
    // Exit waits: what was launched still happens.
    exit(gclGetLastError() ? 4 : 0);
}

static void run_child(int errors) {
    setenv("GCL_MEMORY", "64M", 1);
    setenv("GCL_HOST_MEMORY", "0", 1);
    setenv("GCL_THREADS", "3", 1);
    setenv("GCL_TRACE", trace_path, 1);
    setenv("GCL_PROGRES", "1", 1);
    setenv("GCL_LOG", "everything", 1);
    setenv("GCL_CPU_LEVEL", "v5", 1);
    dup2(errors, STDERR_FILENO);
    run_program();
}

static char *read_all(FILE *file) {
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = 0;
    return text;
}

static int count(const char *text, const char *part) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

static void variables_are_read(void **state) {
    char path[] = "gcl-trace-XXXXXX";
    int pipes[2], status;
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    trace_path = path;
    assert_int_equal(pipe(pipes), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_child(pipes[1]);
    close(pipes[1]);
    FILE *errors = fdopen(pipes[0], "r");
    const char *text = read_all(errors);
    assert_non_null(strstr(text, "GCL_PROGRES; did you mean GCL_PROGRESS?"));
    assert_non_null(strstr(text, "GCL_LOG=everything is ignored"));
    assert_non_null(strstr(text, "GCL_CPU_LEVEL=v5 is ignored: expected v2, v3 or v4"));
    fclose(errors);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);

    FILE *trace = fdopen(file, "r");
    text = read_all(trace);
    fclose(trace);
    unlink(path);
    assert_int_equal(text[0], '{');
    assert_string_equal(text + strlen(text) - 4, "\n]}\n");
    assert_int_equal(count(text, "{"), count(text, "}"));
    assert_true(count(text, "\"cat\":\"kernel\"") >= 4); // both kernels, on workers and streams
    assert_true(count(text, "\"cat\":\"copy\"") >= 2);
    assert_true(count(text, "\"gcl-worker-") == 3);
    assert_non_null(strstr(text, "\"name\":\"sleep\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
