// All files are rewritten by the compiler's own rules, as if they were those of one compilation,
// but for what macros make strings of. gcluster-cc leaves that alone, for a program must print what
// its
// author wrote. Here the text changes in front of its author's eyes, and CHECK(cudaMalloc(…)) would
// leave most projects as they are. A name that is all there is in the macro's parentheses stays: it
// is there for the string.
#include "translate/rewrite.h"

#include "frontend/text/rewrite.h"
#include "translate/tree.h"

// The byte before (-1) or behind (1) a range that isn't blank; 0: there is none.
static char next_to(GBytes *text, struct gcl_source_range range, int direction) {
    gsize size, at = direction < 0 ? range.begin : range.end;
    const char *bytes = g_bytes_get_data(text, &size);
    while (direction < 0 ? at > 0 : at < size) {
        char byte = direction < 0 ? bytes[--at] : bytes[at++];
        if (!g_ascii_isspace(byte))
            return byte;
    }
    return '\0';
}

static bool is_alone(const struct gcl_unit_file *unit, const struct gcl_source_use *use) {
    GBytes *text = gcl_unit_file_text(unit);
    char behind = next_to(text, use->range, 1);
    return (use->name->kind == GCL_NAME_FUNCTION && behind != '(') ||
           (next_to(text, use->range, -1) == '(' && behind == ')');
}

static void release_printed(struct gcl_unit_file *unit) {
    for (guint i = 0; i < unit->uses->len; i++) {
        struct gcl_source_use *use = &g_array_index(unit->uses, struct gcl_source_use, i);
        if (use->keep == GCL_KEEP_STRINGIFIED && !is_alone(unit, use))
            use->keep = GCL_KEEP_NONE;
    }
    for (guint i = 0; i < unit->launches->len; i++) {
        struct gcl_source_launch *launch =
            &g_array_index(unit->launches, struct gcl_source_launch, i);
        if (launch->keep == GCL_KEEP_STRINGIFIED)
            launch->keep = GCL_KEEP_NONE;
    }
}

void gcl_rewrite_files(struct gcl_translation *t) {
    struct gcl_source_unit *all = gcl_unit_create();
    g_ptr_array_set_free_func(all->sources, NULL); // they are the files'
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        release_printed(file->unit);
        if (gcl_tree_has(t->tree, file->relative))
            g_ptr_array_add(all->sources, file->unit);
    }
    GPtrArray *rewritten = gcl_rewrite(all);
    for (guint i = 0; i < t->files->len; i++) {
        struct gcl_translate_file *file = t->files->pdata[i];
        file->text = gcl_rewrite_text(file->unit, rewritten);
    }
    g_ptr_array_unref(rewritten);
    gcl_unit_destroy(all);
}
