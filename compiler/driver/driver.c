// The phases: compile every source, then link, archive or stop. What a source goes through is in
// compile.c, what clang and ld are told in commands.c.
#include "driver.h"

#include <assert.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "cache.h"
#include "cache_key.h"
#include "compile.h"
#include "config.h"
#include "device/device.h"
#include "device_link.h"
#include "driver/options/command_line.h"
#include "explanations.h"
#include "module.h"
#include "progress.h"
#include "undefined.h"

struct driver {
    const struct gcl_options *options;
    struct gcl_installation installation;
    struct gcl_workspace workspace;
    GStringChunk *strings;         ///< paths of all files
    GPtrArray *diagnostics;        ///< shown and emptied by flush
    struct gcl_cache *cache;       ///< NULL: there is none
    struct gcl_progress *progress; ///< NULL: nobody would see it
    bool colour;
};

/// A source on its way to an object.
struct job {
    guint index; ///< of the input
    struct gcl_compile compile;
    struct gcl_cache_key *key; ///< in the cache; NULL: it isn't kept there
};

// Shows what has been collected; true if none of it is an error.
static bool flush_diagnostics(struct driver *d) {
    bool good = !gcl_diagnostics_have_error(d->diagnostics);
    gcl_diagnostics_print(d->diagnostics, stderr, d->colour);
    g_ptr_array_set_size(d->diagnostics, 0);
    return good;
}

static const char *keep(struct driver *d, char *text) {
    const char *kept = g_string_chunk_insert(d->strings, text);
    g_free(text);
    return kept;
}

static const struct gcl_input *input_at(const struct driver *d, guint index) {
    assert(index < d->options->inputs->len);
    return &g_array_index(d->options->inputs, struct gcl_input, index);
}

// "dir/app.cu" is "app".
static char *stem_of(const char *path) {
    char *base = g_path_get_basename(path);
    char *dot = strrchr(base, '.');
    if (dot && dot != base)
        *dot = '\0';
    return base;
}

static const char *in_output_directory(struct driver *d, char *name) {
    g_autofree char *owned = name;
    const char *folder = d->options->output_directory;
    return keep(d, folder ? g_build_filename(folder, name, NULL) : g_strdup(name));
}

static const char *in_workspace(struct driver *d, guint index, const char *suffix) {
    g_autofree char *stem = stem_of(input_at(d, index)->path);
    g_autofree char *name = g_strdup_printf("%u.%s%s", index, stem, suffix);
    return keep(d, gcl_workspace_path(&d->workspace, name));
}

static const char *object_of(struct driver *d, guint index) {
    const char *suffix = d->options->module ? d->options->module : "o";
    if (!gcl_options_keep_objects(d->options))
        return in_workspace(d, index, ".o");
    if (d->options->output)
        return d->options->output;
    g_autofree char *stem = stem_of(input_at(d, index)->path);
    return in_output_directory(d, g_strconcat(stem, ".", suffix, NULL));
}

// The file for make's dependencies lies beside the object, or is named after the source when no
// object is kept, as gcc has it.
static const char *depend_file_of(struct driver *d, guint index, const char *object) {
    if (d->options->depend_file)
        return d->options->depend_file;
    g_autofree char *stem = stem_of(input_at(d, index)->path);
    if (!gcl_options_keep_objects(d->options) || !d->options->output)
        return in_output_directory(d, g_strconcat(stem, ".d", NULL));
    g_autofree char *folder = g_path_get_dirname(object);
    g_autofree char *object_stem = stem_of(object);
    g_autofree char *name = g_strconcat(object_stem, ".d", NULL);
    return keep(d, g_str_has_prefix(object, folder) ? g_build_filename(folder, name, NULL)
                                                    : g_steal_pointer(&name));
}

