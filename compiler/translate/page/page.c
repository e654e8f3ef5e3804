// The page from top to bottom: what became of the project in figures, its kernels, what isn't
// supported, files and names.
#include "translate/page/page.h"

#include <string.h>

#include "support/support.h"
#include "translate/page/entry.h"
#include "translate/page/kernels.h"
#include "translate/page/markup.h"
#include "translate/page/style.h"

// The figures at the top.

// How much of a whole, as a picture: its width is given by attributes, which need no style.
static void write_bar(GString *page, long long part, long long whole) {
    gcl_markup(page,
               "<svg class=bar viewBox=\"0 0 100 7\" preserveAspectRatio=\"none\" "
               "role=\"img\" aria-label=\"%lld of %lld\">"
               "<rect width=\"%lld\" height=\"7\"/></svg>",
               part, whole, whole > 0 ? part * 100 / whole : 0);
}

static void write_counts_card(GString *page, const char *title, const json_t *counts) {
    long long found = gcl_entry_number(counts, "found"),
              converted = gcl_entry_number(counts, "converted"),
              compiled = gcl_entry_number(counts, "compiled"),
              verified = gcl_entry_number(counts, "verified");
    gcl_markup(page, "<div class=card>%s<b>%lld</b>", title, found);
    write_bar(page, compiled, found);
    gcl_markup(page, "%lld converted · %lld compiled", converted, compiled);
    if (json_object_get(counts, "verified"))
        gcl_markup(page, " · %lld verified", verified);
    g_string_append(page, "</div>\n");
}

static void write_kernels_card(GString *page, const json_t *kernels) {
    long long counts[GCL_VERDICT_COUNT] = {0}, all = (long long)json_array_size(kernels);
    for (size_t i = 0; i < json_array_size(kernels); i++)
        counts[gcl_verdict_of(json_array_get(kernels, i))]++;
    gcl_markup(page, "<div class=card>Kernels<b>%lld</b>", all);
    write_bar(page, all - counts[GCL_VERDICT_ALONE], all);
    gcl_markup(page, "%lld split · %lld on one node</div>\n", all - counts[GCL_VERDICT_ALONE],
               counts[GCL_VERDICT_ALONE]);
}

static void write_cards(GString *page, const json_t *report) {
    const json_t *totals = json_object_get(report, "totals");
    long long sources = gcl_entry_number(totals, "sources"),
              failed = gcl_entry_number(totals, "failed"),
              refused = (long long)json_array_size(json_object_get(report, "unsupported"));
    g_string_append(page, "<div class=cards>\n");
    gcl_markup(page, "<div class=card>Sources<b>%lld</b>", sources);
    write_bar(page, sources - failed, sources);
    gcl_markup(page, "%lld of %lld files changed · %lld unread</div>\n",
               gcl_entry_number(totals, "changed"), gcl_entry_number(totals, "files"), failed);
    write_counts_card(page, "Uses of CUDA's API", json_object_get(totals, "uses"));
    write_counts_card(page, "Launches", json_object_get(totals, "launches"));
    write_kernels_card(page, json_object_get(report, "kernels"));
    gcl_markup(page, "<div class=card>Not supported<b class=%s>%lld</b>%s</div>\n</div>\n",
               refused > 0 ? "bad" : "good", refused,
               refused > 0 ? "places; what to do instead is below" : "nothing in the way");
}

// Tables.

static void begin_section(GString *page, const char *title, const char *const *columns) {
    gcl_markup(page, "<section><h2>%s</h2>\n<table><thead><tr>", title);
    for (; *columns; columns++)
        gcl_markup(page, "<th>%s</th>", *columns);
    g_string_append(page, "</tr></thead><tbody>\n");
}

static void end_section(GString *page) {
    g_string_append(page, "</tbody></table></section>\n");
}

