// Sums, differences and products by constants are progressions whatever wraps around, since they
// are cut to their width; an extension is one up to where its operand wraps.
#include "plan/region/progression.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/// Most steps are of one element: by 1 nothing is divided.
static uint64_t divide(uint64_t a, uint64_t by) {
    return by == 1 ? a : a / by;
}

uint64_t gcl_progression_reach(uint64_t value, uint64_t step, unsigned width, bool has_sign) {
    int64_t by = gcl_scalar_extend(step, width);
    uint64_t top = gcl_scalar_truncate(UINT64_MAX, width) >> has_sign;
    uint64_t bottom = has_sign ? ~top : 0;
    uint64_t from = has_sign ? (uint64_t)gcl_scalar_extend(value, width) : value;
    if (by == 0)
        return UINT64_MAX;
    return by > 0 ? divide(top - from, (uint64_t)by)
                  : divide(from - bottom, (uint64_t)0 - (uint64_t)by);
}

static struct gcl_progression product(const struct gcl_progressions *l,
                                      const struct gcl_node *node) {
    struct gcl_progression a = l->list[node->a], b = l->list[node->b];
    uint64_t last = least(a.last, b.last);
    if (a.step != 0 && b.step != 0)
        last = 0;
    return (struct gcl_progression){a.step * l->values[node->b] + b.step * l->values[node->a],
                                    last};
}

static struct gcl_progression extension(const struct gcl_progressions *l,
                                        const struct gcl_node *node) {
    struct gcl_progression a = l->list[node->a];
    unsigned width = l->program->nodes[node->a].width;
    uint64_t reach =
        gcl_progression_reach(l->values[node->a], a.step, width, node->kind == GCL_NODE_SEXT);
    return (struct gcl_progression){(uint64_t)gcl_scalar_extend(a.step, width),
                                    least(a.last, reach)};
}

static struct gcl_progression sum(const struct gcl_progressions *l, const struct gcl_node *node) {
    struct gcl_progression a = l->list[node->a], b = l->list[node->b];
    uint64_t step = node->kind == GCL_NODE_ADD ? a.step + b.step : a.step - b.step;
    return (struct gcl_progression){step, least(a.last, b.last)};
}

static struct gcl_progression find(const struct gcl_progressions *l, const struct gcl_node *node) {
    switch (node->kind) {
    case GCL_NODE_THREAD_INDEX:
    case GCL_NODE_BLOCK_INDEX:
    case GCL_NODE_GLOBAL_INDEX:
    case GCL_NODE_ITERATION:
        return (struct gcl_progression){1, UINT64_MAX};
    case GCL_NODE_ADD:
    case GCL_NODE_SUBTRACT:
        return sum(l, node);
    case GCL_NODE_MULTIPLY:
        return product(l, node);
    case GCL_NODE_ZEXT:
    case GCL_NODE_SEXT:
        return extension(l, node);
    case GCL_NODE_TRUNC:
        return l->list[node->a];
    default:
        return (struct gcl_progression){0, 0};
    }
}

void gcl_progressions_find(const struct gcl_progressions *progressions, const uint16_t *nodes,
                           uint16_t count) {
    for (uint16_t i = 0; i < count; i++)
        progressions->list[nodes[i]] = find(progressions, &progressions->program->nodes[nodes[i]]);
}

/// The loop goes on until both are equal.
static bool end_equal(const struct gcl_progressions *l, const struct gcl_node *equal,
                      uint64_t *last) {
    unsigned width = l->program->nodes[equal->a].width;
    struct gcl_progression a = l->list[equal->a], b = l->list[equal->b];
    uint64_t apart = l->values[equal->b] - l->values[equal->a];
    int64_t step = gcl_scalar_extend(a.step - b.step, width);
    *last = gcl_scalar_truncate(step > 0 ? apart : (uint64_t)0 - apart, width);
    return (step == 1 || step == -1) && *last <= least(a.last, b.last);
}

/// The loop goes on as long as what grows is less than a constant.
static bool end_less(const struct gcl_progressions *l, const struct gcl_node *less,
                     uint64_t *last) {
    unsigned width = l->program->nodes[less->a].width;
    bool has_sign = less->kind == GCL_NODE_SLT;
    struct gcl_progression a = l->list[less->a], b = l->list[less->b];
    uint64_t from = l->values[less->a], to = l->values[less->b];
    int64_t step = gcl_scalar_extend(a.step, width);
    bool is_less =
        has_sign ? gcl_scalar_extend(from, width) < gcl_scalar_extend(to, width) : from < to;
    if (step <= 0 || b.step != 0)
        return false;
    *last = is_less ? divide(gcl_scalar_truncate(to - from, width) - 1, (uint64_t)step) + 1 : 0;
    return *last <= least(a.last, b.last) &&
           *last <= gcl_progression_reach(from, a.step, width, has_sign);
}

bool gcl_progressions_less(const struct gcl_progressions *progressions, uint16_t condition,
                           uint64_t count, uint64_t *last) {
    const struct gcl_node *node = &progressions->program->nodes[condition];
    if ((node->kind != GCL_NODE_ULT && node->kind != GCL_NODE_SLT) ||
        !end_less(progressions, node, last))
        return false;
    struct gcl_progression a = progressions->list[node->a];
    unsigned width = progressions->program->nodes[node->a].width;
    return count <= least(a.last, progressions->list[node->b].last) &&
           count <= gcl_progression_reach(progressions->values[node->a], a.step, width,
                                          node->kind == GCL_NODE_SLT);
}

bool gcl_progressions_end(const struct gcl_progressions *progressions, uint16_t condition,
                          uint64_t *last) {
    const struct gcl_node *node = &progressions->program->nodes[condition];
    if (node->kind == GCL_NODE_ULT || node->kind == GCL_NODE_SLT)
        return end_less(progressions, node, last);
    bool is_not = node->kind == GCL_NODE_XOR && progressions->values[node->b] == 1 &&
                  progressions->program->nodes[node->b].kind == GCL_NODE_CONSTANT;
    if (!is_not || progressions->program->nodes[node->a].kind != GCL_NODE_EQ)
        return false;
    return end_equal(progressions, &progressions->program->nodes[node->a], last);
}
