// The child and its parent are the same program at the same addresses (fork without exec), so uses
// and launches go from one to the other as they lie in memory. The text of files doesn't: the
// parent reads it again, and a checksum tells if it isn't the same any more.
#include "translate/facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/commands.h"
#include "driver/options/command_line.h"
#include "frontend/parse/parse.h"

enum { SECONDS_MAX = 1800 }; // of processor time for one source

#define FILE_TYPE "(aysayay)"
#define DIAGNOSTIC_TYPE "(uumsuuuayms)"
#define FACTS_TYPE "(a" FILE_TYPE "a" DIAGNOSTIC_TYPE "uay)"

// The child.

static GVariant *raw(const GArray *array, gsize element) {
    return g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, array->data, array->len * element,
                                     sizeof(char));
}

static char *checksum(GBytes *bytes) {
    return g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
}

static void add_file(GVariantBuilder *files, const struct gcl_unit_file *file) {
    char *path = realpath(file->path, NULL);
    g_autofree char *sum = checksum(file->bytes);
    g_variant_builder_add(files, "(@ays@ay@ay)", g_variant_new_bytestring(path ? path : file->path),
                          sum, raw(file->uses, sizeof(struct gcl_source_use)),
                          raw(file->launches, sizeof(struct gcl_source_launch)));
    free(path);
}

// GVariant takes UTF-8 alone; sources, and what is said of them, may be anything.
static void add_diagnostics(GVariantBuilder *all, const GPtrArray *diagnostics,
                            const struct gcl_source_unit *unit) {
    for (guint i = 0; diagnostics && i < diagnostics->len; i++) {
        const struct gcl_diagnostic *d = diagnostics->pdata[i];
        char *real = d->path ? realpath(d->path, NULL) : NULL;
        const char *path = real ? real : d->path;
        bool follows =
            unit->lacks_header && d->code == GCL_CODE_CLANG && !gcl_unit_lacks_file(d->message);
        g_autofree char *message = g_utf8_make_valid(d->message, -1);
        g_autofree char *help = d->help ? g_utf8_make_valid(d->help, -1) : NULL;
        if (d->severity == GCL_SEVERITY_ERROR && !follows)
            g_variant_builder_add(all, "(uumsuuu@ayms)", (guint)d->code, (guint)d->severity,
                                  message, d->line, d->column, d->length,
                                  g_variant_new_bytestring(path ? path : ""), help);
        free(real);
    }
}

static struct gcl_source_unit *parse(const struct gcl_facts_request *request,
                                     const struct gcl_options *options, GPtrArray *diagnostics) {
    struct gcl_installation installation;
    gcl_installation_init(&installation, diagnostics);
    struct gcl_input input = g_array_index(options->inputs, struct gcl_input, 0);
    const struct gcl_compilation c = {
        .options = options, .installation = &installation, .input = &input};
    g_autoptr(GPtrArray) arguments = gcl_command_parse(&c);
    g_ptr_array_add(arguments, g_strdup("--no-default-config"));
    g_ptr_array_add(arguments, NULL);
    const struct gcl_parse_options parse_options = {
        .path = request->path,
        .root = request->root,
        .arguments = (const char *const *)arguments->pdata,
    };
    struct gcl_source_unit *unit = gcl_parse(&parse_options, diagnostics);
    gcl_installation_finish(&installation);
    return unit;
}

static GPtrArray *command_words(const struct gcl_facts_request *request) {
    GPtrArray *words = g_ptr_array_new();
    for (guint i = 0; i < request->words->len; i++)
        g_ptr_array_add(words, request->words->pdata[i]);
    g_ptr_array_add(words, (char *)request->path);
    return words;
}

// What --explain says of the kernels, as it says it.
static GVariant *explain(const struct gcl_facts_request *request, bool has_kernels) {
    g_autofree char *output = g_strconcat(request->result, ".explain", NULL), *text = NULL;
    g_autoptr(GPtrArray) command = command_words(request);
    gsize size = 0;
    g_ptr_array_insert(command, 0, (char *)request->compiler);
    g_ptr_array_insert(command, 1, (char *)"--explain=json");
    if (has_kernels && freopen(output, "w", stdout) && gcl_process_run(command, NULL) == 0)
        g_file_get_contents(output, &text, &size, NULL);
    return g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, text ? text : "", size, sizeof(char));
}

static guint count_kernels(const struct gcl_source_unit *unit) {
    guint count = 0;
    for (guint i = 0; i < unit->sources->len; i++)
        count += ((const struct gcl_unit_file *)unit->sources->pdata[i])->kernels->len;
    return count;
}

static int write_facts(const struct gcl_facts_request *request, const struct gcl_source_unit *unit,
                       const GPtrArray *diagnostics, bool is_cuda) {
    guint kernel_count = is_cuda ? count_kernels(unit) : 0;
    GVariantBuilder files, all;
    g_variant_builder_init(&files, G_VARIANT_TYPE("a" FILE_TYPE));
    g_variant_builder_init(&all, G_VARIANT_TYPE("a" DIAGNOSTIC_TYPE));
    for (guint i = 0; i < unit->sources->len; i++)
        add_file(&files, unit->sources->pdata[i]);
    add_diagnostics(&all, diagnostics, unit);
    add_diagnostics(&all, unit->messages, unit);
    GVariant *facts =
        g_variant_ref_sink(g_variant_new("(a" FILE_TYPE "a" DIAGNOSTIC_TYPE "u@ay)", &files, &all,
                                         kernel_count, explain(request, kernel_count > 0)));
    bool good = g_file_set_contents(request->result, g_variant_get_data(facts),
                                    (gssize)g_variant_get_size(facts), NULL);
    g_variant_unref(facts);
    return good ? 0 : 1;
}

