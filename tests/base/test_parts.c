// What a kernel is made of, in IR as clang writes it before optimisation.
#include <string.h>

#include "driver/parts.h"
#include "unit_test.h"

// %s: what `twice` adds, `scale` multiplies by, and a bound of `second`; %d: lines of two kernels.
static const char pattern[] =
    "; ModuleID = 'a.cu'\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "\n"
    "%%struct.\"odd @name\" = type { i8 }\n"
    "$twice = comdat any\n"
    "@table = internal constant [2 x i8] c\"@h\"\n"
    "@state = internal global i32 0\n"
    "\n"
    "define dso_local void @first(ptr %%a) #0 !dbg !7 {\n"
    "  %%x = call float @twice(float 1.0, ptr @table), !dbg !8\n"
    "  store i32 1, ptr @state\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define dso_local void @second(ptr %%a) #0 !dbg !9 {\n"
    "  %%x = call float @twice(float 2.0, ptr @table), !dbg !10\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define dso_local void @third(ptr %%a) #0 !dbg !11 {\n"
    "  %%x = call float @scale(float 2.0)\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define dso_local void @fourth(ptr %%a) #0 !dbg !12 {\n"
    "  %%x = call float @scale(float 3.0)\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define linkonce_odr float @twice(float %%x, ptr %%t) #1 comdat {\n"
    "  %%y = fadd float %%x, %s\n"
    "  ret float %%y\n"
    "}\n"
    "\n"
    "define internal float @scale(float %%x) #1 {\n"
    "  %%y = fmul float %%x, %s\n"
    "  ret float %%y\n"
    "}\n"
    "\n"
    "attributes #0 = { convergent }\n"
    "attributes #1 = { nounwind }\n"
    "\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!nvvm.annotations = !{!2, !3, !4, !5, !6}\n"
    "\n"
    "!0 = distinct !DICompileUnit(file: !1, globals: !13, flags: \"!9 @h\")\n"
    "!1 = !DIFile(filename: \"a.cu\", directory: \"/d\")\n"
    "!2 = !{ptr @first, !\"kernel\", i32 1}\n"
    "!3 = !{ptr @second, !\"kernel\", i32 1}\n"
    "!4 = !{ptr @second, !\"maxntidx\", i32 %s}\n"
    "!5 = !{ptr @third, !\"kernel\", i32 1}\n"
    "!6 = !{ptr @fourth, !\"kernel\", i32 1}\n"
    "!7 = distinct !DISubprogram(name: \"first\", file: !1, line: %d, scopeLine: %d, unit: !0)\n"
    "!8 = !DILocation(line: %d, column: 5, scope: !7)\n"
    "!9 = distinct !DISubprogram(name: \"second\", file: !1, line: %d, scopeLine: %d, unit: !0)\n"
    "!10 = !DILocation(line: %d, column: 5, scope: !9)\n"
    "!11 = distinct !DISubprogram(name: \"third\", file: !1, line: 90, unit: !0)\n"
    "!12 = distinct !DISubprogram(name: \"fourth\", file: !1, line: 95, unit: !0)\n"
    "!13 = !{!7, !9, !11, !12}\n";

static char *module(const char *twice, const char *scale, const char *threads, int first,
                    int second) {
    return g_strdup_printf(pattern, twice, scale, threads, first, first, first + 1, second, second,
                           second + 1);
}

struct keys {
    char *key[4];
    guint32 line[4][4];
};

static struct keys keys_of(char *ir) {
    struct keys keys = {0};
    struct gcl_parts *parts = gcl_parts_create(ir, strlen(ir), "/d/a.cu");
    assert_int_equal(gcl_parts_count(parts), 4);
    for (guint i = 0; i < 4; i++) {
        g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint32));
        keys.key[i] = gcl_parts_key(parts, i, lines);
        memcpy(keys.line[i], lines->data, MIN(lines->len, 4) * sizeof(guint32));
    }
    gcl_parts_destroy(parts);
    g_free(ir);
    return keys;
}

