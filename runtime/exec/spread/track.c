// Which operations may overtake which. Copies from the host and to the host have a track each, and
// kernels with everything else have some: node 0 says on which of them an operation is. It stays
// where its stream has something under way, or takes one where nothing is, so that kernels of
// streams that don't wait for each other run beside each other. In a track operations are carried
// out one after the other; one waits for those of other tracks that conflict with it
// (gcl_plan_conflicts), or nearly all of them if many are under way. So the order of what streams
// do with the same bytes is the program's, whatever it is made of (events, waiting, one stream).
//
// Nothing ever waits for an operation with a larger number, and operations of different tracks run
// on different threads where they wait for other nodes: so the one with the smallest number that
// isn't done can always go on, on all nodes. It may need a worker for that, also for the sake of
// others that wait for it in node 0's streams alone. So what waits for other nodes does so on a
// worker, which is quicker, only if all kernels before it are done on this node.
//
// Kernels that use guarded memory are all on one track, since pages change hands there.
//
// Where nodes are devices, the engine keeps the order, and tracks only keep copies from different
// devices to the host out of each other's way (devices.c).
//
// Node 0's commands are in the program's streams, but for those that no stream of it waits for.
// Other nodes have a stream for each track.
#include "exec/spread/track.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "exec/spread/carry.h"
#include "exec/spread/copy.h"
#include "exec/spread/devices.h"

enum { NEAR_PENDING = 64, PENDING = 1024 };
/// What may wait for the program is given so long; naps meanwhile are a part of what it has had.
static const uint64_t PATIENCE_NS = 1000000000;
enum { NAPS = 16 };

/// An operation that may still be pending.
struct pending {
    struct gcl_plan *plan;  ///< is held; NULL: it conflicts with all others
    struct gcl_fence fence; ///< of its last command; stream NULL: it is done
};

struct track {
    struct gcl_stream *stream; ///< of its commands; node 0: NULL where those are the program's
    struct pending pending[PENDING]; ///< the latest ones, round and round
    uint64_t begun,
        ended;        ///< operations begun; the first of them that have ended, or are forgotten
    uint64_t worked;  ///< the last operation that nodes may still be busy with
    uint64_t settled; ///< operations up to that number have been done by all nodes
    bool is_settling; ///< somebody waits for all nodes to be done with it
};

/// What may wait for the program.
struct call {
    struct gcl_fence fence; ///< behind it
    bool is_stuck;          ///< nobody waits for it any more
};

struct gcl_spread_tracks {
    const struct gcl_spread_order *order;
    bool are_several; ///< operations may be under way beside each other
    struct track all[GCL_TRACK_COUNT];
    struct call *calls; ///< node 0: those that may be under way, of each stream the latest one
    size_t call_count;
};

static bool is_device(const struct gcl_directory_entry *entry) {
    return entry && entry->use == GCL_HOST_NEVER;
}

static bool is_host(const struct gcl_directory_entry *entry) {
    return !entry || entry->use == GCL_HOST_UNSEEN;
}

enum gcl_track gcl_spread_track_of(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (spread->options.has_devices)
        return gcl_spread_device_track(spread, o);
    if (!spread->tracks->are_several)
        return GCL_TRACK_KERNELS;
    if (o->kind != GCL_OPERATION_ACCESS)
        return (enum gcl_track)o->track;
    const struct gcl_directory_entry *source = gcl_spread_entry(spread, &o->access.read);
    const struct gcl_directory_entry *target = gcl_spread_entry(spread, &o->access.written);
    if (is_device(target) && is_host(source))
        return GCL_TRACK_IN;
    if (is_device(source) && is_host(target))
        return GCL_TRACK_OUT;
    return is_device(source) && is_device(target) ? (enum gcl_track)o->track : GCL_TRACK_KERNELS;
}

