// The pipeline on one screen.
#include "translate/translate.h"

#include <stdio.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/options/installation.h"
#include "driver/process.h"
#include "translate/intercept.h"
#include "translate/read.h"
#include "translate/report.h"
#include "translate/rewrite.h"
#include "translate/scripts.h"
#include "translate/stage.h"
#include "translate/terminal.h"
#include "translate/translation.h"
#include "translate/trial.h"
#include "translate/verify.h"

static void say_nothing_to_do(struct gcl_translation *t) {
    struct gcl_source_location location = {.path = t->options->in_root};
    if (t->sources->len == 0)
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_NO_CUDA, &location,
                            "name files, or the folder of compile_commands.json with -p",
                            "no CUDA: there is no source that is CUDA or speaks of it");
    else
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_NO_CUDA, &location, NULL,
                            "no CUDA: neither kernels nor names of its API in %u sources",
                            t->sources->len);
}

static bool has_failures(const struct gcl_translation *t) {
    for (guint i = 0; i < t->sources->len; i++) {
        const struct gcl_translate_source *source = t->sources->pdata[i];
        if (source->failure || source->compiled == GCL_TRIAL_BAD)
            return true;
    }
    return t->unsupported->len > 0 || t->verified == GCL_TRIAL_BAD;
}

// The report, and the translation where the user wants it. False: that can't be written.
static bool finish(struct gcl_translation *t, struct gcl_stage *stage) {
    json_t *report = gcl_report(t);
    bool good = gcl_stage_commit(stage, t, report);
    if (t->options->report)
        good = gcl_report_write(report, t->options->report, t->diagnostics) && good;
    gcl_terminal_print(report, stdout, isatty(STDOUT_FILENO));
    json_decref(report);
    return good;
}

// The commands of a build, before anybody reads what there is.
static bool record(const struct gcl_translation *t, struct gcl_workspace *workspace) {
    const struct gcl_translate_options *options = t->options;
    return !options->intercept ||
           gcl_intercept(workspace, (const char *const *)options->intercept,
                         options->build ? options->build : options->in_root, t->diagnostics);
}

static int translate(struct gcl_translation *t, struct gcl_workspace *workspace,
                     const struct gcl_installation *installation) {
    g_autofree char *compiler = g_build_filename(installation->prefix, "bin", "gcluster-cc", NULL);
    const struct gcl_tools tools = {workspace, compiler};
    gcl_translation_find_sources(t);
    gcl_read_sources(t, &tools);
    if (!gcl_translation_has_cuda(t)) {
        say_nothing_to_do(t);
        return gcl_diagnostics_have_error(t->diagnostics) ? 2 : 0;
    }
    gcl_rewrite_files(t);
    if (t->options->build_scripts)
        gcl_rewrite_scripts(t);
    struct gcl_stage stage;
    bool good = gcl_stage_begin(&stage, t, workspace);
    if (good) {
        gcl_try_compiling(t, &tools, stage.path);
        if (t->options->verify)
            gcl_verify(t, &tools, stage.path);
        good = finish(t, &stage);
    }
    gcl_stage_end(&stage);
    return !good || gcl_diagnostics_have_error(t->diagnostics) ? 2 : has_failures(t);
}

int gcl_translate(const struct gcl_translate_options *options) {
    struct gcl_translation *t = gcl_translation_create(options);
    struct gcl_installation installation;
    struct gcl_workspace workspace;
    int status = 2;
    gcl_installation_init(&installation, t->diagnostics);
    if (!gcl_diagnostics_have_error(t->diagnostics) &&
        gcl_workspace_init(&workspace, t->diagnostics)) {
        if (!record(t, &workspace) || options->only_records)
            status = gcl_diagnostics_have_error(t->diagnostics) ? 2 : 0;
        else
            status = translate(t, &workspace, &installation);
        gcl_workspace_finish(&workspace);
    }
    gcl_diagnostics_print(t->diagnostics, stderr, isatty(STDERR_FILENO));
    gcl_installation_finish(&installation);
    gcl_translation_destroy(t);
    return status;
}
