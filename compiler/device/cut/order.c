// Finds what a kernel relies on without saying so (order.h): pairs of accesses with no barrier
// between them that different threads do at the same place, of which one writes. Whether they meet
// is looked at in imagined moments of a launch (moment.h), so an index may be made from anything.
//
// Memory is what threads of a block share: shared variables, and what one pointer leads to. What
// different pointers lead to is taken for different; what is at a place that follows from data is
// only ordered in shared memory, as scattering into global memory relies on no order.
#include "device/cut/order.h"

#include <assert.h>
#include <stdlib.h>

#include "device/cut/moment.h"
#include "device/cut/ways.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/uniformity.h"

enum { WARP = 32, MOMENTS = 32, BLOCK_MOMENTS = 12 };

// Accesses that are looked for together: what their addresses share is worked out once.
enum { TOGETHER = 64 };

// Accesses.

static bool takes_lock(LLVMValueRef i) {
    return LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg);
}

// Whether a block is only come to by who has got a lock: one lane at a time is there, and has to
// give it back before the others get any further.
static bool is_locked(const struct gcl_order *order, int block) {
    const struct gcl_cfg *cfg = order->cfg;
    for (int b = order->moments->dominators[block]; b != GCL_NOWHERE;
         b = order->moments->dominators[b]) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b].block);
        if (LLVMGetNumSuccessors(end) > 1 &&
            gcl_cfg_follows(cfg, GCL_NOWHERE, LLVMGetCondition(end), takes_lock) &&
            cfg->blocks[b].loop != GCL_NOWHERE && gcl_cfg_in_loop(cfg, block, cfg->blocks[b].loop))
            return true;
    }
    return false;
}

// The root of an address as far as it can be seen without a moment: NULL if it can't.
static LLVMValueRef visible_root(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer)) {
        LLVMValueRef variable = gcl_moment_variable(pointer);
        if (variable)
            return variable;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAArgument(pointer) || LLVMIsAAllocaInst(pointer) ? pointer : NULL;
}

// What the kernel or one thread has for itself, or nobody writes.
static bool is_own_root(LLVMValueRef root) {
    assert(root);
    if (LLVMIsAAllocaInst(root) || !LLVMIsAArgument(root))
        return LLVMIsAAllocaInst(root) != NULL;
    LLVMValueRef kernel = LLVMGetParamParent(root);
    unsigned index = 0;
    while (LLVMGetParam(kernel, index) != root)
        index++;
    return gcl_parameter_type(kernel, index) != LLVMTypeOf(root); // passed by value
}

// Whether `i` asks for the address of a __device__ variable, which no kernel changes.
static bool loads_address(LLVMValueRef i) {
    return LLVMIsALoadInst(i) && LLVMIsAGlobalVariable(LLVMGetOperand(i, 0));
}

static void note_access(struct gcl_order *order, LLVMValueRef i, int block) {
    struct gcl_order_access access = {.instruction = i, .block = block};
    bool is_store = LLVMIsAStoreInst(i) != NULL;
    access.is_atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    if ((!is_store && !LLVMIsALoadInst(i) && !access.is_atomic) || loads_address(i))
        return;
    access.pointer = LLVMGetOperand(i, is_store ? 1 : 0);
    access.root = visible_root(access.pointer);
    if ((access.root && is_own_root(access.root)) || is_locked(order, block))
        return;
    access.writes = is_store || access.is_atomic;
    LLVMValueRef value = is_store             ? LLVMGetOperand(i, 0)
                         : LLVMIsALoadInst(i) ? i
                                              : LLVMGetOperand(i, 1);
    access.size = (int64_t)LLVMABISizeOfType(order->m->layout, LLVMTypeOf(value));
    g_array_append_val(order->accesses, access);
}

static const struct gcl_order_access *access_at(const struct gcl_order *order, guint index) {
    assert(index < order->accesses->len);
    return &g_array_index(order->accesses, struct gcl_order_access, index);
}

/// A place in memory that a thread accesses in one moment.
struct spot {
    struct gcl_spot place; ///< with a root
    uint32_t thread;
};

/// Where the threads of one moment access memory.
struct spots {
    struct spot *list; ///< ascending; without threads that don't access any
    uint32_t count;
};

static bool is_shared_root(LLVMValueRef root) {
    return LLVMIsAConstantInt(root) || LLVMIsAFunction(root);
}

static struct gcl_spot find_spot(struct gcl_moment *moment, const struct gcl_order_access *access) {
    const struct gcl_spot none = {NULL, 0};
    if (!gcl_moment_comes(moment, access->block))
        return none;
    struct gcl_spot place = gcl_moment_value(moment, access->pointer);
    if (!place.root || is_own_root(place.root) ||
        !gcl_moment_is_inside(moment->all, place, access->size))
        return none;
    if (is_shared_root(place.root))
        return place;
    bool follows_data = moment->guesses && !LLVMGetVolatile(access->instruction);
    if (follows_data || access->is_atomic)
        return none;
    gcl_moment_turn(moment, moment->thread, true); // a row of an array, not a step between lanes
    return gcl_moment_comes(moment, access->block) ? gcl_moment_value(moment, access->pointer)
                                                   : none;
}

