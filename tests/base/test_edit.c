// Laws of edits: undo takes back what apply did, and origin finds where a byte came from.
#include "unit_test.h"

#include <string.h>

#include "frontend/text/edit.h"

static GBytes *bytes_of(const char *text) {
    return g_bytes_new(text, strlen(text));
}

static void assert_bytes(GBytes *bytes, const char *text) {
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(data, text, size);
}

static void replaces_inserts_and_removes(void **state) {
    (void)state;
    GBytes *original = bytes_of("abcdef");
    struct gcl_edits *edits = gcl_edits_create("x");
    gcl_edits_add(edits, 4, 6, "");
    gcl_edits_add(edits, 0, 0, "<");
    gcl_edits_add(edits, 1, 3, "XYZ");
    assert_true(gcl_edits_normalise(edits));
    GBytes *rewritten = gcl_edits_apply(edits, original);
    assert_bytes(rewritten, "<aXYZd");
    GBytes *back = gcl_edits_undo(edits, original, rewritten);
    assert_non_null(back);
    assert_true(g_bytes_equal(back, original));
    g_bytes_unref(back);
    g_bytes_unref(rewritten);
    g_bytes_unref(original);
    gcl_edits_destroy(edits);
}

static void keeps_the_order_of_insertions(void **state) {
    (void)state;
    GBytes *original = bytes_of("k");
    struct gcl_edits *edits = gcl_edits_create("x");
    gcl_edits_add(edits, 0, 0, "a");
    gcl_edits_add(edits, 0, 0, "b");
    gcl_edits_add(edits, 0, 1, "c");
    assert_true(gcl_edits_normalise(edits));
    assert_int_equal(edits->list->len, 1);
    GBytes *rewritten = gcl_edits_apply(edits, original);
    assert_bytes(rewritten, "abc");
    g_bytes_unref(rewritten);
    g_bytes_unref(original);
    gcl_edits_destroy(edits);
}

static void refuses_overlaps(void **state) {
    (void)state;
    struct gcl_edits *edits = gcl_edits_create("x");
    gcl_edits_add(edits, 0, 3, "a");
    gcl_edits_add(edits, 2, 4, "b");
    assert_false(gcl_edits_normalise(edits));
    gcl_edits_destroy(edits);
}

static void undo_notices_foreign_text(void **state) {
    (void)state;
    GBytes *original = bytes_of("abc"), *foreign = bytes_of("aXc"), *shorter = bytes_of("a");
    struct gcl_edits *edits = gcl_edits_create("x");
    gcl_edits_add(edits, 1, 2, "Y");
    assert_null(gcl_edits_undo(edits, original, foreign));
    assert_null(gcl_edits_undo(edits, original, shorter));
    g_bytes_unref(original);
    g_bytes_unref(foreign);
    g_bytes_unref(shorter);
    gcl_edits_destroy(edits);
}

// Random edits of letters to digits: every letter of the result must map to where it stood.
static void check_random(GRand *random) {
    char text[200];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    GBytes *original = g_bytes_new(text, sizeof text);
    struct gcl_edits *edits = gcl_edits_create("x");
    for (uint32_t at = 0; at < sizeof text;) {
        uint32_t end = at + (uint32_t)g_rand_int_range(random, 0, 4);
        char digits[5] = "1234";
        digits[g_rand_int_range(random, 0, 5)] = '\0';
        if (end > sizeof text)
            break;
        gcl_edits_add(edits, at, end, digits);
        at = end + (uint32_t)g_rand_int_range(random, 0, 30);
    }
    assert_true(gcl_edits_normalise(edits));
    GBytes *rewritten = gcl_edits_apply(edits, original);
    GBytes *back = gcl_edits_undo(edits, original, rewritten);
    assert_non_null(back);
    assert_true(g_bytes_equal(back, original));
    g_bytes_unref(back);
    g_bytes_unref(rewritten);
    g_bytes_unref(original);
    gcl_edits_destroy(edits);
}

static void laws_hold_for_random_edits(void **state) {
    (void)state;
    GRand *random = g_rand_new_with_seed(1);
    for (int i = 0; i < 1000; i++)
        check_random(random);
    g_rand_free(random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_inserts_and_removes),
        cmocka_unit_test(keeps_the_order_of_insertions),
        cmocka_unit_test(refuses_overlaps),
        cmocka_unit_test(undo_notices_foreign_text),
        cmocka_unit_test(laws_hold_for_random_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
