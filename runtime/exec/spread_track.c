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
// Where nodes are devices, there is one track, and the engine keeps its order (spread_devices.c).
//
// Node 0's commands are in the program's streams, but for those that no stream of it waits for.
// Other nodes have a stream for each track.
#include "exec/spread_state.h"

enum { NEAR_FLIGHTS = 64 };

static bool is_device(const struct gcl_entry *entry) {
    return entry && entry->use == GCL_HOST_NEVER;
}

static bool is_host(const struct gcl_entry *entry) {
    return !entry || entry->use == GCL_HOST_UNSEEN;
}

/// Whether operations may be under way beside each other. What is compared has to stay as it is
/// meanwhile.
static bool has_tracks(const struct gcl_spread *spread) {
    return !spread->options.is_verified && !spread->options.has_devices;
}

enum gcl_track gcl_spread_track_of(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (!has_tracks(spread))
        return GCL_TRACK_KERNELS;
    if (o->kind != GCL_OPERATION_ACCESS)
        return (enum gcl_track)o->track;
    const struct gcl_entry *source = gcl_spread_entry(spread, &o->access.read);
    const struct gcl_entry *target = gcl_spread_entry(spread, &o->access.written);
    if (is_device(target) && is_host(source))
        return GCL_TRACK_IN;
    if (is_device(source) && is_host(target))
        return GCL_TRACK_OUT;
    return is_device(source) && is_device(target) ? (enum gcl_track)o->track : GCL_TRACK_KERNELS;
}

enum gcl_track gcl_spread_track_of_run(const struct gcl_plan *plan, uint32_t wanted) {
    for (size_t i = 0; i < plan->place_count; i++) {
        if (plan->places[i].use == GCL_HOST_GUARDED)
            return GCL_TRACK_KERNELS;
    }
    return (enum gcl_track)wanted;
}

bool gcl_spread_create_tracks(struct gcl_spread *spread) {
    struct gcl_engine *engine = spread->options.engine;
    bool is_home = gcl_spread_is_home(spread);
    if (!is_home)
        spread->tracks[GCL_TRACK_KERNELS].stream = gcl_stream_legacy(engine);
    int first = is_home ? GCL_TRACK_DEAL : GCL_TRACK_KERNELS + 1;
    for (int i = first; i < GCL_TRACK_COUNT && !spread->options.has_devices; i++) {
        spread->tracks[i].stream =
            gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
        if (!spread->tracks[i].stream)
            return false;
    }
    return true;
}

static void hold(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence) {
    if (fence.stream == stream)
        return;
    if (gcl_stream_await(spread->options.engine, stream, fence) != GCL_OK)
        gcl_spread_give_up(spread);
}

static void forget(struct gcl_spread_flight *flight) {
    gcl_plan_release(flight->plan);
    *flight = (struct gcl_spread_flight){.plan = NULL};
}

static struct gcl_spread_flight *flight_of(struct gcl_spread_track *track, uint64_t number) {
    return &track->flights[number % GCL_SPREAD_FLIGHTS];
}

/// Forgets what is done, which is the first ones.
static void land(struct gcl_spread *spread, struct gcl_spread_track *track) {
    while (track->landed < track->flown) {
        struct gcl_spread_flight *flight = flight_of(track, track->landed);
        if (!gcl_engine_is_reached(spread->options.engine, flight->fence))
            break;
        forget(flight);
        track->landed++;
    }
}

/// The latest flight of a track; NULL: all are done.
static const struct gcl_spread_flight *find_latest(struct gcl_spread *spread,
                                                   struct gcl_spread_track *track) {
    land(spread, track);
    return track->landed < track->flown ? flight_of(track, track->flown - 1) : NULL;
}

uint32_t gcl_spread_choose_track(struct gcl_spread *spread, struct gcl_stream *stream) {
    enum { COUNT = GCL_TRACK_KERNELS_LAST + 1 };
    uint32_t idle = COUNT;
    if (!has_tracks(spread))
        return GCL_TRACK_KERNELS;
    for (uint32_t i = COUNT; i-- > 0;) {
        const struct gcl_spread_flight *latest = find_latest(spread, &spread->tracks[i]);
        if (!latest)
            idle = i;
        else if (latest->fence.stream == stream)
            return i;
    }
    return idle < COUNT ? idle : (uint32_t)gcl_stream_id(stream) % COUNT;
}

