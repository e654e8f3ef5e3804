// The two branches. Everything below the first two sections runs in child processes.
#include "compile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/pragma.h"
#include "base/shape.h"
#include "device/device.h"
#include "explanations.h"
#include "frontend/parse/check.h"
#include "frontend/parse/parse.h"
#include "frontend/text/rewrite.h"
#include "gpu_options.h"
#include "headers.h"
#include "messages.h"
#include "objects.h"

// Prints what is about to run or, with -dryrun, would run; true if it is to run.
static bool announce(const struct gcl_compilation *c, const GPtrArray *command) {
    if (c->options->verbose || c->options->dry_run)
        gcl_process_print(command);
    return !c->options->dry_run;
}

static void announce_stage(const struct gcl_compilation *c, const char *text, const char *file) {
    if (c->options->verbose || c->options->dry_run)
        fprintf(stderr, "#$ # %s %s\n", text, file);
}

int gcl_compile_run(const struct gcl_compilation *c, GPtrArray *command, const char *log) {
    int status = announce(c, command) ? gcl_process_run(command, log) : 0;
    g_ptr_array_unref(command);
    return status;
}

// Shows diagnostics and frees them; true if none is an error.
static bool show(const struct gcl_compilation *c, GPtrArray *diagnostics) {
    bool good = !gcl_diagnostics_have_error(diagnostics);
    gcl_diagnostics_print(diagnostics, stderr, c->colour);
    g_ptr_array_unref(diagnostics);
    return good;
}

// A path may be any bytes, which clang takes in its overlay as they are; a JSON library would have
// them be UTF-8.
static void append_json(GString *json, const char *text) {
    g_string_append_c(json, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_c(json, '\\');
        g_string_append_c(json, *text);
    }
    g_string_append_c(json, '"');
}

// One file of clang's overlay: `original` is read from `replacement`.
static void append_root(GString *json, const char *original, const char *replacement) {
    assert(json->len > 0 && original && replacement);
    g_autofree char *absolute = g_canonicalize_filename(original, NULL);
    g_string_append(json, json->str[json->len - 1] == '[' ? "{\"name\":" : ",\n{\"name\":");
    append_json(json, absolute);
    g_string_append(json, ",\"type\":\"file\",\"external-contents\":");
    append_json(json, replacement);
    g_string_append_c(json, '}');
}

static GString *begin_overlay(void) {
    return g_string_new("{\"version\":0,\"use-external-names\":false,\"roots\":[");
}

static bool write_overlay(GString *json, const char *path) {
    g_string_append(json, "]}\n");
    return g_file_set_contents(path, json->str, (gssize)json->len, NULL);
}

static bool write_bytes(const char *path, GBytes *bytes) {
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    return g_file_set_contents(path, data ? data : "", (gssize)size, NULL);
}

// Files of this compilation that only one branch knows are named after its object file.
static char *beside(const char *object, const char *suffix) {
    return g_strdup_printf("%s%s", object, suffix);
}

// A file of the unit as the host pass gets it; NULL: as on disk.
static GBytes *final_text(const struct gcl_unit_file *source, const GPtrArray *rewritten) {
    g_autoptr(GBytes) text = gcl_rewrite_text(source, rewritten);
    GBytes *prepared = gcl_prepare_for_clang(text ? text : source->bytes);
    return prepared ? prepared : g_steal_pointer(&text);
}

// Writes the rewritten files and the map that puts them in the originals' location. Returns false
// if nothing was rewritten or it can't be written.
static bool write_rewritten(const struct gcl_compilation *c, const struct gcl_source_unit *unit,
                            const GPtrArray *rewritten, const char *overlay) {
    g_autoptr(GString) json = begin_overlay();
    bool any = false;
    for (guint i = 0; i < unit->sources->len; i++) {
        const struct gcl_unit_file *source = unit->sources->pdata[i];
        g_autoptr(GBytes) text = final_text(source, rewritten);
        if (!text)
            continue;
        g_autofree char *suffix = g_strdup_printf(".%u.rewritten", i);
        g_autofree char *path = beside(c->host_object, suffix);
        if (!write_bytes(path, text))
            return false;
        append_root(json, source->path, path);
        any = true;
    }
    return any && write_overlay(json, overlay);
}

