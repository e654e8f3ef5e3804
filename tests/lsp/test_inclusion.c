// What stands in front of an #include.
#include "unit_test.h"

#include <glib.h>

#include "project/inclusion.h"

static void expect(const char *text, const char *head) {
    g_autofree char *found = gcl_inclusion_head(text, "/w/main.cu", "/w/sub/k.cu");
    if (head)
        assert_string_equal(found, head);
    else
        assert_null(found);
}

static void finds_the_first(void **state) {
    (void)state;
    expect("int a;\n#include \"sub/k.cu\"\nint b;\n#include \"sub/k.cu\"\n", "int a;\n");
    expect("int a;\n  #  include /* it */ \"./sub/../sub/k.cu\"", "int a;\n");
    expect("#include \"k.cu\"\n", ""); // by a folder of headers
    expect("#include \"other/k.cu\"\n#include <k.cu>\n", NULL);
    expect("", NULL);
}

static void closes_conditions(void **state) {
    (void)state;
    expect("#ifndef A\n#if B\n#endif\n#include \"sub/k.cu\"\n#endif\n",
           "#ifndef A\n#if B\n#endif\n#endif\n");
    expect("#if A\n#else\n#include \"sub/k.cu\"\n", "#if A\n#else\n#endif\n");
}

static void overlooks_comments_and_strings(void **state) {
    (void)state;
    expect("// #include \"sub/k.cu\"\n", NULL);
    expect("/*\n#include \"sub/k.cu\"\n*/\n", NULL);
    expect("int a; /*\n#include \"sub/k.cu\"\n*/\n", NULL);
    expect("char *a = \"/*\";\n#include \"sub/k.cu\"\n", "char *a = \"/*\";\n");
    expect("#include \"unfinished\n#include \"sub/k.cu\"\n", "#include \"unfinished\n");
    expect("/* unfinished\n#include \"sub/k.cu\"\n", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_first),
        cmocka_unit_test(closes_conditions),
        cmocka_unit_test(overlooks_comments_and_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
