// hwloc is asked for what is needed and for nothing that takes time. Where it shows another machine
// than this one (HWLOC_XMLFILE, HWLOC_SYNTHETIC) all of that may be used, as far as hwloc goes.
#include "process/topology.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>

#include "base/setting.h"

static cpu_set_t to_set(hwloc_topology_t machine, hwloc_const_bitmap_t bitmap) {
    cpu_set_t set;
    CPU_ZERO(&set);
    hwloc_cpuset_to_glibc_sched_affinity(machine, bitmap, &set, sizeof set);
    return set;
}

static cpu_set_t find_allowed(hwloc_topology_t machine) {
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    hwloc_const_bitmap_t all = hwloc_topology_get_allowed_cpuset(machine);
    cpu_set_t set = to_set(machine, all);
    if (bound && hwloc_topology_is_thissystem(machine) &&
        hwloc_get_cpubind(machine, bound, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_bitmap_and(bound, bound, all);
        set = to_set(machine, bound);
    }
    hwloc_bitmap_free(bound);
    return set;
}

static void list_cores(struct gcl_topology *t, unsigned count, hwloc_obj_type_t type) {
    hwloc_topology_t machine = t->machine;
    t->core_count = count;
    for (unsigned i = 0; i < count; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(machine, type, i);
        int node = core->nodeset ? hwloc_bitmap_first(core->nodeset) : -1;
        t->cores[i] = (struct gcl_core){.threads = to_set(machine, core->cpuset),
                                        .memory_node = node > 0 ? (unsigned)node : 0};
    }
}

/// The first port of a card of a fabric that is up; 0: none is.
static unsigned find_port(hwloc_obj_t card) {
    enum { PORTS = 4 };
    for (unsigned port = 1; port <= PORTS; port++) {
        char name[32];
        snprintf(name, sizeof name, "Port%uState", port);
        const char *state = hwloc_obj_get_info_by_name(card, name);
        if (state && atoi(state) == 4) // IBV_PORT_ACTIVE
            return port;
    }
    return 0;
}

static void list_network_cards(struct gcl_topology *t) {
    hwloc_topology_t machine = t->machine;
    for (hwloc_obj_t card = NULL; (card = hwloc_get_next_osdev(machine, card));) {
        if (card->attr->osdev.type != HWLOC_OBJ_OSDEV_OPENFABRICS ||
            t->card_count == GCL_TOPOLOGY_CARDS)
            continue;
        unsigned port = find_port(card);
        if (port == 0)
            continue;
        struct gcl_network_card *listed = &t->cards[t->card_count++];
        snprintf(listed->name, sizeof listed->name, "%.50s:%u", card->name, port);
        hwloc_obj_t parent = hwloc_get_non_io_ancestor_obj(machine, card);
        listed->near = to_set(machine, parent->cpuset);
    }
}

/// Begins a topology without looking for plugins, which link X11 and drivers of GPUs and take
/// longer to load than all else: none is wanted below. hwloc can be told so by the environment
/// alone, which only a process with one thread may change for a moment.
static int begin_machine(hwloc_topology_t *machine) {
    struct gcl_setting none = {.name = "HWLOC_PLUGINS_PATH", .value = "/dev/null"};
    size_t count = __libc_single_threaded ? 1 : 0;
    gcl_settings_apply(&none, count);
    int error = hwloc_topology_init(machine);
    gcl_settings_remove(&none, count);
    return error;
}

static hwloc_topology_t load_machine(bool with_cards) {
    // Plugins that would start a GPU's driver to look at it, and one that leaves memory behind:
    // what is on the bus the kernel says as well.
    static const char *const unwanted[] = {"cuda",   "gl",  "levelzero", "nvml",
                                           "opencl", "pci", "rsmi"};
    hwloc_topology_t machine;
    if (begin_machine(&machine) != 0)
        return NULL;
    // Without DONT_CHANGE_BINDING the calling thread would visit every core.
    hwloc_topology_set_flags(
        machine, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                     HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
    hwloc_topology_set_all_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(machine, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    // What memory and cards are attached to.
    hwloc_topology_set_type_filter(machine, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    hwloc_topology_set_type_filter(machine, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (with_cards) {
        hwloc_topology_set_io_types_filter(machine, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
        for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++)
            hwloc_topology_set_components(machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                          unwanted[i]);
    }
    if (hwloc_topology_load(machine) == 0)
        return machine;
    hwloc_topology_destroy(machine);
    return NULL;
}

bool gcl_topology_load(struct gcl_topology *t, bool with_cards) {
    *t = (struct gcl_topology){.machine = load_machine(with_cards)};
    hwloc_obj_type_t type = HWLOC_OBJ_CORE;
    int count = t->machine ? hwloc_get_nbobjs_by_type(t->machine, type) : 0;
    if (t->machine && count <= 0)
        count = hwloc_get_nbobjs_by_type(t->machine, type = HWLOC_OBJ_PU);
    t->cores = calloc(count > 0 ? (size_t)count : 1, sizeof *t->cores);
    if (!t->cores) {
        gcl_topology_free(t);
        return false;
    }
    if (count > 0) {
        t->allowed = find_allowed(t->machine);
        list_cores(t, (unsigned)count, type);
        list_network_cards(t);
    } else {
        t->core_count = 1;
        sched_getaffinity(0, sizeof t->allowed, &t->allowed);
        t->cores[0].threads = t->allowed;
    }
    return true;
}

void gcl_topology_free(struct gcl_topology *t) {
    free(t->cores);
    if (t->machine)
        hwloc_topology_destroy(t->machine);
    *t = (struct gcl_topology){.core_count = 0};
}

cpu_set_t gcl_topology_near(const struct gcl_topology *t, uint64_t place) {
    cpu_set_t none;
    CPU_ZERO(&none);
    hwloc_topology_t machine = t->machine;
    hwloc_obj_t card =
        machine && place
            ? hwloc_get_pcidev_by_busid(machine, (unsigned)(place >> 16),
                                        (unsigned)(place >> 8) & 0xff, (unsigned)place & 0xff, 0)
            : NULL;
    if (!card)
        return none;
    return to_set(machine, hwloc_get_non_io_ancestor_obj(machine, card)->cpuset);
}