// Compiles the rewritten text, or, if clang won't have it, the original: a launch or a name that
// stays CUDA's works just as well.
static int run_host_pass(const struct gcl_compilation *c) {
    if (!c->overlay)
        return gcl_headers_run(c, GCL_PASS_HOST, NULL);
    g_autofree char *log = beside(c->host_object, ".rewritten.log");
    int status = gcl_headers_run(c, GCL_PASS_HOST, log);
    if (status != 0) {
        struct gcl_compilation original = *c;
        original.overlay = original.precompiled = NULL;
        status = gcl_compile_run(c, gcl_command_host(&original), NULL);
        if (status == 0) {
            GPtrArray *diagnostics = gcl_diagnostics_create();
            struct gcl_source_location location = {.path = c->input->path};
            gcl_diagnostics_add(diagnostics, GCL_CODE_REWRITE_DROPPED, &location, NULL,
                                "rewritten source doesn't compile, the original does; used that");
            show(c, diagnostics);
        }
        return status;
    }
    g_autofree char *text = NULL;
    if (g_file_get_contents(log, &text, NULL, NULL))
        fputs(text, stderr);
    return status;
}

// Only text that speaks of CUDA needs to be parsed and rewritten.
static bool concerns_cuda(const struct gcl_compilation *c) {
    g_autofree char *text = NULL;
    gsize size;
    if (c->input->language == GCL_LANGUAGE_CUDA)
        return true;
    if (c->input->language == GCL_LANGUAGE_ASSEMBLER ||
        !g_file_get_contents(c->input->path, &text, &size, NULL))
        return false;
    return g_strstr_len(text, (gssize)size, "cuda") != NULL;
}

// Prints clang's messages; where an #include found no file, that alone, as clang does.
static void show_messages(const struct gcl_compilation *c, const struct gcl_source_unit *unit) {
    for (guint i = 0; i < unit->messages->len; i++) {
        const struct gcl_diagnostic *message = unit->messages->pdata[i];
        if (!unit->lacks_header || gcl_unit_lacks_file(message->message))
            gcl_diagnostic_print(message, stderr, c->colour);
    }
}

/// What parsing is given, and what that borrows from.
struct parsing {
    struct gcl_parse_options options;
    GPtrArray *arguments, *quick_arguments;
    char *headers; ///< as clang has made them for the host pass, or NULL
};

static const char *const *end_words(GPtrArray *words) {
    g_ptr_array_add(words, NULL);
    return (const char *const *)words->pdata;
}

/// A module is parsed by the arguments of its device pass, for which there are none.
static void begin_parsing(const struct gcl_compilation *c, struct parsing *parsing) {
    struct gcl_compilation quick = *c;
    bool is_host = c->options->phase != GCL_PHASE_MODULE;
    char *headers = is_host ? gcl_headers_take(c, GCL_PASS_HOST, c->host_object) : NULL;
    *parsing = (struct parsing){
        .headers = headers, .arguments = gcl_command_parse(c), .options.path = c->input->path};
    parsing->options.arguments = end_words(parsing->arguments);
    if (!headers)
        return;
    quick.precompiled = headers;
    parsing->quick_arguments = gcl_command_parse(&quick);
    parsing->options.quick_arguments = end_words(parsing->quick_arguments);
}

static void finish_parsing(struct parsing *parsing) {
    g_ptr_array_unref(parsing->arguments);
    g_clear_pointer(&parsing->quick_arguments, g_ptr_array_unref);
    g_free(parsing->headers);
}

// Parses; messages of clang's and ours are shown. NULL if there are errors.
static struct gcl_source_unit *parse(const struct gcl_compilation *c,
                                     const struct gcl_parse_options *options) {
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_source_unit *unit = gcl_parse(options, diagnostics);
    if (unit)
        show_messages(c, unit);
    if (!show(c, diagnostics) || !unit || unit->has_errors) {
        gcl_unit_destroy(unit);
        return NULL;
    }
    return unit;
}

// What parsing finds for code generation.

static void open_findings(struct gcl_compile *compile) {
    if (!g_unix_open_pipe(compile->findings, FD_CLOEXEC, NULL))
        compile->findings[0] = compile->findings[1] = -1;
}