static int by_place(const void *a, const void *b) {
    const struct gcl_spot *p = &((const struct spot *)a)->place;
    const struct gcl_spot *q = &((const struct spot *)b)->place;
    uintptr_t p_root = (uintptr_t)p->root, q_root = (uintptr_t)q->root;
    return p_root != q_root ? (p_root > q_root) - (p_root < q_root)
                            : (p->offset > q->offset) - (p->offset < q->offset);
}

// Whether `size` bytes at `spot` are all in front of `place`.
static bool is_before(const struct gcl_spot *spot, int64_t size, const struct gcl_spot *place) {
    return spot->root == place->root ? spot->offset + size <= place->offset
                                     : (uintptr_t)spot->root < (uintptr_t)place->root;
}

// Whether threads that `part` tells apart are at the same byte. Which of them writes last is only
// asked for in shared memory. Goes through both lists at once: of `b` from the first spot on that
// one of `a` can still meet.
static bool meet(const struct spots *a, int64_t a_size, const struct spots *b, int64_t b_size,
                 uint32_t part, bool both_write) {
    assert(part > 0);
    uint32_t open = 0;
    for (const struct spot *x = a->list; x < a->list + a->count; x++) {
        if (both_write && !is_shared_root(x->place.root))
            continue;
        while (open < b->count && is_before(&b->list[open].place, b_size, &x->place))
            open++;
        for (const struct spot *y = b->list + open; y < b->list + b->count; y++) {
            if (is_before(&x->place, a_size, &y->place))
                break;
            if (x->thread / part != y->thread / part)
                return true;
        }
    }
    return false;
}

static void spots_free(void *data) {
    struct spots *spots = data;
    g_free(spots->list);
    g_free(spots);
}

// What is looked at of the threads of a moment.
struct view {
    uint32_t number; ///< of the moment
    int later;       ///< as in struct gcl_moment
    uint32_t part;   ///< 1: one warp, WARP: the block
};

static gpointer key_of(const struct gcl_order *order, const struct view *view, guint access) {
    size_t loops = (size_t)order->cfg->loop_count + 1;
    size_t key = ((size_t)access * MOMENTS + view->number) * loops + (size_t)(view->later + 1);
    return GSIZE_TO_POINTER(key * 2 + view->part % 2);
}

// Whether where access `index` is will be asked for too where that of one next to it is.
static bool is_wanted(const struct gcl_order *order, const struct view *view, guint index) {
    const struct gcl_order_access *access = access_at(order, index);
    return access->matters && gcl_cfg_in_loop(order->cfg, access->block, view->later) &&
           !g_hash_table_contains(order->spots, key_of(order, view, index));
}

// Finds where `access` is, and with it its neighbours, thread by thread: they are made of the same
// values.
static void find_spots(const struct gcl_order *order, const struct view *view, guint access) {
    struct gcl_moment moment = gcl_moment_begin(order->moments, view->number, view->later);
    uint32_t threads = gcl_moment_threads(&moment), warps = (threads + WARP - 1) / WARP;
    uint32_t first = view->part == 1 && view->number % 2 == 1 ? view->number % warps * WARP : 0;
    uint32_t count = view->part == 1 ? MIN(WARP, threads - first) : threads;
    guint begin = access - access % TOGETHER, end = MIN(begin + TOGETHER, order->accesses->len);
    struct spots *found[TOGETHER] = {NULL};
    for (guint a = begin; a < end; a++) {
        if (a != access && !is_wanted(order, view, a))
            continue;
        found[a - begin] = g_new0(struct spots, 1);
        found[a - begin]->list = g_new(struct spot, count);
        g_hash_table_insert(order->spots, key_of(order, view, a), found[a - begin]);
    }
    for (uint32_t t = first; t < first + count; t++) {
        for (guint a = begin; a < end; a++) {
            struct spots *spots = found[a - begin];
            if (!spots)
                continue;
            gcl_moment_turn(&moment, t, false);
            struct spot spot = {find_spot(&moment, access_at(order, a)), t - first};
            if (spot.place.root)
                spots->list[spots->count++] = spot;
        }
    }
    for (guint a = 0; a < end - begin; a++) {
        if (found[a])
            qsort(found[a]->list, found[a]->count, sizeof *found[a]->list, by_place);
    }
    gcl_moment_end(&moment);
}