// Unique for an object and the same whenever that is built again: from source, output and flags.
static const char *make_unit_id(struct driver *d, const struct gcl_compilation *c) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    // Modules of one id may be loaded side by side, and are the same wherever they are made.
    g_autofree char *source = d->options->module ? g_strdup(c->input->path)
                                                 : g_canonicalize_filename(c->input->path, NULL);
    const char *kept = d->options->phase == GCL_PHASE_COMPILE ? c->object : "a.out";
    const char *output = d->options->output ? d->options->output : kept;
    g_autofree char *target =
        d->options->module ? g_strdup("") : g_canonicalize_filename(output, NULL);
    g_autoptr(GPtrArray) words = gcl_command_parse(c);
    g_ptr_array_add(words, g_strdup(d->options->arch));
    g_ptr_array_add(words, g_strdup(d->options->march ? d->options->march : ""));
    g_ptr_array_add(words, g_strdup(d->options->scalar ? "scalar" : "vector"));
    g_ptr_array_add(words, g_strdup_printf("sanitize %u", d->options->sanitize));
    g_ptr_array_add(words, g_strdup_printf("devices %u", d->options->devices));
    g_ptr_array_add(words, g_strdup(target));
    for (guint i = 0; i < words->len; i++)
        g_checksum_update(sum, words->pdata[i], (gssize)strlen(words->pdata[i]) + 1);
    g_checksum_update(sum, (const guchar *)source, -1);
    g_autofree char *base = g_path_get_basename(source);
    g_strcanon(base, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-", '_');
    return keep(d, g_strdup_printf("%s-%.16s", base, g_checksum_get_string(sum)));
}

// The terminating zero is part of the text: the runtime reads it as a string.
static bool write_id(struct driver *d, const struct gcl_compilation *c) {
    assert(c->unit_id && c->id_file);
    g_autoptr(GError) error = NULL;
    gssize size = (gssize)strlen(c->unit_id) + 1;
    if (!g_file_set_contents(c->id_file, c->unit_id, size, &error))
        gcl_diagnostics_add(d->diagnostics, GCL_CODE_FILE, NULL, NULL, "%s", error->message);
    return error == NULL;
}

static char *begin_output(struct driver *d, const char *path) {
    return d->options->dry_run ? g_strdup(path) : gcl_workspace_begin(&d->workspace, path);
}

// Names all files of a compilation and writes the one that exists before it starts.
static bool prepare(struct driver *d, guint index, struct gcl_compile *compile) {
    bool cuda = input_at(d, index)->language == GCL_LANGUAGE_CUDA;
    struct gcl_compilation *c = &compile->c;
    *c = (struct gcl_compilation){
        .options = d->options,
        .installation = &d->installation,
        .input = input_at(d, index),
        .object = object_of(d, index),
        .id_file = in_workspace(d, index, ".id"),
        .device_ir = in_workspace(d, index, ".device.ll"),
        .host_object = in_workspace(d, index, ".host.o"),
        .shapes_file = in_workspace(d, index, ".shapes"),
        .rewritten = in_workspace(d, index, ".again"),
        .explain_file = in_workspace(d, index, ".explain"),
        .pragmas_file = in_workspace(d, index, ".pragmas"),
        .names_file = in_workspace(d, index, ".names"),
        .device_object = in_workspace(d, index, ".device.o"),
        .progress = gcl_progress_text(d->progress, input_at(d, index)->path),
        .ptx_file =
            g_strcmp0(d->options->module, "ptx") == 0 ? in_workspace(d, index, ".ptx") : NULL,
        .colour = d->colour,
    };
    if (d->options->phase == GCL_PHASE_DUMP)
        c->object = "dump";
    if (d->options->device_target)
        c->device_object = keep(d, begin_output(d, c->object));
    if (d->options->depend)
        c->depend_output =
            keep(d, gcl_workspace_begin(&d->workspace, depend_file_of(d, index, c->object)));
    c->unit_id = make_unit_id(d, c);
    if (!g_file_test(c->input->path, G_FILE_TEST_EXISTS)) {
        gcl_diagnostics_add(d->diagnostics, GCL_CODE_FILE, NULL, NULL, "no such file: '%s'",
                            c->input->path);
        return false;
    }
    return !cuda || d->options->dry_run || write_id(d, c);
}

