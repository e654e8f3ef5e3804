// Which chunks are evicted: small cases that are known by hand, and laws on random traces.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/memory/trace.h"
#include "check.h"
#include "exec/residency/period.h"

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t end) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % end);
}

static void check_victims(struct gcl_order *order, const char *wanted) {
    for (; *wanted; wanted++) {
        uint32_t victim = gcl_order_victim(order);
        assert_int_equal(victim, *wanted - 'a');
        gcl_order_remove(order, victim);
    }
    assert_int_equal(gcl_order_victim(order), GCL_ORDER_NONE);
}

enum { A, B, C, D, E, F };

static void furthest_first(void **state) {
    struct gcl_order *order = gcl_order_create(6);
    (void)state;
    assert_int_equal(gcl_order_victim(order), GCL_ORDER_NONE);
    gcl_order_use(order, A, 3);
    gcl_order_use(order, B, 70); // past the first window
    gcl_order_use(order, C, GCL_ORDER_UNKNOWN);
    gcl_order_use(order, D, 5000000);
    gcl_order_use(order, E, GCL_ORDER_UNKNOWN);
    gcl_order_use(order, F, 4);
    gcl_order_remove(order, F);
    gcl_order_use(order, C, GCL_ORDER_UNKNOWN); // more recently than E
    check_victims(order, "ecdba");
    gcl_order_destroy(order);
    gcl_order_destroy(NULL);
}

static void what_is_late(void **state) {
    struct gcl_order *order = gcl_order_create(6);
    (void)state;
    gcl_order_use(order, A, 1);
    gcl_order_use(order, B, 2);
    gcl_order_use(order, C, 5);
    gcl_order_know(order, 1, 10);
    gcl_order_use(order, A, 1); // as expected
    gcl_order_know(order, 2, 10);
    gcl_order_know(order, 3, 10); // B was expected at 2
    gcl_order_use(order, D, 3);
    gcl_order_use(order, E, 3);
    gcl_order_remove(order, E);
    check_victims(order, "cbda");

    // After a while what is late is what nothing is known of, and older than that.
    gcl_order_use(order, A, 4);
    gcl_order_know(order, 4, 10);
    gcl_order_use(order, B, GCL_ORDER_UNKNOWN);
    gcl_order_use(order, C, 40);
    for (uint64_t n = 5; n < 30; n++)
        gcl_order_know(order, n, 10);
    check_victims(order, "abc");

    // A command is over without having used what it was known to use.
    gcl_order_use(order, A, 31);
    gcl_order_use(order, B, 32);
    gcl_order_know(order, 30, 10);
    gcl_order_pass(order, 32);
    gcl_order_use(order, C, 33);
    check_victims(order, "acb");
    gcl_order_destroy(order);
}

enum { MODEL_COUNT = 50 };

/// What an order is told of each chunk; it is searched.
struct model {
    uint64_t next[MODEL_COUNT]; ///< 0: not there
    uint64_t used[MODEL_COUNT];
    uint64_t step;
};

static void set(struct model *model, struct gcl_order *order, uint32_t chunk, uint64_t next) {
    model->next[chunk] = next;
    model->used[chunk] = ++model->step;
    if (next)
        gcl_order_use(order, chunk, next);
    else
        gcl_order_remove(order, chunk);
}

static bool is_victim(const struct model *model, uint32_t victim) {
    uint64_t furthest = 0, oldest = UINT64_MAX;
    for (uint32_t c = 0; c < MODEL_COUNT; c++) {
        furthest = model->next[c] > furthest ? model->next[c] : furthest;
        if (model->next[c] == GCL_ORDER_UNKNOWN && model->used[c] < oldest)
            oldest = model->used[c];
    }
    if (furthest == 0)
        return victim == GCL_ORDER_NONE;
    return model->next[victim] == furthest &&
           (oldest == UINT64_MAX || model->used[victim] == oldest);
}

static void random_orders(void **state) {
    struct gcl_order *order = gcl_order_create(MODEL_COUNT);
    struct model model = {.step = 0};
    uint64_t now = 1;
    (void)state;
    for (int step = 0; step < 20000; step++) {
        uint32_t chunk = random_below(MODEL_COUNT), what = random_below(8);
        assert_true(is_victim(&model, gcl_order_victim(order)));
        if (what == 0)
            set(&model, order, chunk, 0);
        else if (what == 1)
            set(&model, order, chunk, GCL_ORDER_UNKNOWN);
        else if (what > 2)
            set(&model, order, chunk, now + random_below(random_below(40) ? 100 : 5000));
        for (uint32_t c = 0; what == 2 && c < MODEL_COUNT; c++) {
            if (model.next[c] == now) // used by the command that is over
                set(&model, order, c, now + 1 + random_below(300));
        }
        if (what == 2)
            gcl_order_pass(order, ++now);
    }
    gcl_order_destroy(order);
}

