// Of launches k, k + 1, … in a row, with inner blocks I, border's blocks B, and what moves before
// them M, the order is this, if M(k + 1) has nothing to do with I(k):
//
//     stream   I(k)          I(k + 1)          I(k + 2)      each after all of the launch before it
//     beside   M(k)   B(k)   M(k + 1)   B(k + 1)   M(k + 2)  B also after all of the launch before
//
// So M(k + 1) comes after everything before launch k, after M(k) and after B(k), and may only
// overtake I(k). That holds as long as nobody has given the stream anything between the launches,
// waiting for others included; where somebody has, M waits for the whole stream.
//
// Nobody waits in a circle: what waits for other nodes does so on the thread of its track, or is
// attempted without waiting, and comes in the order of operations on each track.
#include "exec/spread/border.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKS = GCL_TRACK_KERNELS_LAST + 1 };

/// The stream beside a track's launches, and the latest one.
struct beside {
    struct gcl_stream *stream; ///< NULL: there was none yet
    struct gcl_border *border; ///< is held; NULL: there was none
    struct gcl_fence end;      ///< of its stream
};

struct gcl_spread_borders {
    struct beside tracks[TRACKS];
};

bool gcl_spread_create_borders(struct gcl_spread *spread) {
    spread->borders = calloc(1, sizeof *spread->borders);
    return spread->borders != NULL;
}

static void await(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence) {
    if (gcl_stream_await(spread->options.engine, stream, fence) != GCL_OK)
        gcl_spread_give_up(spread);
}

/// Whether what moves before a launch may overtake the inner blocks of the latest one.
static bool may_overtake(const struct gcl_spread *spread, const struct beside *latest,
                         const struct gcl_fence *now, const struct gcl_plan *plan) {
    return latest->border && latest->end.stream == now->stream &&
           latest->end.sequence == now->sequence &&
           gcl_border_is_apart(latest->border, plan, spread->options.self);
}

bool gcl_spread_begin_bordered(struct gcl_spread *spread, const struct gcl_plan *plan,
                               struct gcl_bordered *launch) {
    struct gcl_engine *engine = spread->options.engine;
    struct beside *latest = &spread->borders->tracks[launch->track];
    assert(launch->track < TRACKS && !spread->devices);
    if (!latest->stream)
        latest->stream = gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, INT_MIN, GCL_NO_DEVICE);
    if (!latest->stream) {
        gcl_spread_give_up(spread);
        return false;
    }
    launch->beside = latest->stream;
    launch->before = gcl_stream_fence(engine, launch->stream);
    launch->is_early = may_overtake(spread, latest, &launch->before, plan);
    if (!launch->is_early)
        await(spread, launch->beside, launch->before);
    return true;
}

/// Another command for the blocks [begin, end) of a run along an axis. NULL: there are none, or
/// there is no memory, in which case this node gives up.
static struct gcl_command *cut(struct gcl_spread *spread, const struct gcl_run *run, unsigned axis,
                               uint32_t begin, uint32_t end) {
    if (begin == end)
        return NULL;
    assert(run->launch.begin[axis] <= begin && begin < end && end <= run->launch.end[axis]);
    struct gcl_command *piece = gcl_engine_copy_run(spread->options.engine, run);
    if (!piece) {
        gcl_spread_give_up(spread);
        return NULL;
    }
    piece->run.launch.begin[axis] = begin;
    piece->run.launch.end[axis] = end;
    return piece;
}

static struct gcl_fence note(struct gcl_spread *spread, const struct gcl_bordered *launch) {
    struct beside *latest = &spread->borders->tracks[launch->track];
    gcl_border_release(latest->border);
    latest->border = gcl_border_hold(launch->border);
    latest->end = gcl_stream_fence(spread->options.engine, launch->stream);
    return latest->end;
}

struct gcl_fence gcl_spread_run_bordered(struct gcl_spread *spread, struct gcl_bordered *launch,
                                         unsigned axis, struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    const struct gcl_border *border = launch->border;
    struct gcl_block_launch *inner = &command->run.launch;
    struct gcl_command *ends[] = {
        cut(spread, &command->run, axis, inner->begin[axis], border->begin),
        cut(spread, &command->run, axis, border->end, inner->end[axis]),
    };
    inner->begin[axis] = border->begin;
    inner->end[axis] = border->end;
    gcl_engine_submit(engine, launch->stream, command);
    if (launch->is_early)
        await(spread, launch->beside, launch->before);
    for (unsigned i = 0; i < 2; i++) {
        if (ends[i])
            gcl_engine_submit(engine, launch->beside, ends[i]);
    }
    await(spread, launch->stream, gcl_stream_fence(engine, launch->beside));
    return note(spread, launch);
}
