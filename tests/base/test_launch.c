// Launches delimited by the text alone, as in dead code.
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "frontend/text/launch.h"
#include "frontend/text/macros.h"

static void append(GString *out, const char *text, struct gcl_source_range range) {
    g_string_append_printf(out, "[%.*s]", (int)(range.end - range.begin), text + range.begin);
}

// Delimits the first `<<<` of the text and prints its parts.
static void expect(const char *text, const char *want) {
    GArray *tokens = gcl_lexer_read(text, strlen(text));
    GHashTable *macros = gcl_macros_create();
    gcl_macros_add(macros, tokens, text);
    const struct gcl_launch_context context = {tokens, text, macros};
    guint i = 0;
    while (g_array_index(tokens, struct gcl_token, i).kind != GCL_TOKEN_LAUNCH_OPEN)
        i++;
    struct gcl_source_launch launch = gcl_launch_delimit(&context, i, NULL);
    GString *got = g_string_new(NULL);
    if (launch.keep == GCL_KEEP_NONE) {
        append(got, text, launch.kernel);
        for (uint32_t c = 0; c < launch.configuration_count; c++)
            append(got, text, launch.configuration[c]);
        append(got, text, launch.arguments);
        if (launch.commas)
            g_string_append_printf(got, " %u", launch.commas);
    } else {
        g_string_append(got, gcl_keep_text(launch.keep));
    }
    assert_string_equal(got->str, want);
    g_string_free(got, TRUE);
    g_hash_table_unref(macros);
    g_array_unref(tokens);
}

static void finds_the_kernel(void **state) {
    (void)state;
    expect("return k<<<1, 2>>>();", "[k][1][2][]");
    expect("; ::k<<<1, 2>>>(a)", "[::k][1][2][a]");
    expect("if (x) a::b<c, d>::k<e>  <<<1, 2>>>(f)", "[a::b<c, d>::k<e>][1][2][f] 16");
    expect("T::template k<1, 2><<<1, 2>>>()", "[T::template k<1, 2>][1][2][] 16");
    expect("x = p->q[i](j).r<<<1, 2>>>()", "[p->q[i](j).r][1][2][]");
    expect("if (x > y) (k)<<<1, 2>>>()", "[(k)][1][2][]");
    expect("x > (k)<<<1, 2>>>()", "[(k)][1][2][]");
    expect("f<int>(1)<<<1, 2>>>()", "[f<int>(1)][1][2][]");
    expect("else (c ? a : b)<<<1, 2>>>()", "[(c ? a : b)][1][2][]");
    expect("k<(a > b), v<c>><<<1, 2>>>()", "[k<(a > b), v<c>>][1][2][] 16");
    expect("#define X(n) n##_k##m<<<1, 2>>>()", "[n##_k##m][1][2][]");
    expect("PREFIX k<<<1, 2>>>()", "no kernel before or no arguments after the configuration");
    expect("cout <<< 1, 2>>>()", "[cout][1][2][]");
    expect("5 <<<1, 2>>>()", "no kernel before or no arguments after the configuration");
}

static void splits_the_configuration(void **state) {
    (void)state;
    expect("k<<<g, b, s, t>>>(a, b)", "[k][g][b][s][t][a, b]");
    expect("k<<<dim3{1, 2}, f(1, 2), a[1, 2]>>>()", "[k][dim3{1, 2}][f(1, 2)][a[1, 2]][] 5");
    expect("k<<<f<1, 2>(), 3>>>()", "number of configuration arguments is not clear from the text");
    expect("k<<<x>>>()", "number of configuration arguments is not clear from the text");
    expect("k<<<1, 2, 3, 4, 5>>>()",
           "number of configuration arguments is not clear from the text");
    expect("k<<<1, >>>()", "number of configuration arguments is not clear from the text");
    expect("k<<<n >> 2, n << 1>>>()", "[k][n >> 2][n << 1][]");
}

static void refuses_what_does_not_close(void **state) {
    (void)state;
    expect("k<<<1, 2", "brackets don't match");
    expect("k<<<1, 2;>>>()", "brackets don't match");
    expect("k<<<(1, 2>>>()", "brackets don't match");
    expect("k<<<1, 2>>>", "brackets don't match");
    expect("k<<<1, 2>>>(a", "directive inside the launch");
    expect("k<<<1,\n#if 1\n 2>>>()", "brackets don't match");
    expect("<<<1, 2>>>()", "no kernel before or no arguments after the configuration");
}

static void respects_macro_arguments(void **state) {
    (void)state;
    expect("#define A(...) __VA_ARGS__\nA(k<<<1, 2>>>())", "[k][1][2][]");
    expect("#define A(x...) x\nA(k<<<1, 2>>>())", "[k][1][2][]");
    expect("#define A(x, ...) x\nA(k<<<1, 2>>>())",
           "commas split the launch between arguments of a macro");
    expect("#define A(x, y) x\nA((k<<<1, 2>>>()), 1)", "[k][1][2][]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_kernel),
        cmocka_unit_test(splits_the_configuration),
        cmocka_unit_test(refuses_what_does_not_close),
        cmocka_unit_test(respects_macro_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
