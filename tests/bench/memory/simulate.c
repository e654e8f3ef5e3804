// What moves between a device and where evicted chunks are kept, by which chunks are evicted: the
// least recently used, those that gcluster evicts with some commands known ahead, and those that
// Belady's rule evicts, which knows all of the trace (trace.h says how one is written).
//
//     bench_simulate CAPACITY [WINDOW...] <TRACE       prints CSV
//
// CAPACITY is of the device, in chunks, or in per cent of the trace's chunks ("25%"); a WINDOW is a
// number of commands. Ratios are of what is fetched and evicted, to Belady's rule.
#include <stdlib.h>
#include <string.h>

#include "exec/residency/chunk.h"
#include "trace.h"

static const char *const names[] = {
    [GCL_REPLAY_LRU] = "lru", [GCL_REPLAY_AHEAD] = "ahead", [GCL_REPLAY_BELADY] = "belady"};

static struct gcl_replay_moves replay(const struct gcl_trace *trace,
                                      const struct gcl_replay_options *options) {
    struct gcl_replay_moves moves;
    if (gcl_replay(trace, options, &moves))
        return moves;
    fprintf(stderr, "a command has more than %u chunks, or there is no memory\n",
            options->capacity);
    exit(1);
}

static void print(const struct gcl_replay_options *options, const struct gcl_replay_moves *moves,
                  const struct gcl_replay_moves *best) {
    double ratio =
        (double)(moves->fetched + moves->evicted + 1) / (double)(best->fetched + best->evicted + 1);
    printf("%u,%s,%zu,%llu,%llu,%.4f\n", options->capacity, names[options->policy], options->window,
           (unsigned long long)moves->fetched * GCL_CHUNK_SIZE,
           (unsigned long long)moves->evicted * GCL_CHUNK_SIZE, ratio);
}

int main(int argc, char **argv) {
    struct gcl_trace trace;
    if (argc < 2) {
        fprintf(stderr, "usage: %s CAPACITY [WINDOW...] <TRACE\n", argv[0]);
        return 2;
    }
    if (!gcl_trace_read(stdin, &trace))
        return 1;
    double capacity = strtod(argv[1], NULL);
    if (strchr(argv[1], '%'))
        capacity *= trace.chunk_count / 100.0;
    struct gcl_replay_options options = {.policy = GCL_REPLAY_BELADY,
                                         .capacity = (uint32_t)capacity};
    struct gcl_replay_moves best = replay(&trace, &options), moves;
    printf("capacity_chunks,policy,window,fetched_bytes,evicted_bytes,ratio\n");
    print(&options, &best, &best);
    options.policy = GCL_REPLAY_LRU;
    moves = replay(&trace, &options);
    print(&options, &moves, &best);
    options.policy = GCL_REPLAY_AHEAD;
    for (int i = 2; i < argc; i++) {
        options.window = strtoul(argv[i], NULL, 10);
        moves = replay(&trace, &options);
        print(&options, &moves, &best);
    }
    gcl_trace_finish(&trace);
    return 0;
}