/// The latest operation of a track that has to be done before a plan is carried out; of more than
/// `most` that are under way, the last one that is looked at.
static struct gcl_fence find_conflict(struct gcl_spread *spread, struct gcl_spread_track *track,
                                      const struct gcl_plan *plan, uint64_t most) {
    land(spread, track);
    for (uint64_t i = track->flown; i > track->landed; i--) {
        const struct gcl_spread_flight *flight = flight_of(track, i - 1);
        bool is_last = track->flown - i + 1 == most;
        if (is_last || !flight->plan || gcl_plan_conflicts(flight->plan, plan))
            return flight->fence;
    }
    return (struct gcl_fence){.stream = NULL};
}

struct gcl_stream *gcl_spread_take_off(struct gcl_spread *spread, struct gcl_stream *stream,
                                       enum gcl_track track, const struct gcl_plan *plan) {
    if (spread->options.has_devices)
        return stream;
    if (spread->tracks[track].stream)
        stream = spread->tracks[track].stream;
    const struct gcl_spread_flight *latest = find_latest(spread, &spread->tracks[track]);
    if (latest)
        hold(spread, stream, latest->fence);
    for (int other = 0; other < GCL_TRACK_COUNT; other++) {
        // Looking through more kernels would take longer than most of them.
        uint64_t most = other <= GCL_TRACK_KERNELS_LAST && track <= GCL_TRACK_KERNELS_LAST
                            ? NEAR_FLIGHTS
                            : GCL_SPREAD_FLIGHTS;
        if (other != (int)track)
            hold(spread, stream, find_conflict(spread, &spread->tracks[other], plan, most));
    }
    return stream;
}

bool gcl_spread_is_alone(struct gcl_spread *spread, enum gcl_track track) {
    for (int other = 0; other <= GCL_TRACK_KERNELS_LAST; other++) {
        if (other != (int)track && find_latest(spread, &spread->tracks[other]))
            return false;
    }
    return true;
}

// What nobody else has to do, nobody else has to be done with before the program goes on.
bool gcl_spread_occupies_others(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    return spread->options.has_devices || !plan || !plan->is_at_home || plan->transfer_count > 0 ||
           plan->combination_count > 0;
}

void gcl_spread_fly(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                    struct gcl_fence fence) {
    if (spread->options.has_devices)
        return;
    struct gcl_spread_track *t = &spread->tracks[turn.track];
    struct gcl_spread_flight *flight = flight_of(t, t->flown++);
    if (t->flown - t->landed > GCL_SPREAD_FLIGHTS) { // its successors wait for it
        forget(flight);
        t->landed++;
    }
    *flight = (struct gcl_spread_flight){.plan = plan ? gcl_plan_hold(plan) : NULL, .fence = fence};
    if (fence.stream && gcl_spread_occupies_others(spread, plan))
        gcl_stream_note(spread->options.engine, fence.stream, turn.track, turn.moment);
}

void gcl_spread_join_tracks(struct gcl_spread *spread, struct gcl_stream *stream, unsigned tracks) {
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        const struct gcl_spread_flight *latest = find_latest(spread, &spread->tracks[i]);
        if (latest && (tracks & 1u << i))
            hold(spread, stream, latest->fence);
    }
}

void gcl_spread_part_tracks(struct gcl_spread *spread, struct gcl_fence fence) {
    for (int i = 0; i < GCL_TRACK_COUNT && !spread->options.has_devices; i++)
        hold(spread, spread->tracks[i].stream, fence);
}

void gcl_spread_reach_all(struct gcl_spread *spread) {
    struct gcl_engine *engine = spread->options.engine;
    if (spread->options.has_devices) {
        struct gcl_stream *stream = gcl_spread_own_stream(spread);
        gcl_engine_reach(engine, gcl_spread_submit_nothing(spread, stream));
        return;
    }
    struct gcl_fence fences[GCL_TRACK_COUNT] = {{.stream = NULL}};
    gcl_spread_lock(spread);
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        const struct gcl_spread_flight *latest = find_latest(spread, &spread->tracks[i]);
        if (latest)
            fences[i] = latest->fence;
    }
    gcl_spread_unlock(spread);
    for (int i = 0; i < GCL_TRACK_COUNT; i++)
        gcl_engine_reach(engine, fences[i]);
}
