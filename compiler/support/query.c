// A name gets a paragraph, the matches of a pattern a line each.
#include "support/query.h"

#include <string.h>

#include <glib.h>
#include <jansson.h>

#include "support/support.h"

static const char *const words[] = {
    [GCL_SUPPORT_UNKNOWN] = "unknown",
    [GCL_SUPPORT_REFUSED] = "refused",
    [GCL_SUPPORT_PARTLY] = "partly",
    [GCL_SUPPORT_FULL] = "supported",
};

static bool is_pattern(const char *name) {
    return strpbrk(name, "*?") != NULL;
}

static void write_field(FILE *out, const char *title, const char *text) {
    if (text)
        fprintf(out, "    %-10s %s\n", title, text);
}

// "cudaMalloc: function, supported", and what there is to say of it.
static void write_paragraph(FILE *out, const struct gcl_support *support) {
    bool is_known = support->level != GCL_SUPPORT_UNKNOWN;
    fprintf(out, "%s: %s%s%s\n", support->name, is_known ? support->kind : "", is_known ? ", " : "",
            gcl_support_level_text(support->level));
    write_field(out, "becomes", support->mapping);
    write_field(out, "header", support->header);
    write_field(out, "since", support->since);
    write_field(out, support->level == GCL_SUPPORT_REFUSED ? "part of" : "but", support->note);
    write_field(out, "instead", support->help);
    write_field(out, support->is_sampled ? "sampled by" : "tested by", support->tests);
    if (!is_known)
        write_field(out, "meant?", gcl_support_nearest(support->name));
}

static void write_line(FILE *out, const struct gcl_support *support) {
    g_autofree char *name = strcmp(support->kind, "header") == 0
                                ? g_strdup_printf("<%s>", support->name)
                                : g_strdup(support->name);
    fprintf(out, "%-40s %-16s %s\n", name, gcl_support_level_text(support->level),
            support->mapping ? support->mapping
            : support->note  ? support->note
                             : "");
}

static void set_text(json_t *object, const char *key, const char *text) {
    if (text)
        json_object_set_new(object, key, json_string(text));
}

static json_t *make_object(const struct gcl_support *support) {
    bool is_known = support->level != GCL_SUPPORT_UNKNOWN;
    json_t *object =
        json_pack("{s:s, s:s}", "name", support->name, "support", words[support->level]);
    set_text(object, "kind", is_known ? support->kind : NULL);
    set_text(object, "area", support->area);
    set_text(object, "mapping", support->mapping);
    set_text(object, "header", support->header);
    set_text(object, "since", support->since);
    set_text(object, "note", support->note);
    set_text(object, "help", support->help);
    set_text(object, "near", is_known ? NULL : gcl_support_nearest(support->name));
    if (support->tests) {
        g_auto(GStrv) tests = g_strsplit(support->tests, " ", -1);
        json_t *list = json_array();
        for (char **test = tests; *test; test++)
            json_array_append_new(list, json_string(*test));
        json_object_set_new(object, "tests", list);
        json_object_set_new(object, "sampled", json_boolean(support->is_sampled));
    }
    return object;
}

// What is known of the pattern's matches, or of the name.
static GArray *find_all(const char *name) {
    if (is_pattern(name))
        return gcl_support_match(name);
    GArray *one = g_array_new(FALSE, FALSE, sizeof(struct gcl_support));
    struct gcl_support support = gcl_support_find(name);
    return g_array_append_val(one, support);
}

bool gcl_query_write(FILE *out, const char *const *names, bool as_json) {
    json_t *list = json_array();
    bool all_known = true;
    for (; *names; names++) {
        g_autoptr(GArray) found = find_all(*names);
        bool is_line = is_pattern(*names);
        if (found->len == 0 && !as_json)
            fprintf(out, "%s: nothing matches\n", *names);
        all_known &= found->len > 0;
        for (guint i = 0; i < found->len; i++) {
            const struct gcl_support *support = &g_array_index(found, struct gcl_support, i);
            all_known &= support->level != GCL_SUPPORT_UNKNOWN;
            if (as_json)
                json_array_append_new(list, make_object(support));
            else
                (is_line ? write_line : write_paragraph)(out, support);
        }
    }
    if (as_json) {
        json_dumpf(list, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        fputc('\n', out);
    }
    json_decref(list);
    return all_known;
}
