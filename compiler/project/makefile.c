// A Makefile is data that anybody may have written: its text is looked at line by line, variables
// are replaced by what was assigned to them, and nothing that make could run is run.
#include "project/makefile.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <glib.h>

enum { DEPTH_MAX = 20 }; // variables in variables

static void expand(GString *out, const char *text, GHashTable *variables, int depth);

// The reference that begins at `at`, behind its `$`; returns what follows it.
static const char *expand_reference(GString *out, const char *at, GHashTable *variables,
                                    int depth) {
    if (*at == '$') {
        g_string_append_c(out, '$');
        return at + 1;
    }
    if (*at != '(' && *at != '{')
        return *at ? at + 1 : at;
    char open = *at, close = open == '(' ? ')' : '}';
    int level = 0;
    const char *end = at;
    do {
        level += (*end == open) - (*end == close);
        end++;
    } while (*end && level > 0);
    if (level > 0)
        return end;
    assert(end - at >= 2 && end[-1] == close);
    g_autofree char *name = g_strndup(at + 1, (gsize)(end - at - 2));
    const char *value = g_hash_table_lookup(variables, g_strstrip(name));
    if (value)
        expand(out, value, variables, depth + 1);
    return end;
}

static void expand(GString *out, const char *text, GHashTable *variables, int depth) {
    if (depth > DEPTH_MAX)
        return;
    while (*text) {
        if (*text == '$')
            text = expand_reference(out, text + 1, variables, depth);
        else
            g_string_append_c(out, *text++);
    }
}

static char *expanded(const char *text, GHashTable *variables) {
    GString *out = g_string_new(NULL);
    expand(out, text, variables, 0);
    return g_string_free(out, FALSE);
}

// "NAME = value", ":=", "::=", "?=", "+="; false if the line is none of them.
static bool assign(GHashTable *variables, const char *line) {
    const char *equals = strchr(line, '=');
    if (!equals || line[0] == '\t' || line[0] == '#')
        return false;
    const char *end = equals;
    while (end > line && strchr(":?+", end[-1]))
        end--;
    g_autofree char *name = g_strndup(line, (gsize)(end - line));
    const char *old = g_hash_table_lookup(variables, g_strstrip(name));
    if (!*name || strpbrk(name, " \t:#"))
        return false;
    g_autofree char *value = g_strstrip(g_strndup(equals + 1, strcspn(equals + 1, "#")));
    if (equals > line && equals[-1] == '?' && old)
        return true;
    char *whole = equals > line && equals[-1] == '+' && old ? g_strconcat(old, " ", value, NULL)
                                                            : g_strdup(value);
    g_hash_table_replace(variables, g_strdup(name), whole);
    return true;
}

// The words behind nvcc if a recipe line calls it.
static char **call_of(const char *line, GHashTable *variables) {
    g_autofree char *command = expanded(line + strspn(line, "\t @-+"), variables);
    g_auto(GStrv) words = NULL;
    if (!g_shell_parse_argv(command, NULL, &words, NULL) || !words[0])
        return NULL;
    g_autofree char *program = g_path_get_basename(words[0]);
    return strcmp(program, "nvcc") == 0 || strcmp(program, "gcluster-cc") == 0
               ? g_strdupv(words + 1)
               : NULL;
}

static bool compiles(char **words) {
    static const char *const only[] = {"-c", "-dc", "--compile", "--device-c"};
    for (size_t i = 0; i < G_N_ELEMENTS(only); i++) {
        if (g_strv_contains((const char *const *)words, only[i]))
            return true;
    }
    return false;
}

char **gcl_makefile_nvcc(const char *text) {
    GHashTable *variables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_auto(GStrv) parts = g_strsplit(text, "\\\n", -1);
    g_autofree char *joined = g_strjoinv(" ", parts);
    g_auto(GStrv) lines = g_strsplit(joined, "\n", -1);
    char **found = NULL;
    g_hash_table_insert(variables, g_strdup("NVCC"), g_strdup("nvcc"));
    for (char **line = lines; *line; line++)
        assign(variables, *line);
    for (char **line = lines; *line && !(found && compiles(found)); line++) {
        char **words = **line == '\t' ? call_of(*line, variables) : NULL;
        if (!words || (found && !compiles(words))) {
            g_strfreev(words);
            continue;
        }
        g_strfreev(found);
        found = words;
    }
    g_hash_table_unref(variables);
    return found;
}
