// Guesses at misspelt words.
#include "unit_test.h"

#include "base/spell.h"

static const char *nearest(const char *word, const char *const *words) {
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    for (; *words; words++)
        g_ptr_array_add(candidates, (gpointer)*words);
    return gcl_spell_nearest(word, candidates);
}

static const char *const words[] = {"split", "single", "reads", "writes", "n", "threadIdx", NULL};

static void finds_one_edit(void **state) {
    (void)state;
    assert_string_equal(nearest("read", words), "reads");
    assert_string_equal(nearest("readss", words), "reads");
    assert_string_equal(nearest("rexds", words), "reads");
    assert_string_equal(nearest("raeds", words), "reads");
    assert_string_equal(nearest("spilt", words), "split");
    assert_string_equal(nearest("threadidx", words), "threadIdx");
}

static void wants_two_of_three_letters(void **state) {
    (void)state;
    assert_string_equal(nearest("wriets_", words), "writes");
    assert_null(nearest("rxyds", words));
    assert_null(nearest("parallel", words));
    assert_null(nearest("m", words));
    assert_null(nearest("", words));
}

static void takes_the_nearest(void **state) {
    (void)state;
    static const char *const close[] = {"height", "weight", "width", NULL};
    assert_string_equal(nearest("weigth", close), "weight");
    assert_string_equal(nearest("hieght", close), "height");
    assert_string_equal(nearest("eight", close), "height");
}

static void reads_words_of_any_length(void **state) {
    (void)state;
    g_autofree char *length_65 = g_strnfill(65, 'a'), *length_64 = g_strnfill(64, 'a');
    const char *const close[] = {length_65, length_64, NULL};
    assert_null(nearest(length_65, close));
    assert_string_equal(nearest(length_64, close), length_64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_edit),
        cmocka_unit_test(wants_two_of_three_letters),
        cmocka_unit_test(takes_the_nearest),
        cmocka_unit_test(reads_words_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
