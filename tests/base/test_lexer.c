// The lexer's words: one letter a kind of token, so that a test is a line.
#include "unit_test.h"

#include <string.h>

#include "frontend/text/lexer.h"

static char letter(const struct gcl_token *token) {
    static const char letters[] = {
        [GCL_TOKEN_IDENTIFIER] = 'i',   [GCL_TOKEN_LITERAL] = 'l',
        [GCL_TOKEN_OTHER] = 'o',        [GCL_TOKEN_ROUND_OPEN] = '(',
        [GCL_TOKEN_ROUND_CLOSE] = ')',  [GCL_TOKEN_SQUARE_OPEN] = '[',
        [GCL_TOKEN_SQUARE_CLOSE] = ']', [GCL_TOKEN_CURLY_OPEN] = '{',
        [GCL_TOKEN_CURLY_CLOSE] = '}',  [GCL_TOKEN_LESS] = '<',
        [GCL_TOKEN_GREATER] = '>',      [GCL_TOKEN_SHIFT_LEFT] = 'S',
        [GCL_TOKEN_SHIFT_RIGHT] = 's',  [GCL_TOKEN_LAUNCH_OPEN] = 'L',
        [GCL_TOKEN_LAUNCH_CLOSE] = 'R', [GCL_TOKEN_COMMA] = ',',
        [GCL_TOKEN_SEMICOLON] = ';',    [GCL_TOKEN_SCOPE] = ':',
        [GCL_TOKEN_DOT] = '.',          [GCL_TOKEN_ARROW] = 'a',
        [GCL_TOKEN_HASH] = '#',         [GCL_TOKEN_PASTE] = 'p',
    };
    return letters[token->kind];
}

static void expect_bytes(const char *bytes, size_t size, const char *want) {
    GArray *tokens = gcl_lexer_read(bytes, size);
    GString *got = g_string_new(NULL);
    uint32_t end = 0;
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        assert_true(token->begin >= end && token->end > token->begin && token->end <= size);
        end = token->end;
        g_string_append_c(got, letter(token));
    }
    assert_string_equal(got->str, want);
    g_string_free(got, TRUE);
    g_array_unref(tokens);
}

static void expect(const char *text, const char *want) {
    expect_bytes(text, strlen(text), want);
}

static void reads_launches(void **state) {
    (void)state;
    expect("k<<<1, 2>>>(x);", "iLl,lR(i);");
    expect("k<a<b>><<<1,2>>>()", "i<i<isLl,lR()");
    expect("k<a<b<c>>><<<1,2>>>()", "i<i<i<iRLl,lR()");
    expect("k << <1 >> >()", "iS<ls>()");
    expect("a<<=b>>=c<=d>=e<=>f", "ioioioioioi");
    expect("a<::b>", "i<:i>");
    expect("a<:1:>", "i[l]");
}

static void skips_comments_and_continuations(void **state) {
    (void)state;
    expect("a // b <<< c\nd", "ii");
    expect("a // b \\\n c\nd", "ii");
    expect("a // b\rd", "ii");
    expect("a /* <<< \n # */ b", "ii");
    expect("a /* never closed", "i");
    expect("a \\\n b \\ \r\n c", "iii");
}

static void reads_literals(void **state) {
    (void)state;
    expect("\"<<<\\\"\" 'x' '\\'' u8\"a\" L'b' x", "lllll"
                                                   "i");
    expect("R\"(\")\" R\"x()\")x\" LR\"(<<<)\" y", "llli");
    expect("1'000 0x1p-3 1e+5f .5 1.f x", "lllll"
                                          "i");
    expect("it's\nx", "ili");
    expect("\"open\nx", "li");
    expect("R\"never(", "l");
}

static void knows_directives(void **state) {
    (void)state;
    expect("#include <cudaFree.h>\nx", "#ii");
    expect("# error it's <<< \"open\nx", "#ii");
    expect("#define A(x) x##y\nz", "#ii(i)ipii");
    expect("  /* a */ # /* b */ define A\\\n B\nC", "#iiii");
    expect("a # define B", "i#ii");
    GArray *tokens = gcl_lexer_read("a\n#define B c\nd\n#pragma e\n", 26);
    const enum gcl_line_kind want[] = {GCL_LINE_TEXT,   GCL_LINE_DEFINE, GCL_LINE_DEFINE,
                                       GCL_LINE_DEFINE, GCL_LINE_DEFINE, GCL_LINE_TEXT,
                                       GCL_LINE_PRAGMA, GCL_LINE_PRAGMA, GCL_LINE_PRAGMA};
    assert_int_equal(tokens->len, G_N_ELEMENTS(want));
    for (guint i = 0; i < tokens->len; i++)
        assert_int_equal(g_array_index(tokens, struct gcl_token, i).line, want[i]);
    g_array_unref(tokens);
}

static void reads_any_bytes(void **state) {
    (void)state;
    expect_bytes("\xef\xbb\xbf#x", 5, "#i");
    expect_bytes("a\0b", 3, "ii");
    expect_bytes("\xff\x80 \x01", 4, "io");
    GRand *random = g_rand_new_with_seed(1);
    for (int i = 0; i < 2000; i++) {
        static const char alphabet[] = "a1R\"'\\\n\r#<>(){}[]:;,./* u8L%\0\xff";
        char bytes[64];
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = alphabet[g_rand_int_range(random, 0, sizeof alphabet)];
        GArray *tokens = gcl_lexer_read(bytes, (size_t)g_rand_int_range(random, 0, sizeof bytes));
        g_array_unref(tokens);
    }
    g_rand_free(random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_launches),  cmocka_unit_test(skips_comments_and_continuations),
        cmocka_unit_test(reads_literals),  cmocka_unit_test(knows_directives),
        cmocka_unit_test(reads_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
