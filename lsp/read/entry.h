// What the index knows of one file: where its names stand, but for local ones and those of system
// headers.
//
//     {"files": {path: stamp}, "words": text, "symbols": [[usr, role, line, begin, end, name, kind,
//     container, last line, behind]], "unknown": "name line begin end is_member\n…"}
//
// A stamp changes when a file does. Lines and columns are the editor's. Name, kind (LSP's) and
// container are only those of definitions, what follows only that of functions: where their text
// ends. A symbol that is one of several of its name (GCL_ROLE_UNKNOWN) has, in place of the kind,
// whether it stands behind a dot. Symbols are in the order of their places. Unknown names are those
// of occurrences.h; there are many.
#ifndef GCL_LSP_ENTRY_H
#define GCL_LSP_ENTRY_H

#include "lsp/read/view.h"

/// Members of a symbol.
enum {
    GCL_ENTRY_USR,
    GCL_ENTRY_ROLE,
    GCL_ENTRY_LINE,
    GCL_ENTRY_BEGIN,
    GCL_ENTRY_END,
    GCL_ENTRY_NAME,
    GCL_ENTRY_KIND,
    GCL_ENTRY_IS_MEMBER = GCL_ENTRY_KIND,
    GCL_ENTRY_CONTAINER,
    GCL_ENTRY_LAST_LINE,
    GCL_ENTRY_BEHIND,
};

enum gcl_role {
    GCL_ROLE_REFERENCE,
    GCL_ROLE_DECLARATION,
    GCL_ROLE_DEFINITION,
    GCL_ROLE_UNKNOWN, ///< it may refer to anything of that name
};

/// The entry of a view that has been read.
json_t *gcl_entry_create(struct gcl_view *view);

/// LSP's Location of a symbol of the entry of `path`.
json_t *gcl_entry_location(const char *path, const json_t *symbol);

/// Called for each symbol of the index with that USR, in files that nobody has open.
typedef void gcl_entry_see(const char *path, const json_t *symbol, void *data);
void gcl_entry_visit(const struct gcl_worker *worker, const char *usr, gcl_entry_see *see,
                     void *data);
/// Called for each name of the index, in files that nobody has open, that may refer to anything.
void gcl_entry_visit_unknown(const struct gcl_worker *worker, const char *name, gcl_entry_see *see,
                             void *data);
/// Called for each definition of the index in files that nobody has open.
void gcl_entry_visit_definitions(const struct gcl_worker *worker, gcl_entry_see *see, void *data);

/// Called for each reference to what has that USR, in files that nobody has open, that stands in a
/// function, with the innermost.
typedef void gcl_entry_see_call(const char *path, const json_t *function, const json_t *reference,
                                void *data);
void gcl_entry_visit_calls(const struct gcl_worker *worker, const char *usr,
                           gcl_entry_see_call *see, void *data);

/// The role of a symbol, enum gcl_role.
json_int_t gcl_entry_role(const json_t *symbol);

#endif