// Letters of the kernels whose keys differ.
static char *changed(char *ir) {
    struct keys before = keys_of(module("1.0", "1.0", "64", 10, 20)), now = keys_of(ir);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < 4; i++) {
        if (strcmp(before.key[i], now.key[i]) != 0)
            g_string_append_c(out, "1234"[i]);
        g_free(before.key[i]);
        g_free(now.key[i]);
    }
    return g_string_free(out, FALSE);
}

static void assert_changed(char *ir, const char *kernels) {
    g_autofree char *found = changed(ir);
    assert_string_equal(found, kernels);
}

static void changes_with_what_it_is_made_of(void **state) {
    (void)state;
    assert_changed(module("1.0", "1.0", "64", 10, 20), "");
    assert_changed(module("3.0", "1.0", "64", 10, 20), "12");
    assert_changed(module("1.0", "3.0", "64", 10, 20), "34");
    assert_changed(module("1.0", "1.0", "32", 10, 20), "2");
}

static void follows_lines(void **state) {
    (void)state;
    assert_changed(module("1.0", "1.0", "64", 10, 40), "");
    assert_changed(module("1.0", "1.0", "64", 30, 20), "");
    struct keys keys = keys_of(module("1.0", "1.0", "64", 30, 20));
    assert_int_equal(keys.line[0][0], 30);
    assert_int_equal(keys.line[0][1], 31);
    assert_int_equal(keys.line[1][0], 20);
    for (guint i = 0; i < 4; i++)
        g_free(keys.key[i]);
}

// A call of a local function may change how that is specialised for another one.
static void local_functions_join(void **state) {
    (void)state;
    char *ir = module("1.0", "1.0", "64", 10, 20);
    char *call = strstr(ir, "@scale(float 3.0)");
    call[strlen("@scale(float ")] = '4';
    assert_changed(ir, "34");
    ir = module("1.0", "1.0", "64", 10, 20);
    call = strstr(ir, "@twice(float 2.0");
    call[strlen("@twice(float ")] = '4';
    assert_changed(ir, "2");
}

static void extracts(void **state) {
    (void)state;
    static const bool wanted[] = {false, true, false, false};
    g_autofree char *ir = module("1.0", "1.0", "64", 10, 20);
    struct gcl_parts *parts = gcl_parts_create(ir, strlen(ir), "/d/a.cu");
    GString *part = gcl_parts_extract(parts, wanted);
    assert_string_equal(gcl_parts_symbol(parts, 1), "second");
    static const char *const there[] = {"@second(ptr %a)",
                                        "@twice(float %x",
                                        "@table =",
                                        "$twice",
                                        "!10 =",
                                        "attributes #1",
                                        "!nvvm.annotations = !{!3, !4}\n",
                                        "!llvm.dbg.cu = !{!0}\n",
                                        "flags: \"!9 @h\")",
                                        "target triple"};
    static const char *const gone[] = {"@first", "@scale", "@state", "!13", "!8 ="};
    for (size_t i = 0; i < G_N_ELEMENTS(there); i++)
        assert_non_null(strstr(part->str, there[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(gone); i++)
        assert_null(strstr(part->str, gone[i]));
    g_string_free(part, TRUE);
    gcl_parts_destroy(parts);
}

// Text that no clang writes.
static void survives_anything(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",     "define",         "define @f() {\n",
        "@\"x", "!1 = !{!2, !\"", "!nvvm.annotations = !{!1}\n!1 = !{ptr @f, !\"kernel\"}\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct gcl_parts *parts = gcl_parts_create(texts[i], strlen(texts[i]), "/d/a.cu");
        assert_int_equal(gcl_parts_count(parts), 0);
        g_string_free(gcl_parts_extract(parts, NULL), TRUE);
        gcl_parts_destroy(parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_with_what_it_is_made_of),
        cmocka_unit_test(follows_lines),
        cmocka_unit_test(local_functions_join),
        cmocka_unit_test(extracts),
        cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
