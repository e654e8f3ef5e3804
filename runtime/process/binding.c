// Nodes that may use the same cores form a class. Classes take cores in turn, each a core that
// fewest classes may use, so that who has little choice isn't left without; the members of a class
// divide its cores in their order, so that each has neighbouring ones.
#include "process/binding.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = CPU_SETSIZE };

// GPUs.

static bool is_same_gpu(const struct gcl_seat_gpu *a, const struct gcl_seat_gpu *b) {
    return memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

static unsigned count_users(const struct gcl_seat_gpu *gpu, const struct gcl_seat_gpu *const *taken,
                            unsigned count) {
    unsigned users = 0;
    for (unsigned i = 0; i < count; i++)
        users += taken[i] && is_same_gpu(gpu, taken[i]);
    return users;
}

static bool is_near(const struct gcl_topology *t, const struct gcl_seat *seat,
                    const struct gcl_seat_gpu *gpu) {
    cpu_set_t near = gcl_topology_near(t, gpu->place);
    CPU_AND(&near, &near, &seat->threads);
    return CPU_COUNT(&near) > 0;
}

/// The GPU of each node, NULL where it sees none.
static void take_gpus(const struct gcl_topology *t, const struct gcl_seat *seats, unsigned count,
                      const struct gcl_seat_gpu **taken) {
    for (unsigned i = 0; i < count; i++) {
        const struct gcl_seat *seat = &seats[i];
        unsigned least = 0;
        taken[i] = NULL;
        for (unsigned g = 0; g < seat->gpu_count; g++) {
            const struct gcl_seat_gpu *gpu = &seat->gpus[g];
            unsigned cost = 2 * count_users(gpu, taken, i) + !is_near(t, seat, gpu);
            if (taken[i] && cost >= least)
                continue;
            taken[i] = gpu;
            least = cost;
        }
    }
}

// Cores, in sets of their numbers in the topology.

struct class {
    cpu_set_t domain; ///< cores that its members may use
    cpu_set_t taken;
    unsigned members;
    bool is_full; ///< there are no more for it
};

static cpu_set_t cores_of(const struct gcl_topology *t, const cpu_set_t *threads) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (unsigned i = 0; i < t->core_count && i < MOST_CORES; i++) {
        cpu_set_t both;
        CPU_AND(&both, &t->cores[i].threads, threads);
        if (CPU_COUNT(&both) > 0)
            CPU_SET(i, &cores);
    }
    return cores;
}

/// Those near a node's GPU if it may use any of them, otherwise all that it may use.
static cpu_set_t find_domain(const struct gcl_topology *t, const struct gcl_seat *seat,
                             const struct gcl_seat_gpu *gpu) {
    cpu_set_t near;
    CPU_ZERO(&near);
    if (gpu)
        near = gcl_topology_near(t, gpu->place);
    CPU_AND(&near, &near, &seat->threads);
    return cores_of(t, CPU_COUNT(&near) > 0 ? &near : &seat->threads);
}

/// The class of a node among the first `count`, or a new one.
static unsigned find_class(struct class *classes, unsigned *count, const cpu_set_t *domain) {
    unsigned i = 0;
    while (i < *count && !CPU_EQUAL(&classes[i].domain, domain))
        i++;
    if (i == *count)
        classes[(*count)++] = (struct class){.domain = *domain};
    classes[i].members++;
    return i;
}

/// Whose turn it is: who has least for each of its members. NULL: all are full.
static struct class *next_class(struct class *classes, unsigned count) {
    struct class *next = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct class *c = &classes[i];
        if (c->is_full)
            continue;
        if (!next || (uint64_t)CPU_COUNT(&c->taken) * next->members <
                         (uint64_t)CPU_COUNT(&next->taken) * c->members)
            next = c;
    }
    return next;
}

static void take_core(struct class *c, cpu_set_t *free_cores, const unsigned *wanted) {
    size_t best = MOST_CORES;
    for (size_t i = 0; i < MOST_CORES; i++) {
        if (CPU_ISSET(i, free_cores) && CPU_ISSET(i, &c->domain) &&
            (best == MOST_CORES || wanted[i] < wanted[best]))
            best = i;
    }
    if (best == MOST_CORES) {
        c->is_full = true;
        return;
    }
    CPU_SET(best, &c->taken);
    CPU_CLR(best, free_cores);
}

