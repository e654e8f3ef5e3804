// What lanes of a mask do together: shuffles, votes, matches, reductions. Each lane of the mask
// must come, unless it has ended; lanes may come in several groups, and from different places.
#include <assert.h>
#include <stdatomic.h>

#include "lanes.h"

/// Operands and results of lanes; predicates are 0 or 1.
struct ptx_lanes {
    const struct ptx_op *op;
    uint64_t a[PTX_LANES], b[PTX_LANES], c[PTX_LANES], result[PTX_LANES];
    uint32_t holds; ///< the predicate that is a second result, or the only one
};

#define EACH_MEMBER(l)                                                                             \
    for (uint32_t left = members, l; left && ((l = (uint32_t)__builtin_ctz(left)), true);          \
         left &= left - 1)

static void set_all(struct ptx_lanes *lanes, uint32_t members, uint64_t value) {
    EACH_MEMBER(l) lanes->result[l] = value;
    lanes->holds = value ? members : 0;
}

static uint32_t ballot(const struct ptx_lanes *lanes, uint32_t members) {
    uint32_t bits = 0;
    EACH_MEMBER(l) bits |= (uint32_t)(lanes->a[l] != 0) << l;
    return bits;
}

static void sync(struct ptx_lanes *lanes, uint32_t members) {
    (void)lanes;
    (void)members;
    atomic_thread_fence(memory_order_seq_cst);
}
static void vote_all(struct ptx_lanes *lanes, uint32_t members) {
    set_all(lanes, members, ballot(lanes, members) == members);
}
static void vote_any(struct ptx_lanes *lanes, uint32_t members) {
    set_all(lanes, members, ballot(lanes, members) != 0);
}
static void vote_uni(struct ptx_lanes *lanes, uint32_t members) {
    uint32_t bits = ballot(lanes, members);
    set_all(lanes, members, bits == 0 || bits == members);
}
static void vote_ballot(struct ptx_lanes *lanes, uint32_t members) {
    set_all(lanes, members, ballot(lanes, members));
}

static void match_any(struct ptx_lanes *lanes, uint32_t members) {
    uint32_t all = members;
    EACH_MEMBER(l) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < PTX_LANES; k++)
            same |= (uint32_t)(all >> k & 1 && lanes->a[k] == lanes->a[l]) << k;
        lanes->result[l] = same;
    }
}
static void match_all(struct ptx_lanes *lanes, uint32_t members) {
    uint64_t first = lanes->a[__builtin_ctz(members)];
    bool is_same = true;
    EACH_MEMBER(l) is_same &= lanes->a[l] == first;
    set_all(lanes, members, is_same ? members : 0);
}
static void elect(struct ptx_lanes *lanes, uint32_t members) {
    set_all(lanes, members, (uint64_t)__builtin_ctz(members));
    lanes->holds = members & -members;
}

enum shuffle { UP, DOWN, BUTTERFLY, INDEX };

/// The lane that one reads from; false: none in its segment, it keeps its own value.
static bool find_source(enum shuffle shuffle, uint32_t lane, uint32_t b, uint32_t c,
                        uint32_t *source) {
    uint32_t segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
    uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int32_t from = (int32_t)(shuffle == UP          ? lane - by
                             : shuffle == DOWN      ? lane + by
                             : shuffle == BUTTERFLY ? lane ^ by
                                                    : least | (by & ~segment));
    bool is_in = shuffle == UP ? from >= (int32_t)most : from <= (int32_t)most;
    *source = is_in ? (uint32_t)from & 31 : lane;
    return is_in;
}

static void shuffle(struct ptx_lanes *lanes, uint32_t members, enum shuffle how) {
    uint32_t all = members;
    lanes->holds = 0;
    EACH_MEMBER(l) {
        uint32_t source;
        bool is_in = find_source(how, l, (uint32_t)lanes->b[l], (uint32_t)lanes->c[l], &source);
        lanes->holds |= (uint32_t)is_in << l;
        // What a lane outside of the mask gives is not defined; devices are said to give 0.
        lanes->result[l] = all >> source & 1 ? lanes->a[source] : 0;
    }
}
static void shuffle_up(struct ptx_lanes *lanes, uint32_t members) {
    shuffle(lanes, members, UP);
}
static void shuffle_down(struct ptx_lanes *lanes, uint32_t members) {
    shuffle(lanes, members, DOWN);
}
static void shuffle_butterfly(struct ptx_lanes *lanes, uint32_t members) {
    shuffle(lanes, members, BUTTERFLY);
}
static void shuffle_index(struct ptx_lanes *lanes, uint32_t members) {
    shuffle(lanes, members, INDEX);
}

