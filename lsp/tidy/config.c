// Options of checks are values that the checks themselves interpret. Those of the analyzer go to
// clang instead, where some name files, and commands that would be run (ctu-invocation-list).
#include "lsp/tidy/config.h"

#include <glib.h>

#include "lsp/base/json.h"
#include "lsp/tidy/yaml.h"

static json_t *options_of(const json_t *config) {
    json_t *options = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(config, "CheckOptions"), name, value) {
        if (json_is_string(value) && !g_str_has_prefix(name, "clang-analyzer-"))
            json_object_set(options, name, value);
    }
    return options;
}

// clang says its warnings without clang-tidy; and which headers a CUDA source lacks can't be told,
// since it has cuda_runtime.h without including it.
#define EXCEPT "-clang-diagnostic-*,-misc-include-cleaner"

// Words that choose among what the checks find: lists of checks, and regular expressions.
static void add_choices(const json_t *config, json_t *out) {
    static const char *const names[] = {"WarningsAsErrors", "HeaderFilterRegex",
                                        "ExcludeHeaderFilterRegex"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *words = gcl_json_words(config, names[i]);
        if (*words)
            json_object_set_new(out, names[i], gcl_json_text(words));
    }
}

json_t *gcl_tidy_config(const char *dump) {
    json_t *config = gcl_yaml_parse(dump), *found = NULL;
    g_autofree char *checks = g_strdup(gcl_json_words(config, "Checks"));
    if (*g_strstrip(checks)) {
        found = json_pack("{s:o, s:o}", "Checks", json_sprintf("%s," EXCEPT, checks),
                          "CheckOptions", options_of(config));
        add_choices(config, found);
    }
    json_decref(config);
    return found;
}
