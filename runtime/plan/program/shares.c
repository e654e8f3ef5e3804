// A piece of an evaluation is a box of variables, with affine forms over them for the block number,
// or for the number of a thread in the whole grid, along each axis. A block has a range of those
// numbers, and the points of the box in that range are its share. Such a form is one variable, or
// one that evaluation has taken apart by a radix: its coarsest variable counts whole ranges of the
// finer ones. So the points are found from the coarsest on: a part of its values for which all of
// the finer ones are in the range, and one on either side for which some are.
#include "plan/program/shares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/inspect/base.h"

/// Pieces of an access that are taken out of an evaluation of all blocks: of more, each part has
/// few and would have to look through all.
enum {
    MOST_TAKEN = 64,
    LOOK_BACK = 64, ///< accesses before one that may be alike
};

// What numbers blocks or threads along an axis: `first` + each factor * its variable.
struct axis {
    bool counts_threads;
    int64_t first;
    unsigned count;
    struct term {
        unsigned variable;
        int64_t factor; ///< more than 0
        int64_t values;
        int64_t finer;      ///< the most that all terms behind come to
        bool is_reversed;   ///< it counts down
    } terms[GCL_VARIABLES]; ///< the coarsest first
};

struct gcl_share {
    uint16_t access;
    struct gcl_bytes bytes;
    bool is_common; ///< all blocks have it, as it is
    unsigned data;  ///< as gcl_bytes_data says
    struct gcl_form offset;
    struct gcl_box box;
    struct axis axes[3];
};

struct gcl_share_taken {
    uint16_t access;
    struct gcl_bytes bytes;
};

// Finding.

static void add_term(struct axis *axis, unsigned v, int64_t factor, int64_t values) {
    struct term term = {.variable = v, .factor = llabs(factor), .values = values};
    assert(factor != 0 && values > 1 && axis->count < GCL_VARIABLES);
    unsigned at = axis->count++;
    term.is_reversed = factor < 0;
    if (term.is_reversed)
        axis->first += factor * (values - 1);
    for (; at > 0 && axis->terms[at - 1].factor < term.factor; at--)
        axis->terms[at] = axis->terms[at - 1];
    axis->terms[at] = term;
}

static void make_axis(const struct gcl_piece *piece, unsigned a, struct axis *axis) {
    const struct gcl_form *form = piece->fused[a] ? &piece->global[a] : &piece->block[a];
    int64_t finer = 0;
    axis->counts_threads = piece->fused[a];
    axis->first = form->constant;
    axis->count = 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (form->factor[v] != 0 && piece->box.count[v] > 1)
            add_term(axis, v, form->factor[v], piece->box.count[v]);
    }
    for (unsigned t = axis->count; t-- > 0;) {
        axis->terms[t].finer = finer;
        finer += axis->terms[t].factor * (axis->terms[t].values - 1);
    }
}

// Whether each block of the launch has numbers of the axis, and which ones makes no difference.
static bool is_even(const struct gcl_share *share, const struct gcl_launch_part *launch,
                    unsigned a) {
    const struct axis *axis = &share->axes[a];
    int64_t size = axis->counts_threads ? launch->geometry.block[a] : 1, last = axis->first;
    for (unsigned t = axis->count; t-- > 0;) {
        const struct term *term = &axis->terms[t];
        if (term->factor != term->finer + 1 || share->offset.factor[term->variable] != 0)
            return false;
        last = axis->first + term->finer + term->factor * (term->values - 1);
    }
    return axis->first < (launch->begin[a] + INT64_C(1)) * size &&
           last >= (launch->end[a] - INT64_C(1)) * size;
}

static bool is_of_block(const struct gcl_program *program, uint16_t index, bool *seen);

static bool is_access_of_block(const struct gcl_program *program, uint16_t index, bool *seen) {
    const struct gcl_access *access = &program->accesses[index];
    bool found = is_of_block(program, access->offset, seen) ||
                 (access->size == 0 && is_of_block(program, access->length, seen));
    for (uint16_t g = access->guard; g != GCL_NONE && !found; g = program->guards[g].outer)
        found = is_of_block(program, program->guards[g].node, seen);
    return found;
}