// Runs a process that the parent waits for; its messages are shown.
static bool run_job(struct driver *d, int (*body)(void *), void *context) {
    struct gcl_process process;
    g_autofree char *log = gcl_workspace_path(&d->workspace, "tool.log");
    gcl_process_start(&process, log, body, context);
    gcl_progress_wait(d->progress, &d->workspace, &process, 1);
    g_autofree char *text = NULL;
    if (g_file_get_contents(log, &text, NULL, NULL))
        fputs(text, stderr);
    if (process.status != 0 && text) {
        gcl_installation_explain(text, d->diagnostics);
        gcl_undefined_explain(text, d->diagnostics);
    }
    if (process.status >= 128)
        gcl_diagnostics_add(d->diagnostics, GCL_CODE_TOOL_CRASHED, NULL,
                            "this is a mistake in gcluster or the tool, not in the program",
                            "linking crashed: %s", g_strsignal(process.status - 128));
    g_free(process.log);
    return process.status == 0;
}

static int run_command(void *command) {
    return gcl_process_run(command, NULL);
}

static bool run_tool(struct driver *d, GPtrArray *command) {
    g_autoptr(GPtrArray) owned = command;
    if (d->options->verbose || d->options->dry_run)
        gcl_process_print(owned);
    return d->options->dry_run || run_job(d, run_command, owned);
}

static bool commit(struct driver *d, const char *temporary, const char *path) {
    return d->options->dry_run ||
           gcl_workspace_commit(&d->workspace, temporary, path, d->diagnostics);
}

// Runs a tool that writes `path`.
static bool run_writer(struct driver *d, GPtrArray *command, const char *temporary,
                       const char *path) {
    return run_tool(d, command) && commit(d, temporary, path);
}

// -keep: what the workspace holds of this compilation goes to the user.
static void keep_intermediates(struct driver *d, guint index) {
    g_autofree char *prefix = g_strdup_printf("%u.", index);
    const char *folder = d->options->keep_directory ? d->options->keep_directory : ".";
    GDir *directory = d->options->keep ? g_dir_open(d->workspace.directory, 0, NULL) : NULL;
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *from = gcl_workspace_path(&d->workspace, name);
        g_autofree char *to = g_build_filename(folder, name + strlen(prefix), NULL);
        g_autofree char *text = NULL;
        gsize size;
        if (g_str_has_prefix(name, prefix) && !g_str_has_suffix(name, ".log") &&
            g_file_get_contents(from, &text, &size, NULL))
            g_file_set_contents(to, text, (gssize)size, NULL);
    }
    if (directory)
        g_dir_close(directory);
}

// What the host half is registered by, under a name that differs from unit to unit; NULL without
// kernels.
static char *find_registration(const char *host_object) {
    g_autoptr(GPtrArray) names = gcl_object_list_undefined(host_object);
    for (guint i = 0; i < names->len; i++)
        if (g_str_has_prefix(names->pdata[i], "__cudaRegisterLinkedBinary"))
            return g_strdup(names->pdata[i]);
    return NULL;
}

// Adds the parts of an object of device code.
static void add_device_object(struct driver *d, GPtrArray *objects, const char *object) {
    g_ptr_array_add(objects, (gpointer)object);
    for (size_t part = 0; part < GCL_DEVICE_PARTS; part++) {
        const char *path = keep(d, gcl_device_part_path(object, part));
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            g_ptr_array_add(objects, (gpointer)path);
    }
}

static GPtrArray *join_halves(struct driver *d, const struct gcl_compilation *c,
                              const char *object) {
    bool cuda = c->input->language == GCL_LANGUAGE_CUDA;
    if (cuda && d->options->relocatable_device_code) {
        g_autofree char *registration = find_registration(c->host_object);
        return gcl_command_pack(c, registration, object);
    }
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_ptr_array_add(parts, (gpointer)c->host_object);
    if (cuda)
        add_device_object(d, parts, c->device_object);
    return gcl_command_join(&d->installation, parts, object);
}

// The cache.

static void remark_cache(const struct driver *d, const struct job *job, const char *text) {
    if (d->options->cache_remarks)
        fprintf(stderr, "%s: remark: %s [-Rgcluster=cache]\n", job->compile.c.input->path, text);
}

static bool write_bytes(struct driver *d, const char *path, GBytes *bytes) {
    g_autoptr(GError) error = NULL;
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (!g_file_set_contents(path, data ? data : "", (gssize)size, &error))
        gcl_diagnostics_add(d->diagnostics, GCL_CODE_FILE, NULL, NULL, "%s", error->message);
    return error == NULL;
}

