// Which chunks of memory commands read and write, as text, a line for each command:
//
//     NAME [r BEGIN-END...] [w BEGIN-END...]      # until the line's end: a comment
//
// Ranges of chunks are half-open, and are what the command reads, behind an r, and writes, behind a
// w. A chunk that is only written is written as a whole: what it held before isn't needed. Commands
// of one name are the same kind of command. All chunks of a command are on the device at a time; a
// launch that is larger is written as several commands.
#ifndef GCL_TEST_TRACE_H
#define GCL_TEST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "exec/residency/ahead.h"

/// What a command does with a range of chunks.
enum gcl_trace_use { GCL_TRACE_READ = 1, GCL_TRACE_WRITE = 2 };

struct gcl_trace_command {
    uint64_t kind;
    struct gcl_chunk_range *ranges; ///< ascending, and without overlaps
    uint8_t *uses;                  ///< of each range: bits of gcl_trace_use
    size_t count;
    uint32_t size; ///< chunks
};

struct gcl_trace {
    struct gcl_trace_command *commands;
    size_t count;
    uint32_t chunk_count; ///< the end of the last chunk
};

/// Reads a trace. False, after a message with the line: it isn't one.
bool gcl_trace_read(FILE *file, struct gcl_trace *trace);
void gcl_trace_finish(struct gcl_trace *trace);

/// How it is decided which chunk goes.
enum gcl_replay_policy {
    GCL_REPLAY_LRU,    ///< the least recently used
    GCL_REPLAY_AHEAD,  ///< exec/residency/ahead.h, with some commands known ahead
    GCL_REPLAY_BELADY, ///< the one whose next use is furthest: all is known
    GCL_REPLAY_COUNT,
};

struct gcl_replay_options {
    enum gcl_replay_policy policy;
    uint32_t capacity; ///< chunks of the device
    size_t window;     ///< commands that are known ahead of the running one
};

/// Chunks that move.
struct gcl_replay_moves {
    uint64_t fetched; ///< they had been evicted, and are read
    uint64_t evicted; ///< what they hold is nowhere else
};

/// Runs a trace's commands one after the other. False: a command has more chunks than the capacity,
/// or there is no memory.
bool gcl_replay(const struct gcl_trace *trace, const struct gcl_replay_options *options,
                struct gcl_replay_moves *moves);

#endif