/// The period behind each command of a text, of which each letter is one: digits, 0 for none, and +
/// for more than nine.
static void check_periods(const char *commands, const char *wanted) {
    struct gcl_period *period = calloc(1, sizeof *period);
    char found[100];
    size_t i = 0;
    for (; commands[i]; i++) {
        gcl_period_add(period, (uint64_t)commands[i]);
        uint32_t length = gcl_period_length(period);
        found[i] = length > 9 ? '+' : (char)('0' + length);
    }
    found[i] = 0;
    assert_string_equal(found, wanted);
    free(period);
}

static void periods(void **state) {
    (void)state;
    check_periods("abcdef", "000000");
    check_periods("aaaa", "0111");
    check_periods("abcabcabc", "000003333");
    check_periods("aabaabaab", "011113333"); // two of the same in a row are a period, too
    // A single command in between: the period goes on counting.
    check_periods("abcabcxabcabc", "0000033333333");
    // Something else comes: it counts for twice its length.
    check_periods("ababcdefgh", "0002222200");
    // An inner loop, and what comes behind it.
    check_periods("ababababxababababxababababx", "000222222222222229999999999");
    check_periods("abababababababxabababababababxabababababababxab",
                  "0002222222222222222222222222222222222222222++++");
}

static struct gcl_trace trace_of(const char *text) {
    struct gcl_trace trace;
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_true(gcl_trace_read(file, &trace));
    fclose(file);
    return trace;
}

static struct gcl_replay_moves moves_of(const struct gcl_trace *trace,
                                        enum gcl_replay_policy policy, uint32_t capacity,
                                        size_t window) {
    struct gcl_replay_moves moves;
    assert_true(gcl_replay(trace, &(struct gcl_replay_options){policy, capacity, window}, &moves));
    return moves;
}

static void check_moves(struct gcl_replay_moves moves, uint64_t fetched, uint64_t evicted) {
    assert_int_equal(moves.fetched, fetched);
    assert_int_equal(moves.evicted, evicted);
}

static void traces(void **state) {
    static const char *const wrong[] = {"a 1-2",    "a r 1",   "a r 2-2",
                                        "a r 1-2x", "a q 1-2", "a r 0-4294967295"};
    struct gcl_trace trace = trace_of("# nothing\n\na r 5-9 0-2 w 7-12 # both\nb\na w 0-1\n");
    const struct gcl_trace_command *first = &trace.commands[0];
    (void)state;
    assert_int_equal(trace.count, 3);
    assert_int_equal(trace.chunk_count, 12);
    assert_true(first->kind == trace.commands[2].kind && first->kind != trace.commands[1].kind);
    assert_true(first->count == 4 && first->size == 9);
    assert_true(first->ranges[0].begin == 0 && first->ranges[0].end == 2);
    assert_true(first->ranges[2].begin == 7 && first->ranges[2].end == 9);
    assert_int_equal(first->uses[1], GCL_TRACE_READ);
    assert_int_equal(first->uses[2], GCL_TRACE_READ | GCL_TRACE_WRITE);
    assert_int_equal(first->uses[3], GCL_TRACE_WRITE);
    struct gcl_replay_moves moves;
    struct gcl_replay_options options = {GCL_REPLAY_LRU, 8, 0};
    assert_false(gcl_replay(&trace, &options, &moves)); // a command of nine chunks
    gcl_trace_finish(&trace);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        FILE *file = fmemopen((void *)(uintptr_t)wrong[i], strlen(wrong[i]), "r");
        assert_false(gcl_trace_read(file, &trace));
        fclose(file);
    }
}

