// What pragmas say against what is known of a kernel for certain. Regions are compared in a sample
// launch (explain/sample.h), and only if both sides depend on the same arguments: how others follow
// from each other, the author of a pragma knows.
#include "device/access/check.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/declare.h"
#include "device/access/describe.h"
#include "device/access/graph.h"
#include "device/access/table.h"
#include "device/ir/module.h"
#include "explain/sample.h"
#include "explain/text.h"
#include "gcluster/reasons.h"

// Which accesses are exact: neither place nor condition depends on data.

// Operands stand in front of their nodes; only the conditions of loops may be anywhere.
static bool spread_doubt(const struct gcl_device_program *p, bool *doubtful) {
    bool changes = false;
    for (guint i = 0; i < p->nodes->len; i++) {
        const struct gcl_node *n = &g_array_index(p->nodes, struct gcl_node, i);
        const uint16_t operands[] = {n->a, n->b, n->c};
        bool is = n->kind == GCL_NODE_LOAD || n->kind == GCL_NODE_UNKNOWN;
        if (n->kind == GCL_NODE_LAST) {
            uint16_t end = g_array_index(p->guards, struct gcl_guard, n->a).node;
            is = end == GCL_NONE || doubtful[end];
        }
        for (unsigned o = 0; o < gcl_graph_operands(n->kind); o++)
            is |= doubtful[operands[o]];
        changes |= is != doubtful[i];
        doubtful[i] = is;
    }
    return changes;
}

static bool is_exact(const struct gcl_device_program *p, const bool *doubtful,
                     const struct gcl_access *access) {
    bool has_length = access->size == 0;
    if (access->offset == GCL_NONE || doubtful[access->offset] ||
        (has_length && (access->length == GCL_NONE || doubtful[access->length])))
        return false;
    for (uint16_t g = access->guard; g != GCL_NONE;) {
        const struct gcl_guard *guard = &g_array_index(p->guards, struct gcl_guard, g);
        if (guard->node == GCL_NONE || doubtful[guard->node])
            return false;
        g = guard->outer;
    }
    return true;
}

bool *gcl_access_find_exact(const struct gcl_device_program *p) {
    g_autofree bool *doubtful = g_new0(bool, p->nodes->len + 1);
    bool *exact = g_new0(bool, p->accesses->len + 1);
    while (spread_doubt(p, doubtful))
        continue;
    for (guint i = 0; i < p->accesses->len; i++)
        exact[i] = is_exact(p, doubtful, &g_array_index(p->accesses, struct gcl_access, i));
    return exact;
}

// Blocks that are tried where it isn't known how large they are.
static const uint32_t sizes[][3] = {{256, 1, 1}, {32, 1, 1},   {64, 1, 1}, {128, 1, 1},
                                    {512, 1, 1}, {1024, 1, 1}, {8, 8, 1},  {16, 16, 1},
                                    {32, 8, 1},  {32, 32, 1},  {8, 8, 8}};
enum { SIZES = G_N_ELEMENTS(sizes) };

struct check {
    struct gcl_extraction *x;
    const GPtrArray *pragmas;
    const struct gcl_pragma *const *said; ///< for each access
    const bool *exact;                    ///< likewise
    struct gcl_explained_kernel *kernel;
    const struct gcl_program *program; ///< the kernel's
    /// With blocks of each of `sizes`, and last of what is known of their size; NULL: not asked
    /// for yet. All accesses share them, as each takes an evaluation of the whole program.
    struct gcl_sample **samples;
};

static bool is_about(const struct check *c, const struct gcl_pragma *pragma,
                     const struct gcl_access *access) {
    const struct gcl_base *base = &c->program->bases[access->base];
    return base->kind == GCL_BASE_ARGUMENT &&
           base->index == gcl_declared_pointer(c->x, &pragma->clause);
}