static void take_cores(struct class *classes, unsigned count) {
    static const struct class nobody;
    unsigned wanted[MOST_CORES] = {0};
    cpu_set_t free_cores = nobody.taken;
    for (unsigned i = 0; i < count; i++) {
        CPU_OR(&free_cores, &free_cores, &classes[i].domain);
        for (size_t core = 0; core < MOST_CORES; core++)
            wanted[core] += CPU_ISSET(core, &classes[i].domain) != 0;
    }
    for (struct class *c; (c = next_class(classes, count));)
        take_core(c, &free_cores, wanted);
}

/// Cores [begin, end) of a set, by their order in it.
static cpu_set_t part_of(const cpu_set_t *set, unsigned begin, unsigned end) {
    cpu_set_t part;
    unsigned at = 0;
    CPU_ZERO(&part);
    for (size_t i = 0; i < MOST_CORES; i++) {
        if (!CPU_ISSET(i, set))
            continue;
        if (at >= begin && at < end)
            CPU_SET(i, &part);
        at++;
    }
    return part;
}

/// The cores of a class' member `rank`; of all if there are fewer than members.
static cpu_set_t divide(const struct class *c, unsigned rank, struct gcl_binding *b) {
    const cpu_set_t *cores = CPU_COUNT(&c->taken) > 0 ? &c->taken : &c->domain;
    unsigned count = (unsigned)CPU_COUNT(cores), share = count / c->members;
    assert(rank < c->members);
    b->is_crowded = share == 0 || cores != &c->taken;
    b->own_count = b->is_crowded ? 1 : share;
    b->room = b->is_crowded ? (double)count / c->members : share;
    if (b->is_crowded)
        return *cores;
    unsigned begin = (unsigned)((uint64_t)count * rank / c->members);
    return part_of(cores, begin, begin + share);
}

// What comes of it.

static cpu_set_t threads_of(const struct gcl_topology *t, const cpu_set_t *cores,
                            const cpu_set_t *allowed) {
    cpu_set_t threads;
    CPU_ZERO(&threads);
    for (unsigned i = 0; i < t->core_count && i < MOST_CORES; i++) {
        if (CPU_ISSET(i, cores))
            CPU_OR(&threads, &threads, &t->cores[i].threads);
    }
    CPU_AND(&threads, &threads, allowed);
    return threads;
}

static void append_cores(const struct gcl_topology *t, const cpu_set_t *cores,
                         const cpu_set_t *allowed, struct gcl_binding *b) {
    for (unsigned i = 0; i < t->core_count && i < MOST_CORES; i++) {
        if (CPU_ISSET(i, cores))
            CPU_AND(&b->cores[b->core_count++], &t->cores[i].threads, allowed);
    }
}

/// Lists numbers as taskset has them. What there is no room for becomes "...".
static void write_list(const cpu_set_t *set, char text[GCL_BINDING_TEXT]) {
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < MOST_CORES; i++) {
        size_t begin = i;
        if (!CPU_ISSET(i, set))
            continue;
        while (i + 1 < MOST_CORES && CPU_ISSET(i + 1, set))
            i++;
        char range[32];
        int size = begin == i ? snprintf(range, sizeof range, "%s%zu", at ? "," : "", i)
                              : snprintf(range, sizeof range, "%s%zu-%zu", at ? "," : "", begin, i);
        if (at + (size_t)size + sizeof ",..." > GCL_BINDING_TEXT) {
            snprintf(text + at, GCL_BINDING_TEXT - at, ",...");
            return;
        }
        memcpy(text + at, range, (size_t)size + 1);
        at += (size_t)size;
    }
}

static void find_near(const struct gcl_topology *t, const cpu_set_t *own, const cpu_set_t *allowed,
                      struct gcl_binding *b) {
    cpu_set_t nodes, cores;
    CPU_ZERO(&nodes);
    CPU_ZERO(&cores);
    for (unsigned i = 0; i < t->core_count && i < MOST_CORES; i++) {
        if (CPU_ISSET(i, own))
            CPU_SET(t->cores[i].memory_node, &nodes);
    }
    for (unsigned i = 0; i < t->core_count && i < MOST_CORES; i++) {
        if (CPU_ISSET(t->cores[i].memory_node, &nodes))
            CPU_SET(i, &cores);
    }
    b->near = threads_of(t, &cores, allowed);
    b->has_far = !CPU_EQUAL(&b->near, allowed) && CPU_COUNT(&b->near) > 0;
    write_list(&nodes, b->memory_text);
}

