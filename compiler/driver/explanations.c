// The process that compiles a source writes the explanations of its kernels to a file; the driver
// puts the files together in the order of the sources: text as it is, JSON as one document.
#include "explanations.h"

#include "device/device.h"

static void explanation_clear(void *data) {
    struct gcl_device_explanation *explanation = data;
    g_free(explanation->text);
    json_decref(explanation->json);
    json_decref(explanation->tables);
}

GArray *gcl_explanations_create(const struct gcl_options *options) {
    if (options->explain == GCL_EXPLAIN_NOT)
        return NULL;
    GArray *explanations = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_explanation));
    g_array_set_clear_func(explanations, explanation_clear);
    return explanations;
}

bool gcl_explanations_write(const GArray *explanations, const struct gcl_options *options,
                            const char *path) {
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *kernels = json_array();
    if (!explanations)
        return true;
    for (guint i = 0; i < explanations->len; i++) {
        const struct gcl_device_explanation *e =
            &g_array_index(explanations, struct gcl_device_explanation, i);
        g_string_append(text, e->text);
        if (options->explain == GCL_EXPLAIN_TABLES)
            json_object_set(e->json, "tables", e->tables);
        json_array_append(kernels, e->json);
    }
    bool good = options->explain != GCL_EXPLAIN_TEXT
                    ? json_dump_file(kernels, path, 0) == 0
                    : g_file_set_contents(path, text->str, (gssize)text->len, NULL);
    json_decref(kernels);
    return good;
}

static void print_json(const GPtrArray *paths, FILE *out) {
    json_t *all = json_array();
    for (guint i = 0; i < paths->len; i++) {
        json_t *kernels = json_load_file(paths->pdata[i], 0, NULL);
        if (kernels)
            json_array_extend(all, kernels);
        json_decref(kernels);
    }
    json_t *document = json_pack("{s:o}", "kernels", all);
    json_dumpf(document, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(document);
}

void gcl_explanations_print(const GPtrArray *paths, const struct gcl_options *options, FILE *out) {
    if (options->explain == GCL_EXPLAIN_JSON)
        print_json(paths, out);
    for (guint i = 0; options->explain == GCL_EXPLAIN_TEXT && i < paths->len; i++) {
        g_autofree char *text = NULL;
        if (g_file_get_contents(paths->pdata[i], &text, NULL, NULL))
            fputs(text, out);
    }
    fflush(out);
}