// Whether a node may be another one in another block.
static bool is_of_block(const struct gcl_program *program, uint16_t index, bool *seen) {
    if (index == GCL_NONE || seen[index])
        return false;
    const struct gcl_node *node = &program->nodes[index];
    seen[index] = true;
    switch (node->kind) {
    case GCL_NODE_BLOCK_INDEX:
    case GCL_NODE_GLOBAL_INDEX:
        return true;
    case GCL_NODE_LOAD:
        return is_access_of_block(program, node->a, seen);
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
        return is_of_block(program, program->guards[node->a].node, seen);
    default:
        return node->kind >= GCL_NODE_ADD &&
               (is_of_block(program, node->a, seen) ||
                (node->kind < GCL_NODE_ZEXT && is_of_block(program, node->b, seen)) ||
                (node->kind == GCL_NODE_SELECT && is_of_block(program, node->c, seen)));
    }
}

// Whether fewer blocks may have fewer pieces.
static bool depends_on_block(const struct gcl_program *program, uint16_t access) {
    bool *seen = calloc(program->node_count + 1u, sizeof *seen);
    bool depends = !seen || is_access_of_block(program, access, seen);
    free(seen);
    return depends;
}

struct finding {
    struct gcl_shares *shares;
    uint16_t access;
    unsigned pieces; ///< of the access
    bool failed;
};

static void make_share(const struct finding *finding, const struct gcl_bytes *bytes,
                       struct gcl_share *share) {
    share->access = finding->access;
    share->bytes = *bytes;
    share->bytes.piece = NULL;
    share->bytes.form = NULL;
    share->is_common = true;
    if (!bytes->piece)
        return;
    share->data = gcl_bytes_data(bytes->piece);
    share->offset = *bytes->form;
    share->box = bytes->piece->box;
    for (unsigned a = 0; a < 3; a++) {
        make_axis(bytes->piece, a, &share->axes[a]);
        share->is_common = share->is_common && is_even(share, &finding->shares->launch, a);
    }
}

/// Room behind the shares of a list; NULL: no memory.
static struct gcl_share *reserve(struct gcl_share_list *list) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        struct gcl_share *shares = realloc(list->shares, capacity * sizeof *shares);
        if (!shares)
            return NULL;
        list->shares = shares;
        list->capacity = capacity;
    }
    return &list->shares[list->count];
}

// Widens what an access touches by a piece of it.
static void note_piece(struct gcl_share_move *move, const struct gcl_bytes *bytes) {
    struct gcl_span *span = &move->bytes;
    int64_t end = bytes->offset + bytes->length;
    move->pieces++;
    if (bytes->everywhere)
        return;
    for (unsigned d = 0; d < bytes->dimensions; d++)
        end += bytes->stride[d] * (bytes->count[d] - 1);
    bool is_first = span->begin == span->end;
    span->begin = is_first || bytes->offset < span->begin ? bytes->offset : span->begin;
    span->end = is_first || end > span->end ? end : span->end;
}

/// Adds a piece to the shares that are common, or else to the others. False: no memory.
static bool add_piece(const struct finding *finding, const struct gcl_bytes *bytes) {
    struct gcl_shares *s = finding->shares;
    struct gcl_share *share = reserve(&s->own);
    if (!share)
        return false;
    make_share(finding, bytes, share);
    if (!share->is_common) {
        s->own.count++;
        return true;
    }
    struct gcl_share *common = reserve(&s->common);
    if (!common)
        return false;
    *common = *share;
    s->common.count++;
    note_piece(&s->kept[finding->access], &share->bytes);
    return true;
}

static void add_share(void *context, const struct gcl_bytes *bytes) {
    struct finding *finding = context;
    struct gcl_shares *s = finding->shares;
    bool *is_vague = &s->is_vague[finding->access];
    *is_vague |= bytes->everywhere || bytes->certainty != GCL_CERTAINTY_EXACT ||
                 (s->is_of_exact && finding->pieces++ == MOST_TAKEN);
    if (s->is_of_exact && *is_vague)
        return;
    finding->failed = finding->failed || !add_piece(finding, bytes);
    if (!bytes->piece && depends_on_block(s->program, finding->access))
        s->gave_up = true;
}

static bool is_plain(const struct gcl_access *access) {
    return access->kind == GCL_ACCESS_READ || access->kind == GCL_ACCESS_WRITE;
}

static bool are_alike(const struct gcl_access *a, const struct gcl_access *b) {
    return is_plain(a) && is_plain(b) && a->base == b->base && a->offset == b->offset &&
           a->guard == b->guard && a->length == b->length && a->size == b->size &&
           a->element == b->element;
}

