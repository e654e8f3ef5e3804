// The pieces of an access lie on a stack. The uppermost one is evaluated: if a value isn't affine
// over it, the piece is replaced by its parts (GCL_CUT_…), which are evaluated in turn; if all is
// affine, the image of its box is visited. A stack, unlike a queue, holds only the parts of one way
// down, however many pieces there are in all. Where there would be more than PIECE_LIMIT of them,
// one piece that is everywhere stands for the rest.
#include "plan/program/evaluate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/program/loops.h"
#include "plan/program/needs.h"
#include "plan/program/passed.h"
#include "plan/program/value.h"

// Pieces that are looked at for one access, and those that aren't exact among them: far more than
// sensible kernels need.
enum { PIECE_LIMIT = 1 << 13, VAGUE_LIMIT = 1 << 8 };
enum { NODES_A_STEP = 32 };

// Iterations of a loop of which nothing is known.
static const int64_t ENDLESS = (int64_t)1 << 40;

struct gcl_evaluator {
    const struct gcl_program *program;
    struct gcl_needs *needs;       ///< of each access
    struct gcl_uniform uniform;    ///< of the launch of which parts are evaluated
    struct gcl_contents *contents; ///< NULL: not known
    int64_t steps;                 ///< that may still be taken; below 0: more were wanted
    bool is_of_parts;              ///< parts of one launch are evaluated
    bool *gave_up;                 ///< on each access, for one of these parts
    bool is_of_one;                ///< accesses of one part are evaluated
    struct gcl_passed_sets passed; ///< of that part
    struct gcl_varying varying;
    struct gcl_form *forms;
    bool *known;
    struct gcl_piece *pieces; ///< still to be evaluated, the next one last
    size_t count;
    size_t room;
};

/// The evaluation of one access in one launch.
struct run {
    struct gcl_evaluator *evaluator;
    struct gcl_values values;
    const struct gcl_access *access;
    struct gcl_form offset;       ///< in the current piece
    enum gcl_certainty certainty; ///< of the guards of the current piece
    uint16_t why;
};

struct gcl_evaluator *gcl_evaluator_create(const struct gcl_program *program) {
    struct gcl_evaluator *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->program = program;
    e->room = 16;
    e->steps = INT64_MAX;
    e->forms = malloc((program->node_count + 1u) * sizeof *e->forms);
    e->known = malloc(program->node_count + 1u);
    e->pieces = malloc(e->room * sizeof *e->pieces);
    e->needs = malloc((program->access_count + 1u) * sizeof *e->needs);
    e->gave_up = malloc(program->access_count + 1u);
    e->uniform.is = malloc(program->node_count + 1u);
    e->uniform.known = malloc(program->node_count + 1u);
    e->uniform.forms = malloc((program->node_count + 1u) * sizeof *e->uniform.forms);
    bool has_uniform = e->uniform.is && e->uniform.known && e->uniform.forms;
    if (!has_uniform || !e->forms || !e->known || !e->pieces || !e->needs || !e->gave_up) {
        gcl_evaluator_destroy(e);
        return NULL;
    }
    if (!gcl_varying_init(&e->varying, program)) {
        gcl_evaluator_destroy(e);
        return NULL;
    }
    gcl_needs_find_uniform(program, e->uniform.is);
    for (uint16_t a = 0; a < program->access_count; a++)
        gcl_needs_find(program, a, e->known, &e->needs[a]);
    return e;
}

void gcl_evaluator_destroy(struct gcl_evaluator *e) {
    if (!e)
        return;
    gcl_passed_finish(&e->passed);
    gcl_varying_finish(&e->varying);
    free(e->needs);
    free(e->gave_up);
    free(e->uniform.is);
    free(e->uniform.known);
    free(e->uniform.forms);
    free(e->forms);
    free(e->known);
    free(e->pieces);
    free(e);
}

void gcl_evaluator_inspect(struct gcl_evaluator *e, struct gcl_contents *contents) {
    e->contents = contents;
}

void gcl_evaluator_begin(struct gcl_evaluator *e, struct gcl_contents *contents) {
    assert(!e->is_of_one);
    gcl_evaluator_inspect(e, contents);
    gcl_passed_forget(&e->passed);
    e->is_of_one = true;
}

void gcl_evaluator_end(struct gcl_evaluator *e) {
    gcl_evaluator_inspect(e, NULL);
    e->is_of_one = false;
}

struct gcl_contents *gcl_evaluator_contents(const struct gcl_evaluator *e) {
    return e->contents;
}

const struct gcl_program *gcl_evaluator_program(const struct gcl_evaluator *e) {
    return e->program;
}

