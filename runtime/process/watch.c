// Statistics and the trace listen to engine and spread; node 0 compares clocks with other nodes at
// the beginning and the end, and takes their reports when all have settled.
#include "process/watch.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/exchange/meter.h"
#include "exec/spread/spread.h"
#include "exec/watch/clocks.h"
#include "exec/watch/stats.h"
#include "exec/watch/trace.h"
#include "process/nodes.h"
#include "process/runtime.h"

static void listen(struct gcl_runtime *r, struct gcl_listener listener) {
    gcl_listeners_add(&r->listeners, &listener);
}

void gcl_watch_begin(struct gcl_runtime *r) {
    if (r->env.trace)
        r->trace = gcl_trace_create(r->env.trace, r->place.node);
    if (r->trace)
        listen(r, gcl_trace_listener(r->trace));
    bool has_top = r->place.node == 0 && r->place.count > 1;
    if (r->env.stats || has_top)
        r->stats = gcl_stats_create(r->place.node, r->place.count, r->device_count > 1,
                                    r->env.stats != NULL);
    if (r->stats)
        listen(r, gcl_stats_listener(r->stats));
}

/// Whether node 0 asks the others for what they have seen.
static bool is_reported(const struct gcl_runtime *r) {
    return r->peers.compare_clocks && (r->env.stats || r->trace);
}

/// Traces have the time of other nodes, and so have events, where nodes are devices.
static void compare_clocks(const struct gcl_runtime *r, bool is_end) {
    bool is_needed = r->trace || (r->device_count > 1 && !is_end);
    for (gcl_node node = 1; is_needed && node < r->place.count; node++) {
        struct gcl_clocks *clocks = &r->clocks[node];
        if (!r->peers.compare_clocks(r->peers.context, node,
                                     is_end ? &clocks->last : &clocks->first))
            gcl_log(GCL_LOG_WARN, "the clock of node %u can't be compared: times may be wrong",
                    node);
    }
}

bool gcl_watch_connect(struct gcl_runtime *r, struct gcl_communicator *communicator) {
    assert(r->place.count > 1 && !r->clocks);
    r->clocks = calloc(r->place.count, sizeof *r->clocks);
    if (!r->clocks || (is_reported(r) && gcl_meter_init(communicator, &r->listeners) != GCL_OK))
        return false;
    if (is_reported(r) && r->trace)
        gcl_trace_label_transfers(r->trace);
    if (r->place.node == 0 && r->peers.compare_clocks)
        compare_clocks(r, false);
    return true;
}

void gcl_watch_collect(struct gcl_runtime *r) {
    if (!is_reported(r))
        return;
    assert(r->clocks && r->spread);
    if (gcl_engine_status(r->engine) != GCL_OK) {
        gcl_log(GCL_LOG_WARN, "what other nodes did isn't known, because the job has failed");
        return;
    }
    compare_clocks(r, true);
    gcl_spread_collect(r->spread, r->clocks);
}

void gcl_watch_end(struct gcl_runtime *r) {
    gcl_trace_close(r->trace);
    gcl_stats_end(r->stats, r->env.stats);
}
