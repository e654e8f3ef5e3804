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
