// Explanations are JSON as the compiler writes it, and stay so: what is asked of them is looked up
// by name when it is asked. Lines are followed through edits by what differs between the analysed
// text and the current one: everything in front of the first and behind the last line that differs
// has only moved.
#include "lsp/kernel/kernels.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/names.h"
#include "base/reason.h"

#include "lsp/base/json.h"
#include "lsp/kernel/summary.h"

// Following lines.

bool gcl_kernels_follow(const struct gcl_view *view, const char *path, json_int_t line,
                        uint32_t *now) {
    g_autofree char *absolute = g_canonicalize_filename(path, view->directory);
    if (line < 1 || !view->analysed || strcmp(absolute, view->path) != 0 ||
        line > view->analysed->begins->len)
        return false;
    uint32_t old = (uint32_t)line - 1, olds = view->analysed->begins->len;
    bool is_in_front = old < view->kept_before;
    assert(view->kept_before + view->kept_behind <= olds);
    *now = is_in_front ? old : old + view->text->begins->len - olds;
    return is_in_front || old >= olds - view->kept_behind;
}

bool gcl_kernels_line(const struct gcl_view *view, const json_t *kernel, uint32_t *now) {
    return gcl_kernels_follow(view, gcl_json_words(kernel, "file"),
                              json_integer_value(json_object_get(kernel, "line")), now);
}

json_t *gcl_kernels_at(const struct gcl_view *view, uint32_t line) {
    json_t *kernel;
    uint32_t now;
    size_t i;
    json_array_foreach(view->kernels, i, kernel) {
        if (gcl_kernels_line(view, kernel, &now) && now == line)
            return kernel;
    }
    return NULL;
}

bool gcl_kernels_is_named(const json_t *kernel, const char *name) {
    size_t length = strlen(name);
    const char *full = gcl_json_words(kernel, "name");
    const char *own = strchr(full, '<') ? full : gcl_name_last(full);
    return strncmp(own, name, length) == 0 && (own[length] == '\0' || own[length] == '<');
}

json_t *gcl_kernels_named(const struct gcl_view *view, const char *name) {
    size_t i;
    json_t *kernel;
    json_array_foreach(view->kernels, i, kernel) {
        if (gcl_kernels_is_named(kernel, name))
            return kernel;
    }
    return NULL;
}

// Words.

unsigned gcl_kernels_code(const json_t *reason) {
    const char *code = gcl_json_words(reason, "code");
    return (unsigned)g_ascii_strtoull(code + MIN(strlen(code), strlen("GCL")), NULL, 10);
}

static const json_t *single_reason(const json_t *kernel) {
    json_t *reason;
    size_t i;
    json_array_foreach(json_object_get(kernel, "reasons"), i, reason) {
        if (strcmp(gcl_json_words(reason, "what"), "the kernel stays on one node") == 0)
            return reason;
    }
    return NULL;
}

void gcl_kernels_append_single(GString *out, const json_t *kernel) {
    const json_t *reason = single_reason(kernel);
    if (reason)
        g_string_append_printf(out, " · %s: %s", gcl_json_words(reason, "code"),
                               gcl_json_words(reason, "why"));
}

const char *gcl_kernels_combined(const json_t *kernel, const char *name) {
    g_autofree char *words = gcl_kernels_words(kernel, name);
    if (strstr(words, "written by several blocks"))
        return "merged";
    return strstr(words, "combined over all blocks") ? "combined" : NULL;
}

const json_t *gcl_kernels_find_argument(const json_t *kernel, const char *name) {
    json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(kernel, "arguments"), i, argument) {
        if (strcmp(gcl_json_words(argument, "name"), name) == 0)
            return argument;
    }
    return NULL;
}

// How sure it is that an access touches what its formula says; "" where it is certain.
static const char *doubt_of(const json_t *access) {
    static const char *const doubts[][2] = {{"bounded", " (at most these)"},
                                            {"inspected", " (looked up at launch)"},
                                            {"data", " (depends on data)"}};
    const char *certainty = gcl_json_words(access, "certainty");
    for (size_t i = 0; i < G_N_ELEMENTS(doubts); i++) {
        if (strcmp(certainty, doubts[i][0]) == 0)
            return doubts[i][1];
    }
    return "";
}

