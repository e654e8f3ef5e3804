// First nodes become steps, sorted: as they were added where that keeps all edges, which is how
// captured graphs come, else by Kahn's algorithm. A graph within a node is two steps that only keep
// order, with its own between them.
//
// Then each step gets a lane: that of a step it waits for, if nothing has followed there; else one
// that is all before it anyway; else a new one; else the shortest. `reach` says of each step how
// many steps of each lane are before it or are it, so that only those are waited for that aren't
// known to be done.
#include "graph/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/// Steps as they come, with what each waits for.
struct draft {
    struct gcl_order *order;
    uint32_t step_capacity;
    uint32_t *needs; ///< of all steps, one after the other
    uint32_t need_count, need_capacity;
    uint32_t *first_needs; ///< of each step, where its own begin; they end where the next one's do
};

/// Room for one more in an array. False: no memory.
static bool make_room(void *array, uint32_t count, uint32_t *capacity, size_t size) {
    void **data = array;
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity ? 2 * *capacity : 16;
    void *more = realloc(*data, wanted * size);
    if (!more)
        return false;
    *data = more;
    *capacity = wanted;
    return true;
}

static bool add_need(struct draft *draft, uint32_t step) {
    if (!make_room((void *)&draft->needs, draft->need_count, &draft->need_capacity,
                   sizeof *draft->needs))
        return false;
    draft->needs[draft->need_count++] = step;
    return true;
}

/// A step without needs; they are added after it. NOWHERE: no memory.
static uint32_t add_step(struct draft *draft, uint64_t id, struct gcl_work_of_node *work) {
    struct gcl_order *order = draft->order;
    uint32_t capacity = draft->step_capacity;
    if (!make_room((void *)&order->steps, order->step_count, &draft->step_capacity,
                   sizeof *order->steps) ||
        !make_room((void *)&draft->first_needs, order->step_count, &capacity,
                   sizeof *draft->first_needs))
        return NOWHERE;
    order->steps[order->step_count] = (struct gcl_step){.id = id, .work = work};
    draft->first_needs[order->step_count] = draft->need_count;
    return order->step_count++;
}

static uint32_t needs_end(const struct draft *draft, uint32_t step) {
    return step + 1 < draft->order->step_count ? draft->first_needs[step + 1] : draft->need_count;
}

static bool is_sorted(const struct gcl_graph *graph) {
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_node_list *before = &graph->nodes.nodes[i]->before;
        for (size_t b = 0; b < before->count; b++) {
            if (before->nodes[b]->index > i)
                return false;
        }
    }
    return true;
}

/// Kahn's algorithm. Returns how many nodes were sorted: fewer than all where there is a cycle.
static size_t sort(const struct gcl_graph *graph, struct gcl_graph_node **sorted, size_t *unmet) {
    size_t count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        unmet[i] = graph->nodes.nodes[i]->before.count;
        if (unmet[i] == 0)
            sorted[count++] = graph->nodes.nodes[i];
    }
    for (size_t done = 0; done < count; done++) {
        const struct gcl_node_list *after = &sorted[done]->after;
        for (size_t a = 0; a < after->count; a++) {
            if (--unmet[after->nodes[a]->index] == 0)
                sorted[count++] = after->nodes[a];
        }
    }
    return count;
}

/// The nodes of a graph in an order that keeps its edges; `index` of each is its place in the
/// graph's list.
static gclError_t sort_nodes(const struct gcl_graph *graph, struct gcl_graph_node **sorted,
                             struct gcl_graph_node **culprit) {
    size_t count = graph->nodes.count, done = count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = graph->nodes.nodes[i], sorted[i]->index = i;
    if (is_sorted(graph))
        return gclSuccess;
    size_t *unmet = calloc(count, sizeof *unmet);
    if (!unmet)
        return gclErrorMemoryAllocation;
    done = sort(graph, sorted, unmet);
    for (size_t i = 0; done < count && i < count; i++) {
        if (unmet[i] > 0)
            *culprit = graph->nodes.nodes[i];
    }
    free(unmet);
    return done == count ? gclSuccess : gclErrorInvalidValue;
}

