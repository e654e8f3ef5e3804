// Uses and launches are proposed by the text alone (frontend/draft.h), so two compilations have the
// same ones in the same order, and differ in what became of them.
//
// What one compilation can't tell, for a branch of #ifdef is dead there or a macro isn't defined,
// another one can. What speaks against a name in one of them (the program declares it, makes a
// macro of it, prints it) holds for all: a header has one text.
#include "translate/merge.h"

#include <assert.h>
#include <string.h>

static void merge_use(struct gcl_source_use *use, const struct gcl_source_use *other) {
    assert(use->range.begin == other->range.begin && use->name == other->name);
    // A qualified name is known to be CUDA's only where clang has seen it.
    bool open = use->keep == GCL_KEEP_NONE || use->keep == GCL_KEEP_MEMBER;
    bool decided = other->keep != GCL_KEEP_MEMBER;
    if (open && decided)
        use->keep = other->keep;
}

// Reasons to leave a launch that another compilation may know better.
static bool is_doubt(enum gcl_keep keep) {
    return keep == GCL_KEEP_CONFIGURATION || keep == GCL_KEEP_NOT_A_CALL;
}

static bool is_same_launch(const struct gcl_source_launch *a, const struct gcl_source_launch *b) {
    return a->configuration_count == b->configuration_count &&
           memcmp(a->configuration, b->configuration,
                  a->configuration_count * sizeof *a->configuration) == 0 &&
           a->kernel.begin == b->kernel.begin && a->arguments.begin == b->arguments.begin &&
           a->arguments.end == b->arguments.end;
}

static void merge_launch(struct gcl_source_launch *launch, const struct gcl_source_launch *other) {
    assert(launch->chevrons.begin == other->chevrons.begin);
    bool better = other->evidence == GCL_EVIDENCE_TREE && launch->evidence == GCL_EVIDENCE_TEXT;
    if (launch->keep == GCL_KEEP_NONE && other->keep == GCL_KEEP_NONE) {
        if (is_same_launch(launch, other) || better)
            *launch = *other;
        else if (launch->evidence == other->evidence)
            launch->keep = GCL_KEEP_CONFIGURATION;
    } else if (is_doubt(launch->keep) ? other->keep != GCL_KEEP_NONE || better
                                      : other->keep != GCL_KEEP_NONE && !is_doubt(other->keep)) {
        *launch = *other;
    } else if (launch->keep == GCL_KEEP_NONE && is_doubt(other->keep) &&
               launch->evidence == GCL_EVIDENCE_TEXT && other->evidence == GCL_EVIDENCE_TREE) {
        launch->keep = other->keep;
    }
}

void gcl_merge(struct gcl_unit_file *file, const struct gcl_unit_file *other) {
    assert(file->uses->len == other->uses->len && file->launches->len == other->launches->len);
    for (guint i = 0; i < file->uses->len; i++)
        merge_use(&g_array_index(file->uses, struct gcl_source_use, i),
                  &g_array_index(other->uses, struct gcl_source_use, i));
    for (guint i = 0; i < file->launches->len; i++)
        merge_launch(&g_array_index(file->launches, struct gcl_source_launch, i),
                     &g_array_index(other->launches, struct gcl_source_launch, i));
}
