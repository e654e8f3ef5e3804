// --check-rewrite: the proof that rewriting changed what it says and nothing else.
#include "frontend/parse/check.h"

#include <string.h>

#include "base/diagnostic.h"
#include "frontend/text/edit.h"

static void fail(GPtrArray *diagnostics, const char *path, uint32_t line, const char *message) {
    struct gcl_source_location location = {.path = path, .line = line, .column = 1, .length = 1};
    gcl_diagnostics_add(diagnostics, GCL_CODE_CHECK_FAILED, &location, NULL, "%s", message);
}

static guint count_lines(GBytes *bytes) {
    size_t size;
    const char *text = g_bytes_get_data(bytes, &size);
    guint count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n' || text[i] == '\r';
    return count;
}

static bool check_undo(const struct gcl_edits *edits, GBytes *original, GBytes *rewritten,
                       GPtrArray *diagnostics) {
    GBytes *back = gcl_edits_undo(edits, original, rewritten);
    bool same = back && g_bytes_equal(back, original);
    bool lines = count_lines(original) == count_lines(rewritten);
    if (back)
        g_bytes_unref(back);
    if (!same)
        fail(diagnostics, edits->path, 0, "undoing the edits doesn't give back the input");
    if (!lines)
        fail(diagnostics, edits->path, 0, "the rewritten text has another number of lines");
    return same && lines;
}

static bool is_known(const GPtrArray *messages, const struct gcl_diagnostic *message) {
    for (guint i = 0; i < messages->len; i++) {
        const struct gcl_diagnostic *known = messages->pdata[i];
        if (known->severity == message->severity && known->line == message->line &&
            g_strcmp0(known->path, message->path) == 0)
            return true;
    }
    return false;
}

static bool check_messages(const struct gcl_source_unit *before,
                           const struct gcl_source_unit *after, GPtrArray *diagnostics) {
    bool fine = true;
    for (guint i = 0; i < after->messages->len; i++) {
        const struct gcl_diagnostic *message = after->messages->pdata[i];
        if (message->severity < GCL_SEVERITY_WARNING || is_known(before->messages, message))
            continue;
        char *text = g_strdup_printf("new after rewriting: %s", message->message);
        fail(diagnostics, message->path ? message->path : "", message->line, text);
        g_free(text);
        fine = false;
    }
    return fine;
}

static bool check_left(const struct gcl_unit_file *source, GPtrArray *diagnostics) {
    bool fine = true;
    uint32_t line, column;
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (launch->keep != GCL_KEEP_NONE)
            continue;
        gcl_unit_file_locate(source, launch->chevrons.begin, &line, &column);
        fail(diagnostics, source->path, line, "a launch was left that could be rewritten");
        fine = false;
    }
    for (guint i = 0; i < source->uses->len; i++) {
        const struct gcl_source_use *use = &g_array_index(source->uses, struct gcl_source_use, i);
        if (use->keep != GCL_KEEP_NONE)
            continue;
        gcl_unit_file_locate(source, use->range.begin, &line, &column);
        fail(diagnostics, source->path, line, "a CUDA name was left that could be rewritten");
        fine = false;
    }
    return fine;
}

static bool check_parse(const struct gcl_source_unit *unit, const GArray *overlays,
                        const struct gcl_parse_options *options, GPtrArray *diagnostics) {
    struct gcl_parse_options again = *options;
    again.overlays = (const struct gcl_overlay *)(const void *)overlays->data;
    again.overlay_count = overlays->len;
    GPtrArray *ignored = gcl_diagnostics_create();
    struct gcl_source_unit *after = gcl_parse(&again, ignored);
    g_ptr_array_unref(ignored);
    if (!after) {
        fail(diagnostics, options->path, 0, "the rewritten text can't be parsed");
        return false;
    }
    bool fine = check_messages(unit, after, diagnostics);
    for (guint i = 0; i < after->sources->len; i++)
        fine &= check_left(after->sources->pdata[i], diagnostics);
    gcl_unit_destroy(after);
    return fine;
}

bool gcl_rewrite_check(const struct gcl_source_unit *unit, const GPtrArray *rewritten,
                       const struct gcl_parse_options *options, GPtrArray *diagnostics) {
    GArray *overlays = g_array_new(FALSE, FALSE, sizeof(struct gcl_overlay));
    bool fine = true;
    for (guint i = 0; i < rewritten->len; i++) {
        const struct gcl_edits *edits = rewritten->pdata[i];
        GBytes *original = gcl_unit_find(unit, edits->path)->bytes;
        struct gcl_overlay overlay = {edits->path, gcl_edits_apply(edits, original)};
        fine &= check_undo(edits, original, overlay.bytes, diagnostics);
        g_array_append_val(overlays, overlay);
    }
    fine &= check_parse(unit, overlays, options, diagnostics);
    for (guint i = 0; i < overlays->len; i++)
        g_bytes_unref(g_array_index(overlays, struct gcl_overlay, i).bytes);
    g_array_unref(overlays);
    return fine;
}
