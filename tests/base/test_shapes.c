// Lists of block sizes, and how the code generator finds those of a kernel.
#include "unit_test.h"

#include "base/shape.h"
#include "device/ir/shapes.h"

static void keeps_what_launches_can_have(void **state) {
    (void)state;
    static const uint32_t sizes[][3] = {{32, 1, 1}, {0, 1, 1},   {32, 1, 1},       {32, 32, 2},
                                        {1, 1, 65}, {16, 16, 4}, {1024, 1, 1},     {1025, 1, 1},
                                        {2, 2, 2},  {3, 3, 3},   {65536, 65536, 1}};
    GArray *shapes = gcl_shapes_create();
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
        gcl_shapes_add(shapes, "k", sizes[i]);
    gcl_shapes_add(shapes, "other", sizes[0]);
    gcl_shapes_add_any(shapes, "other");
    gcl_shapes_add_any(shapes, "other");
    char *text = gcl_shapes_format(shapes);
    assert_string_equal(text, "k 32 1 1\nk 16 16 4\nk 1024 1 1\nk 2 2 2\nk any\n"
                              "other 32 1 1\nother any\n");
    g_free(text);
    g_array_unref(shapes);
}

// As when a program is linked: files may each know few sizes, and together many.
static void counts_sizes_of_all_files(void **state) {
    (void)state;
    GArray *shapes = gcl_shapes_create();
    gcl_shapes_parse(shapes, "k any\nk 1 1 1\nk 2 1 1\nl 1 1 1\nl 2 1 1\n");
    gcl_shapes_parse(shapes, "k 2 1 1\nk 3 1 1\nk 4 1 1\nl 2 1 1\nl 3 1 1\nl 4 1 1\n");
    gcl_shapes_parse(shapes, "l 5 1 1\nl 6 1 1\n");
    char *text = gcl_shapes_format(shapes);
    assert_string_equal(text, "k any\nk 1 1 1\nk 2 1 1\nl 1 1 1\nl 2 1 1\nk 3 1 1\nk 4 1 1\n"
                              "l 3 1 1\nl 4 1 1\nl any\n");
    g_free(text);
    g_array_unref(shapes);
}

static void reads_what_it_writes(void **state) {
    (void)state;
    static const char text[] = "a any\na 32 1 1\nb 8 8 2\nb any\n";
    GArray *shapes = gcl_shapes_create();
    gcl_shapes_parse(shapes, text);
    gcl_shapes_parse(shapes,
                     "c\nd 1 2\n\n e\n a 32 1 1\nf 0 0 0\na 32 1 1\ng anything\n any\na any");
    char *again = gcl_shapes_format(shapes);
    assert_string_equal(again, text);
    g_free(again);
    g_array_unref(shapes);
}

// The shapes of the kernel with this symbol and these launch bounds, as text.
static void assert_shapes(const char *symbol, uint32_t max_threads, const char *expected) {
    GArray *all = gcl_shapes_create();
    gcl_shapes_parse(all, "k 32 1 1\nk 16 16 1\nkernel 8 1 1\nk any\n");
    const struct gcl_device_options options = {.shapes = all};
    const struct gcl_module m = {.options = &options};
    const struct gcl_device_kernel kernel = {.name = (char *)symbol, .max_threads = max_threads};
    GArray *shapes = gcl_shapes_find(&m, &kernel);
    char *text = gcl_shapes_format(shapes);
    assert_string_equal(text, expected);
    g_free(text);
    g_array_unref(shapes);
    g_array_unref(all);
}

static void finds_kernels_by_name(void **state) {
    (void)state;
    static const char both[] = "k 32 1 1\nk 16 16 1\nk any\n";
    assert_shapes("k", 1024, both);                      // extern "C"
    assert_shapes("_Z1kPf", 1024, both);                 // k(float *)
    assert_shapes("_ZL1kPf", 1024, both);                // static
    assert_shapes("_Z1kIfLi3EEvPT_", 1024, both);        // k<float, 3>
    assert_shapes("_ZN5space1kEv", 1024, both);          // space::k
    assert_shapes("_ZN6holderIiE1kIfEEvT_", 1024, both); // holder<int>::k<float>
    assert_shapes("_ZN12_GLOBAL__N_11kEv", 1024, both);  // (anonymous namespace)::k
    assert_shapes("_ZL1kPf__static__0123456789abcdef", 1024, both);
    assert_shapes("_Z1kPf", 128, "k 32 1 1\nk any\n");
    assert_shapes("_Z6kernelv", 1024, "kernel 8 1 1\n");
    assert_shapes("_Z2kkv", 1024, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_launches_can_have),
        cmocka_unit_test(counts_sizes_of_all_files),
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(finds_kernels_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