static int find_facts(void *context) {
    const struct gcl_facts_request *request = context;
    const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
    setrlimit(RLIMIT_CPU, &limit);
    if (chdir(request->directory) != 0 && chdir(request->root) != 0)
        return 1;
    g_autoptr(GPtrArray) words = command_words(request);
    g_ptr_array_add(words, NULL);
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_options *options =
        gcl_command_line_parse((const char *const *)words->pdata, diagnostics);
    struct gcl_source_unit *unit =
        options->inputs->len > 0 ? parse(request, options, diagnostics) : NULL;
    bool is_cuda =
        options->inputs->len > 0 &&
        g_array_index(options->inputs, struct gcl_input, 0).language == GCL_LANGUAGE_CUDA;
    gcl_diagnostics_print(diagnostics, stderr, false);
    return unit ? write_facts(request, unit, diagnostics, is_cuda) : 1;
}

void gcl_facts_start(struct gcl_process *process, const char *log,
                     const struct gcl_facts_request *request) {
    gcl_process_start(process, log, find_facts, (void *)request);
}

// The parent.

// Takes an array as it lay in the child's memory.
static void take_raw(GArray *array, GVariant *bytes, gsize element) {
    gsize size;
    const void *data = g_variant_get_fixed_array(bytes, &size, sizeof(char));
    assert(size % element == 0);
    g_array_append_vals(array, data, (guint)(size / element));
    g_variant_unref(bytes);
}

// NULL: the file isn't any more what the child has read.
static struct gcl_unit_file *read_file(GVariant *entry) {
    GVariant *uses, *launches;
    g_autoptr(GVariant) path = NULL;
    const char *sum;
    char *text = NULL;
    gsize size;
    g_variant_get(entry, "(@ay&s@ay@ay)", &path, &sum, &uses, &launches);
    bool good = g_file_get_contents(g_variant_get_bytestring(path), &text, &size, NULL);
    g_autoptr(GBytes) bytes = good ? g_bytes_new_take(text, size) : g_bytes_new(NULL, 0);
    g_autoptr(GBytes) prepared = gcl_prepare(bytes);
    g_autofree char *now = checksum(bytes);
    struct gcl_unit_file *file =
        gcl_unit_file_create(g_variant_get_bytestring(path), bytes, prepared);
    take_raw(file->uses, uses, sizeof(struct gcl_source_use));
    take_raw(file->launches, launches, sizeof(struct gcl_source_launch));
    if (good && strcmp(now, sum) == 0)
        return file;
    gcl_unit_file_destroy(file);
    return NULL;
}

static void read_diagnostic(GVariant *entry, GPtrArray *diagnostics) {
    guint32 code, severity;
    const char *message, *help;
    struct gcl_source_location location;
    g_autoptr(GVariant) path = NULL;
    g_variant_get(entry, "(uum&suuu@aym&s)", &code, &severity, &message, &location.line,
                  &location.column, &location.length, &path, &help);
    location.path = g_variant_get_bytestring(path);
    struct gcl_diagnostic *diagnostic =
        gcl_diagnostics_add(diagnostics, (enum gcl_diagnostic_code)code,
                            *location.path ? &location : NULL, help, "%s", message);
    diagnostic->severity = (enum gcl_severity)severity;
}

static json_t *read_kernels(GVariant *text) {
    gsize size;
    const char *data = g_variant_get_fixed_array(text, &size, sizeof(char));
    json_t *document = size ? json_loadb(data, size, 0, NULL) : NULL;
    json_t *kernels = json_incref(json_object_get(document, "kernels"));
    json_decref(document);
    g_variant_unref(text);
    return kernels;
}

bool gcl_facts_read(const char *result, struct gcl_facts *facts) {
    char *text;
    gsize size;
    if (!g_file_get_contents(result, &text, &size, NULL))
        return false;
    g_autoptr(GVariant) all = g_variant_ref_sink(
        g_variant_new_from_data(G_VARIANT_TYPE(FACTS_TYPE), text, size, FALSE, g_free, text));
    g_autoptr(GVariant) files = g_variant_get_child_value(all, 0);
    g_autoptr(GVariant) diagnostics = g_variant_get_child_value(all, 1);
    bool good = true;
    *facts = (struct gcl_facts){
        .files = g_ptr_array_new_with_free_func((GDestroyNotify)gcl_unit_file_destroy),
        .diagnostics = gcl_diagnostics_create(),
        .kernels = read_kernels(g_variant_get_child_value(all, 3)),
    };
    g_variant_get_child(all, 2, "u", &facts->kernel_count);
    for (gsize i = 0; i < g_variant_n_children(files) && good; i++) {
        g_autoptr(GVariant) entry = g_variant_get_child_value(files, i);
        struct gcl_unit_file *file = read_file(entry);
        if (file)
            g_ptr_array_add(facts->files, file);
        good = file != NULL;
    }
    for (gsize i = 0; i < g_variant_n_children(diagnostics); i++) {
        g_autoptr(GVariant) entry = g_variant_get_child_value(diagnostics, i);
        read_diagnostic(entry, facts->diagnostics);
    }
    if (!good)
        gcl_facts_finish(facts);
    return good;
}

void gcl_facts_finish(struct gcl_facts *facts) {
    g_ptr_array_unref(facts->files);
    g_ptr_array_unref(facts->diagnostics);
    json_decref(facts->kernels);
    *facts = (struct gcl_facts){.files = NULL};
}
