// ld's messages are the only list of what a program lacks, archives included: GNU ld and gold write
// "undefined reference to `f'", lld "undefined symbol: f", both after demangling.
#include "undefined.h"

#include <string.h>

#include "base/diagnostic.h"
#include "objects.h"
#include "support/unsupported.h"

static void report(const char *name, GPtrArray *diagnostics) {
    const struct gcl_unsupported *entry = gcl_unsupported_find(name, strlen(name));
    if (entry && !gcl_unsupported_is_vague(entry))
        gcl_diagnostics_add(diagnostics, entry->code, NULL, entry->help,
                            "'%s' is called and is not supported (%s)", name, entry->part);
}

// The symbol that a message names; NULL for a member of a namespace or class, which no function of
// CUDA's libraries is.
static char *take_symbol(const char *text) {
    text += strspn(text, " `'\"");
    size_t length = strspn(text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_");
    return text[length] == ':' ? NULL : g_strndup(text, length);
}

void gcl_undefined_explain(const char *log, GPtrArray *diagnostics) {
    static const char *const markers[] = {"undefined reference to ", "undefined symbol: "};
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(markers); i++) {
        for (const char *at = log; (at = strstr(at, markers[i]));) {
            at += strlen(markers[i]);
            char *name = take_symbol(at);
            if (name && !g_hash_table_contains(seen, name))
                report(name, diagnostics);
            if (name)
                g_hash_table_add(seen, name);
        }
    }
}

void gcl_undefined_check(const char *path, GPtrArray *diagnostics) {
    g_autoptr(GPtrArray) names = gcl_object_list_undefined(path);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const struct gcl_unsupported *entry = gcl_unsupported_find(name, strlen(name));
        if (entry && entry->code == GCL_CODE_UNSUPPORTED_LIBRARY)
            report(name, diagnostics);
    }
}
