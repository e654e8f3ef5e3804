// The language of pragmas: text in, clauses and mistakes out, and clauses as text between stages.
#include "unit_test.h"

#include <string.h>

#include "base/pragma.h"

// All clauses as they are written back, and mistakes as "begin-end message; help", a line each.
static char *describe(const char *text, size_t size) {
    struct gcl_pragma_parsed parsed = gcl_pragma_parse(text, 0, (uint32_t)size);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < parsed.clauses->len; i++) {
        gcl_pragma_clause_write(out, &g_array_index(parsed.clauses, struct gcl_pragma_clause, i));
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < parsed.errors->len; i++) {
        struct gcl_pragma_error *error = &g_array_index(parsed.errors, struct gcl_pragma_error, i);
        g_string_append_printf(out, "%u-%u %s; %s\n", error->begin, error->end, error->message,
                               error->help ? error->help : "");
    }
    gcl_pragma_parsed_finish(&parsed);
    return g_string_free(out, FALSE);
}

static void expect(const char *text, const char *want) {
    g_autofree char *got = describe(text, strlen(text));
    assert_string_equal(got, want);
}

// The expression as it is written back, with no more parentheses than needed.
static void expect_expression(const char *text, const char *want) {
    g_autofree char *pragma = g_strdup_printf("reads(a[%s])", text);
    g_autofree char *wanted = g_strdup_printf("reads(a[%s])\n", want);
    expect(pragma, wanted);
}

static void expect_same(const char *expression) {
    expect_expression(expression, expression);
}

static void reads_clauses(void **state) {
    (void)state;
    expect("split(x)", "split(x)\n");
    expect(" split ( z ) ", "split(z)\n");
    expect("single", "single\n");
    expect("reads(in[i : n])", "reads(in[i : n])\n");
    expect("writes(out[i])", "writes(out[i])\n");
    expect("writes(out[i:1])", "writes(out[i])\n");
    expect("reads(a[0 : n], p.b[1 : m])", "reads(a[0 : n])\nreads(p.b[1 : m])\n");
    expect("reduces(+: hist, sum)", "reduces(+: hist)\nreduces(+: sum)\n");
    expect("reduces(&:a) reduces(|:b) reduces(^:c)",
           "reduces(&: a)\nreduces(|: b)\nreduces(^: c)\n");
    expect("reduces(min: lo) reduces(max: hi)", "reduces(min: lo)\nreduces(max: hi)\n");
    expect("replicate(table) disjoint(a, b)", "replicate(table)\ndisjoint(a)\ndisjoint(b)\n");
    expect("split(y), single,disjoint(o)", "split(y)\nsingle\ndisjoint(o)\n");
}

static void reads_expressions(void **state) {
    (void)state;
    expect_same("threadIdx.x + blockIdx.y * blockDim.z - gridDim.x");
    expect_same("a + b * c % d / e - f");
    expect_same("(a + b) * c");
    expect_same("a - (b - c) - d");
    expect_same("a << 1 >> (b << 2)");
    expect_same("a & b | c ^ d & ~e");
    expect_same("(a | b) & (c ^ d)");
    expect_same("a < b == c >= d && e != f || g <= h && i > j");
    expect_same("!(a && b) || -c < ~d");
    expect_same("-(a + b) * -c");
    expect_same("a ? b : c ? d : e");
    expect_same("(a ? b : c) ? d ? e : f : g");
    expect_same("min(a + 1, max(b, c)) * 2");
    expect_same("min + max.x"); // parameters of these names
    expect_same("p.size.x * p.n");
    expect_expression("((a)) + (b * c)", "a + b * c");
    expect_expression("+a - + + b", "a - b");
    expect_expression("a?b:c:n", "a ? b : c : n");
    expect_expression("0x1F + 0XffULL + 017 + 0 + 12u + 7llu", "31 + 255 + 15 + 0 + 12 + 7");
    expect_same("9223372036854775807");
}

