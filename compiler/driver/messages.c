// A message is a block of lines: "In file included from" lines, the line with the severity, then
// source text, carets and notes up to the next such start.
#include "messages.h"

#include <stdbool.h>
#include <string.h>

static char *strip_colour(const char *line) {
    GString *plain = g_string_new(NULL);
    for (const char *c = line; *c; c++) {
        if (c[0] == '\033' && c[1] == '[')
            c += strcspn(c, "mK");
        else
            g_string_append_c(plain, *c);
        if (!*c)
            break;
    }
    return g_string_free(plain, FALSE);
}

static bool has_severity(const char *line) {
    static const char *const severities[] = {"error: ", "warning: ", "remark: "};
    for (size_t i = 0; i < G_N_ELEMENTS(severities); i++) {
        const char *found = strstr(line, severities[i]);
        if (found && (found == line || found[-1] == ' '))
            return true;
    }
    return false;
}

static bool is_prelude(const char *line) {
    return g_str_has_prefix(line, "In file included from ") ||
           g_str_has_prefix(line, "                 from ");
}

static bool is_summary(const char *line) {
    return g_ascii_isdigit(line[0]) && strstr(line, " generated") != NULL &&
           (strstr(line, "warning") != NULL || strstr(line, "error") != NULL);
}

// The first line of a message without the name of the option or code at its end. libclang's errors
// are never fatal.
static char *make_key(const char *line) {
    const char *bracket = strrchr(line, '[');
    bool named = bracket && bracket > line && bracket[-1] == ' ' && g_str_has_suffix(line, "]");
    g_autoptr(GString) key = g_string_new_len(line, named ? bracket - line : -1);
    g_string_replace(key, ": fatal error: ", ": error: ", 1);
    return g_strchomp(g_strdup(key->str));
}

// Appends the lines of `log` to `out`, without the messages in `seen`, to which new ones are added.
static void append_log(GString *out, const char *log, GHashTable *seen) {
    g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
    g_autoptr(GString) prelude = g_string_new(NULL);
    bool dropping = false;
    for (char **line = lines; *line && (line[1] || **line); line++) {
        g_autofree char *plain = strip_colour(*line);
        if (is_summary(plain))
            continue;
        if (is_prelude(plain)) {
            g_string_append_printf(prelude, "%s\n", *line);
            continue;
        }
        if (has_severity(plain)) {
            dropping = !g_hash_table_add(seen, make_key(plain));
            if (!dropping)
                g_string_append(out, prelude->str);
            g_string_truncate(prelude, 0);
        }
        if (!dropping)
            g_string_append_printf(out, "%s\n", *line);
    }
}

char *gcl_messages_join(const char *host, const char *device) {
    GString *out = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (host)
        append_log(out, host, seen);
    if (device)
        append_log(out, device, seen);
    return g_string_free(out, FALSE);
}