static void contradict(const struct check *c, const struct gcl_pragma *pragma, uint16_t access,
                       const char *help, const char *what) {
    g_autofree char *formula = gcl_text_access(c->kernel, access);
    gcl_declared_contradiction(c->x, pragma, &c->program->accesses[access].place, help, "%s %s",
                               what, formula);
}

// What values depend on, beside the numbers of threads and blocks.

struct leaves {
    bool *seen;            ///< nodes
    GHashTable *arguments; ///< bytes, each + 1
};

static void collect(const struct gcl_program *p, uint16_t index, struct leaves *leaves) {
    if (index == GCL_NONE || leaves->seen[index])
        return;
    const struct gcl_node *n = &p->nodes[index];
    const uint16_t operands[] = {n->a, n->b, n->c};
    leaves->seen[index] = true;
    if (n->kind == GCL_NODE_ARGUMENT)
        g_hash_table_add(leaves->arguments, GUINT_TO_POINTER(n->a + 1u));
    if (n->kind == GCL_NODE_LAST)
        collect(p, p->guards[n->a].node, leaves);
    for (unsigned o = 0; o < gcl_graph_operands(n->kind); o++)
        collect(p, operands[o], leaves);
}

/// Which of an access' parts: where it is, or whether it happens as well.
static struct leaves leaves_of(const struct gcl_program *p, const struct gcl_access *access,
                               bool with_conditions) {
    struct leaves leaves = {g_new0(bool, p->node_count + 1u),
                            g_hash_table_new(g_direct_hash, g_direct_equal)};
    collect(p, access->offset, &leaves);
    if (access->size == 0)
        collect(p, access->length, &leaves);
    for (uint16_t g = access->guard; g != GCL_NONE; g = p->guards[g].outer) {
        if (with_conditions || p->guards[g].kind == GCL_GUARD_LOOP)
            collect(p, p->guards[g].node, &leaves);
    }
    return leaves;
}

static void leaves_finish(struct leaves *leaves) {
    g_free(leaves->seen);
    g_hash_table_unref(leaves->arguments);
}

static bool names_all(const struct leaves *leaves, const struct leaves *part) {
    GHashTableIter iterator;
    gpointer argument;
    g_hash_table_iter_init(&iterator, part->arguments);
    while (g_hash_table_iter_next(&iterator, &argument, NULL)) {
        if (!g_hash_table_contains(leaves->arguments, argument))
            return false;
    }
    return true;
}

// Whether what a pragma says and what the kernel does follow from the same arguments. Arguments of
// a comparison may only cut an access off.
static bool is_comparable(const struct gcl_program *p, const struct gcl_access *access,
                          const struct gcl_access *said) {
    struct leaves all = leaves_of(p, access, true), place = leaves_of(p, access, false),
                  other = leaves_of(p, said, true);
    bool comparable = names_all(&all, &other) && names_all(&other, &place);
    leaves_finish(&all);
    leaves_finish(&place);
    leaves_finish(&other);
    return comparable;
}

// Regions.

struct picture {
    struct gcl_region region;
    bool everywhere;
    bool exact;
};

static void paint(void *context, const struct gcl_bytes *bytes) {
    struct picture *picture = context;
    struct gcl_level levels[GCL_VARIABLES];
    struct gcl_region box = {0};
    for (unsigned d = 0; d < bytes->dimensions; d++)
        levels[d] = (struct gcl_level){bytes->stride[d], bytes->count[d]};
    picture->everywhere |= bytes->everywhere;
    picture->exact &= bytes->certainty == GCL_CERTAINTY_EXACT && !bytes->everywhere;
    if (bytes->everywhere)
        return;
    picture->exact &=
        gcl_region_from_box(bytes->offset, bytes->length, levels, bytes->dimensions, &box);
    picture->exact &= gcl_region_unite(&picture->region, &box, &picture->region);
    gcl_region_finish(&box);
}

