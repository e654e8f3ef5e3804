// A row for each option that NVRTC documents. What only steers NVIDIA's compiler is left out. The
// compiler runs in a folder of its own, so paths become absolute.
#include "api/nvrtc/options.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind {
    PASS,   ///< as gcluster-cc has it
    PATH,   ///< the same, with a path
    IGNORE, ///< steers NVIDIA's compiler alone
    ARCH,   ///< an architecture
    DEVICE, ///< what a function is for
    CLOSED, ///< where headers are
};

static const struct option {
    const char *name;
    const char *alias; ///< NULL: none
    const char *pass;  ///< what gcluster-cc calls it
    bool has_value;
    enum kind kind;
} table[] = {
    {"--gpu-architecture", "-arch", "-arch", true, ARCH},
    {"--gpu-code", "-code", NULL, true, IGNORE},
    {"--include-path", "-I", "-I", true, PATH},
    {"--pre-include", "-include", "-include", true, PATH},
    {"-isystem", NULL, "-isystem", true, PATH},
    {"--define-macro", "-D", "-D", true, PASS},
    {"--undefine-macro", "-U", "-U", true, PASS},
    {"--std", "-std", "-std", true, PASS},
    {"--use_fast_math", "-use_fast_math", "-use_fast_math", false, PASS},
    {"--fmad", "-fmad", "-fmad", true, PASS},
    {"--ftz", "-ftz", "-ftz", true, PASS},
    {"--prec-div", "-prec-div", "-prec-div", true, PASS},
    {"--prec-sqrt", "-prec-sqrt", "-prec-sqrt", true, PASS},
    {"--maxrregcount", "-maxrregcount", "-maxrregcount", true, PASS},
    {"--device-debug", "-G", "-G", false, PASS},
    {"--generate-line-info", "-lineinfo", "-lineinfo", false, PASS},
    {"--disable-warnings", "-w", "-w", false, PASS},
    {"--device-as-default-execution-space", "-default-device", NULL, false, DEVICE},
    {"--relocatable-device-code", "-rdc", NULL, true, IGNORE},
    {"--device-c", "-dc", NULL, false, IGNORE},
    {"--device-w", "-dw", NULL, false, IGNORE},
    {"--dopt", "-dopt", NULL, true, IGNORE},
    {"--Ofast-compile", "-Ofc", NULL, true, IGNORE},
    {"--ptxas-options", "-Xptxas", NULL, true, IGNORE},
    {"--extra-device-vectorization", "-extra-device-vectorization", NULL, false, IGNORE},
    {"--restrict", "-restrict", NULL, false, IGNORE},
    {"--extensible-whole-program", "-ewp", NULL, false, IGNORE},
    {"--modify-stack-limit", "-modify-stack-limit", NULL, true, IGNORE},
    {"--dlink-time-opt", "-dlto", NULL, false, IGNORE},
    {"--builtin-move-forward", "-builtin-move-forward", NULL, true, IGNORE},
    {"--builtin-initializer-list", "-builtin-initializer-list", NULL, true, IGNORE},
    {"--no-source-include", "-no-source-include", NULL, false, CLOSED},
    {"--no-cache", "-no-cache", NULL, false, IGNORE},
    {"--minimal", "-minimal", NULL, false, IGNORE},
    {"--device-int128", "-device-int128", NULL, false, IGNORE},
    {"--device-float128", "-device-float128", NULL, false, IGNORE},
    {"--optimization-info", "-opt-info", NULL, true, IGNORE},
    {"--display-error-number", "-err-no", NULL, false, IGNORE},
    {"--no-display-error-number", "-no-err-no", NULL, false, IGNORE},
    {"--diag-error", "-diag-error", NULL, true, IGNORE},
    {"--diag-suppress", "-diag-suppress", NULL, true, IGNORE},
    {"--diag-warn", "-diag-warn", NULL, true, IGNORE},
    {"--brief-diagnostics", "-brief-diag", NULL, true, IGNORE},
    {"--split-compile", "-split-compile", NULL, true, IGNORE},
    {"--fdevice-time-trace", "-fdevice-time-trace", NULL, true, IGNORE},
    {"--device-stack-protector", "-device-stack-protector", NULL, true, IGNORE},
};

/// What follows a name in an option: "" if nothing does; NULL: the option is another one. The value
/// of a letter needn't be separate.
static const char *rest_of(const char *option, const char *name) {
    size_t length = name ? strlen(name) : 0;
    if (!name || strncmp(option, name, length) != 0)
        return NULL;
    const char *rest = option + length;
    bool is_separate = *rest == 0 || *rest == '=' || isspace((unsigned char)*rest);
    return is_separate || length == 2 ? rest : NULL;
}

static const struct option *find(const char *text, const char **rest) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        *rest = rest_of(text, table[i].name);
        if (!*rest)
            *rest = rest_of(text, table[i].alias);
        if (*rest && (table[i].has_value || !**rest))
            return &table[i];
    }
    return NULL;
}

static const char *skip(const char *text) {
    text += *text == '=';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static void add_path(struct gcl_words *words, const char *option, const char *path) {
    char folder[PATH_MAX];
    struct gcl_text text = {.bytes = NULL};
    if (path[0] != '/' && getcwd(folder, sizeof folder))
        gcl_text_add_format(&text, "%s/", folder);
    gcl_text_add(&text, path);
    gcl_words_add(words, option);
    if (!text.is_lost)
        gcl_words_add(words, text.bytes);
    gcl_text_finish(&text);
}

static void add_value(struct gcl_words *words, const struct option *option, const char *value) {
    struct gcl_text text = {.bytes = NULL};
    bool is_letter = strlen(option->pass) == 2; // -DX=1
    gcl_text_add_format(&text, option->has_value ? "%s%s%s" : "%s", option->pass,
                        is_letter ? "" : "=", value);
    if (!text.is_lost)
        gcl_words_add(words, text.bytes);
    words->is_lost |= text.is_lost;
    gcl_text_finish(&text);
}

static void take(struct gcl_nvrtc_options *read, const struct option *option, const char *value) {
    switch (option->kind) {
    case IGNORE:
        return;
    case DEVICE:
        gcl_words_add(&read->words, "-D__GCL_DEVICE_BY_DEFAULT");
        return;
    case CLOSED:
        read->is_closed = true;
        return;
    case PATH:
        add_path(&read->words, option->pass, value);
        return;
    case ARCH:
        read->is_virtual = strncmp(value, "sm_", 3) != 0;
        break;
    case PASS:
        break;
    }
    add_value(&read->words, option, value);
}

void gcl_nvrtc_options_add_folder(struct gcl_nvrtc_options *read, const char *folder) {
    add_path(&read->words, "-I", folder);
}

bool gcl_nvrtc_options_read(const char *const *options, int count, struct gcl_nvrtc_options *read,
                            const char **wrong) {
    *read = (struct gcl_nvrtc_options){.is_virtual = true};
    for (int i = 0; i < count; i++) {
        const char *rest, *text = options[i] ? skip(options[i]) : "";
        const struct option *option = *text ? find(text, &rest) : NULL;
        if (*text == 0)
            continue;
        *wrong = options[i];
        if (!option)
            return false;
        const char *value = skip(rest);
        if (option->has_value && !*value && i + 1 < count && options[i + 1])
            value = options[++i];
        if (option->has_value && !*value)
            return false;
        take(read, option, value);
    }
    return true;
}