static gclError_t add_graph(struct draft *draft, const struct gcl_graph *graph, uint32_t begin,
                            struct gcl_graph_node **culprit);

/// Adds what a node of a graph is: `ends` says of each node before it, by index, its last step.
static gclError_t add_node(struct draft *draft, struct gcl_graph_node *node, uint32_t begin,
                           uint32_t *ends, struct gcl_graph_node **culprit) {
    bool is_graph = node->work.type == gclGraphNodeTypeGraph;
    uint64_t id = node->original ? node->original : node->id;
    uint32_t step = add_step(draft, is_graph ? 0 : id, &node->work);
    bool ok = step != NOWHERE;
    if (node->before.count == 0 && begin != NOWHERE)
        ok = ok && add_need(draft, begin);
    for (size_t i = 0; ok && i < node->before.count; i++)
        ok = add_need(draft, ends[node->before.nodes[i]->index]);
    if (!ok)
        return gclErrorMemoryAllocation;
    ends[node->index] = step;
    if (!is_graph)
        return gclSuccess;
    gclError_t error = add_graph(draft, node->work.child, step, culprit);
    if (!error)
        ends[node->index] = draft->order->step_count - 1;
    return error;
}

/// Adds the steps of a graph that come after the step `begin` (NOWHERE: there is none, it is the
/// outermost), and in that case one more, after all of them.
static gclError_t add_graph(struct draft *draft, const struct gcl_graph *graph, uint32_t begin,
                            struct gcl_graph_node **culprit) {
    size_t count = graph->nodes.count;
    struct gcl_graph_node **sorted = calloc(count + 1, sizeof *sorted);
    uint32_t *ends = calloc(count + 1, sizeof *ends);
    gclError_t error =
        sorted && ends ? sort_nodes(graph, sorted, culprit) : gclErrorMemoryAllocation;
    for (size_t i = 0; !error && i < count; i++)
        error = add_node(draft, sorted[i], begin, ends, culprit);
    if (!error && begin != NOWHERE) {
        bool ok = add_step(draft, 0, draft->order->steps[begin].work) != NOWHERE;
        ok = ok && add_need(draft, begin);
        for (size_t i = 0; ok && i < count; i++)
            ok = sorted[i]->after.count > 0 || add_need(draft, ends[sorted[i]->index]);
        error = ok ? gclSuccess : gclErrorMemoryAllocation;
    }
    free(sorted);
    free(ends);
    return error;
}

// Lanes.

struct lanes {
    struct draft *draft;
    uint32_t capacity;
    uint32_t *reach; ///< of each step, of each lane
};

static uint32_t *reach_of(const struct lanes *lanes, uint32_t step) {
    return lanes->reach + (size_t)step * lanes->capacity;
}

static void extend(const struct lanes *lanes, uint32_t *reach, const uint32_t *other) {
    for (uint32_t i = 0; i < lanes->capacity; i++)
        reach[i] = reach[i] < other[i] ? other[i] : reach[i];
}

static uint32_t open_lane(struct gcl_order *order, unsigned device) {
    order->lanes[order->lane_count] = (struct gcl_order_lane){.device = device, .last = NOWHERE};
    return order->lane_count++;
}

/// The lane for a step, where `before` says what is before it.
static uint32_t choose_lane(const struct lanes *lanes, uint32_t step, const uint32_t *before) {
    struct draft *draft = lanes->draft;
    struct gcl_order *order = draft->order;
    unsigned device = order->steps[step].work->device;
    uint32_t shortest = NOWHERE, free_lane = NOWHERE;
    for (uint32_t n = draft->first_needs[step]; n < needs_end(draft, step); n++) {
        uint32_t lane = order->steps[draft->needs[n]].lane;
        if (order->lanes[lane].last == draft->needs[n] && order->lanes[lane].device == device)
            return lane;
    }
    for (uint32_t i = order->lane_count; i-- > 0;) {
        const struct gcl_order_lane *lane = &order->lanes[i];
        if (lane->device != device)
            continue;
        if (before[i] == lane->step_count)
            free_lane = i;
        if (shortest == NOWHERE || lane->step_count <= order->lanes[shortest].step_count)
            shortest = i;
    }
    if (free_lane != NOWHERE)
        return free_lane;
    return shortest == NOWHERE || order->lane_count < GCL_ORDER_LANES ? open_lane(order, device)
                                                                      : shortest;
}

