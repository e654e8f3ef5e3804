// Ranges of addresses: the order in which they are tried, and what is given back of those that
// can't be had, on pages of pretended devices.
#include <string.h>

#include "check.h"
#include "exec/memory/range.h"
#include "exec/memory/space.h"

enum { MOST_HELD = 4 };

/// A device that has addresses [begin, end), at most so many at once, and not those at `taken`.
static struct {
    uintptr_t begin, end, taken;
    size_t most;
    bool ignores_wishes;
    struct {
        uintptr_t begin;
        size_t size;
    } held[MOST_HELD];
    size_t held_count, tries;
} card;

static uintptr_t reserve(uintptr_t wanted, size_t size, char why[GCL_PAGES_WHY_SIZE]) {
    uintptr_t begin = wanted && !card.ignores_wishes ? wanted : card.begin;
    strcpy(why, "the card refuses");
    card.tries++;
    if (size > card.most || begin < card.begin || begin + size > card.end ||
        (card.taken >= begin && card.taken < begin + size) || (wanted && begin != wanted))
        return 0;
    assert_true(card.held_count < MOST_HELD);
    card.held[card.held_count].begin = begin;
    card.held[card.held_count++].size = size;
    return begin;
}

static void release(uintptr_t begin, size_t size) {
    size_t i = 0;
    while (i < card.held_count && (card.held[i].begin != begin || card.held[i].size != size))
        i++;
    assert_true(i < card.held_count);
    card.held[i] = card.held[--card.held_count];
}

static const struct gcl_page_ops pages = {.reserve = reserve, .release = release};
static const struct gcl_page_ops both = {.reserve = reserve, .release = release, .shared = &pages};

static void insert(uintptr_t begin, uintptr_t end) {
    memset(&card, 0, sizeof card);
    card.begin = begin;
    card.end = end;
    card.most = SIZE_MAX;
}

#define GIB ((size_t)1 << 30)
#define TIB ((size_t)1 << 40)

// Law: ranges become smaller, stay in what processes have free, and no two are the same.
static void order_descends(void **state) {
    uintptr_t begin, other;
    size_t size, last = SIZE_MAX, other_size;
    uint32_t count = 0;
    (void)state;
    for (; gcl_range_at(count, &begin, &size); count++) {
        assert_true(size <= last && size >= GIB && begin % ((size_t)2 << 20) == 0);
        assert_true(begin >= 256 * GIB && begin + size <= 81 * TIB);
        assert_true(begin >= 17 * TIB || begin + size <= 512 * GIB);
        for (uint32_t i = 0; i < count; i++) {
            gcl_range_at(i, &other, &other_size);
            assert_true(other != begin || other_size != size);
        }
        last = size;
    }
    assert_true(count > 20 && last == GIB && count < GCL_RANGE_ELSEWHERE);
}

static void check_first(const struct gcl_page_ops *ops, uintptr_t begin, size_t size) {
    struct gcl_range range;
    assert_true(gcl_range_reserve(ops, 0, &range));
    assert_int_equal(range.begin, begin);
    assert_int_equal(range.end, begin + size);
    assert_int_equal(card.held_count, ops->shared ? 2 : 1);
    assert_int_equal(range.number == 0, range.refusal[0] == 0);
    gcl_range_release(ops, &range);
    assert_int_equal(card.held_count, 0);
}

static void takes_the_first_that_fits(void **state) {
    (void)state;
    insert(0, 128 * TIB);
    check_first(&pages, 17 * TIB, 64 * TIB);
    check_first(&both, 17 * TIB, 64 * TIB);
    card.taken = 18 * TIB;
    check_first(&pages, 48 * TIB, 32 * TIB);
    card.taken = 80 * TIB; // in the part of the host
    check_first(&both, 17 * TIB, 32 * TIB);
    card.most = TIB;
    check_first(&pages, 17 * TIB, TIB);
    insert(0, 32 * TIB);
    check_first(&both, 17 * TIB, 8 * TIB);
    insert(64 * GIB, 512 * GIB); // with 39 bits of addresses
    check_first(&both, 256 * GIB, 256 * GIB);
}