// Adds what an access touches in one block of a sample.
static void paint_block(const struct gcl_sample *s, uint16_t access, const uint32_t block[3],
                        struct picture *picture) {
    struct gcl_launch_part launch = s->launch;
    for (unsigned axis = 0; axis < 3; axis++) {
        launch.begin[axis] = block[axis];
        launch.end[axis] = block[axis] + 1;
    }
    gcl_evaluate(s->evaluator, access, &launch, paint, picture);
}

static bool holds(const struct check *c, const struct gcl_sample *s, uint16_t access,
                  const uint32_t block[3]) {
    const struct gcl_access *accesses = c->program->accesses;
    struct picture known = {.exact = true}, said = {.exact = true};
    paint_block(s, access, block, &known);
    for (uint16_t i = 0; i < c->program->access_count; i++) {
        if (c->said[i] && accesses[i].kind == accesses[access].kind &&
            accesses[i].base == accesses[access].base)
            paint_block(s, i, block, &said);
    }
    bool holds =
        !known.exact || said.everywhere || gcl_region_contains(&said.region, &known.region);
    gcl_region_finish(&known.region);
    gcl_region_finish(&said.region);
    return holds;
}

static const struct gcl_sample *sample_of(const struct check *c, size_t number) {
    assert(number <= SIZES);
    const struct gcl_sample_style style = {
        .known.block_size = number < SIZES ? sizes[number] : c->kernel->block_size};
    if (!c->samples[number])
        c->samples[number] = gcl_sample_create(c->program, &style);
    return c->samples[number];
}

// In the first, a middle and the last block.
static bool holds_in_sample(const struct check *c, uint16_t access, size_t number) {
    const struct gcl_sample *s = sample_of(c, number);
    bool all = true;
    for (unsigned half = 0; half < 3 && all; half++) {
        uint32_t block[3];
        for (unsigned axis = 0; axis < 3; axis++)
            block[axis] = (s->launch.geometry.grid[axis] - 1) * half / 2;
        all = holds(c, s, access, block);
    }
    return all;
}

// Whether an exact access lies in what pragmas say. If it isn't known how large blocks are, the
// author may know that they always are of a size for which it does.
static bool is_held(const struct check *c, uint16_t access) {
    bool any = false;
    if (c->kernel->block_size)
        return holds_in_sample(c, access, SIZES);
    for (size_t i = 0; i < SIZES && !any; i++)
        any = holds_in_sample(c, access, i);
    return any;
}

// The pragma that comes first of those that an access has to obey; NULL: none can be told wrong.
static const struct gcl_pragma *first_said(const struct check *c, uint16_t access) {
    const struct gcl_access *accesses = c->program->accesses;
    const struct gcl_pragma *first = NULL;
    for (uint16_t i = 0; i < c->program->access_count; i++) {
        if (!c->said[i] || accesses[i].kind != accesses[access].kind ||
            accesses[i].base != accesses[access].base)
            continue;
        if (!is_comparable(c->program, &accesses[access], &accesses[i]))
            return NULL;
        first = first ? first : c->said[i];
    }
    return first;
}

static void check_region(const struct check *c, uint16_t access) {
    const struct gcl_pragma *pragma = first_said(c, access);
    const char *what = c->program->accesses[access].kind == GCL_ACCESS_READ ? "the kernel reads"
                                                                            : "the kernel writes";
    if (pragma && pragma->clause.kind != GCL_PRAGMA_REPLICATE && !is_held(c, access))
        contradict(c, pragma, access, "name all that is touched; what is exact needs no pragma",
                   what);
}

static void check_replicate(const struct check *c, const struct gcl_pragma *pragma,
                            uint16_t access) {
    if (c->program->accesses[access].kind != GCL_ACCESS_READ)
        contradict(c, pragma, access, "only what is read alone can be the same on all nodes",
                   "the kernel changes");
}

// Arguments of which the place follows may keep blocks apart.
static bool depends_on_arguments(const struct check *c, uint16_t access) {
    struct leaves leaves = leaves_of(c->program, &c->program->accesses[access], false);
    bool depends = g_hash_table_size(leaves.arguments) > 0;
    leaves_finish(&leaves);
    return depends;
}