#define REDUCE(name, value)                                                                        \
    static void name(struct ptx_lanes *lanes, uint32_t members) {                                  \
        bool is_signed = lanes->op->type == PTX_S32;                                               \
        (void)is_signed;                                                                           \
        uint32_t a = (uint32_t)lanes->a[__builtin_ctz(members)], all = members;                    \
        members &= members - 1;                                                                    \
        EACH_MEMBER(l) {                                                                           \
            uint32_t b = (uint32_t)lanes->a[l];                                                    \
            a = value;                                                                             \
        }                                                                                          \
        set_all(lanes, all, a);                                                                    \
    }
REDUCE(reduce_add, a + b)
REDUCE(reduce_and, a &b)
REDUCE(reduce_or, a | b)
REDUCE(reduce_xor, a ^ b)
REDUCE(reduce_min, (is_signed ? (int32_t)a < (int32_t)b : a < b) ? a : b)
REDUCE(reduce_max, (is_signed ? (int32_t)a > (int32_t)b : a > b) ? a : b)

#define T(name) (UINT32_C(1) << PTX_##name)
#define WORDS (T(U32) | T(S32))
const struct ptx_lanes_row ptx_lanes_rows[] = {
    {"bar.warp.sync", "4", T(NONE), false, false, sync},
    {"vote.sync.all", "p4", T(PRED), true, false, vote_all},
    {"vote.sync.any", "p4", T(PRED), true, false, vote_any},
    {"vote.sync.uni", "p4", T(PRED), true, false, vote_uni},
    {"vote.sync.ballot", "p4", T(B32), true, false, vote_ballot},
    {"match.any.sync", "t4", T(B32) | T(B64), true, true, match_any},
    {"match.all.sync", "t4", T(B32) | T(B64), true, true, match_all},
    {"shfl.sync.up", "t444", T(B32), true, false, shuffle_up},
    {"shfl.sync.down", "t444", T(B32), true, false, shuffle_down},
    {"shfl.sync.bfly", "t444", T(B32), true, false, shuffle_butterfly},
    {"shfl.sync.idx", "t444", T(B32), true, false, shuffle_index},
    {"redux.sync.add", "t4", WORDS, true, false, reduce_add},
    {"redux.sync.min", "t4", WORDS, true, false, reduce_min},
    {"redux.sync.max", "t4", WORDS, true, false, reduce_max},
    {"redux.sync.and", "t4", T(B32), true, false, reduce_and},
    {"redux.sync.or", "t4", T(B32), true, false, reduce_or},
    {"redux.sync.xor", "t4", T(B32), true, false, reduce_xor},
    {"elect.sync", "4", T(NONE), true, true, elect},
    {NULL, NULL, 0, false, false, NULL}};
#undef T

static const unsigned char *at(const struct ptx_group *group, uint32_t place) {
    const unsigned char *base =
        place & PTX_POOL ? group->frame->code->pool : group->frame->registers;
    return base + (place & ~(uint32_t)PTX_POOL);
}

static uint32_t word_at(const struct ptx_group *group, uint32_t place, unsigned lane) {
    uint32_t value;
    memcpy(&value, at(group, place) + (size_t)4 * lane, sizeof value);
    return value;
}

/// Operands of the group's lanes, but for the mask, which is the last one.
static void gather(struct ptx_lanes *lanes, const struct ptx_group *group) {
    const struct ptx_op *op = group->at;
    uint64_t *to[] = {lanes->a, lanes->b, lanes->c};
    for (unsigned i = 0; i + 1 < op->s_count; i++) {
        const unsigned char *from = at(group, op->s[i]);
        size_t size = op->s_size[i];
        uint32_t bits = size ? 0 : word_at(group, op->s[i], 0);
        for (uint32_t left = group->mask; left; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctz(left);
            to[i][l] = bits >> l & 1;
            if (size)
                memcpy(&to[i][l], from + l * size, size);
        }
    }
}

