// Large requests in pieces: whatever a region looks like, both nodes cut it at the same places, its
// bytes are in the pieces one after the other, and no two pieces have the same tag.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/messages/pieces.h"

enum { ROOM = 24 << 20, ROUNDS = 20, FEW_BYTES = 1000 };

static unsigned char memory[ROOM], packed[ROOM], again[ROOM];

static int64_t below(int64_t limit) {
    return rand() % limit;
}

/// A run, rows of a matrix, or some rows and a run.
static void make_region(struct gcl_region *region, int round) {
    struct gcl_level level = {20000 + below(5000), 100 + below(500)};
    struct gcl_region run = gcl_region_run(below(1000), ROOM - below(ROOM / 2));
    *region = run;
    if (round % 3 == 1)
        assert_true(gcl_region_from_box(below(1000), 10000 + below(9000), &level, 1, region));
    if (round % 3 == 2) {
        run = gcl_region_run(ROOM / 2, ROOM / 2 + below(ROOM / 2));
        assert_true(gcl_region_from_box(below(1000), 10000 + below(9000), &level, 1, region) &&
                    gcl_region_unite(region, &run, region));
    }
}

static void check_pieces(const struct gcl_pieces *pieces, const struct gcl_request *request) {
    size_t done = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct gcl_request *piece = &pieces->requests[i];
        assert_true(i + 1 == pieces->count ? piece->size <= GCL_PIECE : piece->size == GCL_PIECE);
        assert_int_equal(piece->size, gcl_region_size(piece->region));
        assert_ptr_equal(piece->bytes, (unsigned char *)request->bytes + done);
        assert_ptr_equal(piece->place, request->place);
        gcl_region_pack(piece->region, piece->place, again + done);
        for (size_t k = 0; k < i; k++)
            assert_true(pieces->requests[k].tag != piece->tag);
        done += piece->size;
    }
    assert_int_equal(done, request->size);
    gcl_region_pack(request->region, memory, packed);
    assert_memory_equal(again, packed, done);
}

static void pieces_are_the_whole(void **state) {
    (void)state;
    srand(3);
    for (size_t i = 0; i < ROOM; i++)
        memory[i] = (unsigned char)rand();
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_region region = {.count = 0};
        struct gcl_pieces pieces;
        make_region(&region, round);
        const struct gcl_request request = {.tag = (uint64_t)(round + 1) << 26,
                                            .bytes = packed,
                                            .size = (size_t)gcl_region_size(&region),
                                            .region = &region,
                                            .place = memory};
        size_t count = gcl_pieces_of(&request);
        assert_int_equal(count, (request.size + GCL_PIECE - 1) / GCL_PIECE);
        assert_true(gcl_pieces_init(&pieces, count) && gcl_pieces_add(&pieces, &request, count));
        assert_int_equal(pieces.count, count);
        check_pieces(&pieces, &request);
        gcl_pieces_finish(&pieces);
        gcl_region_finish(&region);
    }
}

static void others_stay_whole(void **state) {
    struct gcl_level level = {8, ROOM / 8};
    struct gcl_region region = {.count = 0}, small = gcl_region_run(0, FEW_BYTES);
    (void)state;
    assert_true(gcl_region_from_box(0, 4, &level, 1, &region));
    const struct gcl_request many_runs = {.size = ROOM / 2, .region = &region},
                             few_bytes = {.size = FEW_BYTES, .region = &small},
                             bytes = {.size = ROOM, .bytes = memory};
    assert_int_equal(gcl_pieces_of(&many_runs), 1);
    assert_int_equal(gcl_pieces_of(&few_bytes), 1);
    assert_int_equal(gcl_pieces_of(&bytes), 1);
    gcl_region_finish(&region);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_the_whole),
                                       cmocka_unit_test(others_stay_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