enum gcl_track gcl_spread_track_of_run(const struct gcl_plan *plan, uint32_t wanted) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (plan->allocations[i].use == GCL_HOST_GUARDED)
            return GCL_TRACK_KERNELS;
    }
    return (enum gcl_track)wanted;
}

static void hold(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence) {
    if (!fence.stream || fence.stream == stream)
        return;
    if (gcl_stream_await(spread->options.engine, stream, fence) != GCL_OK)
        gcl_spread_give_up(spread);
}

static void forget(struct pending *pending) {
    gcl_plan_release(pending->plan);
    *pending = (struct pending){.plan = NULL};
}

static struct pending *pending_of(struct track *track, uint64_t number) {
    return &track->pending[number % PENDING];
}

/// Forgets what is done, which is the first ones.
static void forget_done(struct gcl_spread *spread, struct track *track) {
    assert(track->ended <= track->begun && track->begun - track->ended <= PENDING);
    while (track->ended < track->begun) {
        struct pending *pending = pending_of(track, track->ended);
        if (!gcl_engine_is_reached(spread->options.engine, pending->fence))
            break;
        forget(pending);
        track->ended++;
    }
}

/// The latest pending operation of a track; NULL: all are done.
static const struct pending *find_latest(struct gcl_spread *spread, struct track *track) {
    forget_done(spread, track);
    return track->ended < track->begun ? pending_of(track, track->begun - 1) : NULL;
}

// The order that tracks keep.

// What nobody else has to do, nobody else has to be done with before the program goes on.
static bool occupies_others(const struct gcl_plan *plan) {
    return !plan || !plan->is_at_home || plan->transfer_count > 0 || plan->combination_count > 0;
}

static void note_pending(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                         struct gcl_fence fence) {
    struct track *t = &spread->tracks->all[turn.track];
    assert(turn.track < GCL_TRACK_COUNT && t->ended <= t->begun);
    struct pending *pending = pending_of(t, t->begun++);
    if (t->begun - t->ended > PENDING) { // its successors wait for it
        forget(pending);
        t->ended++;
    }
    assert(!pending->plan && t->begun - t->ended <= PENDING);
    *pending = (struct pending){.plan = plan ? gcl_plan_hold(plan) : NULL, .fence = fence};
    if (fence.stream && occupies_others(plan))
        gcl_stream_note(spread->options.engine, fence.stream, turn.track, turn.moment);
}

static void reach_all(struct gcl_spread *spread) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_fence fences[GCL_TRACK_COUNT] = {{.stream = NULL}};
    gcl_spread_lock(spread);
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        const struct pending *latest = find_latest(spread, &spread->tracks->all[i]);
        if (latest)
            fences[i] = latest->fence;
    }
    gcl_spread_unlock(spread);
    for (int i = 0; i < GCL_TRACK_COUNT; i++)
        gcl_engine_reach(engine, fences[i]);
}

static const struct gcl_spread_order order = {
    .occupies_others = occupies_others, .note_pending = note_pending, .reach_all = reach_all};

bool gcl_spread_create_tracks(struct gcl_spread *spread) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_spread_tracks *tracks = spread->tracks = calloc(1, sizeof *tracks);
    bool is_home = gcl_spread_is_home(spread), has_devices = spread->options.has_devices;
    int first = is_home ? GCL_TRACK_SCATTER : GCL_TRACK_KERNELS + 1;
    if (!tracks)
        return false;
    tracks->order = has_devices ? &gcl_spread_device_order : &order;
    // What is compared has to stay as it is meanwhile.
    tracks->are_several = !has_devices && !spread->comparison;
    if (!is_home)
        tracks->all[GCL_TRACK_KERNELS].stream = gcl_stream_legacy(engine);
    for (int i = first; i < GCL_TRACK_COUNT && tracks->are_several; i++) {
        tracks->all[i].stream =
            gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
        if (!tracks->all[i].stream)
            return false;
    }
    return true;
}

