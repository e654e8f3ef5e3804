#include "meter.h"

#include <stdlib.h>

#include "base/clock.h"
#include "exec/errand.h"
#include "exec/stats.h"

struct meter {
    struct gcl_courier courier;
    struct gcl_stats *stats;
};

static void broadcast(void *context, const void *bytes, size_t size) {
    const struct meter *meter = context;
    meter->courier.broadcast(meter->courier.context, bytes, size);
}

static uint64_t sent_by(const struct gcl_parcel *parcels, size_t count) {
    uint64_t sent = 0;
    for (size_t i = 0; i < count; i++)
        sent += parcels[i].is_sent ? parcels[i].size : 0;
    return sent;
}

// What isn't an errand's are the nodes' words to each other, not the program's bytes.
static enum gcl_status exchange(void *context, uint64_t moment, const struct gcl_parcel *parcels,
                                size_t count) {
    const struct meter *meter = context;
    uint64_t begin_ns = gcl_clock_ns();
    enum gcl_status status =
        meter->courier.exchange(meter->courier.context, moment, parcels, count);
    if (count > 0 && gcl_errand_owns(parcels[0].tag))
        gcl_stats_exchange(meter->stats, sent_by(parcels, count), gcl_clock_ns() - begin_ns);
    return status;
}

enum gcl_status gcl_meter_init(struct gcl_courier *courier, struct gcl_stats *stats) {
    struct meter *meter = malloc(sizeof *meter);
    if (!meter)
        return GCL_NO_MEMORY;
    *meter = (struct meter){.courier = *courier, .stats = stats};
    *courier = (struct gcl_courier){.broadcast = broadcast, .exchange = exchange, .context = meter};
    return GCL_OK;
}
