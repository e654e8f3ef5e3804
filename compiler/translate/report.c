// Counts are taken from the files' facts, use by use; nothing here finds out anything new.
#include "translate/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "translate/page/page.h"
#include "translate/translation.h"
#include "translate/tree.h"

/// How many uses there are, by what is known of them.
struct counts {
    json_int_t found, converted, compiled, verified;
};

/// What a file's uses have in common.
struct state {
    bool compiles, verified;
};

// jansson takes UTF-8 alone: other bytes of names and messages become replacement characters.
static json_t *text_json(const char *text) {
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
    return valid ? json_string(valid) : json_null();
}

static json_t *path_json(const struct gcl_translation *t, const char *path) {
    const char *relative = path ? gcl_tree_relative(t->options->in_root, path) : NULL;
    return text_json(relative ? relative : path);
}

static json_t *trial_json(enum gcl_trial trial) {
    return trial == GCL_TRIAL_NOT ? json_null() : json_boolean(trial == GCL_TRIAL_GOOD);
}

static void count(struct counts *counts, enum gcl_keep keep, struct state state) {
    bool converted = keep == GCL_KEEP_NONE;
    counts->found++;
    counts->converted += converted;
    counts->compiled += converted && state.compiles;
    counts->verified += converted && state.compiles && state.verified;
}

static void add_counts(struct counts *sum, const struct counts *part) {
    sum->found += part->found;
    sum->converted += part->converted;
    sum->compiled += part->compiled;
    sum->verified += part->verified;
}

static json_t *counts_json(const struct counts *counts) {
    return json_pack("{s:I, s:I, s:I, s:I}", "found", counts->found, "converted", counts->converted,
                     "compiled", counts->compiled, "verified", counts->verified);
}

static struct state state_of(const struct gcl_translation *t,
                             const struct gcl_translate_file *file) {
    return (struct state){gcl_translation_compiled(t, file) == GCL_TRIAL_GOOD,
                          t->verified == GCL_TRIAL_GOOD};
}

static const struct gcl_source_use *use_at(const struct gcl_unit_file *unit, guint i) {
    return &g_array_index(unit->uses, struct gcl_source_use, i);
}

static const struct gcl_source_launch *launch_at(const struct gcl_unit_file *unit, guint i) {
    return &g_array_index(unit->launches, struct gcl_source_launch, i);
}

// Files.

static json_t *files_json(const struct gcl_translation *t, struct counts *uses,
                          struct counts *launches) {
    json_t *files = json_array();
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        struct counts own_uses = {0}, own_launches = {0};
        for (guint u = 0; u < file->unit->uses->len; u++)
            count(&own_uses, use_at(file->unit, u)->keep, state_of(t, file));
        for (guint l = 0; l < file->unit->launches->len; l++)
            count(&own_launches, launch_at(file->unit, l)->keep, state_of(t, file));
        json_array_append_new(
            files,
            json_pack("{s:o, s:b, s:o, s:o, s:o}", "path", text_json(file->relative), "changed",
                      file->text != NULL, "compiled", trial_json(gcl_translation_compiled(t, file)),
                      "uses", counts_json(&own_uses), "launches", counts_json(&own_launches)));
        add_counts(uses, &own_uses);
        add_counts(launches, &own_launches);
    }
    return files;
}

static json_t *sources_json(const struct gcl_translation *t, json_int_t *failed) {
    json_t *sources = json_array();
    for (guint i = 0; i < t->sources->len; i++) {
        const struct gcl_translate_source *source = t->sources->pdata[i];
        *failed += source->failure != NULL;
        json_array_append_new(sources,
                              json_pack("{s:o, s:o, s:o, s:o}", "path", text_json(source->relative),
                                        "failure", text_json(source->failure), "compiled",
                                        trial_json(source->compiled), "complaint",
                                        text_json(source->complaint)));
    }
    return sources;
}

// Names of the API.

/// One name in all files.
struct api {
    const struct gcl_name *name;
    struct counts counts;
};

static int compare_apis(const void *left, const void *right) {
    const struct api *a = left, *b = right;
    return strcmp(a->name->cuda, b->name->cuda);
}

static struct api *find_api(GHashTable *apis, const struct gcl_name *name) {
    struct api *api = g_hash_table_lookup(apis, name);
    if (!api) {
        api = g_new0(struct api, 1);
        api->name = name;
        g_hash_table_insert(apis, (void *)name, api);
    }
    return api;
}

static void count_names(const struct gcl_translation *t, GHashTable *apis) {
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        for (guint u = 0; u < file->unit->uses->len; u++) {
            const struct gcl_source_use *use = use_at(file->unit, u);
            count(&find_api(apis, use->name)->counts, use->keep, state_of(t, file));
        }
    }
}

static json_t *apis_json(const struct gcl_translation *t) {
    GHashTable *apis = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(struct api));
    json_t *list = json_array();
    GHashTableIter iterator;
    void *api;
    count_names(t, apis);
    g_hash_table_iter_init(&iterator, apis);
    while (g_hash_table_iter_next(&iterator, NULL, &api))
        g_array_append_vals(sorted, api, 1);
    g_array_sort(sorted, compare_apis);
    for (guint i = 0; i < sorted->len; i++) {
        const struct api *entry = &g_array_index(sorted, struct api, i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "name", entry->name->cuda,
                                              "to", entry->name->gcl, "kind",
                                              gcl_name_kind_text(entry->name->kind), "uses",
                                              counts_json(&entry->counts)));
    }
    g_hash_table_unref(apis);
    return list;
}