static void close_findings(const struct gcl_compile *compile) {
    close(compile->findings[0]);
    close(compile->findings[1]);
}

// Without it host code is told at run time that it names what isn't there, or clang refuses the
// program.
static void write_device(const struct gcl_compilation *c, const struct gcl_source_unit *unit) {
    GHashTable *texts = gcl_rewrite_device(unit);
    if (!texts)
        return;
    gcl_compile_prepare(c, c->rewritten, texts);
    g_hash_table_unref(texts);
}

// Without the shapes there is no code for single ones, and nothing else is amiss. Without the
// pragmas the program isn't what it says: then there is no object.
static bool write_findings(const struct gcl_compilation *c, const struct gcl_source_unit *unit) {
    g_autofree char *shapes = gcl_shapes_format(unit->shapes);
    g_autofree char *pragmas = gcl_pragmas_format(unit->pragmas);
    g_file_set_contents(c->shapes_file, shapes, -1, NULL);
    write_device(c, unit);
    if (g_file_set_contents(c->pragmas_file, pragmas, -1, NULL))
        return true;
    GPtrArray *diagnostics = gcl_diagnostics_create();
    gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "cannot write '%s'",
                        c->pragmas_file);
    return show(c, diagnostics);
}

// What a module's source asks for (gcluster/module.h).
static bool write_names(const struct gcl_compilation *c, const struct gcl_source_unit *unit) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < unit->lowered->len; i++)
        g_string_append_printf(text, "%s\n", (char *)unit->lowered->pdata[i]);
    return unit->lowered->len == 0 || g_file_set_contents(c->names_file, text->str, -1, NULL);
}

