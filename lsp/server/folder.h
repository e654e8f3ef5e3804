// A workspace folder: its project, its open files, and the child that reads them.
//
// The child gets one question at a time: the editor's first, and of those the ones about files that
// it has read before. Who waits for longer than a second is told what for. If it crashes, or is
// busy or idle for too long with one, it is started again with all texts, and who asked is told; a
// text that has brought it down twice isn't read again until it changes.
//
// Symbols and colours come from tree-sitter (read/glance.h) while the child hasn't read the file
// yet, when it has been at something for too long, and when there is no other answer. The question
// stays all the same, so that the file is read, and then the editor is told to ask for colours
// again.
#ifndef GCL_LSP_FOLDER_H
#define GCL_LSP_FOLDER_H

#include "lsp/base/document.h"
#include "lsp/base/peer.h"
#include "lsp/read/glance.h"
#include "lsp/server/editor.h"
#include "project/inclusion.h"
#include "project/project.h"

struct gcl_folder;

/// A document in its folder.
struct gcl_file {
    struct gcl_document *document; ///< owned
    struct gcl_folder *folder;
    bool is_known;      ///< the child has this text
    json_t *untold;     ///< changes since the text that the child has; NULL: the child has none
    bool was_read;      ///< the child has read the file before, and has its headers
    bool has_makeshift; ///< the editor's colours of this text are from tree-sitter
    bool is_recoloured; ///< the editor was told to ask for colours again, once for a text and child
    unsigned crashes;   ///< of children, on this text
    gint64 slowest_ms;  ///< processor time of the longest answer so far
    guint timer;        ///< of the next diagnosis or analysis, 0: none
    json_t *diagnosis;  ///< the child's last answer to `diagnose`, or NULL
    json_t *kernels;    ///< what the device analysis has found last, or NULL
    bool is_explained;  ///< `kernels` are of this text, or will be
    struct gcl_peer *analysis;       ///< the device analysis under way, or NULL
    json_t *remarks;                 ///< what clang-tidy said last (server/tidy.h), or NULL
    json_t *elsewhere;               ///< what it said of headers, {path: [diagnostic]}, or NULL
    struct gcl_line_table *remarked; ///< the text that `remarks` are about
    struct gcl_peer *tidy;           ///< clang-tidy's check under way, or NULL
    guint tidy_timer;                ///< until then, 0: none
    bool is_tidied;                  ///< it has been checked, or will be
    bool is_settled;                 ///< it was opened or saved, and not changed since
};

/// What becomes of a folder's questions and files. Those who fill this in own `context`.
struct gcl_folder_handlers {
    /// One of `result` and `mistake` is NULL; `id` is that of the question. What an answer to the
    /// editor's own question says is passed on to the editor without.
    void (*answered)(json_t *id, json_t *result, enum gcl_rpc_error code, const char *mistake,
                     void *context);
    /// `file->diagnosis` is new, or NULL if the child can't read this text.
    void (*diagnosed)(struct gcl_file *file, void *context);
    /// The child has been started, and knows nothing of other sources yet.
    void (*started)(struct gcl_folder *folder, void *context);
    /// The file is about to be freed: what was begun for it ends.
    void (*removes)(struct gcl_file *file, void *context);
    void *context;
};

struct gcl_folder {
    char *path;
    struct gcl_project *project;
    struct gcl_inclusions *inclusions;
    GHashTable *includers; ///< path -> path of the includer that the user has chosen, "": none
    GPtrArray *files;      ///< struct gcl_file *
    struct gcl_editor *editor;
    char *scratch; ///< a folder for analyses
    json_t *settings;
    json_t *trace; ///< kernels of a run (kernel/trace.h) that launches shall show, or NULL
    struct gcl_glance *glance;
    struct gcl_index *index; ///< of the folder, or NULL; the workspace's
    bool shows_progress;     ///< the editor shows that the index is being made
    struct gcl_folder_handlers handlers;
    struct gcl_peer *worker;
    unsigned failures; ///< children that have ended without an answer since a text changed
    GQueue questions;  ///< struct gcl_question *, in order
    struct gcl_question *current;
    gint64 cpu_ms;  ///< processor time of the child when it was asked `current`
    gint64 idle_ms; ///< for how long the child hasn't run since then
    char *said;     ///< what the editor has been told that questions wait for, or NULL
    guint patience; ///< timer of looks at the child, 0: none
};

/// A folder without files or child. `editor` is borrowed for the folder's life.
struct gcl_folder *gcl_folder_create(const char *path, struct gcl_editor *editor,
                                     const char *scratch,
                                     const struct gcl_folder_handlers *handlers);
void gcl_folder_destroy(struct gcl_folder *folder);

/// Starts the child before there is anything to ask.
void gcl_folder_start(struct gcl_folder *folder);
/// Settings as LSP's configuration has them; a reference is kept.
void gcl_folder_configure(struct gcl_folder *folder, json_t *settings);
/// Kernels of a run that launches show from here on, NULL: none; a reference is kept.
void gcl_folder_trace(struct gcl_folder *folder, json_t *kernels);
/// Reads again how files are compiled.
void gcl_folder_reload(struct gcl_folder *folder);

/// Takes `document`; gcl_folder_remove gives it back and frees the rest.
struct gcl_file *gcl_folder_add(struct gcl_folder *folder, struct gcl_document *document);
struct gcl_document *gcl_folder_remove(struct gcl_file *file);

/// Takes note that a file's text has changed: by LSP's `changes`, or, if they are NULL, in any
/// other way. Questions about the old text are answered with GCL_RPC_CONTENT_MODIFIED.
void gcl_folder_changed(struct gcl_file *file, json_t *changes);
/// Tells the child the entry of a source (read/entry.h).
void gcl_folder_index(struct gcl_folder *folder, const char *path, json_t *entry);
/// Tells the child what has been found out about kernels.
void gcl_folder_explain(struct gcl_file *file, json_t *kernels);

/// Puts an editor's question to the child. References to `id` and `params` are kept.
void gcl_folder_ask(struct gcl_file *file, json_t *id, const char *method, json_t *params);
/// Puts a question to the child that is about no file.
void gcl_folder_ask_all(struct gcl_folder *folder, json_t *id, const char *method, json_t *params);
/// Puts a question to the child about a file that isn't open.
void gcl_folder_ask_closed(struct gcl_folder *folder, const char *path, json_t *id,
                           const char *method, json_t *params);
/// Has the file diagnosed, after all questions.
void gcl_folder_diagnose(struct gcl_file *file);
/// Withdraws a question. False if there is none with that number.
bool gcl_folder_cancel(struct gcl_folder *folder, const json_t *id);

#endif