static void write_unsupported(GString *page, const json_t *list) {
    static const char *const columns[] = {"place", "what", "instead", NULL};
    const json_t *entry;
    size_t i;
    if (json_array_size(list) == 0)
        return;
    begin_section(page, "Not supported, or not understood", columns);
    json_array_foreach(list, i, entry) {
        g_string_append(page, "<tr><td>");
        gcl_markup_place(page, gcl_entry_text(entry, "path"), gcl_entry_number(entry, "line"));
        gcl_markup(page, "</td><td>%s <b class=code>%s</b></td><td>%s</td></tr>\n",
                   gcl_entry_text(entry, "message"), gcl_entry_text(entry, "code"),
                   gcl_entry_text(entry, "help"));
    }
    end_section(page);
}

static bool is_trouble(const json_t *source) {
    return *gcl_entry_text(source, "failure") || *gcl_entry_text(source, "complaint");
}

static void write_failures(GString *page, const json_t *sources) {
    static const char *const columns[] = {"source", "what happened", NULL};
    const json_t *source;
    size_t i, count = 0;
    json_array_foreach(sources, i, source) count += is_trouble(source);
    if (count == 0)
        return;
    begin_section(page, "Sources that failed", columns);
    json_array_foreach(sources, i, source) {
        if (!is_trouble(source))
            continue;
        g_string_append(page, "<tr><td>");
        gcl_markup_place(page, gcl_entry_text(source, "path"), 0);
        gcl_markup(page, "</td><td>%s<pre>%s</pre></td></tr>\n", gcl_entry_text(source, "failure"),
                   gcl_entry_text(source, "complaint"));
    }
    end_section(page);
}

// Four cells.
static void write_counts(GString *page, const json_t *counts) {
    static const char *const keys[] = {"found", "converted", "compiled", "verified"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (json_object_get(counts, keys[i]))
            gcl_markup(page, "<td class=number>%lld</td>", gcl_entry_number(counts, keys[i]));
        else
            g_string_append(page, "<td class=number>–</td>");
    }
}

static const char *compiled_text(const json_t *file) {
    const json_t *compiled = json_object_get(file, "compiled");
    return json_is_true(compiled) ? "yes" : json_is_false(compiled) ? "no" : "not tried";
}

static void write_files(GString *page, const json_t *files) {
    static const char *const columns[] = {"file",      "changed",  "compiles", "uses",
                                          "converted", "compiled", "verified", "launches",
                                          "converted", "compiled", "verified", NULL};
    const json_t *file;
    size_t i;
    begin_section(page, "Files", columns);
    json_array_foreach(files, i, file) {
        g_string_append(page, "<tr><td>");
        gcl_markup_place(page, gcl_entry_text(file, "path"), 0);
        gcl_markup(page, "</td><td>%s</td><td class=%s>%s</td>",
                   json_is_true(json_object_get(file, "changed")) ? "yes" : "no",
                   json_is_false(json_object_get(file, "compiled")) ? "bad" : "note",
                   compiled_text(file));
        write_counts(page, json_object_get(file, "uses"));
        write_counts(page, json_object_get(file, "launches"));
        g_string_append(page, "</tr>\n");
    }
    end_section(page);
}

static void write_names(GString *page, const json_t *names) {
    static const char *const columns[] = {"name",     "becomes",  "uses",      "converted",
                                          "compiled", "verified", "supported", NULL};
    const json_t *name;
    size_t i;
    if (json_array_size(names) == 0)
        return;
    begin_section(page, "Names of the API", columns);
    json_array_foreach(names, i, name) {
        struct gcl_support support = gcl_support_find(gcl_entry_text(name, "name"));
        gcl_markup(page, "<tr><td><code>%s</code></td><td><code>%s</code></td>",
                   gcl_entry_text(name, "name"), gcl_entry_text(name, "to"));
        write_counts(page, json_object_get(name, "uses"));
        gcl_markup(page, "<td>%s%s%s</td></tr>\n", gcl_support_level_text(support.level),
                   support.note ? ": " : "", support.note ? support.note : "");
    }
    end_section(page);
}