static void says_that_there_are_none(void **state) {
    struct gcl_range range;
    (void)state;
    insert(0, 128 * TIB);
    card.most = GIB / 2;
    assert_false(gcl_range_reserve(&both, 0, &range));
    assert_string_equal(range.refusal, "0x110000000000 to 0x510000000000: the card refuses");
    assert_false(gcl_range_reserve_elsewhere(&both, &range));
    assert_int_equal(card.held_count, 0);
    card.most = 2 * TIB;
    card.ignores_wishes = true;
    card.begin = 3 * TIB;
    assert_false(gcl_range_reserve(&pages, 0, &range));
    assert_true(gcl_range_reserve_elsewhere(&pages, &range));
    assert_true(range.number == GCL_RANGE_ELSEWHERE && range.begin == 3 * TIB);
    assert_true(range.end - range.begin == 2 * TIB && range.refusal[0]);
}

// Law: nodes that go on from the largest number of all end with the first range that all can have.
static void agreement_is_the_first_common_one(void **state) {
    enum { NODES = 3 };
    const struct {
        uintptr_t end, taken;
        size_t most;
    } nodes[NODES] = {
        {128 * TIB, 20 * TIB, SIZE_MAX}, {60 * TIB, 0, SIZE_MAX}, {128 * TIB, 40 * TIB, 9 * TIB}};
    struct gcl_range ranges[NODES] = {{0}};
    uint32_t most = 0, first = 0;
    bool is_same = false;
    (void)state;
    while (!is_same) {
        is_same = true;
        for (int i = 0; i < NODES; i++) {
            insert(0, nodes[i].end);
            card.taken = nodes[i].taken;
            card.most = nodes[i].most;
            assert_true(gcl_range_reserve(&pages, most, &ranges[i]));
        }
        for (int i = 0; i < NODES; i++)
            most = ranges[i].number > most ? ranges[i].number : most;
        for (int i = 0; i < NODES; i++)
            is_same &= ranges[i].number == most;
    }
    for (bool is_found = false; !is_found; first += !is_found) {
        uintptr_t begin;
        size_t size;
        is_found = gcl_range_at(first, &begin, &size);
        for (int i = 0; i < NODES && is_found; i++)
            is_found = size <= nodes[i].most && begin + size <= nodes[i].end &&
                       !(nodes[i].taken >= begin && nodes[i].taken < begin + size);
    }
    assert_int_equal(most, first);
}

// A space that moves has nothing left where it was, and allocates where it is.
static void space_moves(void **state) {
    struct gcl_space *space = gcl_space_create(GIB, &gcl_pages_host);
    struct gcl_allocation request = {.size = 100, .kind = GCL_SPACE_DEVICE};
    char why[GCL_PAGES_WHY_SIZE];
    void *pointer;
    (void)state;
    assert_non_null(space);
    uint32_t number = gcl_space_reserved(space)->number;
    if (number != GCL_RANGE_ELSEWHERE) { // sanitizers may have all of them
        uintptr_t before = gcl_space_reserved(space)->begin;
        assert_true(gcl_space_move(space, number + 1));
        const struct gcl_range *range = gcl_space_reserved(space);
        assert_true(range->number > number);
        assert_int_equal(gcl_space_allocate(space, &request, &pointer), GCL_OK);
        assert_true((uintptr_t)pointer >= range->begin && (uintptr_t)pointer < range->end);
        assert_int_equal(gcl_pages_host.reserve(range->begin, GIB, why), 0);
        assert_non_null(strstr(why, "is mapped at"));
        if (before + GIB <= range->begin) {
            assert_int_equal(gcl_pages_host.reserve(before, GIB, why), before);
            gcl_pages_host.release(before, GIB);
        }
    }
    gcl_space_destroy(space);
}

// What a program may have is no more than there are addresses for.
static void capacity_has_addresses(void **state) {
    struct gcl_space *space = gcl_space_create(SIZE_MAX, &gcl_pages_host);
    (void)state;
    assert_non_null(space);
    const struct gcl_range *range = gcl_space_reserved(space);
    assert_true(gcl_space_capacity(space, 0) < range->end - range->begin);
    gcl_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_descends),
        cmocka_unit_test(takes_the_first_that_fits),
        cmocka_unit_test(says_that_there_are_none),
        cmocka_unit_test(agreement_is_the_first_common_one),
        cmocka_unit_test(space_moves),
        cmocka_unit_test(capacity_has_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