uint32_t gcl_spread_choose_track(struct gcl_spread *spread, struct gcl_stream *stream) {
    enum { COUNT = GCL_TRACK_KERNELS_LAST + 1 };
    uint32_t idle = COUNT;
    assert(gcl_spread_is_home(spread)); // the others are told
    if (!spread->tracks->are_several)
        return GCL_TRACK_KERNELS;
    for (uint32_t i = COUNT; i-- > 0;) {
        const struct pending *latest = find_latest(spread, &spread->tracks->all[i]);
        if (!latest)
            idle = i;
        else if (latest->fence.stream == stream)
            return i;
    }
    return idle < COUNT ? idle : (uint32_t)gcl_stream_id(stream) % COUNT;
}

/// The latest operation of a track that has to be done before a plan is carried out; of more than
/// `most` that are under way, the last one that is looked at.
static struct gcl_fence find_conflict(struct gcl_spread *spread, struct track *track,
                                      const struct gcl_plan *plan, uint64_t most) {
    forget_done(spread, track);
    for (uint64_t i = track->begun; i > track->ended; i--) {
        const struct pending *pending = pending_of(track, i - 1);
        bool is_last = track->begun - i + 1 == most;
        if (is_last || !pending->plan || gcl_plan_conflicts(pending->plan, plan))
            return pending->fence;
    }
    return (struct gcl_fence){.stream = NULL};
}

struct gcl_stream *gcl_spread_begin(struct gcl_spread *spread, struct gcl_stream *stream,
                                    enum gcl_track track, const struct gcl_plan *plan) {
    if (spread->tracks->all[track].stream)
        stream = spread->tracks->all[track].stream;
    assert(stream); // a track's own, or the program's
    const struct pending *latest = find_latest(spread, &spread->tracks->all[track]);
    if (latest)
        hold(spread, stream, latest->fence);
    for (int other = 0; other < GCL_TRACK_COUNT; other++) {
        // Looking through more kernels would take longer than most of them.
        uint64_t most = other <= GCL_TRACK_KERNELS_LAST && track <= GCL_TRACK_KERNELS_LAST
                            ? NEAR_PENDING
                            : PENDING;
        if (other != (int)track)
            hold(spread, stream, find_conflict(spread, &spread->tracks->all[other], plan, most));
    }
    return stream;
}

bool gcl_spread_is_alone(struct gcl_spread *spread, enum gcl_track track) {
    for (int other = 0; other <= GCL_TRACK_KERNELS_LAST; other++) {
        if (other != (int)track && find_latest(spread, &spread->tracks->all[other]))
            return false;
    }
    return true;
}

bool gcl_spread_is_quiet(struct gcl_spread *spread) {
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        if (find_latest(spread, &spread->tracks->all[i]))
            return false;
    }
    return gcl_spread_busy_tracks(spread, NULL) == 0;
}

void gcl_spread_join_tracks(struct gcl_spread *spread, struct gcl_stream *stream, unsigned tracks) {
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        const struct pending *latest = find_latest(spread, &spread->tracks->all[i]);
        if (latest && (tracks & 1u << i))
            hold(spread, stream, latest->fence);
    }
}

void gcl_spread_part_tracks(struct gcl_spread *spread, struct gcl_fence fence) {
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        if (spread->tracks->all[i].stream)
            hold(spread, spread->tracks->all[i].stream, fence);
    }
}

void gcl_spread_note_pending(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                             struct gcl_fence fence) {
    spread->tracks->order->note_pending(spread, turn, plan, fence);
}

void gcl_spread_reach_all(struct gcl_spread *spread) {
    spread->tracks->order->reach_all(spread);
}

struct gcl_stream *gcl_spread_track_stream(const struct gcl_spread *spread, enum gcl_track track) {
    return spread->tracks->all[track].stream;
}

void gcl_spread_note_work(struct gcl_spread *spread, struct gcl_turn turn,
                          const struct gcl_plan *plan) {
    // One that other nodes have a stream for.
    enum gcl_track track = spread->options.has_devices ? GCL_TRACK_KERNELS : turn.track;
    if (spread->tracks->order->occupies_others(plan))
        spread->tracks->all[track].worked = turn.moment;
}