// Where threads access memory in moment `number`: those of one warp (`part` 1), or of the block.
static const struct spots *spots_in(const struct gcl_order *order, guint access, uint32_t number,
                                    int later, uint32_t part) {
    const struct view view = {number, later, part};
    assert(number < MOMENTS && (part == 1 || part == WARP));
    if (!g_hash_table_contains(order->spots, key_of(order, &view, access)))
        find_spots(order, &view, access);
    return g_hash_table_lookup(order->spots, key_of(order, &view, access));
}

// Whether two threads meet in one of the moments: lanes of a warp (`part` 1) or warps of a block.
static bool meets(const struct gcl_order *order, guint first, guint second, int later,
                  uint32_t part) {
    const struct gcl_order_access *a = access_at(order, first), *b = access_at(order, second);
    uint32_t most = part == 1 ? MOMENTS : BLOCK_MOMENTS;
    for (uint32_t number = 0; number < most; number++) {
        const struct spots *p = spots_in(order, first, number, GCL_NOWHERE, part);
        const struct spots *q = spots_in(order, second, number, later, part);
        if (meet(p, a->size, q, b->size, part, a->writes && b->writes))
            return true;
    }
    return false;
}

static bool may_matter(const struct gcl_order_access *a, const struct gcl_order_access *b) {
    return (a->writes || b->writes) && !(a->is_atomic && b->is_atomic) &&
           (!a->root || !b->root || a->root == b->root);
}

// Marks accesses with which another one may meet, or they themselves in other threads.
static void find_mattering(struct gcl_order *order) {
    for (guint a = 0; a < order->accesses->len; a++) {
        struct gcl_order_access *access =
            &g_array_index(order->accesses, struct gcl_order_access, a);
        for (guint b = 0; b < order->accesses->len && !access->matters; b++)
            access->matters = may_matter(access, access_at(order, b));
    }
}

static void add_pair(GArray *pairs, guint first, guint second) {
    struct gcl_order_pair pair = {first, second};
    assert(pairs->len == 0 ||
           g_array_index(pairs, struct gcl_order_pair, pairs->len - 1).first <= first);
    g_array_append_val(pairs, pair);
}

static bool relies_in_loop(const struct gcl_order *order, guint first, guint second) {
    const struct gcl_order_access *a = access_at(order, first), *b = access_at(order, second);
    const struct gcl_cfg *cfg = order->cfg;
    for (int l = gcl_ways_common_loop(cfg, a->block, b->block); l != GCL_NOWHERE;
         l = cfg->loops[l].parent) {
        if (gcl_ways_lead_round(order->ways, a->instruction, b->instruction, l, GCL_WAIT_WARP) &&
            meets(order, first, second, l, 1))
            return true;
    }
    return false;
}

// A counter or a flag of the whole grid: who comes when isn't said by lanes in step either.
static bool is_of_grid(const struct gcl_order *order, const struct gcl_order_access *access) {
    return access->root && !is_shared_root(access->root) &&
           gcl_uniformity_of(order->u, access->pointer).variance == GCL_VARIANCE_UNIFORM;
}

// Lanes of a warp.
static bool relies_on_lanes(const struct gcl_order *order, guint first, guint second) {
    const struct gcl_order_access *a = access_at(order, first), *b = access_at(order, second);
    if (is_of_grid(order, a) && is_of_grid(order, b))
        return false;
    bool leads = first != second &&
                 gcl_ways_lead_once(order->ways, a->instruction, b->instruction, GCL_WAIT_WARP);
    return (leads && meets(order, first, second, GCL_NOWHERE, 1)) ||
           relies_in_loop(order, first, second);
}

// Whether a way leads to an instruction from a barrier, and past no other.
static bool is_behind_barrier(const struct gcl_order *order, LLVMValueRef i) {
    if (gcl_ways_waits_before(order->ways, i, GCL_WAIT_BLOCK) > 0)
        return true;
    for (guint b = 0; b < order->barriers->len; b++) {
        LLVMValueRef barrier = g_array_index(order->barriers, LLVMValueRef, b);
        if (gcl_ways_lead(order->ways, barrier, i, GCL_WAIT_BLOCK))
            return true;
    }
    return false;
}

// Whether threads of several warps that do the same work with a place in global memory, each for
// itself, have all read there before the first one is done and writes: a block's warps begin
// together.
static bool is_done_alike(const struct gcl_order *order, const struct gcl_order_access *read,
                          const struct gcl_order_access *write) {
    assert(!read->writes);
    return write->writes && !write->is_atomic && write->pointer == read->pointer &&
           !(read->root && is_shared_root(read->root)) && !is_of_grid(order, read);
}

