// One source file that clang has read, once or again and again while somebody edits it.
//
// Reading again is fast because clang keeps what stands before the first line of code: headers are
// parsed once. All of a session belongs to one thread; several sessions may be in several.
#ifndef GCL_FRONTEND_SESSION_H
#define GCL_FRONTEND_SESSION_H

#include <clang-c/Index.h>
#include <glib.h>
#include <stdbool.h>

#include "frontend/parse/parse.h"
#include "frontend/text/unit.h"

struct gcl_session;

/// A session for options->path, which hasn't been read; `options` are kept as a copy but for the
/// overlays, of which nothing is. `stays`: the file will be read more than once.
struct gcl_session *gcl_session_create(const struct gcl_parse_options *options, bool stays);
void gcl_session_destroy(struct gcl_session *session);

/// Reads the file with `overlays` in place of what lies on disk. False, with a diagnostic, if it
/// can't be read or clang breaks down; then there is no translation unit.
bool gcl_session_read(struct gcl_session *session, const struct gcl_overlay *overlays,
                      size_t overlay_count, GPtrArray *diagnostics);

/// Forgets which files are included, so that the next reading looks for them: one may be there that
/// wasn't.
void gcl_session_forget_headers(struct gcl_session *session);

/// The facts of what has been read, to be freed with gcl_unit_destroy; to be asked for once after
/// each reading. What isn't supported is added to `diagnostics`.
struct gcl_source_unit *gcl_session_unit(struct gcl_session *session, GPtrArray *diagnostics);

/// What clang knows of what has been read, valid until it is read again; NULL if there is nothing.
CXTranslationUnit gcl_session_translation(const struct gcl_session *session);

struct gcl_completion {
    unsigned line, column; ///< from 1, of a newer text than the one that has been read
    bool has_comments;     ///< on what may stand there: clang reads all that there are for that
};

/// What may stand at a place; to be freed by clang. NULL if clang has no answer.
CXCodeCompleteResults *gcl_session_complete(struct gcl_session *session,
                                            const struct gcl_overlay *overlays,
                                            size_t overlay_count, struct gcl_completion at);

#endif
