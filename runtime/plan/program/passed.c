// Nothing here knows what a piece means: evaluate.c fills sets and uses them.
#include "plan/program/passed.h"

#include <assert.h>
#include <stdlib.h>

void gcl_passed_finish(struct gcl_passed_sets *sets) {
    for (size_t s = 0; sets->sets && s < GCL_PASSED_SETS; s++) {
        for (size_t i = 0; i < GCL_PASSED_PIECES; i++) {
            free(sets->sets[s].pieces[i].forms);
            free(sets->sets[s].pieces[i].known);
        }
    }
    free(sets->sets);
    *sets = (struct gcl_passed_sets){.count = 0};
}

void gcl_passed_forget(struct gcl_passed_sets *sets) {
    sets->count = 0;
}

static bool have_same_needs(const struct gcl_needs *a, const struct gcl_needs *b) {
    bool same = a->ended_count == b->ended_count;
    for (unsigned axis = 0; axis < 3; axis++)
        same = same && a->fused[axis] == b->fused[axis];
    for (unsigned i = 0; same && i < a->ended_count; i++)
        same = a->ended[i] == b->ended[i];
    return same;
}

struct gcl_passed *gcl_passed_find(struct gcl_passed_sets *sets, uint16_t guard,
                                   const struct gcl_needs *needs) {
    for (unsigned s = 0; s < sets->count; s++) {
        struct gcl_passed *passed = &sets->sets[s];
        if (passed->guard == guard && have_same_needs(passed->needs, needs))
            return passed->is_complete ? passed : NULL;
    }
    if (!sets->sets)
        sets->sets = calloc(GCL_PASSED_SETS, sizeof *sets->sets);
    if (!sets->sets || sets->count == GCL_PASSED_SETS)
        return NULL;
    struct gcl_passed *passed = &sets->sets[sets->count++];
    passed->is_complete = false;
    passed->guard = guard;
    passed->needs = needs;
    passed->count = 0;
    return passed;
}

const struct gcl_passed *gcl_passed_outer(const struct gcl_passed_sets *sets,
                                          const struct gcl_guard *guards, uint16_t guard,
                                          const struct gcl_needs *needs) {
    while (guard != GCL_NONE && guards[guard].outer != GCL_NONE) {
        guard = guards[guard].outer;
        for (unsigned s = 0; s < sets->count; s++) {
            const struct gcl_passed *passed = &sets->sets[s];
            if (passed->is_complete && passed->guard == guard &&
                have_same_needs(passed->needs, needs))
                return passed;
        }
    }
    return NULL;
}

struct gcl_passed_piece *gcl_passed_room(struct gcl_passed *passed, size_t node_count) {
    assert(!passed->is_complete && passed->count <= GCL_PASSED_PIECES);
    if (passed->count == GCL_PASSED_PIECES || (passed->count + 1) * node_count > GCL_PASSED_FORMS)
        return NULL;
    struct gcl_passed_piece *piece = &passed->pieces[passed->count];
    if (!piece->forms)
        piece->forms = malloc((node_count + 1) * sizeof *piece->forms);
    if (!piece->known)
        piece->known = malloc(node_count + 1);
    return piece->forms && piece->known ? piece : NULL;
}