/// Gives the user what compiling would.
static bool give(struct driver *d, const struct job *job, const struct gcl_cached *cached) {
    const struct gcl_compilation *c = &job->compile.c;
    g_autofree char *object = begin_output(d, c->object);
    gsize size;
    const char *messages = g_bytes_get_data(cached->messages, &size);
    fwrite(messages ? messages : "", 1, size, stderr);
    return write_bytes(d, object, cached->object) && commit(d, object, c->object) &&
           (!c->depend_output ||
            (write_bytes(d, c->depend_output, cached->rule) &&
             commit(d, c->depend_output, depend_file_of(d, job->index, c->object))));
}

/// Whether the source has been compiled before. `*good`: the user has what comes of it.
static bool take_from_cache(struct driver *d, struct job *job, bool *good) {
    struct gcl_cached cached = {.object = NULL};
    const char *why = "there is no cache";
    if (d->cache)
        job->key = gcl_cache_key(&job->compile.c, &d->workspace, &why);
    bool is_kept = job->key && job->key->text;
    bool is_there = is_kept && gcl_cache_find(d->cache, job->key->text, &cached);
    remark_cache(d, job, is_there ? "taken from the cache" : is_kept ? "not in the cache" : why);
    *good = is_there && give(d, job, &cached);
    gcl_cached_finish(&cached);
    return is_there;
}

static GBytes *read_bytes(const char *path) {
    char *text = NULL;
    gsize size = 0;
    if (path && !g_file_get_contents(path, &text, &size, NULL))
        return NULL;
    return g_bytes_new_take(text, size);
}

/// Reads what was made, before it has the names that other compilers may give to theirs.
static void read_made(const struct job *job, const char *object, struct gcl_cached *made) {
    if (!job->key || !job->key->text)
        return;
    made->object = read_bytes(object);
    made->rule = read_bytes(job->compile.c.depend_output);
}

static void keep_in_cache(struct driver *d, const struct job *job, const char *messages,
                          struct gcl_cached *made) {
    if (!made->object || !made->rule || !gcl_cache_key_holds(job->key))
        return;
    made->messages = g_bytes_new(messages, strlen(messages));
    gcl_cache_keep(d->cache, job->key->text, made);
}

// Compiling.

static bool write_module(struct driver *d, const struct gcl_compilation *c, const char *output) {
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autofree char *binary =
        c->ptx_file ? g_strconcat(c->ptx_file, ".so", NULL) : g_strdup(output);
    add_device_object(d, parts, c->device_object);
    return run_tool(d, gcl_command_module(&d->installation, parts, binary)) &&
           (!c->ptx_file || d->options->dry_run ||
            gcl_module_write_text(c->ptx_file, c->names_file, binary, output, d->diagnostics));
}

/// Makes the object of both branches' halves, and the rule for make; `*made` of what is kept.
static bool write_object(struct driver *d, const struct job *job, struct gcl_cached *made) {
    const struct gcl_compilation *c = &job->compile.c;
    if (d->options->device_target)
        return commit(d, c->device_object, c->object);
    g_autofree char *object = begin_output(d, c->object);
    if (d->options->module ? !write_module(d, c, object) : !run_tool(d, join_halves(d, c, object)))
        return false;
    read_made(job, object, made);
    return commit(d, object, c->object) &&
           (!c->depend_output ||
            commit(d, c->depend_output, depend_file_of(d, job->index, c->object)));
}

/// What follows when both branches have ended.
static bool finish(struct driver *d, struct job *job) {
    g_autofree char *messages = NULL;
    bool good = gcl_compile_report(&job->compile, d->diagnostics, &messages);
    keep_intermediates(d, job->index);
    for (size_t i = 0; i < job->compile.process_count; i++)
        g_free(job->compile.processes[i].log);
    if (!good || d->options->phase == GCL_PHASE_DUMP)
        return good;
    struct gcl_cached made = {.object = NULL};
    good = write_object(d, job, &made);
    if (good)
        keep_in_cache(d, job, messages, &made);
    gcl_cached_finish(&made);
    return good;
}

/// Starts what a source needs; none of it if it has been compiled before.
static bool start(struct driver *d, struct job *job) {
    bool good;
    if (!prepare(d, job->index, &job->compile))
        return false;
    if (take_from_cache(d, job, &good))
        return good;
    job->compile.c.cache = d->cache;
    for (int i = 0; i < GCL_PASS_COUNT && job->key; i++)
        job->compile.c.headers[i] = job->key->headers[i];
    if (d->options->phase == GCL_PHASE_DUMP)
        gcl_compile_dump(&job->compile);
    else
        gcl_compile_start(&job->compile);
    return true;
}