// Accesses with the same formula are one.
static void append_accesses(GString *out, const json_t *argument) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *access;
    size_t i;
    json_array_foreach(json_object_get(argument, "accesses"), i, access) {
        char *text = g_strdup_printf("- %s `%s`%s\n", gcl_json_words(access, "kind"),
                                     gcl_json_words(access, "formula"), doubt_of(access));
        if (!g_hash_table_contains(seen, text))
            g_string_append(out, text);
        g_hash_table_add(seen, text);
    }
}

char *gcl_kernels_words(const json_t *kernel, const char *name) {
    const json_t *words = json_object_get(gcl_kernels_find_argument(kernel, name), "words");
    GString *out = g_string_new(NULL);
    json_t *item;
    size_t i;
    json_array_foreach((json_t *)words, i, item)
        g_string_append_printf(out, "%s%s", i > 0 ? "; " : "", json_string_value(item));
    return g_string_free(out, FALSE);
}

char *gcl_kernels_halo(const json_t *kernel, const char *name) {
    g_autofree char *words = gcl_kernels_words(kernel, name), *halo = gcl_summary_halo(words);
    bool has_width = halo && !g_str_has_prefix(halo, "halo depends");
    return halo ? g_strdup_printf("%s: %s", has_width ? halo : "halo", name) : NULL;
}

const char *gcl_kernels_certainty(const json_t *kernel, const char *name) {
    const json_t *accesses = json_object_get(gcl_kernels_find_argument(kernel, name), "accesses");
    const char *worst = "exact";
    json_t *access;
    size_t i;
    json_array_foreach((json_t *)accesses, i, access) {
        const char *certainty = gcl_json_words(access, "certainty");
        if (strcmp(certainty, "exact") == 0)
            continue;
        if (strcmp(certainty, "bounded") != 0)
            return "data-dependent";
        worst = "bounded";
    }
    return worst;
}

static bool has_access(const json_t *kernel, const char *name, bool is_read) {
    const json_t *accesses = json_object_get(gcl_kernels_find_argument(kernel, name), "accesses");
    json_t *access;
    size_t i;
    json_array_foreach((json_t *)accesses, i, access) {
        if ((strcmp(gcl_json_words(access, "kind"), "read") == 0) == is_read)
            return true;
    }
    return false;
}

bool gcl_kernels_changes(const json_t *kernel, const char *name) {
    return has_access(kernel, name, false);
}

bool gcl_kernels_reads(const json_t *kernel, const char *name) {
    return has_access(kernel, name, true);
}

static void append_use(GString *out, const json_t *kernel, const json_t *argument) {
    g_autofree char *words = gcl_kernels_words(kernel, gcl_json_words(argument, "name"));
    g_autofree char *plain = gcl_summary_plain(words);
    g_string_append_printf(out, "Across nodes: %s\n\n", plain);
    append_accesses(out, argument);
}

static void append_reason(GString *out, const json_t *reason) {
    g_string_append_printf(out, "%s, because %s. Help: %s.\n", gcl_json_words(reason, "what"),
                           gcl_json_words(reason, "why"), gcl_json_words(reason, "advice"));
}

static void append_place(GString *out, const json_t *place) {
    g_autofree char *file = g_path_get_basename(gcl_json_words(place, "file"));
    if (json_is_object(place))
        g_string_append_printf(out, " (%s:%" JSON_INTEGER_FORMAT ")", file,
                               json_integer_value(json_object_get(place, "line")));
}

// A reason that many accesses have is said once: its words are in `said` then.
static void append_argument(GString *out, const json_t *kernel, const json_t *argument,
                            GHashTable *said) {
    const char *name = gcl_json_words(argument, "name");
    json_t *reason;
    size_t i;
    append_use(out, kernel, argument);
    json_array_foreach(json_object_get(kernel, "reasons"), i, reason) {
        if (strcmp(gcl_json_words(reason, "argument"), name) != 0)
            continue;
        GString *text = g_string_new(NULL);
        append_reason(text, reason);
        if (!g_hash_table_contains(said, text->str)) {
            g_string_append_printf(out, "\n%s", gcl_json_words(reason, "code"));
            append_place(out, json_object_get(reason, "place"));
            g_string_append_printf(out, ": %s", text->str);
        }
        g_hash_table_add(said, g_string_free(text, FALSE));
    }
}