void gcl_evaluator_limit(struct gcl_evaluator *e, int64_t steps) {
    assert(steps > 0);
    e->steps = steps;
}

void gcl_evaluator_spend(struct gcl_evaluator *e, int64_t steps) {
    assert(steps >= 0);
    e->steps = e->steps >= steps ? e->steps - steps : -1;
}

bool gcl_evaluator_is_spent(const struct gcl_evaluator *e) {
    return e->steps < 0;
}

void gcl_evaluator_take_parts(struct gcl_evaluator *e) {
    e->is_of_parts = true;
    memset(e->uniform.known, 0, e->program->node_count);
    memset(e->gave_up, 0, e->program->access_count);
}

// Pieces.

static struct gcl_piece *push(struct gcl_evaluator *e) {
    assert(e->room > 0 && e->count <= e->room);
    if (e->count == e->room) {
        struct gcl_piece *pieces = realloc(e->pieces, 2 * e->room * sizeof *pieces);
        if (!pieces)
            return NULL;
        e->pieces = pieces;
        e->room *= 2;
    }
    return &e->pieces[e->count++];
}

static bool push_part(struct gcl_evaluator *e, const struct gcl_piece *piece, unsigned v,
                      int64_t from, int64_t count) {
    struct gcl_piece *part = push(e);
    if (!part)
        return false;
    gcl_piece_copy(piece, part);
    gcl_piece_restrict(part, v, from, count);
    return true;
}

static bool push_fork(struct gcl_evaluator *e, const struct gcl_piece *piece, uint16_t node,
                      bool holds) {
    struct gcl_piece *part = push(e);
    if (!part)
        return false;
    gcl_piece_copy(piece, part);
    assert(part->assumption_count < GCL_PIECE_ASSUMPTIONS);
    part->assumptions[part->assumption_count++] = (struct gcl_piece_assumption){node, holds};
    return true;
}

// Replaces a piece by its parts; false if there is no room.
static bool cut_piece(struct gcl_evaluator *e, const struct gcl_piece *piece,
                      const struct gcl_subdivision *request) {
    unsigned v = request->variable;
    int64_t at = request->at, count = piece->box.count[v];
    struct gcl_piece *part;
    switch (request->way) {
    case GCL_SUBDIVIDE_SPLIT:
        return push_part(e, piece, v, at, count - at) && push_part(e, piece, v, 0, at);
    case GCL_SUBDIVIDE_EACH:
        for (int64_t i = count; i-- > 0;) {
            if (!push_part(e, piece, v, i, 1))
                return false;
        }
        return true;
    case GCL_SUBDIVIDE_FORK:
        return push_fork(e, piece, (uint16_t)at, false) && push_fork(e, piece, (uint16_t)at, true);
    case GCL_SUBDIVIDE_RADIX:
    case GCL_SUBDIVIDE_FLIP:
        part = push(e);
        if (!part)
            return false;
        gcl_piece_copy(piece, part);
        if (request->way == GCL_SUBDIVIDE_RADIX)
            return gcl_piece_radix(part, v, at);
        gcl_piece_flip(part, v);
        return true;
    default:
        return false;
    }
}

// Guards.

static void doubt(struct run *r, uint16_t why) {
    const struct gcl_node *nodes = r->evaluator->program->nodes;
    bool is_data =
        why == GCL_NONE || nodes[why].kind == GCL_NODE_LOAD || nodes[why].kind == GCL_NODE_UNKNOWN;
    enum gcl_certainty certainty = is_data ? GCL_CERTAINTY_DATA : GCL_CERTAINTY_BOUNDED;
    if (certainty <= r->certainty)
        return;
    r->certainty = certainty;
    r->why = why;
}

static enum gcl_verdict condition(struct run *r, const struct gcl_guard *guard) {
    enum gcl_verdict verdict = gcl_value_holds(&r->values, guard->node);
    if (verdict == GCL_PARTLY)
        return verdict;
    if (r->values.why != GCL_NONE)
        doubt(r, r->values.why);
    if (verdict == GCL_OPEN)
        return GCL_ALWAYS;
    return (verdict == GCL_ALWAYS) == (guard->kind == GCL_GUARD_HOLDS) ? GCL_ALWAYS : GCL_NEVER;
}

// Loops.

static struct gcl_binding *enter(struct run *r, uint16_t guard) {
    struct gcl_piece *piece = r->values.piece;
    struct gcl_binding *binding = gcl_piece_loop(piece, guard);
    if (binding || piece->loop_count == GCL_PIECE_LOOPS)
        return binding;
    assert(piece->loop_count < GCL_PIECE_LOOPS);
    binding = &piece->loops[piece->loop_count++];
    binding->node = guard;
    if (!gcl_piece_variable(piece, ENDLESS, &binding->form))
        binding->form = gcl_form_top(GCL_NONE);
    return binding;
}