// Compiles some sources side by side.
static bool compile_batch(struct driver *d, struct job *jobs, guint count) {
    g_autofree struct gcl_process *processes = g_new0(struct gcl_process, 2 * (size_t)count);
    size_t process_count = 0;
    bool good = true;
    for (guint i = 0; i < count; i++) {
        good = start(d, &jobs[i]) && good;
        for (size_t j = 0; j < jobs[i].compile.process_count; j++)
            processes[process_count++] = jobs[i].compile.processes[j];
    }
    if (!d->options->dry_run)
        gcl_progress_wait(d->progress, &d->workspace, processes, process_count);
    process_count = 0;
    for (guint i = 0; i < count; i++) {
        struct gcl_compile *compile = &jobs[i].compile;
        for (size_t j = 0; j < compile->process_count; j++)
            compile->processes[j] = processes[process_count++];
        if (compile->process_count > 0)
            good = finish(d, &jobs[i]) && good;
        good = flush_diagnostics(d) && good;
        gcl_cache_key_free(jobs[i].key);
    }
    return good;
}

static bool compile_all(struct driver *d) {
    g_autoptr(GArray) jobs = g_array_new(FALSE, TRUE, sizeof(struct job));
    for (guint i = 0; i < d->options->inputs->len; i++) {
        const struct job job = {.index = i};
        if (input_at(d, i)->language != GCL_LANGUAGE_NONE)
            g_array_append_val(jobs, job);
    }
    bool good = true;
    for (guint begin = 0; begin < jobs->len; begin += d->options->jobs) {
        guint end = MIN(begin + d->options->jobs, jobs->len);
        good = compile_batch(d, &g_array_index(jobs, struct job, begin), end - begin) && good;
    }
    return good;
}

// What the linker gets: objects in the order of the inputs.
static GPtrArray *collect_objects(struct driver *d) {
    GPtrArray *objects = g_ptr_array_new();
    for (guint i = 0; i < d->options->inputs->len; i++) {
        const struct gcl_input *input = input_at(d, i);
        g_ptr_array_add(objects, input->language == GCL_LANGUAGE_NONE ? (gpointer)input->path
                                                                      : (gpointer)object_of(d, i));
    }
    return objects;
}

// What is known of the kernels of a whole program.
static const char *linked_explanation(struct driver *d) {
    return keep(d, gcl_workspace_path(&d->workspace, "linked.explain"));
}

// Compiles the device code of objects made with -rdc=true, if there are any. Returns false if that
// fails; `linked` is the object it makes, or NULL.
static bool link_device_code(struct driver *d, const GPtrArray *objects, const char **linked) {
    struct gcl_objects contents;
    bool good = true;
    gcl_objects_init(&contents);
    *linked = NULL;
    if (!d->options->dry_run && gcl_device_link_collect(d->options, objects, &contents)) {
        *linked = keep(d, gcl_workspace_path(&d->workspace, "linked.o"));
        struct gcl_device_link link = {d->options, &contents, *linked, linked_explanation(d),
                                       d->colour};
        good = run_job(d, gcl_device_link_run, &link);
    }
    gcl_objects_finish(&contents);
    return good;
}

// -dlink: an object with nothing but device code, to be linked with the objects it comes from.
static bool link_device_only(struct driver *d, const GPtrArray *objects, const char *output) {
    const char *linked;
    if (!link_device_code(d, objects, &linked))
        return false;
    if (!linked) {
        linked = keep(d, gcl_workspace_path(&d->workspace, "empty.o"));
        if (!run_tool(d, gcl_command_empty(&d->installation, linked)))
            return false;
    }
    g_autofree char *temporary = begin_output(d, output);
    return run_writer(d, gcl_command_mark_linked(&d->installation, linked, temporary), temporary,
                      output);
}

static GPtrArray *link_command(struct driver *d, const GPtrArray *objects, const char *output) {
    const struct gcl_options *options = d->options;
    if (options->phase == GCL_PHASE_LIBRARY)
        return gcl_command_archive(options, &d->installation, objects, output);
    if (options->phase == GCL_PHASE_RELOCATABLE)
        return gcl_command_join(&d->installation, objects, output);
    return gcl_command_link(options, &d->installation, objects, output);
}

