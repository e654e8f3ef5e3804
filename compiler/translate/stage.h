// How a translated project takes its place: a whole tree beside, then one rename, or file by file
// where there is something already.
//
// A folder that a translation has been written to has a list of what was written,
// gcluster-translate.sums, as sha256sum reads it. A later translation writes only what has changed
// since and nobody has changed by hand.
#ifndef GCL_TRANSLATE_STAGE_H
#define GCL_TRANSLATE_STAGE_H

#include "driver/process.h"
#include "translate/translation.h"

struct gcl_stage {
    char *path;                      ///< the tree with translated files
    bool becomes_output;             ///< it lies beside the place that it is to take
    struct gcl_workspace *workspace; ///< removes it if it doesn't take it
};

/// Makes the tree: translated files, and all others as copies, or as links where the tree doesn't
/// stay. False with a diagnostic; gcl_stage_end is due all the same.
bool gcl_stage_begin(struct gcl_stage *stage, struct gcl_translation *translation,
                     struct gcl_workspace *workspace);

/// Puts the translation where the user wants it. False with a diagnostic; files that were written
/// until then are whole.
bool gcl_stage_commit(struct gcl_stage *stage, struct gcl_translation *translation,
                      const json_t *report);
void gcl_stage_end(struct gcl_stage *stage);

#endif