static void skips_comments_and_continuations(void **state) {
    (void)state;
    expect("split /* by ( rows */ (y) // the rest", "split(y)\n");
    expect("split(\\\ny) \\  \r\n single", "split(y)\nsingle\n");
    expect("split(y) // a \\\n b\n single", "split(y)\nsingle\n");
    expect("split(y) /* never closed", "split(y)\n");
}

static void knows_places(void **state) {
    (void)state;
    static const char text[] = "xx split(y) reads(a[n], pp.b[1 : p.m]) yy";
    struct gcl_pragma_parsed parsed = gcl_pragma_parse(text, 3, 38);
    static const uint32_t want[][2] = {{3, 11}, {18, 22}, {24, 37}};
    assert_int_equal(parsed.clauses->len, 3);
    assert_int_equal(parsed.errors->len, 0);
    for (guint i = 0; i < 3; i++) {
        struct gcl_pragma_clause *clause =
            &g_array_index(parsed.clauses, struct gcl_pragma_clause, i);
        assert_int_equal(clause->begin, want[i][0]);
        assert_int_equal(clause->end, want[i][1]);
    }
    struct gcl_pragma_clause *last = &g_array_index(parsed.clauses, struct gcl_pragma_clause, 2);
    assert_int_equal(last->object.begin, 24);
    assert_int_equal(last->object.end, 28);
    struct gcl_pragma_node *m = &g_array_index(last->nodes, struct gcl_pragma_node, last->count);
    assert_int_equal(m->object.begin, 33);
    assert_int_equal(m->object.end, 36);
    gcl_pragma_parsed_finish(&parsed);
}

static const char clauses[] =
    "clauses are split, single, reads, writes, reduces, replicate and disjoint";

static void names_unknown_clauses(void **state) {
    (void)state;
    g_autofree char *empty =
        g_strdup_printf("0-1 '#pragma gcluster' without a clause; %s\n", clauses);
    g_autofree char *other =
        g_strdup_printf("0-4 'tile' is not a clause of '#pragma gcluster'; %s\n", clauses);
    g_autofree char *comma =
        g_strdup_printf("single\n7-8 expected a clause after ','; %s\n", clauses);
    g_autofree char *sign =
        g_strdup_printf("0-1 expected a clause after 'gcluster'; %s\n", clauses);
    g_autofree char *call =
        g_strdup_printf("single\n6-7 expected a clause after 'single'; %s\n", clauses);
    expect("", empty);
    expect("tile(2)", other);
    expect("single,", comma);
    expect("(split)", sign);
    expect("single()", call);
    expect("read(a[1])",
           "0-4 'read' is not a clause of '#pragma gcluster'; did you mean 'reads'?\n");
    expect("dijsoint(a)",
           "0-8 'dijsoint' is not a clause of '#pragma gcluster'; did you mean 'disjoint'?\n");
}

static void says_what_is_expected(void **state) {
    (void)state;
    expect("split", "5-6 expected '(' after 'split'; \n");
    expect("split y", "6-7 expected '(' after 'split'; \n");
    expect("split()", "6-7 expected 'x', 'y' or 'z' after '('; \n");
    expect("split(rows)", "6-10 expected 'x', 'y' or 'z' after '('; \n");
    expect("split(x, y)", "7-8 expected ')' after 'x'; \n");
    expect("reads(a)", "7-8 expected '[' after 'a'; say which elements: a[first : count]\n");
    expect("reads()", "6-7 expected the name of a parameter after '('; \n");
    expect("reads(a[])", "8-9 expected a value after '['; \n");
    expect("reads(a[1 : ])", "12-13 expected a value after ':'; \n");
    expect("reads(a[1)", "9-10 expected ']' after '1'; \n");
    expect("reads(a[1]", "reads(a[1])\n10-11 expected ')' after ']'; \n");
    expect("reads(a[b c])", "10-11 expected ']' after 'b'; \n");
    expect("reads(a[(b])", "10-11 expected ')' after 'b'; \n");
    expect("reads(a[b = c])", "10-11 expected ']' after 'b'; \n");
    expect("reads(a[b.])", "10-11 expected the name of a field after '.'; \n");
    expect("reads(a[b ? c])", "13-14 expected ':' after 'c'; \n");
    expect("reads(a[min(b)])", "13-14 expected ',' after 'b'; \n");
    expect("reads(a[threadIdx])", "17-18 expected '.' after 'threadIdx'; \n");
    expect("reads(a[threadIdx.w])", "18-19 expected 'x', 'y' or 'z' after '.'; \n");
    expect("reduces(hist)", "8-12 expected '+', '&', '|', '^', 'min' or 'max' after '('; "
                            "write reduces(+: sum)\n");
    expect("reduces(+ hist)", "10-14 expected ':' after '+'; \n");
    expect("reduces(*: a)", "8-9 expected '+', '&', '|', '^', 'min' or 'max' after '('; "
                            "write reduces(+: sum)\n");
}

