// Nodes are asked about tracks, so that nobody waits for what others do.
#include "exec/spread/settle.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "exec/exchange/movement.h"
#include "exec/spread/carry.h"
#include "exec/spread/check.h"
#include "exec/spread/rest.h"
#include "exec/spread/track.h"

/// Node 0 receives a word from each other node, they send theirs. Has seen to it that nothing goes
/// on unless it is GCL_OK.
static enum gcl_status pass_words(struct gcl_spread *spread, uint64_t sequence,
                                  struct gcl_spread_word *words) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    bool is_home = gcl_spread_is_home(spread);
    gcl_node peers = is_home ? spread->options.count - 1 : 1;
    struct gcl_request *requests = calloc(peers, sizeof *requests);
    enum gcl_status status = requests ? GCL_OK : GCL_NO_MEMORY;
    for (gcl_node i = 0; status == GCL_OK && i < peers; i++)
        requests[i] = (struct gcl_request){.what = "the end of all commands",
                                           .peer = is_home ? i + 1 : 0,
                                           .is_sent = !is_home,
                                           .tag = gcl_movement_tag_beside(sequence, 0),
                                           .bytes = &words[i],
                                           .size = sizeof words[i]};
    if (status == GCL_OK)
        status =
            communicator->exchange(communicator->context, (struct gcl_turn){0}, requests, peers);
    if (status != GCL_OK)
        gcl_spread_fail(spread, status, "it has no memory to exchange nodes' states");
    free(requests);
    return status;
}

/// Has all nodes say when they are done with the work's tracks. False: they are already. Another
/// thread may be waiting for that: it is waited for, too.
static bool begin_settling(struct gcl_spread *spread, const struct gcl_stream_work *work,
                           struct gcl_operation *o) {
    pthread_mutex_lock(&spread->lock);
    while (spread->is_planning ||
           (gcl_spread_settling_tracks(spread) & gcl_spread_busy_tracks(spread, work)))
        pthread_cond_wait(&spread->has_news, &spread->lock);
    o->settle.tracks = gcl_spread_busy_tracks(spread, work);
    if (o->settle.tracks)
        gcl_spread_announce(spread, o);
    gcl_spread_begin_settling(spread, o->settle.tracks);
    gcl_spread_unlock(spread);
    return o->settle.tracks != 0;
}

static void end_settling(struct gcl_spread *spread, const struct gcl_operation *o) {
    pthread_mutex_lock(&spread->lock);
    gcl_spread_end_settling(spread, o->settle.tracks, o->sequence);
    pthread_cond_broadcast(&spread->has_news);
    pthread_mutex_unlock(&spread->lock);
}

/// Waits for the others' word on an operation, and gives the first failure among them.
static enum gcl_status hear_all(struct gcl_spread *spread, uint64_t sequence) {
    gcl_node others = spread->options.count - 1;
    struct gcl_spread_word *words = calloc(others, sizeof *words);
    enum gcl_status status = words ? pass_words(spread, sequence, words) : GCL_NO_MEMORY;
    for (gcl_node i = 0; i < others && status == GCL_OK; i++)
        status = gcl_spread_word_status(spread, i + 1, &words[i]);
    free(words);
    return status;
}

// Where nodes are devices, a fence of a stream is reached when its device has done all of it.
void gcl_spread_settle(void *context, const struct gcl_stream_work *work) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_SETTLE};
    if ((spread->options.has_devices && work) || gcl_rest_waited(spread) ||
        !begin_settling(spread, work, &o))
        return;
    enum gcl_status status = hear_all(spread, o.sequence);
    if (status != GCL_OK)
        gcl_engine_fail(spread->options.engine, status);
    end_settling(spread, &o);
}

struct settling {
    struct gcl_spread *spread;
    uint64_t sequence;
};

static void tell_settled(void *data) {
    struct settling *settling = data;
    struct gcl_spread *spread = settling->spread;
    struct gcl_spread_word word = {gcl_clock_ns(), gcl_engine_status(spread->options.engine)};
    fflush(stdout); // what kernels printed comes before what the program prints next
    enum gcl_status sent = pass_words(spread, settling->sequence, &word);
    (void)sent;
    free(settling);
}

bool gcl_spread_apply_settle(struct gcl_spread *spread, const struct gcl_operation *o) {
    struct settling *settling = malloc(sizeof *settling);
    if (!settling)
        return false;
    *settling = (struct settling){spread, o->sequence};
    unsigned tracks = o->kind == GCL_OPERATION_AWAIT ? 1u << GCL_TRACK_KERNELS : o->settle.tracks;
    // On the thread of one of the tracks: others may be busy for long.
    enum gcl_track track = GCL_TRACK_KERNELS;
    while (!(tracks & 1u << track) && track + 1 < GCL_TRACK_COUNT)
        track++;
    struct gcl_stream *stream = gcl_spread_track_stream(spread, track);
    gcl_spread_join_tracks(spread, stream, tracks);
    gcl_spread_call(
        spread, stream,
        (struct gcl_host_call){
            .function = tell_settled, .data = settling, .name = "settle", .track = track});
    return true;
}