// The reference string of textbooks on operating systems, with three frames: 12 faults by LRU and 9
// at least, of which six are for pages that come for the first time.
static void by_hand(void **state) {
    static const char text[] = "70120304230321201701";
    char lines[400] = "";
    (void)state;
    for (size_t i = 0; text[i]; i++)
        sprintf(lines + strlen(lines), "x r %c-%d\n", text[i], text[i] - '0' + 1);
    struct gcl_trace trace = trace_of(lines);
    assert_int_equal(moves_of(&trace, GCL_REPLAY_LRU, 3, 0).fetched, 12 - 6);
    assert_int_equal(moves_of(&trace, GCL_REPLAY_BELADY, 3, 0).fetched, 9 - 6);
    assert_int_equal(moves_of(&trace, GCL_REPLAY_AHEAD, 3, 20).fetched, 9 - 6);
    gcl_trace_finish(&trace);

    // Read only: nothing but what is evicted for the first time is written anywhere. Written as a
    // whole: nothing is fetched.
    trace = trace_of("a r 0-1\nb r 1-2\na r 0-1\nb r 1-2\n");
    check_moves(moves_of(&trace, GCL_REPLAY_LRU, 1, 0), 2, 2);
    gcl_trace_finish(&trace);
    trace = trace_of("a w 0-1\nb w 1-2\na w 0-1\nb w 1-2\n");
    check_moves(moves_of(&trace, GCL_REPLAY_LRU, 1, 0), 0, 3);
    gcl_trace_finish(&trace);
}

/// A trace in which `turns` sweeps of ten chunks follow each other, each of which ends with the
/// text.
static struct gcl_trace sweeps(int turns, const char *end) {
    char *text = calloc((size_t)turns, 400);
    for (int t = 0; t < turns; t++) {
        for (int c = 0; c < 10; c++)
            sprintf(text + strlen(text), "s%d r %d-%d w %d-%d\n", c, c, c + 1, c, c + 1);
        strcat(text, end);
    }
    struct gcl_trace trace = trace_of(text);
    free(text);
    return trace;
}

// Of a sweep of ten chunks with room for eight, each turn fetches two at least but for those that
// the end of one has in common with the next one's beginning, where LRU fetches all ten.
static void repetitions(void **state) {
    struct gcl_trace trace = sweeps(30, "");
    uint64_t lru = moves_of(&trace, GCL_REPLAY_LRU, 8, 0).fetched;
    uint64_t best = moves_of(&trace, GCL_REPLAY_BELADY, 8, 0).fetched;
    uint64_t ours = moves_of(&trace, GCL_REPLAY_AHEAD, 8, 0).fetched;
    (void)state;
    assert_int_equal(lru, 290);
    assert_in_range(best, 29 * 2, 29 * 3);
    assert_in_range(ours, best, best + 20); // until it knows
    gcl_trace_finish(&trace);
    // A command between turns doesn't make it forget.
    trace = sweeps(30, "check r 10-11\n");
    best = moves_of(&trace, GCL_REPLAY_BELADY, 8, 0).fetched;
    assert_in_range(moves_of(&trace, GCL_REPLAY_AHEAD, 8, 0).fetched, best, best + 30);
    gcl_trace_finish(&trace);
}

static struct gcl_trace random_trace(uint32_t chunk_count, size_t commands) {
    char *text = calloc(commands, 200);
    for (size_t i = 0; i < commands; i++) {
        char *line = text + strlen(text);
        line += sprintf(line, "k%u", random_below(5));
        for (unsigned r = random_below(3) + 1; r > 0; r--) {
            uint32_t begin = random_below(chunk_count), size = random_below(4) + 1;
            uint32_t end = begin + size < chunk_count ? begin + size : chunk_count;
            line += sprintf(line, " %c %u-%u", "rw"[random_below(2)], begin, end);
        }
        strcpy(line, "\n");
    }
    struct gcl_trace trace = trace_of(text);
    free(text);
    return trace;
}

// Who knows everything fetches as little as Belady's rule, and nobody less, if all is read.
static void laws(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct gcl_trace trace = random_trace(20 + random_below(60), 300);
        for (size_t c = 0; c < trace.count; c++)
            memset(trace.commands[c].uses, GCL_TRACE_READ, trace.commands[c].count);
        uint32_t capacity = 12 + random_below(20);
        uint64_t best = moves_of(&trace, GCL_REPLAY_BELADY, capacity, 0).fetched;
        assert_int_equal(moves_of(&trace, GCL_REPLAY_AHEAD, capacity, 300).fetched, best);
        assert_true(moves_of(&trace, GCL_REPLAY_LRU, capacity, 0).fetched >= best);
        for (size_t window = 0; window < 40; window = window * 2 + 1)
            assert_true(moves_of(&trace, GCL_REPLAY_AHEAD, capacity, window).fetched >= best);
        gcl_trace_finish(&trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(furthest_first), cmocka_unit_test(what_is_late),
        cmocka_unit_test(random_orders),  cmocka_unit_test(periods),
        cmocka_unit_test(traces),         cmocka_unit_test(by_hand),
        cmocka_unit_test(repetitions),    cmocka_unit_test(laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
