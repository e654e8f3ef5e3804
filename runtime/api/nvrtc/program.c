// Programs for NVRTC: what they consist of, and what became of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/driver/image.h"
#include "api/nvrtc/compile.h"
#include "api/nvrtc/options.h"
#include "api/nvrtc/text.h"
#include "gcluster/module.h"
#include "gcluster/nvrtc.h"

struct _nvrtcProgram {
    char *source;
    char *name;   ///< of the source's file
    char *folder; ///< that it is in, as the program says
    struct gcl_words headers, include_names;
    struct gcl_words expressions, lowered; ///< the latter in the order of the former
    bool is_compiled;
    bool is_virtual; ///< for an architecture of PTX
    struct gcl_text ptx, log;
};

const char *nvrtcGetErrorString(nvrtcResult result) {
    static const struct {
        nvrtcResult result;
        const char *name;
    } names[] = {
#define NVRTC_RESULT(name, value) {name, #name},
#include "gcluster/nvrtc_results.h"
#undef NVRTC_RESULT
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].result == result)
            return names[i].name;
    }
    return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = GCLRT_VERSION / 1000;
    *minor = GCLRT_VERSION % 1000 / 10;
    return NVRTC_SUCCESS;
}

// Those of gcluster-cc.
static const int architectures[] = {60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    *count = sizeof architectures / sizeof architectures[0];
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *numbers) {
    if (!numbers)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(numbers, architectures, sizeof architectures);
    return NVRTC_SUCCESS;
}

// Life.

static void destroy(nvrtcProgram program) {
    gcl_words_finish(&program->headers);
    gcl_words_finish(&program->include_names);
    gcl_words_finish(&program->expressions);
    gcl_words_finish(&program->lowered);
    gcl_text_finish(&program->ptx);
    gcl_text_finish(&program->log);
    free(program->source);
    free(program->name);
    free(program->folder);
    free(program);
}

/// A file's name for a source: that of the path which the program calls it.
static char *file_name(const char *name) {
    const char *slash = name ? strrchr(name, '/') : NULL;
    char *copy = strdup(slash ? slash + 1 : name && *name ? name : "default_program");
    for (char *c = copy; c && *c; c++) // no option, and no name of a folder
        *c = (char)(strchr("\\\"\n\r", *c) || (c == copy && (*c == '-' || *c == '@')) ? '_' : *c);
    return copy;
}

