#include "meter.h"

#include <stdlib.h>

#include "base/clock.h"
#include "exec/errand.h"
#include "exec/stats.h"
#include "exec/trace.h"

/// Of the trace's transfers; those of errands come first, by track.
enum { LINE_WAITS = GCL_TRACK_COUNT };

struct meter {
    struct gcl_courier courier;
    struct gcl_stats *stats;
    struct gcl_trace *trace;
};

static void broadcast(void *context, const void *bytes, size_t size) {
    const struct meter *meter = context;
    meter->courier.broadcast(meter->courier.context, bytes, size);
}

static void expect(void *context, const struct gcl_parcel *parcel,
                   void (*came)(void *receiver, enum gcl_status status), void *receiver) {
    const struct meter *meter = context;
    meter->courier.expect(meter->courier.context, parcel, came, receiver);
}

static uint64_t bytes_of(const struct gcl_parcel *parcels, size_t count, bool is_sent) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += parcels[i].is_sent == is_sent ? parcels[i].size : 0;
    return bytes;
}

static void trace_parcel(const struct meter *meter, const struct gcl_parcel *parcel,
                         struct gcl_trace_span span) {
    span.name = span.category = parcel->is_sent ? "send" : "receive";
    span.amount = parcel->size;
    span.is_transfer = true;
    span.is_sent = parcel->is_sent;
    span.peer = parcel->peer;
    span.tag = parcel->tag;
    gcl_trace_add(meter->trace, &span);
}

// The whole exchange, and in it its parcels: none of them is known to end before all do.
static void trace_errand(const struct meter *meter, enum gcl_track track, const char *name,
                         const struct gcl_parcel *parcels, size_t count, uint64_t begin_ns) {
    const struct gcl_trace_span span = {.track = GCL_TRACE_TRANSFERS,
                                        .line = track,
                                        .name = name,
                                        .category = "transfer",
                                        .begin_ns = begin_ns,
                                        .end_ns = gcl_clock_ns(),
                                        .unit = "bytes",
                                        .amount = bytes_of(parcels, count, false)};
    gcl_trace_add(meter->trace, &span);
    for (size_t i = 0; i < count; i++)
        trace_parcel(meter, &parcels[i], span);
}

static void trace_wait(const struct meter *meter, size_t count, uint64_t begin_ns) {
    gcl_trace_add(meter->trace, &(struct gcl_trace_span){.track = GCL_TRACE_TRANSFERS,
                                                         .line = LINE_WAITS,
                                                         .name = "wait for other nodes",
                                                         .category = "wait",
                                                         .begin_ns = begin_ns,
                                                         .end_ns = gcl_clock_ns(),
                                                         .unit = "nodes",
                                                         .amount = count});
}

// What isn't an errand's are the nodes' words to each other, not the program's bytes.
static enum gcl_status exchange(void *context, struct gcl_turn turn,
                                const struct gcl_parcel *parcels, size_t count) {
    const struct meter *meter = context;
    uint64_t begin_ns = gcl_clock_ns();
    enum gcl_status status = meter->courier.exchange(meter->courier.context, turn, parcels, count);
    const char *name = count > 0 ? gcl_errand_name(parcels[0].tag) : NULL;
    if (meter->stats && name)
        gcl_stats_exchange(meter->stats, bytes_of(parcels, count, true), gcl_clock_ns() - begin_ns);
    if (meter->trace && name)
        trace_errand(meter, turn.track, name, parcels, count, begin_ns);
    else if (meter->trace && count > 0 && !parcels[0].is_sent)
        trace_wait(meter, count, begin_ns);
    return status;
}

static void give_up(void *context, const char *reason) {
    const struct meter *meter = context;
    meter->courier.give_up(meter->courier.context, reason);
}

enum gcl_status gcl_meter_init(struct gcl_courier *courier, struct gcl_stats *stats,
                               struct gcl_trace *trace) {
    struct meter *meter = malloc(sizeof *meter);
    if (!meter)
        return GCL_NO_MEMORY;
    *meter = (struct meter){.courier = *courier, .stats = stats, .trace = trace};
    *courier = (struct gcl_courier){.broadcast = broadcast,
                                    .exchange = exchange,
                                    .expect = expect,
                                    .give_up = give_up,
                                    .context = meter};
    if (trace) {
        for (int track = GCL_TRACK_KERNELS; track <= GCL_TRACK_KERNELS_LAST; track++)
            gcl_trace_label(trace, GCL_TRACE_TRANSFERS, (uint64_t)track,
                            track == GCL_TRACK_KERNELS ? "transfers" : "transfers beside others");
        gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_IN, "transfers of copies in");
        gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_OUT, "transfers of copies out");
        gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_DEAL, "transfers ahead of kernels");
        gcl_trace_label(trace, GCL_TRACE_TRANSFERS, LINE_WAITS, "waiting for nodes");
    }
    return GCL_OK;
}