// The content of a file of findings, "" if there is none, to be freed.
static char *read_findings(const char *path) {
    char *text;
    return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

// Waits until the host branch has written its findings, or has ended.
static void await_findings(const struct gcl_compile *compile) {
    char nothing;
    close(compile->findings[1]);
    while (read(compile->findings[0], &nothing, 1) < 0 && errno == EINTR)
        continue;
}

static int host_branch(void *context) {
    const struct gcl_compile *compile = context;
    struct gcl_compilation c = compile->c;
    if (!concerns_cuda(&c))
        return gcl_compile_run(&c, gcl_command_host(&c), NULL);
    announce_stage(&c, "rewrite", c.input->path);
    g_autofree char *overlay = beside(c.host_object, ".overlay");
    if (c.options->dry_run) {
        c.overlay = overlay;
        return gcl_compile_run(&c, gcl_command_host(&c), NULL);
    }
    struct parsing parsing;
    begin_parsing(&c, &parsing);
    struct gcl_source_unit *unit = parse(&c, &parsing.options);
    g_autofree char *headers = g_steal_pointer(&parsing.headers); // the host pass begins so, too
    finish_parsing(&parsing);
    if (!unit)
        return 1;
    c.precompiled = headers;
    bool written = write_findings(&c, unit);
    close_findings(compile);
    GPtrArray *rewritten = gcl_rewrite_for_clang(unit);
    if (write_rewritten(&c, unit, rewritten, overlay))
        c.overlay = overlay;
    g_ptr_array_unref(rewritten);
    gcl_unit_destroy(unit);
    return written ? run_host_pass(&c) : 1;
}

static void add_text(void *path, void *bytes, void *prepared) {
    GBytes *mended = gcl_prepare_for_clang(bytes);
    g_hash_table_replace(prepared, g_canonicalize_filename(path, NULL),
                         mended ? mended : g_bytes_ref(bytes));
}

// `k << <g, b> >>()` has to be mended for the device pass as well.
bool gcl_compile_prepare(const struct gcl_compilation *c, const char *overlay, GHashTable *texts) {
    const GPtrArray *common = c->options->common;
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    for (guint i = 0; i < common->len; i++)
        g_ptr_array_add(arguments, common->pdata[i]);
    g_ptr_array_add(arguments, NULL);
    g_autoptr(GHashTable) prepared =
        gcl_prepare_project(c->input->path, (const char *const *)arguments->pdata);
    if (texts)
        g_hash_table_foreach(texts, add_text, prepared);
    g_autoptr(GString) json = begin_overlay();
    guint count = 0;
    GHashTableIter iterator;
    gpointer original, bytes;
    g_hash_table_iter_init(&iterator, prepared);
    while (g_hash_table_iter_next(&iterator, &original, &bytes)) {
        g_autofree char *suffix = g_strdup_printf(".%u.prepared", count++);
        g_autofree char *path = beside(overlay, suffix);
        if (!write_bytes(path, bytes))
            return false;
        append_root(json, original, path);
    }
    return count > 0 && write_overlay(json, overlay);
}

// With -rdc=true code is generated when the program is linked; until then the IR lies in the
// object.
static int pack(const struct gcl_compilation *c) {
    g_autofree char *shapes = read_findings(c->shapes_file);
    g_autofree char *pragmas = read_findings(c->pragmas_file);
    struct gcl_object_ir ir = {.unit_id = (char *)c->unit_id,
                               .source = (char *)c->input->path,
                               .shapes = shapes,
                               .pragmas = pragmas};
    if (!g_file_get_contents(c->device_ir, &ir.text, &ir.size, NULL))
        return 1;
    g_autofree char *original = ir.text;
    g_autofree char *mended = ir.text = gcl_object_mend_names(original);
    ir.size = strlen(mended);
    size_t size;
    g_autofree char *packed = gcl_object_ir_pack(&ir, &size);
    return g_file_set_contents(c->device_object, packed, (gssize)size, NULL) ? 0 : 1;
}

// With -rdc=true code is generated at the link, and not at all for what the analyses alone can
// show.
static bool generates_code(const struct gcl_compilation *c) {
    if (c->options->phase == GCL_PHASE_DUMP)
        return gcl_options_dump_code(c->options);
    return gcl_options_leave_out_host(c->options) || !c->options->relocatable_device_code;
}

int gcl_compile_generate(const struct gcl_compilation *c) {
    g_autofree char *ir = NULL;
    gsize size;
    GPtrArray *diagnostics = gcl_diagnostics_create();
    g_autoptr(GArray) shapes = gcl_shapes_create();
    g_autofree char *known = read_findings(c->shapes_file);
    gcl_shapes_parse(shapes, known);
    g_autoptr(GPtrArray) pragmas = gcl_pragmas_create();
    g_autofree char *said = read_findings(c->pragmas_file);
    gcl_pragmas_read(pragmas, said);
    GArray *explanations = gcl_explanations_create(c->options);
    struct gcl_gpu_options gpu;
    struct gcl_device_options options = {
        .gpu = gcl_gpu_options_init(&gpu, c->options, c->device_ir, diagnostics),
        .triple = c->options->device_target,
        .cpu = c->options->march,
        .shapes = shapes,
        .dump = c->options->dump,
        .ptx_path = c->ptx_file,
        .optimization_level = c->options->device_debug ? 0 : 3,
        .debug = gcl_options_debug_kernels(c->options),
        .lines = gcl_options_describe_lines(c->options),
        .scalar = c->options->scalar,
        .sanitize = c->options->sanitize,
        .remarks = c->options->vector_remarks,
        .only_analyses = !generates_code(c),
        .is_part = c->options->relocatable_device_code && !gcl_options_leave_out_host(c->options),
        .in_parts = !c->options->device_target,
        .progress = c->progress,
        .costs = c->options->explain == GCL_EXPLAIN_JSON,
        .explanations = explanations,
    };
    if (g_file_get_contents(c->device_ir, &ir, &size, NULL)) {
        struct gcl_device_input input = {ir, size, c->unit_id, c->input->path, pragmas};
        gcl_device_compile(&options, &input, 1, c->device_object, diagnostics);
    }
    gcl_gpu_options_finish(&gpu);
    bool written = gcl_explanations_write(explanations, c->options, c->explain_file);
    g_clear_pointer(&explanations, g_array_unref);
    return show(c, diagnostics) && written ? 0 : 1;
}

// CMake reads the architecture from these words.
static void announce_target(const struct gcl_compilation *c) {
    const char *cpu = c->options->device_target ? c->options->device_target : "x86-64";
    g_autofree char *target =
        g_strdup_printf("%s -arch compute_%s", c->options->march ? c->options->march : cpu,
                        c->options->arch + strlen("sm_"));
    announce_stage(c, "generate code for", target);
}

// Few programs have what takes a second pass (gcl_rewrite_device); the others don't wait for the
// host branch before their pass. Messages are those of the pass that counts.
static int read_again(const struct gcl_compilation *c, int status, char **log) {
    struct gcl_compilation again = *c;
    g_autofree char *ir = beside(c->rewritten, ".ll"), *said = beside(c->rewritten, ".log");
    if (!g_file_test(c->rewritten, G_FILE_TEST_EXISTS))
        return status;
    again.overlay = c->rewritten;
    again.device_ir = ir;
    int second = gcl_headers_run(&again, GCL_PASS_DEVICE, said);
    if (second != 0 && status == 0)
        return 0;
    if (second == 0)
        g_rename(ir, c->device_ir);
    g_free(*log);
    *log = g_steal_pointer(&said);
    return second;
}

static int read_device(const struct gcl_compile *compile, const struct gcl_compilation *c) {
    if (c->options->dry_run)
        return gcl_headers_run(c, GCL_PASS_DEVICE, NULL);
    struct gcl_compilation quick = *c;
    g_autofree char *headers = gcl_headers_take(c, GCL_PASS_DEVICE, c->device_ir);
    g_autofree char *log = beside(c->device_ir, ".pass.log"), *text = NULL;
    quick.precompiled = headers;
    int status = gcl_headers_run(&quick, GCL_PASS_DEVICE, log);
    await_findings(compile);
    status = read_again(&quick, status, &log);
    if (g_file_get_contents(log, &text, NULL, NULL))
        fputs(text, stderr);
    return status;
}

static int device_branch(void *context) {
    const struct gcl_compile *compile = context;
    struct gcl_compilation c = compile->c;
    g_autofree char *overlay = beside(c.device_ir, ".overlay");
    if (!c.options->dry_run && gcl_compile_prepare(&c, overlay, NULL))
        c.overlay = overlay;
    int status = read_device(compile, &c);
    if (status != 0)
        return status;
    bool packs = c.options->phase != GCL_PHASE_DUMP && !generates_code(&c);
    if (!packs)
        announce_target(&c);
    bool explains = c.options->explain && !gcl_options_link_device(c.options);
    if (!c.options->dry_run && (!packs || explains))
        status = gcl_compile_generate(&c);
    return packs && !c.options->dry_run && status == 0 ? pack(&c) : status;
}

// Without the host branch beside it, which parses.
static int device_alone(void *context) {
    const struct gcl_compile *compile = context;
    struct parsing parsing;
    if (compile->c.options->dry_run)
        return device_branch(context);
    begin_parsing(&compile->c, &parsing);
    struct gcl_source_unit *unit = parse(&compile->c, &parsing.options);
    finish_parsing(&parsing);
    if (!unit)
        return 1;
    bool written = write_findings(&compile->c, unit) && write_names(&compile->c, unit);
    gcl_unit_destroy(unit);
    return written ? device_branch(context) : 1;
}

static void start(struct gcl_compile *compile, const char *log_of, int (*branch)(void *)) {
    g_autofree char *log = beside(log_of, ".log");
    struct gcl_process *process = &compile->processes[compile->process_count++];
    if (compile->c.options->dry_run)
        *process = (struct gcl_process){.status = branch(compile)};
    else
        gcl_process_start(process, log, branch, compile);
}

void gcl_compile_start(struct gcl_compile *compile) {
    open_findings(compile);
    if (gcl_options_leave_out_host(compile->c.options)) {
        start(compile, compile->c.device_ir, device_alone);
    } else {
        start(compile, compile->c.host_object, host_branch);
        if (compile->c.input->language == GCL_LANGUAGE_CUDA)
            start(compile, compile->c.device_ir, device_branch);
    }
    close_findings(compile);
}

static void report_crash(const struct gcl_compile *compile, size_t process,
                         GPtrArray *diagnostics) {
    static const char *const branches[] = {"host code", "device code"};
    int status = compile->processes[process].status;
    struct gcl_source_location location = {.path = compile->c.input->path};
    if (status >= 128 && status != 128 + SIGPIPE)
        gcl_diagnostics_add(diagnostics, GCL_CODE_TOOL_CRASHED, &location,
                            "this is a mistake in gcluster or clang, not in the program",
                            "the compilation of the %s crashed: %s", branches[process],
                            g_strsignal(status - 128));
}

static char *read_log(const struct gcl_compile *compile, size_t process) {
    char *text = NULL;
    if (process < compile->process_count && compile->processes[process].log)
        g_file_get_contents(compile->processes[process].log, &text, NULL, NULL);
    return text;
}

bool gcl_compile_report(const struct gcl_compile *compile, GPtrArray *diagnostics,
                        char **messages) {
    g_autofree char *host = read_log(compile, 0), *device = read_log(compile, 1);
    bool good = true;
    for (size_t i = 0; i < compile->process_count; i++) {
        good = good && compile->processes[i].status == 0;
        report_crash(compile, i, diagnostics);
    }
    *messages = gcl_messages_join(host, device, compile->c.colour);
    fputs(*messages, stderr);
    if (!good)
        gcl_installation_explain(*messages, diagnostics);
    return good;
}

static void print_source(const struct gcl_source_unit *unit, const GPtrArray *rewritten) {
    const struct gcl_unit_file *source = unit->sources->pdata[0];
    g_autoptr(GBytes) text = gcl_rewrite_text(source, rewritten);
    gsize size;
    const void *data = g_bytes_get_data(text ? text : source->bytes, &size);
    fwrite(data, 1, size, stdout);
}

static void print_edits(const struct gcl_source_unit *unit, const GPtrArray *rewritten) {
    for (guint i = 0; i < rewritten->len; i++) {
        const struct gcl_edits *edits = rewritten->pdata[i];
        printf("%s\n", edits->path);
        gcl_edits_print(edits, gcl_unit_find(unit, edits->path)->bytes, stdout);
    }
}

static void print_shapes(const struct gcl_source_unit *unit) {
    g_autofree char *text = gcl_shapes_format(unit->shapes);
    fputs(text, stdout);
}

static bool dumps(const struct gcl_compilation *c, const char *stage) {
    return gcl_options_dump_one(c->options, (const char *const[]){stage, NULL});
}

static int dump_parsed(const struct gcl_compilation *c, const struct gcl_parse_options *options) {
    struct gcl_source_unit *unit = parse(c, options);
    if (!unit)
        return 1;
    GPtrArray *rewritten = gcl_rewrite(unit);
    GPtrArray *diagnostics = gcl_diagnostics_create();
    if (c->options->check_rewrite)
        gcl_rewrite_check(unit, rewritten, options, diagnostics);
    if (dumps(c, "unit"))
        gcl_unit_print(unit, stdout);
    if (dumps(c, "edits"))
        print_edits(unit, rewritten);
    if (dumps(c, "source"))
        print_source(unit, rewritten);
    if (dumps(c, "shapes"))
        print_shapes(unit);
    if (dumps(c, "pragmas"))
        gcl_pragmas_print(unit->pragmas, stdout);
    g_ptr_array_unref(rewritten);
    gcl_unit_destroy(unit);
    return show(c, diagnostics) ? 0 : 1;
}

static int dump_unit(const struct gcl_compilation *c) {
    struct parsing parsing;
    begin_parsing(c, &parsing);
    int status = dump_parsed(c, &parsing.options);
    finish_parsing(&parsing);
    return status;
}

static int dump_branch(void *context) {
    static const char *const host[] = {"unit", "edits", "source", "shapes", "pragmas", NULL};
    static const char *const device[] = {"ir",      "access", "uniformity", "vector",
                                         "regions", "ptx",    NULL};
    const struct gcl_compilation *c = &((const struct gcl_compile *)context)->c;
    if (c->options->output && !freopen(c->options->output, "w", stdout)) {
        fprintf(stderr, "gcluster-cc: error: cannot write '%s'\n", c->options->output);
        return 1;
    }
    int status = 0;
    if (c->options->check_rewrite || gcl_options_dump_one(c->options, host))
        status = dump_unit(c);
    if (status == 0 && (gcl_options_dump_one(c->options, device) || c->options->explain))
        status = device_alone(context);
    return status;
}

void gcl_compile_dump(struct gcl_compile *compile) {
    open_findings(compile);
    start(compile, compile->c.host_object, dump_branch);
    close_findings(compile);
}
