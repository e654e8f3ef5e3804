// Each policy is told of the same moments: a command begins, a chunk may go from now on, one
// mustn't.
#include <stdlib.h>

#include "trace.h"

/// Where a chunk's bytes are.
struct state {
    bool is_here, is_kept; ///< on the device; where evicted chunks go, as they are now
};

struct replay {
    const struct gcl_trace *trace;
    const struct gcl_replay_options *options;
    struct gcl_ahead *ahead; ///< of GCL_REPLAY_AHEAD
    struct gcl_order *order; ///< of the others
    size_t announced;
    uint64_t
        *next_uses; ///< of each use of a chunk by a command, in their order: the next command's
    size_t used;    ///< uses so far
    uint64_t *next; ///< of each chunk
    struct state *states;
    uint32_t here; ///< chunks on the device
};

/// Numbers of commands, from 1 on, that use a chunk again, found from the trace's end.
static uint64_t *find_next_uses(const struct gcl_trace *trace) {
    size_t total = 0;
    for (size_t c = 0; c < trace->count; c++)
        total += trace->commands[c].size;
    uint64_t *next_uses = malloc((total + 1) * sizeof *next_uses);
    uint64_t *latest = malloc((trace->chunk_count + 1) * sizeof *latest);
    for (uint32_t chunk = 0; next_uses && latest && chunk < trace->chunk_count; chunk++)
        latest[chunk] = GCL_ORDER_UNKNOWN;
    for (size_t c = trace->count; next_uses && latest && c-- > 0;) {
        const struct gcl_trace_command *command = &trace->commands[c];
        size_t use = total -= command->size;
        for (size_t r = 0; r < command->count; r++) {
            for (uint32_t i = command->ranges[r].begin; i < command->ranges[r].end; i++) {
                next_uses[use++] = latest[i];
                latest[i] = c + 1;
            }
        }
    }
    free(latest);
    return next_uses;
}

static bool begin(struct replay *replay, size_t number) {
    const struct gcl_trace *trace = replay->trace;
    const struct gcl_trace_command *command = &trace->commands[number];
    if (!replay->ahead) {
        for (size_t r = 0; r < command->count; r++) {
            for (uint32_t i = command->ranges[r].begin; i < command->ranges[r].end; i++)
                replay->next[i] = replay->options->policy == GCL_REPLAY_LRU
                                      ? GCL_ORDER_UNKNOWN
                                      : replay->next_uses[replay->used++];
        }
        gcl_order_pass(replay->order, number + 2);
        return true;
    }
    for (;
         replay->announced <= number + replay->options->window && replay->announced < trace->count;
         replay->announced++) {
        const struct gcl_trace_command *next = &trace->commands[replay->announced];
        if (!gcl_ahead_announce(replay->ahead,
                                &(struct gcl_ahead_command){next->ranges, next->count, next->kind}))
            return false;
    }
    gcl_ahead_begin(replay->ahead);
    return true;
}

static void release(struct replay *replay, uint32_t chunk) {
    if (replay->ahead)
        gcl_ahead_add(replay->ahead, chunk);
    else
        gcl_order_use(replay->order, chunk, replay->next[chunk]);
}

static void hold(struct replay *replay, uint32_t chunk) {
    if (replay->ahead)
        gcl_ahead_remove(replay->ahead, chunk);
    else
        gcl_order_remove(replay->order, chunk);
}

static void evict(struct replay *replay, struct gcl_replay_moves *moves) {
    uint32_t chunk =
        replay->ahead ? gcl_ahead_victim(replay->ahead) : gcl_order_victim(replay->order);
    struct state *state = &replay->states[chunk];
    hold(replay, chunk);
    moves->evicted += !state->is_kept;
    *state = (struct state){.is_kept = true};
    replay->here--;
}

static void bring(struct replay *replay, uint32_t chunk, uint8_t use,
                  struct gcl_replay_moves *moves) {
    struct state *state = &replay->states[chunk];
    if (!state->is_here) {
        if (replay->here == replay->options->capacity)
            evict(replay, moves);
        moves->fetched += state->is_kept && (use & GCL_TRACE_READ);
        state->is_here = true;
        replay->here++;
    }
    if (use & GCL_TRACE_WRITE)
        state->is_kept = false;
}

static bool run(struct replay *replay, size_t number, struct gcl_replay_moves *moves) {
    const struct gcl_trace_command *command = &replay->trace->commands[number];
    if (command->size > replay->options->capacity || !begin(replay, number))
        return false;
    // What is here and needed stays, before anything goes.
    for (size_t r = 0; r < command->count; r++) {
        for (uint32_t i = command->ranges[r].begin; i < command->ranges[r].end; i++)
            hold(replay, i);
    }
    for (size_t r = 0; r < command->count; r++) {
        for (uint32_t i = command->ranges[r].begin; i < command->ranges[r].end; i++)
            bring(replay, i, command->uses[r], moves);
    }
    for (size_t r = 0; r < command->count; r++) {
        for (uint32_t i = command->ranges[r].begin; i < command->ranges[r].end; i++)
            release(replay, i);
    }
    return true;
}

bool gcl_replay(const struct gcl_trace *trace, const struct gcl_replay_options *options,
                struct gcl_replay_moves *moves) {
    struct replay replay = {.trace = trace, .options = options};
    if (options->policy == GCL_REPLAY_AHEAD)
        replay.ahead = gcl_ahead_create(trace->chunk_count);
    else
        replay.order = gcl_order_create(trace->chunk_count);
    replay.next_uses = find_next_uses(trace);
    replay.next = calloc(trace->chunk_count + 1, sizeof *replay.next);
    replay.states = calloc(trace->chunk_count + 1, sizeof *replay.states);
    bool is_done =
        (replay.ahead || replay.order) && replay.next_uses && replay.next && replay.states;
    *moves = (struct gcl_replay_moves){.fetched = 0};
    for (size_t c = 0; is_done && c < trace->count; c++)
        is_done = run(&replay, c, moves);
    gcl_ahead_destroy(replay.ahead);
    gcl_order_destroy(replay.order);
    free(replay.next_uses);
    free(replay.next);
    free(replay.states);
    return is_done;
}