/// Finds which accesses of a program are alike. NULL: no memory.
static struct gcl_share_alike *find_alike(const struct gcl_program *program) {
    struct gcl_share_alike *alike = calloc(program->access_count + 1u, sizeof *alike);
    for (uint16_t a = 0; alike && a < program->access_count; a++) {
        const struct gcl_access *access = &program->accesses[a];
        uint16_t first = a > LOOK_BACK ? (uint16_t)(a - LOOK_BACK) : 0;
        while (first < a &&
               (alike[first].first != first || !are_alike(&program->accesses[first], access)))
            first++;
        alike[a].first = first;
        alike[first].count++;
        alike[first].kinds |= (uint8_t)(1u << access->kind);
    }
    return alike;
}

// Drops the shares of an earlier launch.
static bool begin(struct gcl_shares *s, const struct gcl_program *program,
                  const struct gcl_launch_part *launch) {
    if (s->program != program)
        gcl_shares_finish(s);
    if (!s->kept)
        s->kept = malloc((program->access_count + 1u) * sizeof *s->kept);
    if (!s->is_vague)
        s->is_vague = calloc(program->access_count + 1u, sizeof *s->is_vague);
    if (!s->alike)
        s->alike = find_alike(program);
    s->program = program;
    s->launch = *launch;
    s->own.count = s->common.count = s->leader_count = s->latest_count = 0;
    s->gave_up = false;
    if (!s->kept || !s->is_vague || !s->alike)
        return false;
    memset(s->kept, 0, program->access_count * sizeof *s->kept);
    return true;
}

/// Evaluates accesses that aren't known to be vague. False: no memory; there are no shares then.
static bool find_all(struct gcl_evaluator *evaluator, struct gcl_shares *shares) {
    const struct gcl_program *program = shares->program;
    struct finding finding = {.shares = shares};
    uint64_t base;
    shares->contents = gcl_evaluator_contents(evaluator);
    for (uint16_t a = 0; a < program->access_count && !finding.failed; a++) {
        size_t own = shares->own.count, common = shares->common.count;
        bool is_known = shares->is_of_exact && shares->alike[a].first != a;
        if (shares->is_vague[a] || is_known ||
            !gcl_base_address(program, &shares->launch, program->accesses[a].base, &base))
            continue;
        finding.access = a;
        finding.pieces = 0;
        gcl_evaluate(evaluator, a, &shares->launch, add_share, &finding);
        if (shares->is_of_exact && shares->is_vague[a]) {
            shares->own.count = own;
            shares->common.count = common;
        }
    }
    if (finding.failed)
        gcl_shares_finish(shares);
    return !finding.failed;
}

bool gcl_shares_find(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                     struct gcl_shares *shares) {
    const struct gcl_program *program = gcl_evaluator_program(evaluator);
    if (!begin(shares, program, launch)) {
        gcl_shares_finish(shares);
        return false;
    }
    memset(shares->is_vague, 0, program->access_count * sizeof *shares->is_vague);
    shares->is_of_exact = false;
    return find_all(evaluator, shares);
}

bool gcl_shares_find_exact(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                           struct gcl_shares *shares) {
    if (!begin(shares, gcl_evaluator_program(evaluator), launch)) {
        gcl_shares_finish(shares);
        return false;
    }
    shares->is_of_exact = true;
    return find_all(evaluator, shares);
}

void gcl_shares_finish(struct gcl_shares *shares) {
    free(shares->own.shares);
    free(shares->common.shares);
    free(shares->kept);
    free(shares->is_vague);
    free(shares->alike);
    free(shares->leader);
    free(shares->latest);
    *shares = (struct gcl_shares){0};
}

size_t gcl_shares_memory(const struct gcl_shares *shares) {
    size_t accesses = shares->program ? shares->program->access_count + (size_t)1 : 0;
    return (shares->own.capacity + shares->common.capacity) * sizeof(struct gcl_share) +
           accesses * (sizeof *shares->kept + sizeof *shares->is_vague + sizeof *shares->alike) +
           2 * shares->taken_capacity * sizeof(struct gcl_share_taken);
}

// Taking apart.

struct taking {
    const struct gcl_share *share;
    const uint32_t *first, *end; ///< blocks
    const uint32_t *block_size;
    gcl_bytes_visit *visit;
    void *context;
    int64_t begin[GCL_VARIABLES]; ///< the part of the box that is left
    struct gcl_box box;
};

static void visit_rest(const struct taking *t) {
    struct gcl_bytes bytes = t->share->bytes;
    struct gcl_form offset = t->share->offset;
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        offset.constant += offset.factor[v] * t->begin[v];
    if (!bytes.everywhere) {
        gcl_bytes_place(&offset, &t->box, &bytes);
        gcl_bytes_count(&t->box, t->share->data, &bytes);
    }
    t->visit(t->context, &bytes);
}