// Warps of a block, of a read and a write. Where the write comes round to the read again there is
// no place between them.
static bool relies_on_warps(const struct gcl_order *order, guint first, guint second) {
    const struct gcl_order_access *a = access_at(order, first), *b = access_at(order, second);
    const struct gcl_cfg *cfg = order->cfg;
    assert(!a->writes);
    if (!b->writes || !gcl_ways_lead(order->ways, a->instruction, b->instruction, GCL_WAIT_BLOCK) ||
        gcl_ways_lead(order->ways, b->instruction, a->instruction, GCL_WAIT_BLOCK))
        return false;
    if (gcl_ways_lead_once(order->ways, a->instruction, b->instruction, GCL_WAIT_BLOCK) &&
        meets(order, first, second, GCL_NOWHERE, WARP))
        return true;
    for (int l = gcl_ways_common_loop(cfg, a->block, b->block); l != GCL_NOWHERE;
         l = cfg->loops[l].parent) {
        if (gcl_ways_lead_round(order->ways, a->instruction, b->instruction, l, GCL_WAIT_BLOCK) &&
            meets(order, first, second, l, WARP))
            return true;
    }
    return false;
}

// Whether two accesses are in the same block with no wait between.
static bool are_together(const struct gcl_order *order, guint a, guint b, enum gcl_wait wait) {
    const struct gcl_order_access *x = access_at(order, a), *y = access_at(order, b);
    return x->block == y->block && gcl_ways_waits_before(order->ways, x->instruction, wait) ==
                                       gcl_ways_waits_before(order->ways, y->instruction, wait);
}

/// Accesses [begin, end).
struct span {
    guint begin, end;
};

// The only accesses to which a way without a wait can lead from `first`.
static struct span find_reach(const struct gcl_order *order, guint first, enum gcl_wait wait) {
    struct span reach = {first, first + 1}, all = {0, order->accesses->len};
    if (!gcl_ways_waits_behind(order->ways, access_at(order, first)->instruction, wait))
        return all;
    while (reach.begin > 0 && are_together(order, reach.begin - 1, first, wait))
        reach.begin--;
    while (reach.end < all.end && are_together(order, reach.end, first, wait))
        reach.end++;
    return reach;
}

static void find_pairs_of(struct gcl_order *order, guint first) {
    const struct gcl_order_access *access = access_at(order, first);
    struct span lanes = find_reach(order, first, GCL_WAIT_WARP);
    for (guint second = lanes.begin; second < lanes.end; second++) {
        if (may_matter(access, access_at(order, second)) && relies_on_lanes(order, first, second))
            add_pair(order->lanes, first, second);
    }
    if (access->writes)
        return;
    bool is_behind = is_behind_barrier(order, access->instruction);
    struct span warps = find_reach(order, first, GCL_WAIT_BLOCK);
    for (guint second = warps.begin; second < warps.end; second++) {
        const struct gcl_order_access *other = access_at(order, second);
        if (may_matter(access, other) && (is_behind || is_done_alike(order, access, other)) &&
            relies_on_warps(order, first, second))
            add_pair(order->warps, first, second);
    }
}

struct gcl_order *gcl_order_find(struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    struct gcl_order *order = g_new0(struct gcl_order, 1);
    const struct gcl_lane_geometry block = {.kind = GCL_GEOMETRY_BLOCK};
    order->m = m;
    order->kernel = kernel;
    order->cfg = gcl_cfg_create(kernel->function);
    order->u = gcl_uniformity_create(m, kernel->function, order->cfg, block, NULL, false);
    order->ways = gcl_ways_create(order->cfg);
    order->moments = gcl_moments_create(m, kernel, order->cfg, order->u);
    order->spots = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, spots_free);
    order->accesses = g_array_new(FALSE, FALSE, sizeof(struct gcl_order_access));
    order->barriers = g_array_new(FALSE, FALSE, sizeof(LLVMValueRef));
    order->lanes = g_array_new(FALSE, FALSE, sizeof(struct gcl_order_pair));
    order->warps = g_array_new(FALSE, FALSE, sizeof(struct gcl_order_pair));
    for (int b = 0; b < order->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(order->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            note_access(order, i, b);
            if (gcl_wait_is_at(i, GCL_WAIT_BLOCK))
                g_array_append_val(order->barriers, i);
        }
    }
    find_mattering(order);
    for (guint first = 0; first < order->accesses->len; first++)
        find_pairs_of(order, first);
    return order;
}

void gcl_order_destroy(struct gcl_order *order) {
    if (!order)
        return;
    g_hash_table_destroy(order->spots);
    gcl_moments_destroy(order->moments);
    gcl_ways_destroy(order->ways);
    gcl_uniformity_destroy(order->u);
    gcl_cfg_destroy(order->cfg);
    g_array_unref(order->accesses);
    g_array_unref(order->barriers);
    g_array_unref(order->lanes);
    g_array_unref(order->warps);
    g_free(order);
}