static void write_kept(GString *page, const json_t *kept) {
    static const char *const columns[] = {"place", "name", "why it stays", "what to do", NULL};
    const json_t *entry;
    size_t i;
    if (json_array_size(kept) == 0)
        return;
    begin_section(page, "What stays as it stands", columns);
    json_array_foreach(kept, i, entry) {
        g_string_append(page, "<tr><td>");
        gcl_markup_place(page, gcl_entry_text(entry, "path"), gcl_entry_number(entry, "line"));
        gcl_markup(page, "</td><td><code>%s</code></td><td>%s</td><td>%s</td></tr>\n",
                   gcl_entry_text(entry, "name"), gcl_entry_text(entry, "reason"),
                   gcl_entry_text(entry, "advice"));
    }
    end_section(page);
}

static void write_scripts(GString *page, const json_t *scripts) {
    static const char *const columns[] = {"build file", "changed", "notes", NULL};
    const json_t *script, *note;
    size_t i, n;
    if (json_array_size(scripts) == 0)
        return;
    begin_section(page, "Build files", columns);
    json_array_foreach(scripts, i, script) {
        g_string_append(page, "<tr><td>");
        gcl_markup_place(page, gcl_entry_text(script, "path"), 0);
        gcl_markup(page, "</td><td>%s</td><td>",
                   json_is_true(json_object_get(script, "changed")) ? "yes" : "no");
        json_array_foreach(json_object_get(script, "notes"), n, note)
            gcl_markup(page, "<p>%s</p>", json_string_value(note));
        g_string_append(page, "</td></tr>\n");
    }
    end_section(page);
}

static void write_verification(GString *page, const json_t *verification) {
    if (!json_is_object(verification))
        return;
    bool passed = json_is_true(json_object_get(verification, "passed"));
    gcl_markup(page,
               "<section><h2>Verification</h2>\n<p><code>%s</code> in the project and in its "
               "translation: <b class=%s>%s</b></p>\n",
               gcl_entry_text(verification, "command"), passed ? "good" : "bad",
               passed ? "the same" : "not the same");
    if (!passed)
        gcl_markup(page, "<p>%s</p><pre>%s</pre><pre>%s</pre>\n",
                   gcl_entry_text(verification, "reason"), gcl_entry_text(verification, "original"),
                   gcl_entry_text(verification, "translation"));
    g_string_append(page, "</section>\n");
}

static void write_head(GString *page, const json_t *report) {
    const char *root = gcl_entry_text(report, "root"), *output = gcl_entry_text(report, "output");
    g_autofree char *name = g_path_get_basename(root);
    g_string_append(page,
                    "<!DOCTYPE html>\n<html lang=en><head><meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'\">\n"
                    "<meta name=viewport content=\"width=device-width\">\n");
    gcl_markup(page, "<title>%s on gcluster</title>\n<style>\n", name);
    g_string_append(page, gcl_page_style);
    gcl_markup(page, "</style></head>\n<body><header><h1>%s on gcluster</h1><p class=path>%s", name,
               root);
    if (*output)
        gcl_markup(page, " → %s", output);
    g_string_append(page, "</p></header>\n");
}

char *gcl_page(const json_t *report) {
    GString *page = g_string_new(NULL);
    const json_t *kernels = json_object_get(report, "kernels");
    write_head(page, report);
    write_cards(page, report);
    write_verification(page, json_object_get(report, "verification"));
    gcl_kernels_map(page, kernels);
    write_unsupported(page, json_object_get(report, "unsupported"));
    write_failures(page, json_object_get(report, "sources"));
    gcl_kernels_table(page, kernels);
    write_files(page, json_object_get(report, "files"));
    write_names(page, json_object_get(report, "apis"));
    write_kept(page, json_object_get(report, "kept"));
    write_scripts(page, json_object_get(report, "scripts"));
    g_string_append(page, "</body></html>\n");
    return g_string_free(page, FALSE);
}
