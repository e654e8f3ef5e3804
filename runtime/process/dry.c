// The runtime asks for nodes and for a device, and here are some: all nodes are like this one, and
// nothing runs.
#include "process/dry.h"

#include <assert.h>

#include "exec/device/cpu.h"
#include "exec/device/dry.h"
#include "exec/forecast/dry.h"
#include "exec/memory/space.h"
#include "process/nodes.h"
#include "process/runtime.h"

static struct gcl_device *device;

static struct gcl_communicator communicator(void *context) {
    const struct gcl_runtime *r = context;
    return gcl_dry_communicator(r->dry);
}

bool gcl_dry_join(struct gcl_runtime *r) {
    assert(r->env.dry_nodes > 1);
    r->place.count = (gcl_node)r->env.dry_nodes;
    r->peers = (struct gcl_peers){.communicator = communicator, .context = r};
    r->dry = gcl_dry_create(r->place.count);
    r->device = device = gcl_device_dry_create(gcl_device_cpu());
    return r->dry && r->device;
}

void gcl_dry_listen(struct gcl_runtime *r) {
    assert(r->dry && r->space);
    const struct gcl_listener listener = gcl_dry_listener(r->dry, r->space);
    uint64_t begin, end;
    gcl_space_range(r->space, &begin, &end);
    gcl_device_dry_set_range(device, begin, end);
    gcl_listeners_add(&r->listeners, &listener);
}

void gcl_dry_end(const struct gcl_runtime *r) {
    gcl_dry_report(r->dry, gcl_spread_memory(r->spread), stderr);
}