/// Notes for which steps of other lanes a step waits: the latest first, since others are before it.
static bool add_waits(const struct lanes *lanes, uint32_t step, uint32_t *reach,
                      uint32_t *capacity) {
    struct draft *draft = lanes->draft;
    struct gcl_order *order = draft->order;
    order->steps[step].first_wait = order->wait_count;
    for (uint32_t n = needs_end(draft, step); n-- > draft->first_needs[step];) {
        uint32_t need = draft->needs[n], lane = order->steps[need].lane;
        if (reach[lane] >= reach_of(lanes, need)[lane])
            continue;
        if (!make_room((void *)&order->waits, order->wait_count, capacity, sizeof *order->waits))
            return false;
        order->waits[order->wait_count++] = need;
        order->steps[step].wait_count++;
        order->steps[need].is_awaited = true;
        extend(lanes, reach, reach_of(lanes, need));
    }
    return true;
}

static bool place(const struct lanes *lanes, uint32_t step, uint32_t *capacity) {
    struct draft *draft = lanes->draft;
    struct gcl_order *order = draft->order;
    uint32_t *reach = reach_of(lanes, step);
    for (uint32_t n = draft->first_needs[step]; n < needs_end(draft, step); n++)
        extend(lanes, reach, reach_of(lanes, draft->needs[n]));
    uint32_t number = choose_lane(lanes, step, reach);
    struct gcl_order_lane *lane = &order->lanes[number];
    memset(reach, 0, lanes->capacity * sizeof *reach);
    if (lane->last != NOWHERE)
        extend(lanes, reach, reach_of(lanes, lane->last));
    else
        lane->waits_first = draft->first_needs[step] == needs_end(draft, step);
    order->steps[step].lane = number;
    if (!add_waits(lanes, step, reach, capacity))
        return false;
    reach[number] = ++lane->step_count;
    lane->last = step;
    return true;
}

static bool place_all(struct draft *draft) {
    struct gcl_order *order = draft->order;
    unsigned devices = 1;
    for (uint32_t i = 0; i < order->step_count; i++) {
        if (devices <= order->steps[i].work->device)
            devices = order->steps[i].work->device + 1;
    }
    struct lanes lanes = {.draft = draft, .capacity = GCL_ORDER_LANES + devices};
    uint32_t wait_capacity = 0;
    order->lanes = calloc(lanes.capacity, sizeof *order->lanes);
    lanes.reach = calloc((size_t)order->step_count * lanes.capacity + 1, sizeof *lanes.reach);
    bool ok = order->lanes && lanes.reach;
    for (uint32_t i = 0; ok && i < order->step_count; i++)
        ok = place(&lanes, i, &wait_capacity);
    for (uint32_t i = 0; ok && i < order->lane_count; i++)
        order->lanes[i].is_open = !order->steps[order->lanes[i].last].is_awaited;
    free(lanes.reach);
    return ok;
}

gclError_t gcl_order_init(struct gcl_order *order, const struct gcl_graph *graph,
                          struct gcl_graph_node **culprit) {
    struct draft draft = {.order = order};
    *order = (struct gcl_order){.steps = NULL};
    gclError_t error = add_graph(&draft, graph, NOWHERE, culprit);
    if (!error && !place_all(&draft))
        error = gclErrorMemoryAllocation;
    free(draft.needs);
    free(draft.first_needs);
    if (error)
        gcl_order_finish(order);
    return error;
}

void gcl_order_finish(struct gcl_order *order) {
    free(order->steps);
    free(order->waits);
    free(order->lanes);
    *order = (struct gcl_order){.steps = NULL};
}
