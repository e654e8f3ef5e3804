// Text is made as a whole: modules have a few hundred kilobytes.
#include "module.h"

#include <string.h>

#include "base/diagnostic.h"
#include "gcluster/module.h"

static void append_binary(GString *text, const void *bytes, gsize size) {
    g_autofree char *encoded = g_base64_encode(bytes, size);
    g_string_append_printf(text, "\n%s%" G_GSIZE_FORMAT "\n", GCL_MODULE_BEGIN, size);
    for (const char *at = encoded; *at; at += strnlen(at, GCL_MODULE_LINE))
        g_string_append_printf(text, "%s%.*s\n", GCL_MODULE_COMMENT, GCL_MODULE_LINE, at);
    g_string_append(text, GCL_MODULE_END "\n");
}

static void append_names(GString *text, const char *path) {
    g_autofree char *names = NULL;
    if (!g_file_get_contents(path, &names, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(g_strchomp(names), "\n", -1);
    for (char **line = lines; *line; line++)
        g_string_append_printf(text, "\n%s%s", GCL_MODULE_NAME, *line);
}

// Without a kernel that GPUs can run there is no PTX: then the text has what it begins with.
static GString *begin_text(const char *ptx) {
    g_autofree char *text = NULL;
    bool is_there = g_file_get_contents(ptx, &text, NULL, NULL);
    return g_string_new(is_there ? text : ".version 8.5\n.target sm_60\n.address_size 64\n");
}

bool gcl_module_write_text(const char *ptx, const char *names, const char *binary,
                           const char *output, GPtrArray *diagnostics) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = begin_text(ptx);
    g_autofree char *bytes = NULL;
    gsize size;
    if (g_file_get_contents(binary, &bytes, &size, &error)) {
        append_names(text, names);
        append_binary(text, bytes, size);
        g_file_set_contents(output, text->str, (gssize)text->len, &error);
    }
    if (error)
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "%s", error->message);
    return error == NULL;
}
