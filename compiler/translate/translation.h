// A project on its way: compilations, and the files that they are made of.
#ifndef GCL_TRANSLATE_TRANSLATION_H
#define GCL_TRANSLATE_TRANSLATION_H

#include <stdbool.h>

#include <glib.h>
#include <jansson.h>

#include "frontend/text/unit.h"
#include "project/project.h"
#include "translate/command_line.h"

/// What has been found out by trying.
enum gcl_trial { GCL_TRIAL_NOT, GCL_TRIAL_GOOD, GCL_TRIAL_BAD };

/// One source file as the build compiles it.
struct gcl_translate_source {
    char *path;              ///< absolute, without links
    const char *relative;    ///< from the project's folder on
    char *directory;         ///< where the compiler is started
    GPtrArray *words;        ///< char *: gcluster-cc's, without the source
    GPtrArray *files;        ///< struct gcl_translate_file *, borrowed: itself and what it includes
    bool is_guessed;         ///< nobody says that it is compiled by itself
    char *failure;           ///< why it couldn't be read; NULL: it was
    enum gcl_trial compiled; ///< its translation
    char *complaint;         ///< of the compiler, if that is BAD
};

/// One file that compilations have in common.
struct gcl_translate_file {
    const char *relative;       ///< from the project's folder on
    struct gcl_unit_file *unit; ///< what all compilations know of it
    GBytes *text;               ///< translated; NULL: it stays as it is
};

/// A file that says how the project is built.
struct gcl_translate_script {
    const char *relative; ///< from the project's folder on
    GBytes *text;         ///< adapted; NULL: it stays as it is
};

struct gcl_translation {
    const struct gcl_translate_options *options;
    GPtrArray *sources;     ///< struct gcl_translate_source *
    GPtrArray *files;       ///< struct gcl_translate_file *, by path
    GPtrArray *tree;        ///< struct gcl_tree_entry *: what the project consists of
    GPtrArray *scripts;     ///< struct gcl_translate_script *, with --build-scripts
    GPtrArray *unsupported; ///< struct gcl_diagnostic *, each once
    GPtrArray *diagnostics; ///< struct gcl_diagnostic *: of the translation itself
    json_t *kernels;        ///< what --explain says of them, each once; paths without links
    enum gcl_trial verified;
    json_t *verification; ///< as verify.h has it; NULL: nobody has asked
    guint kernel_count;   ///< declarations and definitions of kernels that were seen
};

struct gcl_translation *gcl_translation_create(const struct gcl_translate_options *options);
void gcl_translation_destroy(struct gcl_translation *translation);

/// Fills in the sources, from what the build says and the user names; what can't be translated is
/// told in `diagnostics`.
void gcl_translation_find_sources(struct gcl_translation *translation);

/// Whether any file has to do with CUDA, or did before it was translated.
bool gcl_translation_has_cuda(const struct gcl_translation *translation);

/// Whether all compilations that a file is part of have compiled after the translation.
enum gcl_trial gcl_translation_compiled(const struct gcl_translation *translation,
                                        const struct gcl_translate_file *file);

#endif