static bool link_all(struct driver *d, const char *fallback) {
    enum gcl_phase phase = d->options->phase;
    const char *output =
        d->options->output ? d->options->output : in_output_directory(d, g_strdup(fallback));
    g_autoptr(GPtrArray) objects = collect_objects(d);
    if (phase == GCL_PHASE_DEVICE_LINK)
        return link_device_only(d, objects, output);
    const char *linked = NULL;
    bool links = phase == GCL_PHASE_LINK || phase == GCL_PHASE_RUN;
    if (links && !link_device_code(d, objects, &linked))
        return false;
    if (linked)
        g_ptr_array_add(objects, (gpointer)linked);
    g_autofree char *temporary = begin_output(d, output);
    if (!run_tool(d, link_command(d, objects, temporary)))
        return false;
    if (d->options->shared && d->options->leaves_out_libraries && !d->options->dry_run)
        gcl_undefined_check(temporary, d->diagnostics);
    return !gcl_diagnostics_have_error(d->diagnostics) && commit(d, temporary, output);
}

// -E, -M, -MM: one command a source, to a file or to standard output.
static bool preprocess_all(struct driver *d) {
    const char *output = d->options->output;
    bool good = true;
    if (d->options->phase == GCL_PHASE_DEPEND && d->options->depend_file)
        output = d->options->depend_file;
    for (guint i = 0; i < d->options->inputs->len; i++) {
        struct gcl_compilation c = {.options = d->options,
                                    .installation = &d->installation,
                                    .input = input_at(d, i),
                                    .colour = d->colour};
        if (c.input->language == GCL_LANGUAGE_NONE)
            continue;
        g_autofree char *stem = stem_of(c.input->path);
        c.object = in_output_directory(d, g_strconcat(stem, ".o", NULL));
        g_autofree char *temporary = output ? begin_output(d, output) : NULL;
        GPtrArray *command = gcl_command_preprocess(&c, temporary);
        good = (output ? run_writer(d, command, temporary, output) : run_tool(d, command)) && good;
    }
    return good;
}

// --dump= and --explain alone, of objects: what their device code is when it is put together.
static bool show_objects(struct driver *d) {
    g_autoptr(GPtrArray) objects = g_ptr_array_new();
    const char *linked = NULL;
    for (guint i = 0; i < d->options->inputs->len; i++) {
        if (input_at(d, i)->language == GCL_LANGUAGE_NONE)
            g_ptr_array_add(objects, (gpointer)input_at(d, i)->path);
    }
    if (objects->len == 0 || d->options->dry_run || !link_device_code(d, objects, &linked))
        return objects->len == 0 || d->options->dry_run;
    if (!linked)
        gcl_diagnostics_add(
            d->diagnostics, GCL_CODE_FILE, NULL, "name the source, or compile it with -rdc=true",
            "'%s' has no device code that could be shown", (char *)objects->pdata[0]);
    return linked != NULL;
}

static void print_explanations(struct driver *d) {
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (guint i = 0; i < d->options->inputs->len; i++)
        g_ptr_array_add(paths, (gpointer)in_workspace(d, i, ".explain"));
    g_ptr_array_add(paths, (gpointer)linked_explanation(d));
    if (!d->options->dry_run)
        gcl_explanations_print(paths, d->options, stdout);
}

static bool run_phase(struct driver *d) {
    switch (d->options->phase) {
    case GCL_PHASE_PREPROCESS:
    case GCL_PHASE_DEPEND:
        return preprocess_all(d);
    case GCL_PHASE_COMPILE:
    case GCL_PHASE_MODULE:
        return compile_all(d);
    case GCL_PHASE_DUMP:
        return compile_all(d) && show_objects(d);
    case GCL_PHASE_LIBRARY:
        return compile_all(d) && link_all(d, "a.a");
    case GCL_PHASE_DEVICE_LINK:
        return compile_all(d) && link_all(d, "a_dlink.o");
    default:
        return compile_all(d) && link_all(d, d->options->shared ? "a.so" : "a.out");
    }
}