static void reads_signs_as_c_does(void **state) {
    (void)state;
    expect("reduces(&&: a)", "8-10 expected '+', '&', '|', '^', 'min' or 'max' after '('; "
                             "write reduces(+: sum)\n");
    expect("reads(a[!=b])", "8-10 expected a value after '['; \n");
    expect("reads(a[b === c])", "12-13 expected a value after '=='; \n");
    expect("split(x) -> single", "split(x)\nsingle\n9-11 expected a clause after ')'; clauses are "
                                 "split, single, reads, writes, reduces, replicate and disjoint\n");
    expect("reads(a[b \\ c])", "10-11 expected ']' after 'b'; \n");
    expect("replicate(a, p.)", "replicate(a)\n15-16 expected the name of a field after '.'; \n");
    expect("replicate(a, p b)", "replicate(a)\nreplicate(p)\n15-16 expected ')' after 'p'; \n");
}

static void refuses_what_only_c_has(void **state) {
    (void)state;
    expect("reads(a[b[i]])", "9-10 'b[...]' would be read from memory, which an expression can't; "
                             "name a range that holds all of them; it may be larger than needed\n");
    expect("reads(a[abs(i)])",
           "11-12 'abs' can't be called in a pragma; there are only min(a, b) and max(a, b)\n");
    expect("reads(a[p->n])", "9-11 'p' is followed by a field in memory; only fields of a struct "
                             "passed by value are known at launch\n");
    expect("reads(a[(size_t) n])",
           "9-15 conversion to 'size_t' in a pragma; "
           "leave it out: all arithmetic is on signed integers of 64 bits\n");
    expect("reads(a[1.5])", "8-11 '1.5' is not an integer; \n");
    expect("reads(a[08])", "8-10 '08' is not an integer; \n");
    expect("reads(a[0x])", "8-10 '0x' is not an integer; \n");
    expect("reads(a[1'000])", "8-13 '1'000' is not an integer; \n");
    expect("reads(a[9223372036854775808])", "8-27 '9223372036854775808' is too large; "
                                            "the largest number is 9223372036854775807\n");
}

static void goes_on_after_a_mistake(void **state) {
    (void)state;
    expect("split(u) reads(a[) single writes(b[0])",
           "single\nwrites(b[0])\n6-7 expected 'x', 'y' or 'z' after '('; \n"
           "17-18 expected a value after '['; \n");
    expect("reads(a[0], b, c[0]) single",
           "reads(a[0])\nsingle\n"
           "13-14 expected '[' after 'b'; say which elements: b[first : count]\n");
    expect("spilt(x) of the rows single",
           "single\n0-5 'spilt' is not a clause of '#pragma gcluster'; did you mean 'split'?\n");
}

