// The lists of what of CUDA there is, and what there isn't.
#include "../base/unit_test.h"

#include <string.h>

#include <glib.h>

#include "support/support.h"
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

static void has_a_row_for_each_name_of_the_headers(void **state) {
    (void)state;
    const struct gcl_support_declared *name;
    size_t missing = 0;
    for (size_t i = 0; (name = gcl_support_declared(i)); i++) {
        if (gcl_support_row_of(name->name))
            continue;
        print_error("%s of %s is in no row of provided.inc\n", name->name, name->header);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static bool is_for_a_declared_name(const struct gcl_support_row *row, const char *pattern) {
    const struct gcl_support_declared *name;
    for (size_t i = 0; (name = gcl_support_declared(i)); i++) {
        if (g_pattern_match_simple(pattern, name->name) && gcl_support_row_of(name->name) == row)
            return true;
    }
    return false;
}

// A pattern for which nothing is left, since its names are gone or rows above have them.
static void has_no_pattern_without_a_name(void **state) {
    (void)state;
    const struct gcl_support_row *row;
    size_t idle = 0;
    for (size_t i = 0; (row = gcl_support_row(i)); i++) {
        g_auto(GStrv) patterns = g_strsplit(row->names ? row->names : "", " ", -1);
        for (char **pattern = patterns; *pattern && !row->is_beside; pattern++) {
            if (is_for_a_declared_name(row, *pattern))
                continue;
            print_error("%s of provided.inc has no name of the headers\n", *pattern);
            idle++;
        }
    }
    assert_int_equal(idle, 0);
}

static void knows_how_far_a_name_is_supported(void **state) {
    (void)state;
    struct gcl_support found = gcl_support_find("cudaMemcpy2DAsync");
    assert_int_equal(found.level, GCL_SUPPORT_FULL);
    assert_string_equal(found.mapping, "gclMemcpy2DAsync");
    assert_string_equal(found.kind, "function");
    assert_string_equal(found.area, "Copies");
    assert_string_equal(found.header, "cuda_runtime_api.h");
    assert_string_equal(gcl_support_find("gclMalloc").mapping, "gclMalloc");
    found = gcl_support_find("__shfl_down_sync");
    assert_int_equal(found.level, GCL_SUPPORT_FULL);
    assert_null(found.mapping);
    assert_string_equal(found.since, "9.0");
    assert_string_equal(gcl_support_find("cg::this_grid").header, "cooperative_groups.h");
    assert_string_equal(gcl_support_find("this_grid").header, "cooperative_groups.h");
    assert_int_equal(gcl_support_find("wmma::mma_sync").level, GCL_SUPPORT_FULL);
    assert_int_equal(gcl_support_find("cublasSgemm").level, GCL_SUPPORT_FULL);
    assert_int_equal(gcl_support_find("cublasUint8gemmBias").level, GCL_SUPPORT_REFUSED);
    found = gcl_support_find("cudaProfilerStart");
    assert_int_equal(found.level, GCL_SUPPORT_PARTLY);
    assert_non_null(found.note);
    found = gcl_support_find("cudnnCreate");
    assert_int_equal(found.level, GCL_SUPPORT_REFUSED);
    assert_string_equal(found.note, "cuDNN");
    assert_non_null(found.help);
    assert_int_equal(gcl_support_find("cudnn.h").level, GCL_SUPPORT_REFUSED);
    assert_int_equal(gcl_support_find("cuda_fp16.h").level, GCL_SUPPORT_FULL);
    assert_int_equal(gcl_support_find("my_helper.h").level, GCL_SUPPORT_UNKNOWN);
}

// A pattern of the list is no promise: what no header declares isn't there.
static void knows_no_name_that_no_header_declares(void **state) {
    (void)state;
    assert_int_equal(gcl_support_find("cudaMemcpy2DAsnyc").level, GCL_SUPPORT_UNKNOWN);
    assert_string_equal(gcl_support_nearest("cudaMemcpy2DAsnyc"), "cudaMemcpy2DAsync");
    assert_int_equal(gcl_support_find("cudaBakeCake").level, GCL_SUPPORT_REFUSED);
    assert_int_equal(gcl_support_find("main").level, GCL_SUPPORT_UNKNOWN);
    assert_int_equal(gcl_support_find("").level, GCL_SUPPORT_UNKNOWN);
}

static bool holds(const GArray *found, const char *name) {
    for (guint i = 0; i < found->len; i++) {
        if (strcmp(g_array_index(found, struct gcl_support, i).name, name) == 0)
            return true;
    }
    return false;
}

static void matches_patterns(void **state) {
    (void)state;
    g_autoptr(GArray) copies = gcl_support_match("cudaMemcpy2D*Async");
    assert_true(holds(copies, "cudaMemcpy2DAsync") && holds(copies, "cudaMemcpy2DToArrayAsync"));
    assert_false(holds(copies, "cudaMemcpy2D"));
    g_autoptr(GArray) refused = gcl_support_match("cudnn*");
    assert_true(refused->len > 0 && holds(refused, "cudnn*"));
    g_autoptr(GArray) all = gcl_support_match("*");
    for (guint i = 0; i < all->len; i++)
        assert_int_not_equal(g_array_index(all, struct gcl_support, i).level, GCL_SUPPORT_UNKNOWN);
    g_autoptr(GArray) none = gcl_support_match("zz*");
    assert_int_equal(none->len, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_row_for_each_name_of_the_headers),
        cmocka_unit_test(has_no_pattern_without_a_name),
        cmocka_unit_test(knows_how_far_a_name_is_supported),
        cmocka_unit_test(knows_no_name_that_no_header_declares),
        cmocka_unit_test(matches_patterns),
        cmocka_unit_test(finds_each_row_of_what_is_refused),
        cmocka_unit_test(takes_no_name_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
