// Bytes, lines and code units, in each encoding.
#include "unit_test.h"

#include <string.h>

#include "lsp/base/line_table.h"

// Two bytes and one unit; four bytes and two units of UTF-16.
#define A_UMLAUT "\xc3\xa4"
#define GRIN "\xf0\x9f\x98\x80"

static struct gcl_line_table *create(const char *text, enum gcl_encoding encoding) {
    GBytes *bytes = g_bytes_new(text, strlen(text));
    struct gcl_line_table *lines = gcl_line_table_create(bytes, encoding);
    g_bytes_unref(bytes);
    return lines;
}

static void expect(const struct gcl_line_table *text, uint32_t line, uint32_t character,
                   uint32_t offset) {
    uint32_t found_line, found_character;
    assert_int_equal(gcl_line_table_offset(text, line, character), offset);
    gcl_line_table_locate(text, offset, &found_line, &found_character);
    assert_int_equal(found_line, line);
    assert_int_equal(found_character, character);
}

static void counts_units(void **state) {
    (void)state;
    static const uint32_t behind_grin[] = {
        [GCL_ENCODING_UTF16] = 3, [GCL_ENCODING_UTF8] = 6, [GCL_ENCODING_UTF32] = 2};
    for (int e = 0; e < 3; e++) {
        struct gcl_line_table *text = create("x\n" A_UMLAUT GRIN "y", (enum gcl_encoding)e);
        expect(text, 0, 1, 1);
        expect(text, 1, 0, 2);
        expect(text, 1, e == GCL_ENCODING_UTF8 ? 2 : 1, 4);
        expect(text, 1, behind_grin[e], 8);
        assert_int_equal(gcl_line_table_units(text, 2, 9), behind_grin[e] + 1);
        gcl_line_table_destroy(text);
    }
}

static void stays_inside(void **state) {
    (void)state;
    struct gcl_line_table *text = create("ab\n" GRIN "\n", GCL_ENCODING_UTF16);
    assert_int_equal(gcl_line_table_offset(text, 0, 99), 2);
    assert_int_equal(gcl_line_table_offset(text, 1, 1), 3); // inside of a character: its begin
    assert_int_equal(gcl_line_table_offset(text, 9, 0), 8);
    gcl_line_table_destroy(text);
}

static void knows_all_ends_of_lines(void **state) {
    (void)state;
    struct gcl_line_table *text = create("a\r\nb\rc\n", GCL_ENCODING_UTF16);
    assert_int_equal(text->begins->len, 4);
    assert_int_equal(gcl_line_table_offset(text, 0, 99), 1);
    assert_int_equal(gcl_line_table_offset(text, 1, 99), 4);
    assert_int_equal(gcl_line_table_offset(text, 2, 99), 6);
    assert_int_equal(gcl_line_table_offset(text, 3, 0), 7);
    gcl_line_table_destroy(text);
}

static void counts_other_bytes_one_by_one(void **state) {
    (void)state;
    struct gcl_line_table *text = create("\xe4\xf6x", GCL_ENCODING_UTF16);
    expect(text, 0, 2, 2);
    gcl_line_table_destroy(text);
}

static void refuses_what_is_no_position(void **state) {
    (void)state;
    static const char *const bad[] = {"{}", "[]", "{\"line\": -1, \"character\": 0}",
                                      "{\"line\": 0, \"character\": \"1\"}"};
    struct gcl_line_table *text = create("a", GCL_ENCODING_UTF16);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        uint32_t offset;
        json_t *position = json_loads(bad[i], 0, NULL);
        assert_false(gcl_line_table_offset_of(text, position, &offset));
        json_decref(position);
    }
    gcl_line_table_destroy(text);
}

static void leaves_a_range_alone_that_it_refuses(void **state) {
    (void)state;
    static const char *const bad[] = {
        "{\"start\": {\"line\": 0, \"character\": 1}}",
        "{\"start\": {\"line\": 0, \"character\": 2}, \"end\": {\"line\": 0, \"character\": 1}}"};
    struct gcl_line_table *text = create("abc", GCL_ENCODING_UTF16);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        uint32_t begin = 7, end = 9;
        json_t *range = json_loads(bad[i], 0, NULL);
        assert_non_null(range);
        assert_false(gcl_line_table_range_of(text, range, &begin, &end));
        assert_int_equal(begin, 7);
        assert_int_equal(end, 9);
        json_decref(range);
    }
    gcl_line_table_destroy(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_units),
        cmocka_unit_test(stays_inside),
        cmocka_unit_test(knows_all_ends_of_lines),
        cmocka_unit_test(counts_other_bytes_one_by_one),
        cmocka_unit_test(refuses_what_is_no_position),
        cmocka_unit_test(leaves_a_range_alone_that_it_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