static char *folder_name(const char *name) {
    const char *slash = name ? strrchr(name, '/') : NULL;
    return slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *include_names) {
    if (!program || !source || header_count < 0 ||
        (header_count > 0 && (!headers || !include_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < header_count; i++) {
        if (!headers[i] || !include_names[i] || !gcl_nvrtc_is_name(include_names[i]))
            return NVRTC_ERROR_INVALID_INPUT;
    }
    nvrtcProgram made = calloc(1, sizeof *made);
    if (!made)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    made->source = strdup(source);
    made->name = file_name(name);
    made->folder = folder_name(name);
    for (int i = 0; i < header_count; i++) {
        gcl_words_add(&made->headers, headers[i]);
        gcl_words_add(&made->include_names, include_names[i]);
    }
    if (!made->source || !made->name || !made->folder || made->headers.is_lost ||
        made->include_names.is_lost) {
        destroy(made);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *program = made;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    if (!program || !*program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    destroy(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

// Compiling.

/// The source, and behind it what names kernels and variables that are asked for by expressions.
static void write_source(const struct _nvrtcProgram *program, struct gcl_text *text) {
    gcl_text_add_format(text, "%s\n", program->source);
    if (program->expressions.count == 0)
        return;
    // What isn't const stays on the host, but what it names is compiled for devices.
    gcl_text_add(text, "__attribute__((used)) static const void *" GCL_MODULE_NAMES "[] = {");
    for (size_t i = 0; i < program->expressions.count; i++) {
        const char *expression = program->expressions.words[i];
        gcl_text_add_format(text, "(const void *)(&%s),\n", expression + (*expression == '&'));
    }
    gcl_text_add(text, "};\n");
}

static nvrtcResult compile(nvrtcProgram program, struct gcl_nvrtc_options *options) {
    struct gcl_text source = {.bytes = NULL};
    if (!options->is_closed)
        gcl_nvrtc_options_add_folder(options, program->folder);
    size_t count = program->headers.count;
    struct gcl_nvrtc_file *files = calloc(count + 1, sizeof *files);
    write_source(program, &source);
    nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
    if (files && !source.is_lost) {
        files[0] = (struct gcl_nvrtc_file){program->name, source.bytes};
        for (size_t i = 0; i < count; i++)
            files[i + 1] =
                (struct gcl_nvrtc_file){program->include_names.words[i], program->headers.words[i]};
        result = gcl_nvrtc_compile(&(struct gcl_nvrtc_job){files, count + 1, &options->words},
                                   &program->ptx, &program->log);
    }
    free(files);
    gcl_text_finish(&source);
    return result;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count,
                                const char *const *options) {
    struct gcl_nvrtc_options read;
    const char *wrong;
    if (!program || option_count < 0 || (option_count > 0 && !options))
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    gcl_text_finish(&program->ptx);
    gcl_text_finish(&program->log);
    nvrtcResult result = NVRTC_ERROR_INVALID_OPTION;
    if (!gcl_nvrtc_options_read(options, option_count, &read, &wrong))
        gcl_text_add_format(&program->log, "gcluster: NVRTC has no option '%s'\n", wrong);
    else
        result = compile(program, &read);
    program->is_virtual = read.is_virtual;
    gcl_words_finish(&read.words);
    program->is_compiled = result == NVRTC_SUCCESS;
    return result;
}

// What became of it.

static nvrtcResult give_size(nvrtcProgram program, size_t *size, size_t value) {
    if (!program || !size)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    *size = value;
    return NVRTC_SUCCESS;
}

static nvrtcResult give_text(const struct gcl_text *text, char *out) {
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, text->bytes ? text->bytes : "", text->size + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) {
    return give_size(program, size, program ? program->log.size + 1 : 0);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    return program ? give_text(&program->log, log) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) {
    if (program && !program->is_compiled)
        return NVRTC_ERROR_INVALID_PROGRAM;
    return give_size(program, size, program ? program->ptx.size + 1 : 0);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) {
    if (!program || !program->is_compiled)
        return NVRTC_ERROR_INVALID_PROGRAM;
    return give_text(&program->ptx, ptx);
}

/// The binary, of size 0 if there is none; to be freed.
static nvrtcResult find_binary(nvrtcProgram program, struct gcl_driver_image *image) {
    const char *why;
    *image = (struct gcl_driver_image){NULL, 0, NULL};
    if (!program || !program->is_compiled)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (program->is_virtual)
        return NVRTC_SUCCESS;
    return gcl_driver_image_read(program->ptx.bytes, program->ptx.size + 1, image, &why) ==
                   CUDA_SUCCESS
               ? NVRTC_SUCCESS
               : NVRTC_ERROR_INTERNAL_ERROR;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) {
    struct gcl_driver_image image;
    nvrtcResult result = find_binary(program, &image);
    if (result == NVRTC_SUCCESS)
        result = give_size(program, size, image.size);
    free(image.owned);
    return result;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) {
    struct gcl_driver_image image;
    nvrtcResult result = find_binary(program, &image);
    if (result == NVRTC_SUCCESS && cubin && image.size > 0)
        memcpy(cubin, image.bytes, image.size);
    free(image.owned);
    return result == NVRTC_SUCCESS && !cubin ? NVRTC_ERROR_INVALID_INPUT : result;
}

// Names.

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
    if (!program || !expression || !*expression)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (program->is_compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    gcl_words_add(&program->expressions, expression);
    return program->expressions.is_lost ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_SUCCESS;
}

/// Reads the names that the compiler has written, in the order of the expressions.
static void read_names(nvrtcProgram program) {
    const char *at = program->ptx.bytes;
    while ((at = strstr(at, "\n" GCL_MODULE_NAME)) != NULL) {
        at += strlen("\n" GCL_MODULE_NAME);
        char *name = strndup(at, strcspn(at, "\n"));
        if (name)
            gcl_words_add(&program->lowered, name);
        program->lowered.is_lost |= !name;
        free(name);
    }
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
    if (!program || !expression || !name)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (!program->is_compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    if (program->lowered.count == 0)
        read_names(program);
    for (size_t i = 0; i < program->expressions.count && i < program->lowered.count; i++) {
        if (strcmp(program->expressions.words[i], expression) != 0 || !*program->lowered.words[i])
            continue;
        *name = program->lowered.words[i];
        return NVRTC_SUCCESS;
    }
    return program->lowered.is_lost ? NVRTC_ERROR_OUT_OF_MEMORY
                                    : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