char *gcl_kernels_argument(const json_t *kernel, const char *name) {
    size_t i, length = strlen(name);
    GString *out = g_string_new(NULL);
    g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *argument;
    json_array_foreach(json_object_get(kernel, "arguments"), i, argument) {
        const char *own = gcl_json_words(argument, "name");
        if (strncmp(own, name, length) != 0 || (own[length] != '\0' && own[length] != '.'))
            continue;
        if (own[length] == '.')
            g_string_append_printf(out, "%s**%s**\n\n", out->len ? "\n" : "", own);
        append_argument(out, kernel, argument, said);
    }
    g_autofree char *places = gcl_summary_places(out->str);
    if (*places)
        g_string_append_printf(out, "\n%s\n", places);
    return g_string_free(out, out->len == 0);
}

// Pages, and explanations that link to them.

static const char *title_of(unsigned code) {
    const char *why = gcl_reason_why((uint16_t)code);
    return *why ? why : gcl_diagnostic_title((int)code);
}

// The page's heading as GitHub and editors make an anchor of it.
json_t *gcl_kernels_page(const struct gcl_query *query, unsigned code) {
    const char *title = title_of(code), *cuda = query->worker->installation.cuda_directory;
    g_autofree char *folder = g_path_get_dirname(cuda);
    g_autofree char *path = g_build_filename(folder, "diagnostics.md", NULL);
    g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
    g_autoptr(GString) out = g_string_new(uri);
    g_string_append_printf(out, "#gcl%u-", code);
    for (const char *c = title ? title : ""; *c; c++) {
        if (g_ascii_isalnum(*c) || *c == '-' || *c == '_')
            g_string_append_c(out, g_ascii_tolower(*c));
        else if (*c == ' ')
            g_string_append_c(out, '-');
    }
    return json_string(out->str);
}

static void append_explained_reason(const struct gcl_query *query, GString *out,
                                    const json_t *reason) {
    json_t *page = gcl_kernels_page(query, gcl_kernels_code(reason));
    const char *argument = gcl_json_words(reason, "argument");
    g_string_append_printf(out, "\n- [%s](%s)", gcl_json_words(reason, "code"),
                           json_string_value(page));
    append_place(out, json_object_get(reason, "place"));
    g_string_append_printf(out, ": %s%s", argument, *argument ? ": " : "");
    append_reason(out, reason);
    json_decref(page);
}

char *gcl_kernels_explanation(const struct gcl_query *query, const json_t *kernel) {
    GString *out = g_string_new(NULL);
    json_t *item;
    size_t i;
    json_array_foreach(json_object_get(kernel, "arguments"), i, item) {
        g_string_append_printf(out, "### %s\n\n", gcl_json_words(item, "name"));
        append_use(out, kernel, item);
        g_string_append_c(out, '\n');
    }
    json_array_foreach(json_object_get(kernel, "reasons"), i, item) {
        if (i == 0)
            g_string_append(out, "### What stands in the way\n");
        append_explained_reason(query, out, item);
    }
    return g_string_free(out, FALSE);
}

static bool has_reason(const json_t *list, const json_t *reason) {
    json_t *other;
    size_t i;
    json_array_foreach((json_t *)list, i, other) {
        if (json_equal(json_object_get(other, "code"), json_object_get(reason, "code")))
            return true;
    }
    return false;
}

static void add_reasons(const struct gcl_query *query, const json_t *reasons, bool repeats,
                        json_t *list) {
    json_t *item;
    size_t i;
    json_array_foreach((json_t *)reasons, i, item) {
        if (!repeats && has_reason(list, item))
            continue;
        json_t *reason = json_copy(item);
        json_object_del(reason, "place");
        json_object_set_new(reason, "page", gcl_kernels_page(query, gcl_kernels_code(item)));
        json_array_append_new(list, reason);
    }
}

json_t *gcl_kernels_reasons(const struct gcl_query *query, const json_t *kernel,
                            const json_t *more) {
    json_t *list = json_array();
    add_reasons(query, json_object_get(kernel, "reasons"), true, list);
    add_reasons(query, more, false, list);
    return list;
}

json_int_t gcl_kernels_nodes(const struct gcl_query *query) {
    json_int_t count = json_integer_value(json_object_get(query->worker->settings, "nodes"));
    return count > 0 ? count : 4;
}
