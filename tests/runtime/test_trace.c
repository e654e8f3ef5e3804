// Traces of several nodes: put together on one clock, from bounded memory, from any bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "exec/watch/trace.h"

#define SECOND UINT64_C(1000000000)

static char path[] = "gcl-trace-XXXXXX";
static struct gcl_trace *home;

static int start(void **state) {
    (void)state;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    close(file);
    home = gcl_trace_create(path, 0);
    return home == NULL;
}

static int finish(void **state) {
    (void)state;
    free(home);
    unlink(path);
    return 0;
}

/// What has been written; closes the trace.
static char *written(void) {
    gcl_trace_close(home);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

// Both were compared a second after the other: the other clock is ahead, and fast.
static void clocks_are_on_a_line(void **state) {
    struct gcl_clocks clocks = {.first = {100 * SECOND, 5000, 10},
                                .last = {101 * SECOND, 7000, 10}};
    (void)state;
    assert_int_equal(gcl_clocks_here(&clocks, 100 * SECOND + 5000), 100 * SECOND);
    assert_int_equal(gcl_clocks_here(&clocks, 101 * SECOND + 7000), 101 * SECOND);
    assert_in_range(gcl_clocks_here(&clocks, 100 * SECOND + SECOND / 2 + 6000),
                    100 * SECOND + SECOND / 2 - 2, 100 * SECOND + SECOND / 2 + 2);
    assert_in_range(gcl_clocks_here(&clocks, 99 * SECOND + 3000), 99 * SECOND - 2, 99 * SECOND + 2);
}

static void one_comparison_is_enough(void **state) {
    struct gcl_clocks first = {.first = {SECOND, -300, 1}}, last = {.last = {SECOND, -300, 1}};
    struct gcl_clocks none = {.first.at_ns = 0};
    (void)state;
    assert_int_equal(gcl_clocks_here(&first, 700), 1000);
    assert_int_equal(gcl_clocks_here(&last, 700), 1000);
    assert_int_equal(gcl_clocks_here(&none, 700), 700);
}

static struct gcl_trace_span span_at(uint64_t begin_ns) {
    return (struct gcl_trace_span){.track = GCL_TRACE_TRANSFERS,
                                   .name = "receive \"all\"",
                                   .category = "receive",
                                   .begin_ns = begin_ns,
                                   .end_ns = begin_ns + 2000,
                                   .unit = "bytes",
                                   .amount = 64,
                                   .is_transfer = true,
                                   .peer = 2,
                                   .tag = 17};
}

static void spans_of_others_are_put_on_one_clock(void **state) {
    struct gcl_clocks clocks = {.last = {SECOND, (int64_t)(1000 * SECOND), 1}};
    struct gcl_trace *other = gcl_trace_create("no/such/folder", 1);
    struct gcl_trace_span span = span_at(gcl_clock_ns() + 1000 * SECOND);
    size_t size;
    (void)state;
    gcl_trace_label(other, GCL_TRACE_TRANSFERS, 0, "transfers");
    gcl_trace_add(other, &span);
    unsigned char *bytes = gcl_trace_report(other, &size);
    assert_true(gcl_trace_merge(home, 1, &clocks, bytes, size));
    char *text = written();
    assert_non_null(strstr(text, "\"pid\":2,\"args\":{\"name\":\"node 1 on "));
    assert_non_null(strstr(text, "\"tid\":3000000,\"args\":{\"name\":\"transfers\"}"));
    const char *at = strstr(text, "\"receive \\\"all\\\"\",\"cat\":\"receive\",\"pid\":2,");
    assert_non_null(at);
    assert_in_range((uint64_t)atof(strstr(at, "\"ts\":") + 5), 0, 10000000); // microseconds
    assert_non_null(strstr(at, "\"dur\":2.000,\"args\":{\"bytes\":64,\"from\":2,\"tag\":17}}"));
    assert_non_null(strstr(at, "\"ph\":\"f\",\"bp\":\"e\""));
    assert_non_null(strstr(at, "\"id\":\"2-1-17\""));
    free(text);
    free(bytes);
    free(other);
}

static void what_does_not_fit_is_counted(void **state) {
    enum { COUNT = 400000 };
    struct gcl_clocks clocks = {.first.at_ns = 0};
    struct gcl_trace *other = gcl_trace_create(NULL, 3);
    struct gcl_trace_span span = span_at(gcl_clock_ns());
    size_t size, kept = 0;
    (void)state;
    for (int i = 0; i < COUNT; i++)
        gcl_trace_add(other, &span);
    unsigned char *bytes = gcl_trace_report(other, &size);
    assert_true(size <= GCL_TRACE_MOST);
    assert_true(gcl_trace_merge(home, 3, &clocks, bytes, size));
    char *text = written(), dropped[64];
    for (const char *line = text; (line = strchr(line, '\n')); line++)
        kept += strncmp(line, "\n{\"ph\":\"X\"", 10) == 0;
    assert_true(kept > COUNT / 4 && kept < COUNT);
    snprintf(dropped, sizeof dropped, "\"%zu spans are missing from here on\"", COUNT - kept);
    assert_non_null(strstr(text, dropped));
    free(text);
    free(bytes);
    free(other);
}

// Threads go on adding while a report is sent: it stays as it is.
static void a_report_is_not_changed(void **state) {
    struct gcl_clocks clocks = {.first.at_ns = 0};
    struct gcl_trace *other = gcl_trace_create(NULL, 1);
    struct gcl_trace_span span = span_at(gcl_clock_ns());
    size_t size, later_size, none_size;
    (void)state;
    gcl_trace_add(other, &span);
    unsigned char *bytes = gcl_trace_report(other, &size), *copy = malloc(size);
    memcpy(copy, bytes, size);
    for (int i = 0; i < 10000; i++)
        gcl_trace_add(other, &span);
    assert_memory_equal(bytes, copy, size);
    unsigned char *later = gcl_trace_report(other, &later_size);
    assert_true(gcl_trace_merge(home, 1, &clocks, later, later_size));
    assert_in_range(later_size, 10000 * (size / 4), 10000 * size);
    assert_null(gcl_trace_report(other, &none_size));
    assert_int_equal(none_size, 0);
    free(later);
    free(copy);
    free(bytes);
    free(other);
}

static struct gcl_trace_memory memory_at(uint64_t begin_ns, const char *kernel) {
    struct gcl_trace_memory memory = {.begin_ns = begin_ns,
                                      .end_ns = begin_ns + 2000,
                                      .bytes = 100,
                                      .from_files = 60,
                                      .lack = 1000,
                                      .went = 10};
    snprintf(memory.name, sizeof memory.name, "%s", kernel);
    return memory;
}

// Two pieces of the same kernel that lie close make a span; what comes later, for another kernel or
// by a touch, is one of its own, and spans of a line don't overlap.
static void memory_that_comes_is_joined(void **state) {
    struct gcl_clocks clocks = {.first.at_ns = 0};
    struct gcl_trace *other = gcl_trace_create(NULL, 1);
    uint64_t now = gcl_clock_ns();
    struct gcl_trace_memory all[] = {memory_at(now, "first"), memory_at(now + 1000, "first"),
                                     memory_at(now + 2500, "other"), memory_at(now, "touches"),
                                     memory_at(now + SECOND, "other")};
    size_t size;
    (void)state;
    all[1].lack = 3000;
    all[3].is_touched = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gcl_trace_add_memory(other, &all[i]);
    unsigned char *bytes = gcl_trace_report(other, &size);
    assert_true(gcl_trace_merge(home, 1, &clocks, bytes, size));
    char *text = written();
    const char *at = strstr(text, "\"first\",\"cat\":\"memory\",\"pid\":2,\"tid\":5000000,");
    assert_non_null(at);
    assert_non_null(strstr(at, "\"dur\":3.000,\"args\":{\"came\":200,\"from_files\":120,"
                               "\"lack\":2000,\"evicted\":20}}"));
    assert_null(strstr(at + 1, "\"first\""));
    at = strstr(at, "\"other\"");
    assert_non_null(at);
    assert_non_null(strstr(at, "\"dur\":1.500,\"args\":{\"came\":100,"));
    assert_non_null(strstr(at + 1, "\"other\""));
    assert_non_null(strstr(text, "\"tid\":5000001,"));
    assert_non_null(strstr(text, "\"args\":{\"touched\":100,"));
    free(text);
    free(bytes);
    free(other);
}

// Bytes of others are never trusted.
static void any_bytes_are_read(void **state) {
    struct gcl_clocks clocks = {.first.at_ns = 0};
    struct gcl_trace *other = gcl_trace_create(NULL, 1);
    struct gcl_trace_span span = span_at(gcl_clock_ns());
    size_t size, good = 0;
    (void)state;
    struct gcl_trace_memory memory = memory_at(gcl_clock_ns(), "kernel");
    gcl_trace_label(other, GCL_TRACE_TRANSFERS, 0, "transfers");
    gcl_trace_add(other, &span);
    gcl_trace_add_memory(other, &memory);
    unsigned char *bytes = gcl_trace_report(other, &size);
    for (size_t part = 0; part <= size; part++) {
        unsigned char *copy = malloc(part + 1); // of its own, for the sanitizer
        memcpy(copy, bytes, part);
        good += gcl_trace_merge(home, 1, &clocks, copy, part);
        free(copy);
    }
    assert_int_equal(good, 6); // after the head, and after each record
    unsigned char wrong[17] = {0};
    wrong[16] = 99;
    assert_false(gcl_trace_merge(home, 1, &clocks, wrong, sizeof wrong));
    free(bytes);
    free(other);
    gcl_trace_close(home);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_on_a_line),
        cmocka_unit_test(one_comparison_is_enough),
        cmocka_unit_test_setup_teardown(spans_of_others_are_put_on_one_clock, start, finish),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_counted, start, finish),
        cmocka_unit_test_setup_teardown(a_report_is_not_changed, start, finish),
        cmocka_unit_test_setup_teardown(memory_that_comes_is_joined, start, finish),
        cmocka_unit_test_setup_teardown(any_bytes_are_read, start, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
