// What clang 19 needs to compile CUDA without a CUDA SDK.
//
// Our headers are always found first: include folders of the user's that hold an SDK go to the end
// of the search. Kernels are read through clang's NVPTX target, because there parameters and
// address spaces are as in the source; the sdk version and PTX level only satisfy its checks.
#include "commands.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "gcluster/kernel.h"
#include "objects.h"

static void add(GPtrArray *command, ...) G_GNUC_NULL_TERMINATED;

static void add(GPtrArray *command, ...) {
    va_list words;
    va_start(words, command);
    for (const char *word; (word = va_arg(words, const char *));)
        g_ptr_array_add(command, g_strdup(word));
    va_end(words);
}

static void add_format(GPtrArray *command, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add_format(GPtrArray *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(command, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

static void add_all(GPtrArray *command, const GPtrArray *words) {
    for (guint i = 0; i < words->len; i++)
        add(command, words->pdata[i], NULL);
}

static GPtrArray *create(const char *program) {
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    if (program)
        add(command, program, NULL);
    return command;
}

static bool is_cuda(const struct gcl_compilation *c) {
    return c->input->language == GCL_LANGUAGE_CUDA;
}

static bool holds_sdk(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "cuda_runtime_api.h", NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

// Without -Xclang, clang would load a precompiled header that lies beside the named one in the
// folder, and those are not made to be read from anybody.
static void add_inclusion(GPtrArray *command, const char *name) {
    add(command, "-Xclang", "-include", "-Xclang", name, NULL);
}

// Our own folders, which build files name as those of a toolkit, keep their place in the search.
static void add_user_words(GPtrArray *command, const struct gcl_compilation *c) {
    const GPtrArray *words = c->options->common;
    for (guint i = 0; i < words->len; i++) {
        const char *word = words->pdata[i];
        const char *folder = NULL;
        if (!strcmp(word, "-isystem") && i + 1 < words->len)
            folder = words->pdata[i + 1];
        else if (g_str_has_prefix(word, "-I"))
            folder = word + 2;
        if (!strcmp(word, "-include") && i + 1 < words->len) {
            add_inclusion(command, words->pdata[++i]);
        } else if (folder && holds_sdk(folder)) {
            if (!gcl_installation_searches(c->installation, folder))
                add(command, "-idirafter", folder, NULL);
            i += word[1] == 'i';
        } else {
            add(command, word, NULL);
        }
    }
}

// /usr/include is searched anyway, and naming it would move it in front of the C++ headers.
static bool is_default_include(const char *folder) {
    return !strcmp(folder, "/usr/include") || !strcmp(folder, "/usr/local/include");
}

// Headers of ours that stand before a library's of the same name, wherever the program has that
// from; they include it.
static void add_headers_ahead(GPtrArray *command, const struct gcl_compilation *c) {
    if (is_cuda(c))
        add_format(command, "-I%s/ahead", c->installation->cuda_directory);
}

static void add_headers(GPtrArray *command, const struct gcl_compilation *c) {
    add(command, "-isystem", c->installation->cuda_directory, NULL);
    if (!is_default_include(c->installation->include_directory))
        add(command, "-isystem", c->installation->include_directory, NULL);
    if (c->precompiled)
        add(command, "-Xclang", "-include-pch", "-Xclang", c->precompiled, "-Xclang",
            "-fmodules-validate-system-headers", NULL); // else it takes those that have changed
    else if (is_cuda(c))
        add_inclusion(command, "cuda_runtime.h"); // by its name: then it's a system header
}

// A standard for C++ doesn't concern C files on the same command line, nor the other way round.
static void add_standard(GPtrArray *command, const struct gcl_compilation *c) {
    const char *standard = c->options->standard;
    if (standard && (strstr(standard, "++") != NULL) == (c->input->language != GCL_LANGUAGE_C))
        add_format(command, "-std=%s", standard);
}

// Where nvcc lets a program pass and clang would not.
static void add_leniency(GPtrArray *command, const struct gcl_compilation *c) {
    add(command, "-Wno-unknown-cuda-version", "-Wno-unknown-warning-option", "-Qunused-arguments",
        NULL);
    if (c->input->language == GCL_LANGUAGE_C)
        add(command, "-Wno-implicit-int", "-Wno-implicit-function-declaration", NULL);
    else
        add(command, "-Wno-c++11-narrowing", "-Wno-missing-template-arg-list-after-template-kw",
            "-Wno-register", "-Wno-reserved-user-defined-literal", "-Wno-pass-failed",
            "-Wno-vla-cxx-extension", NULL);
}

static void add_language(GPtrArray *command, const struct gcl_compilation *c, const char *pass) {
    static const char *const names[] = {
        [GCL_LANGUAGE_CUDA] = "cuda",
        [GCL_LANGUAGE_CXX] = "c++",
        [GCL_LANGUAGE_C] = "c",
        [GCL_LANGUAGE_ASSEMBLER] = "assembler-with-cpp",
    };
    add(command, "-x", names[c->input->language], NULL);
    if (!is_cuda(c))
        return;
    // Launches and features are those of CUDA 12.5, whatever SDK the machine may have.
    add(command, pass, "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Xclang",
        "-target-sdk-version=12.5", "-Xclang", "-fcuda-allow-variadic-functions", "-fms-extensions",
        NULL);
    // What the host is told of the architectures is what __CUDA_ARCH__ says in kernels.
    add_format(command, "-D__GCL_ARCHITECTURE=%d0", atoi(c->options->arch + strlen("sm_")));
}

static void add_common(GPtrArray *command, const struct gcl_compilation *c) {
    add_leniency(command, c);
    add_standard(command, c);
    if (c->options->module)
        add(command, "-D__GCL_MODULE", NULL);
    add_headers_ahead(command, c);
    add_user_words(command, c);
    add_headers(command, c);
    if (c->options->no_warnings)
        add(command, "-w", NULL);
    if (c->colour)
        add(command, "-fcolor-diagnostics", NULL);
}

// The host pass and the device pass have to make the same names of what is static.
static void add_relocatable(GPtrArray *command, const struct gcl_compilation *c) {
    if (!is_cuda(c) || !c->options->relocatable_device_code)
        return;
    add(command, "-fgpu-rdc", "-fuse-cuid=none", "-Xclang", NULL);
    add_format(command, "-cuid=%s", c->unit_id ? c->unit_id : "");
}

static void add_host(GPtrArray *command, const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    add_language(command, c, "--cuda-host-only");
    add_common(command, c);
    add_relocatable(command, c);
    if (options->sanitize & GCL_KERNEL_INIT)
        add(command, "-D__GCL_ALLOCATION_PLACES", NULL);
    add(command, "-fwrapv", NULL); // programs written for nvcc rely on it more often than they know
    if (options->optimize)
        add_format(command, "-O%s", options->optimize);
    if (options->debug)
        add(command, "-g", NULL);
    if (options->openmp)
        add(command, "-fopenmp", NULL);
    if (g_strcmp0(options->default_stream, "per-thread") == 0)
        add(command, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", NULL);
    add_all(command, options->host);
}

static void add_ptx_level(GPtrArray *command) {
    add(command, "-Xclang", "-target-feature", "-Xclang", "+ptx85", NULL);
}

static void add_device(GPtrArray *command, const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    add_language(command, c, "--cuda-device-only");
    add_format(command, "--cuda-gpu-arch=%s", options->arch);
    add_ptx_level(command);
    add_common(command, c);
    add_relocatable(command, c);
    if (options->openmp)
        add(command, "-D_OPENMP=201511", NULL);
}

// A module's source is device code alone, which may stand on __CUDA_ARCH__ outside of functions.
GPtrArray *gcl_command_parse(const struct gcl_compilation *c) {
    GPtrArray *command = create(NULL);
    if (c->options->phase == GCL_PHASE_MODULE)
        add_device(command, c);
    else
        add_host(command, c);
    add(command, "-resource-dir", c->installation->resource_directory, NULL);
    return command;
}

static void add_depend_targets(GPtrArray *command, const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    for (guint i = 0; i < options->depend_targets->len; i++)
        add(command, "-MT", options->depend_targets->pdata[i], NULL);
    if (options->depend_targets->len == 0)
        add(command, "-MT", c->object, NULL);
    if (options->depend_phony)
        add(command, "-MP", NULL);
}

static void add_depend_output(GPtrArray *command, const struct gcl_compilation *c) {
    if (!c->depend_output)
        return;
    add(command, c->options->depend_user_only ? "-MMD" : "-MD", "-MF", c->depend_output, NULL);
    add_depend_targets(command, c);
}

GPtrArray *gcl_command_host(const struct gcl_compilation *c) {
    GPtrArray *command = create(c->installation->tools[GCL_TOOL_CLANG]);
    add_host(command, c);
    add_all(command, c->options->unread);
    if (is_cuda(c))
        add(command, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", c->id_file, NULL);
    if (c->overlay) // messages about the original text have been shown
        add(command, "-w", "-ivfsoverlay", c->overlay, NULL);
    add_depend_output(command, c);
    // As in device code (device/ir/target.c).
    add(command, "-mllvm", "-enable-interleaved-mem-accesses=false", NULL);
    add(command, "-c", "-o", c->host_object, c->input->path, NULL);
    return command;
}

// Loops of few constant rounds are unrolled as a whole: shuffles then go between known lanes.
static void add_optimization(GPtrArray *command, const struct gcl_compilation *c,
                             const char *output) {
    // The code generator optimises those itself, without loads that the source doesn't have.
    bool is_later = (c->options->sanitize & ~(unsigned)GCL_KERNEL_FOOTPRINT) != 0;
    if (is_later || output == c->raw_ir)
        add(command, "-Xclang", "-disable-llvm-passes", NULL);
    add_format(command, "-fpass-plugin=%s/" GCL_PLUGIN, c->installation->library_directory);
    add(command, "-O1", "-fno-vectorize", "-fno-slp-vectorize", "-funroll-loops", "-mllvm",
        "-unroll-allow-partial=0", "-mllvm", "-unroll-runtime=0", "-S", "-emit-llvm", "-o", output,
        NULL);
}

GPtrArray *gcl_command_device(const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    GPtrArray *command = create(c->installation->tools[GCL_TOOL_CLANG]);
    add_device(command, c);
    // As nvcc has it, fast math approximates functions and quotients, but keeps the order of sums.
    if (options->fast_math)
        add(command, "-ffast-math", "-fno-finite-math-only", "-fno-associative-math",
            "-fsigned-zeros", NULL);
    else
        add(command, options->fused_multiply_add ? "-ffp-contract=fast" : "-ffp-contract=off",
            NULL);
    // Lanes hand on what only one of them has set, as in `if (lane == 0) x = atomicAdd(p, n);`
    // before a shuffle. Were that undefined, clang would take it that all lanes come to the
    // addition.
    add(command, "-Xclang", "-no-enable-noundef-analysis", NULL);
    add_all(command, options->device);
    if (c->overlay)
        add(command, "-ivfsoverlay", c->overlay, NULL);
    if (gcl_options_leave_out_host(options))
        add_depend_output(command, c);
    // Parameters keep their names, by which the user is told of them; fields have theirs in types.
    if (options->explain)
        add(command, "-Xclang", "-debug-info-kind=limited", NULL);
    add(command, "-fno-discard-value-names", "-gline-tables-only", NULL);
    // As the host's code is described: the plugin knows by the version that kernels are debugged.
    if (gcl_options_debug_kernels(options))
        add(command, "-Xclang", "-debug-info-kind=limited", "-Xclang", "-dwarf-version=5",
            "-Xclang", "-fexperimental-assignment-tracking=disabled", NULL);
    if (gcl_options_describe_lines(options))
        add(command, "-Xclang", "-debug-info-kind=line-tables-only", "-Xclang", "-dwarf-version=5",
            NULL);
    add_optimization(command, c, c->raw_ir ? c->raw_ir : c->device_ir);
    add(command, c->input->path, NULL);
    return command;
}

GPtrArray *gcl_command_optimize(const struct gcl_compilation *c, const char *ir) {
    GPtrArray *command = create(c->installation->tools[GCL_TOOL_CLANG]);
    add(command, "-x", "ir", "--target=nvptx64-nvidia-cuda", "-nogpulib", NULL);
    add_format(command, "-march=%s", c->options->arch);
    add_ptx_level(command);
    add_leniency(command, c);
    add_all(command, c->options->device);
    // What clang tells LLVM by itself where it reads CUDA.
    add(command, "-fno-discard-value-names", "-mllvm", "-enable-memcpyopt-without-libcalls", NULL);
    add_optimization(command, c, c->device_ir);
    add(command, ir, NULL);
    return command;
}

GPtrArray *gcl_command_precompile(const struct gcl_compilation *c, enum gcl_pass pass,
                                  const char *file, const char *output) {
    struct gcl_compilation headers = *c;
    struct gcl_input input = {file, GCL_LANGUAGE_CUDA};
    headers.input = &input;
    headers.id_file = GCL_EMPTY_FILE;
    headers.unit_id = headers.overlay = headers.precompiled = headers.depend_output = NULL;
    headers.raw_ir = NULL;
    headers.device_ir = headers.host_object = output;
    GPtrArray *command =
        pass == GCL_PASS_HOST ? gcl_command_host(&headers) : gcl_command_device(&headers);
    add(command, "-Xclang", "-emit-pch", NULL); // which counts instead of -c or -S
    return command;
}

static bool has_word(const GPtrArray *words, const char *prefix) {
    for (guint i = 0; i < words->len; i++) {
        if (g_str_has_prefix(words->pdata[i], prefix))
            return true;
    }
    return false;
}

static bool have_word(const struct gcl_options *options, const char *prefix) {
    return has_word(options->common, prefix) || has_word(options->host, prefix) ||
           has_word(options->device, prefix);
}

bool gcl_command_may_precompile(const struct gcl_compilation *c, enum gcl_pass pass) {
    const struct gcl_options *options = c->options;
    bool describes = pass == GCL_PASS_HOST && (options->debug || have_word(options, "-g"));
    bool is_listed = pass == GCL_PASS_HOST && c->depend_output && options->depend_phony;
    return is_cuda(c) && !describes && !is_listed && !have_word(options, "-include") &&
           !have_word(options, "-imacros");
}

GPtrArray *gcl_command_preprocess(const struct gcl_compilation *c, const char *output) {
    GPtrArray *command = create(c->installation->tools[GCL_TOOL_CLANG]);
    add_host(command, c);
    add_all(command, c->options->unread);
    if (c->options->phase == GCL_PHASE_DEPEND) {
        add(command, c->options->depend_user_only ? "-MM" : "-M", NULL);
        add_depend_targets(command, c);
    } else {
        add(command, "-E", NULL);
    }
    if (output)
        add(command, "-o", output, NULL);
    add(command, c->input->path, NULL);
    return command;
}

GPtrArray *gcl_command_join(const struct gcl_installation *installation, const GPtrArray *objects,
                            const char *output) {
    GPtrArray *command = create(installation->tools[GCL_TOOL_LINKER]);
    add(command, "-r", "-o", output, NULL);
    add_all(command, objects);
    return command;
}

GPtrArray *gcl_command_pack(const struct gcl_compilation *c, const char *registration,
                            const char *output) {
    GPtrArray *command = create(c->installation->tools[GCL_TOOL_OBJCOPY]);
    add_format(command, "--add-section=%s=%s", GCL_SECTION_IR, c->device_object);
    add(command, "--set-section-flags=" GCL_SECTION_IR "=exclude,readonly", NULL);
    if (registration) {
        static const char common[] = "__cudaRegisterLinkedBinary";
        add_format(command, "--redefine-sym=%s=%s", registration, common);
        // Named for the source, as it is spelled: others of a program may be spelled so, too.
        add_format(command, "--localize-symbol=__fatbinwrap%s", registration + strlen(common));
    }
    add(command, c->host_object, output, NULL);
    return command;
}

GPtrArray *gcl_command_empty(const struct gcl_installation *installation, const char *output) {
    GPtrArray *command = create(installation->tools[GCL_TOOL_CLANG]);
    add(command, "-x", "c", "-c", "-o", output, "/dev/null", NULL);
    return command;
}

GPtrArray *gcl_command_mark_linked(const struct gcl_installation *installation, const char *object,
                                   const char *output) {
    GPtrArray *command = create(installation->tools[GCL_TOOL_OBJCOPY]);
    add(command, "--add-section=" GCL_SECTION_LINKED "=/dev/null",
        "--set-section-flags=" GCL_SECTION_LINKED "=exclude,readonly", object, output, NULL);
    return command;
}

static bool is_default_library_folder(const char *folder) {
    return !strcmp(folder, "/usr/lib") || g_str_has_prefix(folder, "/usr/lib/x86_64-linux-gnu");
}

GPtrArray *gcl_command_link(const struct gcl_options *options,
                            const struct gcl_installation *installation, const GPtrArray *objects,
                            const char *output) {
    const char *library = installation->library_directory;
    GPtrArray *command = create(installation->tools[GCL_TOOL_CLANGXX]);
    add(command, "-Qunused-arguments", "-o", output, NULL);
    if (options->shared)
        add(command, "-shared", NULL);
    if (options->debug)
        add(command, "-g", NULL);
    if (options->openmp)
        add(command, "-fopenmp", NULL);
    if (GCL_SANITIZE[0])
        add(command, "-fsanitize=" GCL_SANITIZE, NULL);
    add(command, "-Wl,--start-group", NULL);
    add_all(command, objects);
    add_all(command, options->link);
    add(command, "-Wl,--end-group", NULL);
    add_format(command, "-L%s", library);
    if (!is_default_library_folder(library))
        add_format(command, "-Wl,-rpath,%s", library);
    add(command, "-lgcluster", "-lm", "-lpthread", "-ldl", "-lrt", NULL);
    return command;
}

// No folder of libraries goes in: whoever loads it has the runtime already.
GPtrArray *gcl_command_module(const struct gcl_installation *installation, const GPtrArray *objects,
                              const char *output) {
    GPtrArray *command = create(installation->tools[GCL_TOOL_CLANG]);
    add(command, "-shared", "-Wl,-Bsymbolic", "-Wl,--strip-all", "-Wl,-z,now", "-o", output, NULL);
    add_all(command, objects);
    add_format(command, "-L%s", installation->library_directory);
    add(command, "-lgcluster", "-lm", NULL);
    return command;
}

GPtrArray *gcl_command_archive(const struct gcl_options *options,
                               const struct gcl_installation *installation,
                               const GPtrArray *objects, const char *output) {
    GPtrArray *command =
        create(options->archiver ? options->archiver : installation->tools[GCL_TOOL_ARCHIVER]);
    add(command, "rcs", NULL);
    add_all(command, options->archive);
    add(command, output, NULL);
    add_all(command, objects);
    return command;
}