static enum gcl_verdict run_loop(struct run *r, uint16_t index) {
    const struct gcl_guard *guard = &r->evaluator->program->guards[index];
    const struct gcl_loops loops = {&r->values, &r->evaluator->varying};
    struct gcl_binding *binding = enter(r, index);
    gcl_wide low, high;
    if (!binding || binding->form.is_top || guard->node == GCL_NONE) {
        doubt(r, GCL_NONE);
        return GCL_ALWAYS;
    }
    gcl_form_range(&binding->form, &r->values.piece->box, &low, &high);
    enum gcl_verdict verdict = GCL_ALWAYS;
    r->values.why = GCL_NONE;
    if (low > 0)
        verdict = gcl_loops_held_before(&loops, binding, (int64_t)low, guard->node);
    if (verdict == GCL_PARTLY || verdict == GCL_NEVER)
        return verdict;
    if (verdict == GCL_OPEN || r->values.why != GCL_NONE)
        doubt(r, r->values.why != GCL_NONE ? r->values.why : guard->node);
    if (high == low)
        return GCL_ALWAYS;
    verdict = gcl_loops_continue(&loops, binding, guard->node);
    if (verdict == GCL_OPEN || r->values.why != GCL_NONE)
        doubt(r, r->values.why != GCL_NONE ? r->values.why : guard->node);
    return verdict == GCL_OPEN ? GCL_ALWAYS : verdict;
}

// What holds for the current piece, outermost guard first.
static enum gcl_verdict pass(struct run *r, uint16_t index) {
    if (index == GCL_NONE)
        return GCL_ALWAYS;
    const struct gcl_guard *guard = &r->evaluator->program->guards[index];
    enum gcl_verdict outer = pass(r, guard->outer);
    if (outer != GCL_ALWAYS)
        return outer;
    return guard->kind == GCL_GUARD_LOOP ? run_loop(r, index) : condition(r, guard);
}

// Bytes.

static bool length_of(struct run *r, struct gcl_form *length) {
    *length = gcl_form_constant(r->access->size);
    if (r->access->size > 0)
        return true;
    if (r->access->length == GCL_NONE) {
        *length = gcl_form_top(GCL_NONE);
        return true;
    }
    if (!gcl_value_of(&r->values, r->access->length, length) || !gcl_value_fix(&r->values, length))
        return false;
    if (!gcl_form_is_constant(length, &r->values.piece->box))
        *length = gcl_form_top(length->why != GCL_NONE ? length->why : r->access->length);
    return true;
}

// False: the piece has to be cut first.
static bool find_bytes(struct run *r, struct gcl_bytes *bytes) {
    const gcl_wide far = (gcl_wide)1 << 50;
    struct gcl_form *offset = &r->offset, length;
    gcl_wide low = 0, high = 0;
    *offset = gcl_form_top(GCL_NONE);
    if (r->access->offset != GCL_NONE && !gcl_value_of(&r->values, r->access->offset, offset))
        return false;
    if (!length_of(r, &length))
        return false;
    if (!offset->is_top)
        gcl_form_range(offset, &r->values.piece->box, &low, &high);
    bytes->everywhere = offset->is_top || length.is_top || low < -far || high > far;
    if (offset->why != GCL_NONE || length.why != GCL_NONE)
        doubt(r, offset->why != GCL_NONE ? offset->why : length.why);
    else if (bytes->everywhere)
        doubt(r, r->why);
    bytes->certainty = r->certainty;
    bytes->why = r->why;
    bytes->piece = r->values.piece;
    bytes->form = offset;
    bytes->length = length.constant;
    if (!bytes->everywhere) {
        gcl_bytes_place(offset, &r->values.piece->box, bytes);
        gcl_bytes_count(&r->values.piece->box, gcl_bytes_data(r->values.piece), bytes);
    }
    return true;
}

// Loops that have ended.

static bool is_bounded(const struct run *r, uint16_t guard) {
    const struct gcl_binding *binding = gcl_piece_loop(r->values.piece, guard);
    gcl_wide low, high = ENDLESS;
    if (binding && !binding->form.is_top)
        gcl_form_range(&binding->form, &r->values.piece->box, &low, &high);
    return high < ENDLESS - 1;
}