// What stays.

static const char *advice_for(enum gcl_keep keep) {
    switch (keep) {
    case GCL_KEEP_DECLARED:
    case GCL_KEEP_MEMBER:
        return "nothing to do: it is the program's own name, or means the same as it stands";
    case GCL_KEEP_STRINGIFIED:
        return "nothing to do: what the program prints stays as it is";
    case GCL_KEEP_MACRO:
        return "nothing to do: gcluster's headers know the name, too";
    case GCL_KEEP_CHILD:
        return "nothing has to be done for gcluster-cc; for other compilers launch it from host "
               "code";
    case GCL_KEEP_IN_KERNEL:
        return "launch it from host code";
    default:
        return "nothing has to be done: gcluster-cc compiles a launch as it stands; write it "
               "without the macro or directive to have it translated";
    }
}

static json_t *kept_json(const struct gcl_unit_file *unit, const char *relative, const char *name,
                         uint32_t offset, enum gcl_keep keep) {
    uint32_t line, column;
    gcl_unit_file_locate(unit, offset, &line, &column);
    return json_pack("{s:o, s:i, s:i, s:s, s:s, s:s}", "path", text_json(relative), "line",
                     (int)line, "column", (int)column, "name", name, "reason", gcl_keep_text(keep),
                     "advice", advice_for(keep));
}

static json_t *all_kept_json(const struct gcl_translation *t) {
    json_t *all = json_array();
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        for (guint u = 0; u < file->unit->uses->len; u++) {
            const struct gcl_source_use *use = use_at(file->unit, u);
            if (use->keep != GCL_KEEP_NONE)
                json_array_append_new(all, kept_json(file->unit, file->relative, use->name->cuda,
                                                     use->range.begin, use->keep));
        }
        for (guint l = 0; l < file->unit->launches->len; l++) {
            const struct gcl_source_launch *launch = launch_at(file->unit, l);
            if (launch->keep != GCL_KEEP_NONE)
                json_array_append_new(all, kept_json(file->unit, file->relative, "<<<",
                                                     launch->chevrons.begin, launch->keep));
        }
    }
    return all;
}

static json_t *unsupported_json(const struct gcl_translation *t) {
    json_t *all = json_array();
    for (guint i = 0; i < t->unsupported->len; i++) {
        const struct gcl_diagnostic *d = t->unsupported->pdata[i];
        json_t *code = d->code ? json_sprintf("GCL%d", (int)d->code) : json_null();
        json_array_append_new(all, json_pack("{s:o, s:i, s:i, s:o, s:o, s:o}", "path",
                                             path_json(t, d->path), "line", (int)d->line, "column",
                                             (int)d->column, "code", code, "message",
                                             text_json(d->message), "help", text_json(d->help)));
    }
    return all;
}

// Paths in what the compiler says of kernels are absolute.
static void shorten_paths(const struct gcl_translation *t, json_t *value) {
    const char *name;
    json_t *member;
    size_t i;
    json_array_foreach(value, i, member) shorten_paths(t, member);
    json_object_foreach(value, name, member) {
        if (strcmp(name, "file") == 0 && json_is_string(member))
            json_object_set_new(value, name, path_json(t, json_string_value(member)));
        else
            shorten_paths(t, member);
    }
}

static json_t *kernels_json(const struct gcl_translation *t) {
    json_t *kernels = json_deep_copy(t->kernels);
    shorten_paths(t, kernels);
    return kernels;
}

static json_t *scripts_json(const struct gcl_translation *t) {
    json_t *scripts = json_array();
    for (guint i = 0; i < t->scripts->len; i++) {
        const struct gcl_translate_script *script = t->scripts->pdata[i];
        json_array_append_new(scripts, json_pack("{s:o, s:b}", "path", text_json(script->relative),
                                                 "changed", script->text != NULL));
    }
    return scripts;
}

json_t *gcl_report(const struct gcl_translation *t) {
    struct counts uses = {0}, launches = {0};
    json_int_t failed = 0, changed = 0;
    json_t *sources = sources_json(t, &failed), *files = files_json(t, &uses, &launches);
    for (guint i = 0; i < t->files->len; i++)
        changed += ((const struct gcl_translate_file *)t->files->pdata[i])->text != NULL;
    json_t *totals =
        json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "sources", (json_int_t)t->sources->len,
                  "failed", failed, "files", (json_int_t)t->files->len, "changed", changed, "uses",
                  counts_json(&uses), "launches", counts_json(&launches));
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:O?}", "version", 1,
                     "root", text_json(t->options->in_root), "output",
                     text_json(t->options->in_place ? t->options->in_root : t->options->out_root),
                     "totals", totals, "sources", sources, "files", files, "apis", apis_json(t),
                     "kept", all_kept_json(t), "unsupported", unsupported_json(t), "kernels",
                     kernels_json(t), "scripts", scripts_json(t), "verification", t->verification);
}

static char *document_of(const json_t *report) {
    char *text = json_dumps(report, JSON_INDENT(2));
    char *whole = g_strconcat(text, "\n", NULL);
    free(text);
    return whole;
}

bool gcl_report_write(const json_t *report, const char *path, GPtrArray *diagnostics) {
    bool is_page = g_str_has_suffix(path, ".html");
    g_autofree char *whole = is_page ? gcl_page(report) : document_of(report);
    g_autoptr(GBytes) bytes = g_bytes_new(whole, strlen(whole));
    return gcl_tree_write(path, bytes, 0644, diagnostics);
}
