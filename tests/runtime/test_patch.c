// What is left of a chunk that is overwritten, and how its bytes are kept.
#include <string.h>

#include "check.h"
#include "exec/residency/patch.h"

static struct gcl_cover cover_of(const struct gcl_hole *runs, unsigned count, bool *is_covered) {
    struct gcl_cover cover = {.end = 0};
    for (unsigned i = 0; i < count; i++)
        gcl_cover_add(&cover, runs[i].begin, runs[i].end);
    *is_covered = gcl_cover_end(&cover);
    return cover;
}

static void holes(void **state) {
    const struct gcl_hole runs[] = {{4, 100}, {100, 200}, {204, GCL_CHUNK_SIZE - 8}};
    bool is_covered;
    struct gcl_cover cover = cover_of(runs, 3, &is_covered);
    (void)state;
    assert_true(is_covered);
    assert_int_equal(cover.holes.count, 3);
    assert_memory_equal(cover.holes.items,
                        ((const struct gcl_hole[]){{0, 4}, {200, 204}, {65528, 65536}}),
                        3 * sizeof(struct gcl_hole));
    assert_int_equal(cover_of(&(struct gcl_hole){0, GCL_CHUNK_SIZE}, 1, &is_covered).holes.count,
                     0);
    assert_true(is_covered);
}

static void too_much(void **state) {
    struct gcl_hole many[GCL_HOLES_MOST + 1];
    const struct gcl_hole half[] = {{0, GCL_CHUNK_SIZE / 2}};
    const struct gcl_hole back[] = {{100, GCL_CHUNK_SIZE}, {0, 100}};
    bool is_covered;
    (void)state;
    for (unsigned i = 0; i <= GCL_HOLES_MOST; i++)
        many[i] = (struct gcl_hole){i * 1000 + 1, i == GCL_HOLES_MOST ? 65536 : (i + 1) * 1000};
    cover_of(many + 1, GCL_HOLES_MOST, &is_covered);
    assert_true(is_covered);
    cover_of(many, GCL_HOLES_MOST + 1, &is_covered);
    assert_false(is_covered); // one hole too many
    many[1].begin = many[0].end;
    cover_of(many, GCL_HOLES_MOST + 1, &is_covered);
    assert_true(is_covered);
    cover_of(half, 1, &is_covered);
    assert_false(is_covered);
    cover_of(back, 2, &is_covered);
    assert_false(is_covered);
}

static void taken_and_put(void **state) {
    static unsigned char from[GCL_CHUNK_SIZE], to[GCL_CHUNK_SIZE];
    const struct gcl_holes holes = {.count = 2, .items = {{0, 3}, {70, 72}}};
    struct gcl_patch *patch = gcl_patch_create(&holes);
    (void)state;
    assert_non_null(patch);
    for (unsigned i = 0; i < 100; i++)
        from[i] = (unsigned char)(i + 1);
    gcl_patch_take(patch, from);
    memset(from, 0, sizeof from);
    gcl_patch_put(patch, to);
    gcl_patch_destroy(patch);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(to[i], i < 3 || (i >= 70 && i < 72) ? i + 1 : 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(holes), cmocka_unit_test(too_much),
                                       cmocka_unit_test(taken_and_put)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