// Binds the iterations of loops that have ended to their last ones: they run, and aren't followed.
static enum gcl_verdict end_loops(struct run *r, const struct gcl_needs *needs) {
    for (unsigned i = 0; i < needs->ended_count; i++) {
        uint16_t guard = needs->ended[i], node = r->evaluator->program->guards[guard].node;
        enum gcl_verdict verdict = run_loop(r, guard);
        if (verdict != GCL_ALWAYS)
            return verdict;
        verdict = node == GCL_NONE ? GCL_OPEN : gcl_value_holds(&r->values, node);
        if (verdict == GCL_PARTLY)
            return verdict;
        bool goes_on = verdict == GCL_ALWAYS && r->values.why == GCL_NONE && is_bounded(r, guard);
        if (goes_on && r->certainty == GCL_CERTAINTY_EXACT)
            return GCL_NEVER; // it ends in another piece
        if (verdict != GCL_NEVER || r->values.why != GCL_NONE)
            doubt(r, r->values.why);
    }
    return GCL_ALWAYS;
}

static void give_up(struct gcl_evaluator *e, uint16_t access, gcl_bytes_visit *visit,
                    void *context) {
    struct gcl_bytes bytes = {
        .everywhere = true, .certainty = GCL_CERTAINTY_BOUNDED, .why = GCL_NONE};
    e->gave_up[access] = true;
    visit(context, &bytes);
}

/// An evaluation's pieces, one after the other.
struct walk {
    struct run run;
    struct gcl_piece piece; ///< the current one
    const struct gcl_needs *needs;
    struct gcl_passed *passed; ///< where pieces are kept; NULL: nowhere
    /// Pieces on the stack from here on are parts of one over which the guards hold.
    size_t inner;
    unsigned looked_at, vague;
    bool takes_one; ///< ends with the first piece that is visited
    bool has_one;   ///< which has been
};

/// The current piece is to be evaluated, of which nothing is known.
static void take(struct walk *w, struct gcl_passed_piece *room) {
    struct gcl_values *values = &w->run.values;
    const struct gcl_evaluator *e = w->run.evaluator;
    w->run.certainty = GCL_CERTAINTY_EXACT;
    w->run.why = GCL_NONE;
    values->forms = room ? room->forms : e->forms;
    values->known = room ? room->known : e->known;
    gcl_value_forget(values);
}

/// Keeps the current piece, over which all guards hold, in its room.
static void keep(struct walk *w, struct gcl_passed_piece *room) {
    gcl_piece_copy(&w->piece, &room->piece);
    room->certainty = w->run.certainty;
    room->why = w->run.why;
    w->passed->count++;
}

/// Counts the current piece, of which is known what the guards say.
static void count_piece(struct walk *w) {
    struct gcl_evaluator *e = w->run.evaluator;
    w->vague += w->piece.unknown_count > 0 || w->run.certainty != GCL_CERTAINTY_EXACT;
    gcl_evaluator_spend(e, 1 + e->program->node_count / NODES_A_STEP);
    w->looked_at++;
}

/// Divides the current piece as was asked for. False: that would be too many.
static bool divide(struct walk *w) {
    struct gcl_evaluator *e = w->run.evaluator;
    return w->looked_at <= PIECE_LIMIT && w->vague <= VAGUE_LIMIT && e->steps >= 0 &&
           cut_piece(e, &w->piece, &w->run.values.request);
}

/// Visits what the current piece touches, all over which the guards hold, or divides it. What was
/// found of nodes is forgotten if the piece has become another one meanwhile. False: as divide.
static bool visit_piece(struct walk *w, gcl_bytes_visit *visit, void *context) {
    struct gcl_bytes bytes = {.length = 0};
    unsigned unknowns = w->piece.unknown_count, loops = w->piece.loop_count;
    bool is_found = find_bytes(&w->run, &bytes);
    bool is_same = w->piece.unknown_count == unknowns && w->piece.loop_count == loops;
    if (is_found)
        visit(context, &bytes);
    w->has_one |= is_found;
    if (!is_found || !is_same)
        gcl_value_forget(&w->run.values);
    if (is_found)
        return true;
    if (w->inner == SIZE_MAX)
        w->inner = w->run.evaluator->count;
    return divide(w);
}

static bool ends_early(const struct walk *w) {
    return w->takes_one && w->has_one;
}