static int64_t floor_divide(int64_t a, int64_t b) {
    assert(b > 0);
    if (b == 1) // mostly, and divisions are slow
        return a;
    return a / b - (a % b < 0);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    assert(low <= high);
    return value < low ? low : value > high ? high : value;
}

static void take_axis(struct taking *t, unsigned a);

// The terms of axis `a` from `index` on that come to [low, high).
static void take_term(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high);

// Like take_term, where the term before has values [begin, end).
static void take_values(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high,
                        int64_t begin, int64_t end) {
    const struct term *term = &t->share->axes[a].terms[index];
    if (begin >= end)
        return;
    t->begin[term->variable] = term->is_reversed ? term->values - end : begin;
    t->box.count[term->variable] = end - begin;
    take_term(t, a, index + 1, low - begin * term->factor, high - begin * term->factor);
    t->begin[term->variable] = 0;
    t->box.count[term->variable] = term->values;
}

static void take_term(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high) {
    const struct axis *axis = &t->share->axes[a];
    assert(index <= axis->count);
    const struct term *term = &axis->terms[index];
    int64_t most = index < axis->count ? term->factor * (term->values - 1) + term->finer : 0;
    if (high <= 0 || low > most)
        return;
    if (low <= 0 && high > most) {
        take_axis(t, a + 1);
        return;
    }
    // Some of the finer ones are in the range for [some, behind), all of them for [all, last).
    int64_t factor = term->factor, finer = term->finer, values = term->values;
    int64_t some = clamp(floor_divide(low - finer + factor - 1, factor), 0, values);
    int64_t behind = clamp(floor_divide(high - 1, factor) + 1, some, values);
    int64_t all = clamp(floor_divide(low + factor - 1, factor), some, behind);
    int64_t last = clamp(floor_divide(high - 1 - finer, factor) + 1, all, behind);
    for (int64_t value = some; value < all; value++)
        take_values(t, a, index, low, high, value, value + 1);
    // Of these the range needn't be asked for any more: it is as wide as it can be.
    if (all < last) {
        t->begin[term->variable] = term->is_reversed ? values - last : all;
        t->box.count[term->variable] = last - all;
        take_axis(t, a + 1);
        t->begin[term->variable] = 0;
        t->box.count[term->variable] = values;
    }
    for (int64_t value = last; value < behind; value++)
        take_values(t, a, index, low, high, value, value + 1);
}

static void take_axis(struct taking *t, unsigned a) {
    assert(a <= 3);
    if (a == 3) {
        visit_rest(t);
        return;
    }
    const struct axis *axis = &t->share->axes[a];
    int64_t size = axis->counts_threads ? t->block_size[a] : 1;
    int64_t low = t->first[a] * size - axis->first, high = t->end[a] * size - axis->first;
    take_term(t, a, 0, low, high);
}

/// Takes the blocks of a share's launch from `first` up to `end`.
static void take_blocks(const struct gcl_shares *shares, const struct gcl_share *share,
                        const uint32_t first[3], const uint32_t end[3], gcl_bytes_visit *visit,
                        void *context) {
    struct taking taking = {.share = share,
                            .first = first,
                            .end = end,
                            .block_size = shares->launch.geometry.block,
                            .visit = visit,
                            .context = context,
                            .box = share->box};
    take_axis(&taking, 0);
}

static void take(const struct gcl_shares *shares, const struct gcl_share *share,
                 const uint32_t *block, gcl_bytes_visit *visit, void *context) {
    if (!block || share->is_common) {
        visit(context, &share->bytes);
        return;
    }
    const uint32_t end[] = {block[0] + 1, block[1] + 1, block[2] + 1};
    take_blocks(shares, share, block, end, visit, context);
}

// The first share of the access, or of those behind it.
static size_t first_of(const struct gcl_share_list *list, uint16_t access) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->shares[middle].access < access)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void gcl_shares_visit(const struct gcl_shares *shares, uint16_t access, const uint32_t *block,
                      gcl_bytes_visit *visit, void *context) {
    const struct gcl_share_list *lists[] = {&shares->common, &shares->own};
    for (unsigned l = 0; l < 2; l++) {
        size_t i = first_of(lists[l], access);
        for (; i < lists[l]->count && lists[l]->shares[i].access == access; i++)
            take(shares, &lists[l]->shares[i], block, visit, context);
    }
}

bool gcl_shares_are_exact(const struct gcl_shares *shares, uint16_t access) {
    return !shares->is_vague[access] && shares->alike[access].first == access;
}