/// The network card near the cores; of several the nodes of a host take one after the other.
static void choose_network(const struct gcl_topology *t, const cpu_set_t *own, unsigned self,
                           char name[GCL_TOPOLOGY_NAME]) {
    const struct gcl_network_card *near[GCL_TOPOLOGY_CARDS];
    unsigned count = 0;
    if (t->card_count < 2)
        return;
    for (unsigned i = 0; i < t->card_count; i++) {
        cpu_set_t both;
        CPU_AND(&both, &t->cards[i].near, own);
        if (CPU_COUNT(&both) > 0)
            near[count++] = &t->cards[i];
    }
    if (count > 0)
        memcpy(name, near[self % count]->name, GCL_TOPOLOGY_NAME);
}

static bool describe(const struct gcl_topology *t, const struct gcl_seat *seats, unsigned self,
                     const cpu_set_t *own, struct gcl_binding *b) {
    const cpu_set_t *allowed = &seats[self].threads;
    cpu_set_t others = cores_of(t, allowed);
    b->cores = calloc(t->core_count, sizeof *b->cores);
    if (!b->cores)
        return false;
    append_cores(t, own, allowed, b);
    CPU_XOR(&others, &others, own); // `own` are among them
    append_cores(t, &others, allowed, b);
    if (b->core_count == 0) // hwloc knows none of what the process may use
        b->cores[b->core_count++] = *allowed;
    cpu_set_t threads = threads_of(t, own, allowed);
    write_list(&threads, b->own_text);
    find_near(t, own, allowed, b);
    choose_network(t, &threads, self, b->network);
    return true;
}

bool gcl_binding_find(const struct gcl_topology *t, const struct gcl_seat *seats, unsigned count,
                      unsigned self, struct gcl_binding *binding) {
    const struct gcl_seat_gpu **gpus = calloc(count, sizeof *gpus);
    struct class *classes = calloc(count, sizeof *classes);
    unsigned class_count = 0, own_class = 0, rank = 0;
    struct gcl_binding b = {.gpu_sharers = 0};
    bool is_good = gpus && classes;
    assert(self < count && t->core_count > 0);
    if (is_good) {
        take_gpus(t, seats, count, gpus);
        if (gpus[self]) {
            b.gpu = *gpus[self];
            b.gpu_sharers = count_users(gpus[self], gpus, count);
        }
        for (unsigned i = 0; i < count; i++) {
            cpu_set_t domain = find_domain(t, &seats[i], gpus[i]);
            unsigned c = find_class(classes, &class_count, &domain);
            if (i == self)
                own_class = c, rank = classes[c].members - 1;
        }
        take_cores(classes, class_count);
        cpu_set_t own = divide(&classes[own_class], rank, &b);
        is_good = describe(t, seats, self, &own, &b);
    }
    free(gpus);
    free(classes);
    if (is_good)
        *binding = b;
    return is_good;
}

void gcl_binding_free(struct gcl_binding *binding) {
    free(binding->cores);
    *binding = (struct gcl_binding){.core_count = 0};
}

static cpu_set_t unite(const cpu_set_t *sets, unsigned count) {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (unsigned i = 0; i < count; i++)
        CPU_OR(&all, &all, &sets[i]);
    return all;
}

cpu_set_t *gcl_binding_pins(const struct gcl_binding *b, unsigned share, unsigned worker_count) {
    unsigned others = b->core_count - b->own_count;
    bool has_own_each = share == b->own_count && worker_count <= b->core_count;
    assert(share > 0 && worker_count >= share);
    if (b->is_crowded || share > b->own_count || (!has_own_each && others == 0))
        return NULL;
    cpu_set_t *pins = calloc(worker_count, sizeof *pins);
    for (unsigned i = 0; pins && i < worker_count; i++) {
        if (has_own_each)
            pins[i] = b->cores[i];
        else if (i < share)
            pins[i] = unite(b->cores, b->own_count);
        else
            pins[i] = unite(b->cores, b->core_count);
    }
    return pins;
}