static void scatter(const struct ptx_lanes *lanes, const struct ptx_group *group) {
    const struct ptx_op *op = group->at;
    for (unsigned i = 0; i < op->d_count; i++) {
        unsigned char *to = group->frame->registers + op->d[i];
        if (op->d_size[i] == 0) {
            uint32_t old;
            memcpy(&old, to, sizeof old);
            old = (old & ~group->mask) | (lanes->holds & group->mask);
            memcpy(to, &old, sizeof old);
            continue;
        }
        for (uint32_t left = group->mask; left; left &= left - 1) {
            size_t l = (size_t)__builtin_ctz(left);
            memcpy(to + 4 * l, &lanes->result[l], 4);
        }
    }
}

static bool waits_with(const struct ptx_group *a, const struct ptx_group *b) {
    return b->mask && b->state == PTX_AT_LANES && a->members == b->members &&
           a->at->extra == b->at->extra && a->at->type == b->at->type;
}

/// Whether all lanes that the group waits for have come; then they do it, and go on.
static bool complete(struct ptx_warp *warp, const struct ptx_group *group) {
    uint32_t needed = group->members & warp->alive, present = 0;
    for (uint32_t i = 0; i < warp->group_count; i++)
        present |= waits_with(group, &warp->groups[i]) ? warp->groups[i].mask : 0;
    if (needed & ~present)
        return false;
    struct ptx_lanes lanes = {.op = group->at};
    struct ptx_group *groups[PTX_LANES];
    unsigned count = 0;
    for (uint32_t i = 0; i < warp->group_count; i++)
        if (waits_with(group, &warp->groups[i]))
            groups[count++] = &warp->groups[i];
    for (unsigned i = 0; i < count; i++)
        gather(&lanes, groups[i]);
    ((const struct ptx_lanes_row *)group->at->extra)->compute(&lanes, present);
    for (unsigned i = 0; i < count; i++)
        scatter(&lanes, groups[i]);
    for (unsigned i = 0; i < count; i++) {
        groups[i]->state = PTX_READY;
        do
            groups[i]->at++;
        while (groups[i]->at->run == ptx_step_join);
    }
    return true;
}

void ptx_lanes_check(struct ptx_warp *warp) {
    for (uint32_t i = 0; i < warp->group_count; i++)
        if (warp->groups[i].mask && warp->groups[i].state == PTX_AT_LANES)
            complete(warp, &warp->groups[i]);
}

/// Lanes of the group whose mask is that of the lane `first`.
static uint32_t with_same_members(const struct ptx_group *group, const struct ptx_op *op,
                                  uint32_t left, uint32_t members) {
    uint32_t part = 0;
    for (; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        part |= (uint32_t)(word_at(group, op->s[op->s_count - 1], l) == members) << l;
    }
    return part;
}

const struct ptx_op *ptx_step_lanes(struct ptx_warp *warp, const struct ptx_op *op) {
    struct ptx_group *group = warp->group;
    const struct ptx_lanes_row *row = op->extra;
    ptx_group_isolate(warp, op);
    struct ptx_lanes lanes;
    lanes.op = op;
    group->at = op;
    while (true) {
        uint32_t members =
            word_at(group, op->s[op->s_count - 1], (unsigned)__builtin_ctz(group->mask));
        uint32_t part = with_same_members(group, op, group->mask, members);
        if (part & ~members) {
            ptx_fault(warp, op, __builtin_ctz(part & ~members), PTX_ILLEGAL_INSTRUCTION,
                      "a lane that is not in its own mask 0x%x", members);
            return NULL;
        }
        if (part == group->mask && (members & warp->alive) == part) {
            gather(&lanes, group);
            row->compute(&lanes, part);
            scatter(&lanes, group);
            return op + 1;
        }
        struct ptx_group *waiting = group;
        if (part != group->mask)
            waiting = ptx_group_split(warp, part, op);
        waiting->state = PTX_AT_LANES;
        waiting->members = members;
        if (waiting == group)
            break;
    }
    ptx_lanes_check(warp);
    return NULL;
}

const struct ptx_op *ptx_step_activemask(struct ptx_warp *warp, const struct ptx_op *op) {
    uint32_t *to = (uint32_t *)(void *)warp->scratch;
    PTX_EACH_LANE(l) to[l] = warp->mask;
    ptx_store_32(warp, op->d[0], to);
    return op + 1;
}
