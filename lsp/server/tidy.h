// clang-tidy's checks beside our own diagnostics, for files around which a .clang-tidy asks for
// them: when a file was opened or saved, or its text hasn't changed for a second, and only if clang
// could read all of it. What it finds in headers that the .clang-tidy has it look at
// (HeaderFilterRegex) is shown there while these are closed; an open one is checked by itself. One
// file at a time is checked, in a process of its own (tidy/tidy.h) that
// is killed when the text changes; the others wait.
#ifndef GCL_LSP_SERVER_TIDY_H
#define GCL_LSP_SERVER_TIDY_H

#include "lsp/server/folder.h"

/// Checks of all folders. Zeroed there are none; those who fill in `found` own `context`.
struct gcl_tidying {
    /// `file->remarks` are new.
    void (*found)(struct gcl_file *file, void *context);
    /// What files have in `elsewhere` of a path has changed.
    void (*elsewhere)(const char *path, void *context);
    void *context;
    struct gcl_file *current; ///< is being checked, or NULL
    GQueue waiting;           ///< struct gcl_file *
    char *said;               ///< why there were no remarks last, as the log has it, or NULL
};

/// Has a file checked when its time comes, unless that has been done since gcl_tidy_stop, or
/// nobody asks for it. Its diagnosis is known and not broken.
void gcl_tidy_await(struct gcl_tidying *tidying, struct gcl_file *file);
/// Takes note that a file has been opened or saved: nobody is at its next word.
void gcl_tidy_settle(struct gcl_tidying *tidying, struct gcl_file *file);
/// Ends the check of a file, whose text or command line changes. What was found before stays.
void gcl_tidy_stop(struct gcl_tidying *tidying, struct gcl_file *file);
/// What was found in a file, of the lines that have stayed since it was checked, where they are
/// now: diagnostics, a new reference. Only those of the text as it is have fixes.
json_t *gcl_tidy_remarks(const struct gcl_file *file);
/// Forgets what was found in a file as well.
void gcl_tidy_forget(struct gcl_tidying *tidying, struct gcl_file *file);
/// What `files` (struct gcl_file *) found in a header that they include, each remark once:
/// diagnostics, a new reference.
json_t *gcl_tidy_remarks_elsewhere(GHashTable *files, const char *path);
/// Whether a change of that file, by its name, changes what is asked for.
bool gcl_tidy_depends_on(const char *path);

#endif
