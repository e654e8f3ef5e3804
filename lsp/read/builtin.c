// Builtins stand in the order of strcmp, since they are searched by bisection.
#include "lsp/read/builtin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct gcl_builtin builtins[] = {
#define GCL_BUILTIN(name, signature, text) {#name, signature, text},
#include "lsp/read/builtins.inc"
#undef GCL_BUILTIN
};

static int compare(const void *name, const void *builtin) {
    return strcmp(name, ((const struct gcl_builtin *)builtin)->name);
}

const struct gcl_builtin *gcl_builtin_find(const char *name) {
    return bsearch(name, builtins, G_N_ELEMENTS(builtins), sizeof *builtins, compare);
}

const struct gcl_builtin *gcl_builtin_at(guint index) {
    if (index >= G_N_ELEMENTS(builtins))
        return NULL;
    assert(index == 0 || strcmp(builtins[index - 1].name, builtins[index].name) < 0);
    return &builtins[index];
}

GPtrArray *gcl_builtin_parameters(const struct gcl_builtin *builtin) {
    const char *open = strchr(builtin->signature, '('), *close = strrchr(builtin->signature, ')');
    if (!open || !close || !g_str_has_suffix(builtin->signature, ")") || open == builtin->signature)
        return NULL;
    size_t length = strlen(builtin->name);
    if (strncmp(open - MIN((size_t)(open - builtin->signature), length), builtin->name, length) !=
        0)
        return NULL;
    g_autofree char *text = g_strndup(open + 1, (gsize)(close - open) - 1);
    g_auto(GStrv) parts = g_strsplit(text, ", ", -1);
    GPtrArray *parameters = g_ptr_array_new_with_free_func(g_free);
    for (char **part = parts; *part && **part; part++)
        g_ptr_array_add(parameters, g_strdup(*part));
    return parameters;
}