// The last line is how CMake and others link by themselves: what they take from it are the linker
// and the libraries.
void gcl_driver_describe(void) {
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_installation installation;
    gcl_installation_init(&installation, diagnostics);
    const char *path = g_getenv("PATH");
    const char *linker = installation.tools[GCL_TOOL_CLANGXX];
    const char *top = installation.toolkit_directory;
    fprintf(stderr, "#$ TOP=%s\n", top);
    fprintf(stderr, "#$ PATH=%s\n", path ? path : "");
    fprintf(stderr, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", top);
    fprintf(stderr, "#$ INCLUDES=-I%s/include\n", top);
    fprintf(stderr, "#$ LIBRARIES=-L%s/lib64\n", top);
    fprintf(stderr,
            "#$ # link with another linker\n"
            "#$ %s -o a.out -L%s/lib64 -lcudadevrt -lcudart_static -lrt -lpthread -ldl -lm\n",
            linker ? linker : "c++", top);
    gcl_installation_finish(&installation);
    g_ptr_array_unref(diagnostics);
}

static void print_version(void) {
    // Build systems look for nvcc's form of these lines.
    puts("gcluster-cc, for CPUs and clusters, in place of nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 12.8, V" GCL_CUDA_VERSION "\n"
         "gcluster " GCL_VERSION);
}

// -Xcompiler --version: this process becomes clang, which says what it is.
static void print_host_version(const char *question) {
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_installation installation;
    gcl_installation_init(&installation, diagnostics);
    const char *clang = installation.tools[GCL_TOOL_CLANGXX];
    if (clang)
        execl(clang, clang, question, (char *)NULL);
    gcl_installation_finish(&installation);
    g_ptr_array_unref(diagnostics);
}

static void list_architectures(const char *prefix) {
    static const int numbers[] = {60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        printf("%s_%d\n", prefix, numbers[i]);
}

static bool inform(const struct gcl_options *options) {
    enum gcl_phase phase = options->phase;
    if (phase == GCL_PHASE_VERSION)
        print_version();
    else if (phase == GCL_PHASE_HOST_VERSION)
        print_host_version(options->host_question);
    else if (phase == GCL_PHASE_HELP)
        gcl_command_line_print_help(stdout);
    else if (phase == GCL_PHASE_LIST_ARCH)
        list_architectures("compute");
    else if (phase == GCL_PHASE_LIST_CODE)
        list_architectures("sm");
    return phase >= GCL_PHASE_VERSION;
}

// -run: this process becomes the program.
static int run_program(const struct gcl_options *options) {
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autofree char *path =
        g_canonicalize_filename(options->output ? options->output : "a.out", NULL);
    g_ptr_array_add(words, path);
    for (guint i = 0; i < options->run_arguments->len; i++)
        g_ptr_array_add(words, options->run_arguments->pdata[i]);
    g_ptr_array_add(words, NULL);
    execv(path, (char **)words->pdata);
    perror(path);
    return 1;
}

int gcl_driver_run(const struct gcl_options *options) {
    if (inform(options))
        return 0;
    struct driver d = {.options = options,
                       .strings = g_string_chunk_new(4096),
                       .diagnostics = gcl_diagnostics_create(),
                       .progress = gcl_progress_create(),
                       .colour = isatty(STDERR_FILENO) && !g_getenv("NO_COLOR")};
    gcl_installation_init(&d.installation, d.diagnostics);
    d.cache = gcl_cache_open(d.diagnostics);
    bool good = flush_diagnostics(&d);
    if (options->dry_run)
        d.workspace.directory = g_build_filename(g_get_tmp_dir(), "gcluster-XXXXXX", NULL);
    else if (good)
        good = gcl_workspace_init(&d.workspace, d.diagnostics);
    if (good) {
        good = run_phase(&d);
        print_explanations(&d);
    }
    good = flush_diagnostics(&d) && good;
    gcl_cache_close(d.cache);
    gcl_progress_destroy(d.progress);
    gcl_workspace_finish(&d.workspace);
    gcl_installation_finish(&d.installation);
    g_ptr_array_unref(d.diagnostics);
    g_string_chunk_free(d.strings);
    if (good && options->phase == GCL_PHASE_RUN && !options->dry_run)
        return run_program(options);
    return good ? 0 : 1;
}
