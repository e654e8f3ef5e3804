// Asks clang's syntax tree about the places that the text proposes.
#ifndef GCL_FRONTEND_COLLECT_H
#define GCL_FRONTEND_COLLECT_H

#include <clang-c/Index.h>
#include <glib.h>

#include "frontend/text/unit.h"

/// What the tree says about one use of a CUDA name; flags, since a token may be seen several times.
enum gcl_evidence_flag {
    GCL_SEEN_API = 1,  ///< refers to what our headers declare
    GCL_SEEN_USER = 2, ///< declares, or refers to, something of the program
};

/// Bodies and declarations of functions that run on the device.
struct gcl_device_function {
    struct gcl_source_range range;
    bool is_kernel;
    bool is_device;
    bool is_host;
    bool is_template;
};

/// A launch as clang has it.
struct gcl_launch_cursors {
    CXCursor configuration; ///< the call that gets what stands between `<<<` and `>>>`
    CXCursor call;          ///< of the kernel
};

/// A source while its facts are being put together.
struct gcl_source_draft {
    struct gcl_unit_file *source;
    CXFile file;
    GArray *tokens;    ///< struct gcl_token
    GArray *seen;      ///< guint8 flags for each of source->uses
    GArray *calls;     ///< struct gcl_tree_launch, as clang meets them
    GArray *launches;  ///< struct gcl_launch_cursors, one for each expansion of a macro
    GArray *functions; ///< struct gcl_device_function
};

/// The one of `drafts` (struct gcl_source_draft *) that is a file's. NULL: there is none, or `file`
/// is NULL.
struct gcl_source_draft *gcl_drafts_find(const GPtrArray *drafts, CXFile file);

/// Walks the tree of a unit and fills `seen`, `calls`, `launches`, `functions` and the source's
/// kernels in each of `drafts` (struct gcl_source_draft *), whose uses and tokens must be there,
/// and `shapes`.
void gcl_collect(CXTranslationUnit unit, GPtrArray *drafts, GArray *shapes);

/// The dead text of a draft, struct gcl_source_range, where clang was asked to keep a record; freed
/// with g_array_unref. clang loads the places of all headers for it.
GArray *gcl_collect_skipped(CXTranslationUnit unit, const struct gcl_source_draft *draft);

/// True if the offset lies in a function that runs on the device only.
bool gcl_collect_is_device_only(const struct gcl_source_draft *draft, uint32_t offset,
                                bool *is_template);

#endif