// What may wait for the program.

static void forget_calls(struct gcl_spread *spread) {
    struct gcl_spread_tracks *tracks = spread->tracks;
    size_t kept = 0;
    for (size_t i = 0; i < tracks->call_count; i++) {
        if (!gcl_engine_is_reached(spread->options.engine, tracks->calls[i].fence))
            tracks->calls[kept++] = tracks->calls[i];
    }
    tracks->call_count = kept;
}

void gcl_spread_note_call(struct gcl_spread *spread, struct gcl_fence fence) {
    struct gcl_spread_tracks *tracks = spread->tracks;
    size_t i = 0;
    forget_calls(spread);
    while (i < tracks->call_count && tracks->calls[i].fence.stream != fence.stream)
        i++;
    if (i == tracks->call_count) {
        struct call *calls = realloc(tracks->calls, (i + 1) * sizeof *calls);
        if (!calls) {
            gcl_spread_give_up(spread);
            return;
        }
        tracks->calls = calls;
        tracks->call_count++;
    }
    tracks->calls[i] = (struct call){.fence = fence};
}

bool gcl_spread_has_calls(struct gcl_spread *spread) {
    forget_calls(spread);
    return spread->tracks->call_count > 0;
}

/// Whether all calls have had their time.
static bool are_stuck(const struct gcl_spread_tracks *tracks) {
    bool are = true;
    for (size_t i = 0; i < tracks->call_count; i++)
        are = are && tracks->calls[i].is_stuck;
    return are;
}

bool gcl_spread_await_calls(struct gcl_spread *spread) {
    struct gcl_spread_tracks *tracks = spread->tracks;
    const uint64_t begin_ns = gcl_clock_ns();
    uint64_t taken_ns = gcl_engine_is_calling() ? PATIENCE_NS : 0;
    pthread_mutex_lock(&spread->lock);
    while (gcl_spread_has_calls(spread) && !are_stuck(tracks) && taken_ns < PATIENCE_NS) {
        pthread_mutex_unlock(&spread->lock);
        nanosleep(&(struct timespec){.tv_nsec = (long)(taken_ns / NAPS) + 1000}, NULL);
        pthread_mutex_lock(&spread->lock);
        taken_ns = gcl_clock_ns() - begin_ns;
    }
    for (size_t i = 0; i < tracks->call_count; i++)
        tracks->calls[i].is_stuck = true;
    bool are_done = tracks->call_count == 0;
    pthread_mutex_unlock(&spread->lock);
    return are_done;
}

// Settling.

unsigned gcl_spread_busy_tracks(const struct gcl_spread *spread,
                                const struct gcl_stream_work *work) {
    unsigned busy = 0;
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++) {
        const struct track *track = &spread->tracks->all[i];
        uint64_t last = work ? work->last[i] : track->worked;
        busy |= last > track->settled ? 1u << i : 0;
    }
    return busy;
}

unsigned gcl_spread_settling_tracks(const struct gcl_spread *spread) {
    unsigned settling = 0;
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++)
        settling |= spread->tracks->all[i].is_settling ? 1u << i : 0;
    return settling;
}

void gcl_spread_begin_settling(struct gcl_spread *spread, unsigned tracks) {
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++) {
        struct track *track = &spread->tracks->all[i];
        assert(!track->is_settling || !(tracks & 1u << i)); // one at a time waits for a track
        track->is_settling = track->is_settling || (tracks & 1u << i);
    }
}

void gcl_spread_end_settling(struct gcl_spread *spread, unsigned tracks, uint64_t sequence) {
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++) {
        struct track *track = &spread->tracks->all[i];
        if (!(tracks & 1u << i))
            continue;
        assert(track->is_settling && track->settled < sequence);
        track->is_settling = false;
        track->settled = sequence;
    }
}
