// An analysis lasts as long as its process, which is told all at once: the text, and what the
// diagnosis has found in it.
#include "lsp/server/hints.h"

#include <assert.h>

#include "lsp/base/json.h"
#include "lsp/base/scratch.h"
#include "lsp/server/command.h"

enum { LOOK_MS = 2000 };

/// An analysis under way, owned by its peer's handlers until it ends or is stopped.
struct analysis {
    struct gcl_file *file;
    gcl_hints_found *found;
    void *context;
    char *folder; ///< for intermediate files
    json_t *kernels;
    char *why;
    guint timer; ///< of looks at the process
};

static void analysis_free(void *data) {
    struct analysis *analysis = data;
    if (analysis->timer)
        g_source_remove(analysis->timer);
    gcl_scratch_remove(analysis->folder);
    json_decref(analysis->kernels);
    g_free(analysis->folder);
    g_free(analysis->why);
    g_free(analysis);
}

static void answered(json_t *result, json_t *error, void *context) {
    struct analysis *analysis = context;
    assert(!analysis->kernels && !analysis->why);
    analysis->kernels = json_incref(json_object_get(result, "kernels"));
    analysis->why = g_strdup(json_string_value(json_object_get(error, "message")));
}

static void ended(const char *how, void *context) {
    struct analysis *analysis = context;
    const char *why = analysis->why ? analysis->why : how;
    assert(gcl_peer_context(analysis->file->analysis) == analysis);
    gcl_peer_destroy(g_steal_pointer(&analysis->file->analysis));
    analysis->found(analysis->file, analysis->kernels, analysis->kernels ? NULL : why,
                    analysis->context);
    analysis_free(analysis);
}

static gboolean look(void *data) {
    struct analysis *analysis = data;
    if (!gcl_peer_is_stuck(analysis->file->analysis))
        return G_SOURCE_CONTINUE;
    analysis->timer = 0;
    ended("the analysis waits for a file that doesn't end", analysis);
    return G_SOURCE_REMOVE;
}

void gcl_hints_stop(struct gcl_file *file) {
    struct analysis *analysis = file->analysis ? gcl_peer_context(file->analysis) : NULL;
    gcl_peer_destroy(g_steal_pointer(&file->analysis));
    if (analysis)
        analysis_free(analysis);
}

// Begins an analysis in place of the last one. Returns NULL, or why there is none.
static const char *begin(struct gcl_file *file, gcl_hints_found *found, void *context) {
    g_autofree char *pattern = g_build_filename(file->folder->scratch, "hints-XXXXXX", NULL);
    gcl_hints_stop(file);
    if (!g_mkdtemp(pattern))
        return "no temporary folder";
    struct analysis *analysis = g_new(struct analysis, 1);
    *analysis = (struct analysis){
        .file = file, .found = found, .context = context, .folder = g_strdup(pattern)};
    struct gcl_peer_handlers handlers = {.answered = answered, .ended = ended, .context = analysis};
    file->analysis = gcl_peer_start("--hints", &handlers);
    if (!file->analysis) {
        analysis_free(analysis);
        return "the analysis can't be started";
    }
    json_t *params = gcl_command_of(file->folder, file->document->path);
    json_object_set_new(params, "folder", gcl_json_text(analysis->folder));
    json_object_set_new(params, "texts", gcl_command_texts(file));
    gcl_peer_tell(file->analysis, "read", params);
    return NULL;
}

void gcl_hints_start(struct gcl_file *file, gcl_hints_found *found, void *context) {
    const char *why = begin(file, found, context);
    if (why) {
        found(file, NULL, why, context);
        return;
    }
    struct analysis *analysis = gcl_peer_context(file->analysis);
    gcl_peer_ask(file->analysis, "explain",
                 json_pack("{s:O, s:O, s:O}", "shapes", json_object_get(file->diagnosis, "shapes"),
                           "pragmas", json_object_get(file->diagnosis, "pragmas"), "device",
                           json_object_get(file->diagnosis, "device")));
    analysis->timer = g_timeout_add(LOOK_MS, look, analysis);
}