static void limits_depth_and_length(void **state) {
    (void)state;
    GString *text = g_string_new("reads(a[");
    for (int i = 0; i < 100000; i++)
        g_string_append_c(text, i % 2 ? '(' : '-');
    g_autofree char *deep = describe(text->str, text->len);
    assert_non_null(strstr(deep, "nested too deep"));
    g_string_assign(text, "reads(a[1");
    for (int i = 0; i < 100000; i++)
        g_string_append(text, "+1");
    g_autofree char *wide = describe(text->str, text->len);
    assert_non_null(strstr(wide, "too long"));
    g_string_assign(text, "single /*");
    for (int i = 0; i < 100000; i++)
        g_string_append_c(text, ' ');
    g_string_append(text, "*/");
    expect(text->str, "single\n6-7 pragma is longer than 32768 bytes; write several pragmas\n");
    g_string_free(text, TRUE);
}

static const char carried[] =
    "_Z1kPf\tk\t3\t0\t1\t0\t.\t.\t.\t12\t17\t5\ta b.cu\n"
    ".\tspace::k\t2\t2\t0\t0\tin:0:8:4:3\tblockIdx.y n:1:0:4:1 * 1- 3 min 1~ 4 +\t"
    "1! 2 3 ?\t1\t2\t3\tx.h\n";

static void carries_clauses(void **state) {
    (void)state;
    GPtrArray *pragmas = gcl_pragmas_create();
    static const char good[] =
        "_Z1kPf\tk\t3\t0\t1\t0\t.\t.\t.\t12\t17\t5\ta b.cu\n"
        ".\tspace::k\t2\t2\t0\t0\tin:0:8:4:3\tblockIdx.y n:1:0:4:1 * 1-\t7\t1\t2\t3\tx.h\n";
    gcl_pragmas_read(pragmas, good);
    gcl_pragmas_read(pragmas, good);
    assert_int_equal(pragmas->len, 2);
    g_autofree char *again = gcl_pragmas_format(pragmas);
    assert_string_equal(again, good);
    const struct gcl_pragma *reads = pragmas->pdata[1];
    assert_null(reads->symbol);
    assert_int_equal(reads->clause.object.offset, 8);
    assert_int_equal(reads->clause.object.type, GCL_PRAGMA_TYPE_FLOAT);
    GString *text = g_string_new(NULL);
    gcl_pragma_clause_write(text, &reads->clause);
    assert_string_equal(text->str, "reads(in[-(blockIdx.y * n) : 7])");
    g_string_free(text, TRUE);
    g_ptr_array_unref(pragmas);
}

static void leaves_out_what_nobody_writes(void **state) {
    (void)state;
    GPtrArray *pragmas = gcl_pragmas_create();
    gcl_pragmas_read(pragmas, carried); // its expression leaves two values, or lacks some
    assert_int_equal(pragmas->len, 1);
    gcl_pragmas_read(pragmas, "\n\t\n.\tk\t1\t9\t0\t0\t.\t.\t.\t1\t1\t1\tx\n"
                              ".\tk\t1\t0\t3\t0\t.\t.\t.\t1\t1\t1\tx\n"
                              ".\tk\t1\t0\t-1\t0\t.\t.\t.\t1\t1\t1\tx\n"
                              ".\tk\t1\t4\t0\t6\ta:0:0:4:1\t.\t.\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:5\t1\t1\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:1\t\t1\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:1\t1 2\t1\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:1\t1 +\t1\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:1\tblockIdx.w\t1\t1\t1\t1\tx\n"
                              ".\tk\t1\t2\t0\t0\ta:0:0:4:1\t1\t1\t1\t1\t1\n");
    assert_int_equal(pragmas->len, 1);
    g_ptr_array_unref(pragmas);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_clauses),
        cmocka_unit_test(reads_expressions),
        cmocka_unit_test(skips_comments_and_continuations),
        cmocka_unit_test(knows_places),
        cmocka_unit_test(names_unknown_clauses),
        cmocka_unit_test(says_what_is_expected),
        cmocka_unit_test(reads_signs_as_c_does),
        cmocka_unit_test(refuses_what_only_c_has),
        cmocka_unit_test(goes_on_after_a_mistake),
        cmocka_unit_test(limits_depth_and_length),
        cmocka_unit_test(carries_clauses),
        cmocka_unit_test(leaves_out_what_nobody_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