static void check_disjoint(const struct check *c, const struct gcl_pragma *pragma,
                           uint16_t access) {
    if (c->program->accesses[access].kind != GCL_ACCESS_WRITE || !c->exact[access] ||
        depends_on_arguments(c, access))
        return;
    const struct gcl_sample *s = sample_of(c, SIZES);
    bool meet = false;
    for (unsigned axis = 0; axis < 3 && !meet; axis++) {
        struct picture first = {.exact = true}, second = {.exact = true};
        uint32_t block[3] = {0, 0, 0};
        block[axis] = s->launch.geometry.grid[axis] / 2;
        if (!s->uses[axis])
            continue;
        paint_block(s, access, block, &first);
        block[axis]--;
        paint_block(s, access, block, &second);
        meet = first.exact && second.exact && gcl_region_overlaps(&first.region, &second.region);
        gcl_region_finish(&first.region);
        gcl_region_finish(&second.region);
    }
    if (meet)
        contradict(c, pragma, access, "remove it, or let each block write a part of its own",
                   "several blocks write");
}

// The first mistake of a pragma is enough.
static void check_pragma(const struct check *c, const struct gcl_pragma *pragma) {
    guint before = c->x->m->diagnostics->len;
    for (uint16_t a = 0; a < c->program->access_count; a++) {
        if (c->said[a] || !is_about(c, pragma, &c->program->accesses[a]))
            continue;
        if (pragma->clause.kind == GCL_PRAGMA_REPLICATE)
            check_replicate(c, pragma, a);
        else if (pragma->clause.kind == GCL_PRAGMA_DISJOINT)
            check_disjoint(c, pragma, a);
        else if (c->exact[a] && first_said(c, a) == pragma)
            check_region(c, a);
        if (c->x->m->diagnostics->len > before)
            return;
    }
}

void gcl_access_check(struct gcl_extraction *x, struct gcl_device_program *program,
                      const GPtrArray *pragmas, const struct gcl_pragma *const *said) {
    struct gcl_device_kernel kernel = *x->kernel;
    kernel.program = program;
    g_autofree bool *exact = gcl_access_find_exact(program);
    struct gcl_explained_kernel *described = gcl_device_program_describe(x->m, &kernel);
    struct gcl_sample *samples[SIZES + 1] = {NULL};
    const struct check c = {x, pragmas, said, exact, described, described->program, samples};
    for (guint i = 0; i < pragmas->len; i++)
        check_pragma(&c, pragmas->pdata[i]);
    for (size_t i = 0; i <= SIZES; i++)
        gcl_sample_destroy(samples[i]);
    gcl_device_description_destroy(described);
}

// Splits.

static const char *why_single(uint16_t code) {
    switch (code) {
#define GCL_REASON(name, number, what, why, advice)                                                \
    case number:                                                                                   \
        return number <= GCL_REASON_BASE ? why : NULL;
        GCL_REASONS
#undef GCL_REASON
    default:
        return NULL;
    }
}

void gcl_access_check_split(struct gcl_extraction *x, const struct gcl_device_program *program,
                            const GPtrArray *pragmas) {
    for (guint i = 0; i < pragmas->len; i++) {
        const struct gcl_pragma *pragma = pragmas->pdata[i];
        bool splits =
            pragma->clause.kind == GCL_PRAGMA_SPLIT || pragma->clause.kind == GCL_PRAGMA_DISJOINT;
        for (guint r = 0; splits && r < program->reasons->len; r++) {
            const struct gcl_reason *reason =
                &g_array_index(program->reasons, struct gcl_reason, r);
            const char *why = why_single(reason->code);
            if (!why)
                continue;
            gcl_declared_contradiction(x, pragma, &reason->place, NULL,
                                       "the kernel stays on one node, because %s", why);
            break;
        }
    }
}
