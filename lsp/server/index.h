// The index of a folder: what stands in the sources that nobody has open. A process of its own
// reads one after the other in the background; what it finds is kept on disk until a file changes.
#ifndef GCL_LSP_INDEX_H
#define GCL_LSP_INDEX_H

#include "lsp/server/folder.h"

struct gcl_index;

struct gcl_index_handlers {
    /// The entry of a file (read/entry.h) is new.
    void (*found)(struct gcl_folder *folder, const char *path, json_t *entry);
    /// Tells that `done` files of `count` have been read; the two are equal at the end.
    void (*progress)(struct gcl_folder *folder, guint done, guint count);
};

/// Looks for the folder's sources; begins to read those that have changed since the last time.
struct gcl_index *gcl_index_create(struct gcl_folder *folder,
                                   const struct gcl_index_handlers *handlers);
void gcl_index_destroy(struct gcl_index *index);

/// Has a file in which something may have changed read again, and all that include it.
void gcl_index_update(struct gcl_index *index, const char *path);

/// How many sources the index lacks: those not read yet, and those that can't be.
guint gcl_index_unread(const struct gcl_index *index);

/// Calls `found` again for every entry that is known.
void gcl_index_tell(struct gcl_index *index);

#endif