// A common share isn't visited as it is: a part makes fewer of its accesses.
void gcl_shares_visit_part(const struct gcl_shares *shares, uint16_t access,
                           const struct gcl_launch_part *part, gcl_bytes_visit *visit,
                           void *context) {
    const struct gcl_share_list *lists[] = {&shares->common, &shares->own};
    assert(gcl_shares_are_exact(shares, access));
    for (unsigned l = 0; l < 2; l++) {
        size_t i = first_of(lists[l], access);
        for (; i < lists[l]->count && lists[l]->shares[i].access == access; i++)
            take_blocks(shares, &lists[l]->shares[i], part->begin, part->end, visit, context);
    }
}

// Footprints.

struct source {
    const struct gcl_shares *shares;
    const uint32_t *block;
};

static void visit_share(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor) {
    const struct source *source = context;
    gcl_shares_visit(source->shares, access, source->block, visit, visitor);
}

bool gcl_shares_footprint(const struct gcl_shares *shares, const uint32_t *block,
                          const struct gcl_memory *memory, struct gcl_footprint *footprint) {
    struct source context = {shares, block};
    struct gcl_launch_part part = shares->launch;
    const struct gcl_bytes_source source = {.program = shares->program,
                                            .each = visit_share,
                                            .context = &context,
                                            .contents = shares->contents};
    for (unsigned a = 0; block && a < 3; a++) {
        part.begin[a] = block[a];
        part.end[a] = block[a] + 1;
    }
    return gcl_footprint_gather(&source, &part, memory, footprint);
}

// Following.

static bool reserve_taken(struct gcl_shares *s) {
    size_t capacity = s->taken_capacity ? 2 * s->taken_capacity : 16;
    if (s->latest_count < s->taken_capacity)
        return true;
    struct gcl_share_taken *leader = realloc(s->leader, capacity * sizeof *leader);
    s->leader = leader ? leader : s->leader;
    struct gcl_share_taken *latest = realloc(s->latest, capacity * sizeof *latest);
    s->latest = latest ? latest : s->latest;
    if (leader && latest)
        s->taken_capacity = capacity;
    return leader && latest;
}

static void note_taken(void *context, const struct gcl_bytes *bytes) {
    struct finding *finding = context;
    struct gcl_shares *s = finding->shares;
    finding->failed = finding->failed || !reserve_taken(s);
    if (!finding->failed)
        s->latest[s->latest_count++] = (struct gcl_share_taken){finding->access, *bytes};
}

static bool is_same_shape(const struct gcl_bytes *a, const struct gcl_bytes *b) {
    if (a->everywhere || b->everywhere)
        return a->everywhere && b->everywhere;
    const size_t size = a->dimensions * sizeof *a->stride;
    return a->length == b->length && a->dimensions == b->dimensions &&
           a->certainty == b->certainty && memcmp(a->stride, b->stride, size) == 0 &&
           memcmp(a->count, b->count, size) == 0;
}

// Whether the latest block's piece number `i` is the leader's, moved as those of the same access in
// front of it.
static bool follows(const struct gcl_shares *s, size_t i, struct gcl_share_move *move) {
    const struct gcl_share_taken *ours = &s->latest[i], *theirs = &s->leader[i];
    if (i >= s->leader_count || ours->access != theirs->access ||
        !is_same_shape(&ours->bytes, &theirs->bytes))
        return false;
    int64_t shift = ours->bytes.everywhere ? 0 : ours->bytes.offset - theirs->bytes.offset;
    move->shift = move->pieces == 0 ? shift : move->shift;
    return move->shift == shift;
}

bool gcl_shares_follow(struct gcl_shares *shares, const uint32_t *block,
                       struct gcl_share_move *moves) {
    struct finding finding = {.shares = shares};
    assert(shares->program && shares->kept);
    memcpy(moves, shares->kept, shares->program->access_count * sizeof *moves);
    shares->latest_count = 0;
    for (size_t i = 0; i < shares->own.count; i++) {
        finding.access = shares->own.shares[i].access;
        take(shares, &shares->own.shares[i], block, note_taken, &finding);
    }
    bool all = !finding.failed && shares->latest_count == shares->leader_count;
    for (size_t i = 0; i < shares->latest_count; i++) {
        const struct gcl_share_taken *taken = &shares->latest[i];
        all = all && follows(shares, i, &moves[taken->access]);
        note_piece(&moves[taken->access], &taken->bytes);
    }
    return all;
}

void gcl_shares_lead(struct gcl_shares *shares) {
    struct gcl_share_taken *leader = shares->leader;
    shares->leader = shares->latest;
    shares->leader_count = shares->latest_count;
    shares->latest = leader;
    shares->latest_count = 0;
}