/// Evaluates the pieces on the stack. False: there are too many.
static bool drain(struct walk *w, gcl_bytes_visit *visit, void *context) {
    struct gcl_evaluator *e = w->run.evaluator;
    while (e->count > 0 && !ends_early(w)) {
        gcl_piece_copy(&e->pieces[--e->count], &w->piece);
        if (e->count < w->inner)
            w->inner = SIZE_MAX;
        bool is_outer = w->passed && w->inner == SIZE_MAX;
        struct gcl_passed_piece *room =
            is_outer ? gcl_passed_room(w->passed, e->program->node_count) : NULL;
        if (is_outer && !room)
            w->passed = NULL;
        take(w, room);
        enum gcl_verdict verdict = end_loops(&w->run, w->needs);
        if (verdict == GCL_ALWAYS)
            verdict = pass(&w->run, w->run.access->guard);
        count_piece(w);
        if (verdict == GCL_ALWAYS && room)
            keep(w, room);
        if (verdict == GCL_ALWAYS ? !visit_piece(w, visit, context)
                                  : verdict != GCL_NEVER && !divide(w))
            return false;
    }
    return true;
}

/// Evaluates the pieces of a complete set, without asking for guards. False: there are too many.
static bool visit_passed(struct walk *w, struct gcl_passed *passed, gcl_bytes_visit *visit,
                         void *context) {
    for (unsigned i = 0; i < passed->count && !ends_early(w); i++) {
        struct gcl_passed_piece *kept = &passed->pieces[i];
        gcl_piece_copy(&kept->piece, &w->piece);
        w->run.certainty = kept->certainty;
        w->run.why = kept->why;
        w->run.values.forms = kept->forms;
        w->run.values.known = kept->known;
        w->inner = SIZE_MAX;
        count_piece(w);
        if (!visit_piece(w, visit, context) || !drain(w, visit, context))
            return false;
    }
    return true;
}

/// Puts on the stack what an access' guards are to be asked for: pieces over which the outer ones
/// hold, if these are known, else all blocks. False: no memory.
static bool push_first(struct gcl_evaluator *e, const struct walk *w, bool is_of_set) {
    const struct gcl_launch_part *launch = w->run.values.launch;
    const struct gcl_passed *outer =
        is_of_set ? gcl_passed_outer(&e->passed, e->program->guards, w->run.access->guard, w->needs)
                  : NULL;
    struct gcl_piece *piece;
    e->count = 0;
    for (unsigned i = outer ? outer->count : 0; i-- > 0;) { // the first one is taken first
        piece = push(e);
        if (!piece)
            return false;
        gcl_piece_copy(&outer->pieces[i].piece, piece);
    }
    if (outer)
        return true;
    piece = push(e);
    if (piece)
        gcl_piece_init(piece, launch, w->needs->fused);
    return piece != NULL;
}

static void evaluate(struct gcl_evaluator *e, uint16_t access, const struct gcl_launch_part *launch,
                     bool takes_one, gcl_bytes_visit *visit, void *context) {
    assert(access < e->program->access_count);
    struct walk walk; // its piece, which is large, is made when it is taken
    walk.run.evaluator = e;
    walk.run.access = &e->program->accesses[access];
    walk.run.values = (struct gcl_values){.program = e->program,
                                          .launch = launch,
                                          .contents = e->contents,
                                          .uniform = e->is_of_parts ? &e->uniform : NULL};
    walk.needs = &e->needs[access];
    walk.passed = NULL;
    walk.inner = SIZE_MAX;
    walk.looked_at = walk.vague = 0;
    walk.takes_one = takes_one;
    walk.has_one = false;
    walk.run.values.piece = &walk.piece;
    if (e->steps < 0 || (e->is_of_parts && e->gave_up[access])) {
        give_up(e, access, visit, context);
        return;
    }
    struct gcl_passed *passed =
        e->is_of_one ? gcl_passed_find(&e->passed, walk.run.access->guard, walk.needs) : NULL;
    bool is_known = passed && passed->is_complete, ok;
    e->count = 0;
    if (is_known) {
        ok = visit_passed(&walk, passed, visit, context);
    } else {
        walk.passed = passed;
        ok = push_first(e, &walk, passed != NULL) && drain(&walk, visit, context);
    }
    if (!ok)
        give_up(e, access, visit, context);
    else if (!is_known && passed)
        passed->is_complete = walk.passed != NULL && !ends_early(&walk);
}

void gcl_evaluate(struct gcl_evaluator *e, uint16_t access, const struct gcl_launch_part *launch,
                  gcl_bytes_visit *visit, void *context) {
    evaluate(e, access, launch, false, visit, context);
}

static void note(void *context, const struct gcl_bytes *bytes) {
    (void)bytes;
    *(bool *)context = true;
}

bool gcl_evaluate_happens(struct gcl_evaluator *e, uint16_t access,
                          const struct gcl_launch_part *launch) {
    bool happens = false;
    evaluate(e, access, launch, true, note, &happens);
    return happens;
}
