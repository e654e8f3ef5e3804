// The options of nvcc and what each does here.
//
// Two kinds of rows do nothing: what only steers NVIDIA's own tools (ptxas, fatbinary), and what
// clang does anyway (--extended-lambda). What asks for a result that can't be had is `refuse`d, so
// that no flag changes a program's meaning by being overlooked.
#include "driver/options/option_table.h"

#include <string.h>

#include "base/diagnostic.h"
#include "gcluster/kernel.h"

static void ignore(const struct gcl_option_use *use) {
    (void)use;
}

static void refuse(const struct gcl_option_use *use) {
    gcl_diagnostics_add(use->diagnostics, GCL_CODE_UNSUPPORTED_OPTION, NULL, use->option->text,
                        "option '%s' is not supported", use->spelling);
}

static void *field(const struct gcl_option_use *use) {
    return (char *)use->options + use->option->field;
}

static void bad_value(const struct gcl_option_use *use, const char *expected) {
    gcl_diagnostics_add(use->diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                        "option '%s' takes %s, not '%s'", use->spelling, expected, use->value);
}

static void set_true(const struct gcl_option_use *use) {
    *(bool *)field(use) = true;
}

static void set_boolean(const struct gcl_option_use *use) {
    *(bool *)field(use) = strcmp(use->value, "true") == 0;
}

static void set_text(const struct gcl_option_use *use) {
    *(const char **)field(use) = use->value;
}

// `text` holds the values that are allowed, separated by spaces.
static bool is_choice(const struct gcl_option_use *use) {
    g_auto(GStrv) choices = g_strsplit(use->option->text, " ", -1);
    bool is = g_strv_contains((const gchar *const *)choices, use->value);
    if (!is)
        bad_value(use, use->option->text);
    return is;
}

static void set_choice(const struct gcl_option_use *use) {
    if (is_choice(use))
        set_text(use);
}

// Here `field` is the phase itself.
static void set_phase(const struct gcl_option_use *use) {
    use->options->phase = (enum gcl_phase)use->option->field;
}

// An empty value, as in `-D ""`: the option alone would take the word behind it for its value.
static bool is_empty(const struct gcl_option_use *use) {
    return use->option->text && use->value && !use->value[0];
}

// Appends `text`, with the value attached to it if there is one.
static void add(const struct gcl_option_use *use) {
    if (is_empty(use))
        return;
    gcl_options_add(use->options, *(GPtrArray **)field(use), "%s%s",
                    use->option->text ? use->option->text : "", use->value ? use->value : "");
}

// Appends `text` and the value as two words.
static void add_pair(const struct gcl_option_use *use) {
    if (is_empty(use))
        return;
    gcl_options_add(use->options, *(GPtrArray **)field(use), "%s", use->option->text);
    gcl_options_add(use->options, *(GPtrArray **)field(use), "%s", use->value);
}

// nvcc takes `-x ' cu'`, too.
static void set_language(const struct gcl_option_use *use) {
    g_autofree char *word = g_strstrip(g_strdup(use->value));
    struct gcl_option_use trimmed = *use;
    trimmed.value = gcl_options_keep(use->options, word);
    set_choice(&trimmed);
}

static void set_device_compile(const struct gcl_option_use *use) {
    use->options->phase = GCL_PHASE_COMPILE;
    use->options->relocatable_device_code = use->option->text != NULL;
}

// -M and its kin: `text` is "M" if nothing is compiled, followed by "u" for user headers only.
static void set_depend(const struct gcl_option_use *use) {
    use->options->depend = true;
    use->options->depend_user_only = strchr(use->option->text, 'u') != NULL;
    if (use->option->text[0] == 'M')
        use->options->phase = GCL_PHASE_DEPEND;
}

static void add_dump(const struct gcl_option_use *use) {
    if (is_choice(use))
        g_ptr_array_add(use->options->dump, (gpointer)use->value);
    use->options->phase = GCL_PHASE_DUMP;
}

static void set_explain(const struct gcl_option_use *use) {
    bool is_json = use->value && strcmp(use->value, "json") == 0;
    if (!use->value || is_choice(use))
        use->options->explain = is_json ? GCL_EXPLAIN_JSON : GCL_EXPLAIN_TEXT;
}

static void set_cpu(const struct gcl_option_use *use) {
    use->options->scalar = is_choice(use) && strcmp(use->value, "scalar") == 0;
}

static void set_devices(const struct gcl_option_use *use) {
    unsigned devices = strcmp(use->value, "cpu") == 0    ? GCL_DEVICE_CPU
                       : strcmp(use->value, "cuda") == 0 ? GCL_DEVICE_CUDA
                                                         : GCL_DEVICE_CPU | GCL_DEVICE_CUDA;
    if (is_choice(use))
        use->options->devices = devices | GCL_DEVICE_TOLD;
}

static void set_fast_math(const struct gcl_option_use *use) {
    use->options->fast_math = use->options->flush_denormals = true;
    use->options->exact_quotients = use->options->exact_roots = false;
}

static void set_sanitize(const struct gcl_option_use *use) {
    static const struct {
        const char *name;
        unsigned check;
    } checks[] = {{"footprint", GCL_KERNEL_FOOTPRINT},
                  {"race", GCL_KERNEL_RACE},
                  {"init", GCL_KERNEL_INIT},
                  {"sync", GCL_KERNEL_SYNC}};
    g_auto(GStrv) words = g_strsplit(use->value, ",", -1);
    for (gsize w = 0; words[w] || w == 0; w++) {
        unsigned check = 0;
        for (gsize i = 0; words[w] && i < G_N_ELEMENTS(checks); i++)
            check |= strcmp(words[w], checks[i].name) == 0 ? checks[i].check : 0;
        use->options->sanitize |= check;
        if (check == 0) {
            bad_value(use, use->option->text);
            return;
        }
    }
}

static void set_remarks(const struct gcl_option_use *use) {
    bool is_known = is_choice(use), is_cache = strcmp(use->value, "cache") == 0;
    use->options->vector_remarks |= is_known && !is_cache;
    use->options->cache_remarks |= is_known && is_cache;
}

static void set_check_rewrite(const struct gcl_option_use *use) {
    use->options->check_rewrite = true;
    use->options->phase = GCL_PHASE_DUMP;
}

// -Xcompiler "-Iinc -pthread": nvcc puts its text on a shell's command line.
static void add_host(const struct gcl_option_use *use) {
    g_auto(GStrv) words = NULL;
    if (!g_shell_parse_argv(use->value, NULL, &words, NULL)) {
        gcl_options_add_host(use->options, use->value);
        return;
    }
    for (char **word = words; *word; word++)
        gcl_options_add_host(use->options, *word);
}

static void set_march(const struct gcl_option_use *use) {
    g_autofree char *word = g_strconcat("-march=", use->value, NULL);
    gcl_options_add_host(use->options, word);
}

static void set_device_target(const struct gcl_option_use *use) {
    set_text(use);
    use->options->phase = GCL_PHASE_COMPILE;
}

// Here `text` is the kind of module.
static void set_module(const struct gcl_option_use *use) {
    use->options->phase = GCL_PHASE_MODULE;
    use->options->module = use->option->text;
}

static void add_profile(const struct gcl_option_use *use) {
    gcl_options_add_host(use->options, "-pg");
}

// The newest architecture named wins, since only one kind of device code is made. Below 6.0 double
// atomics are missing from CUDA, above 9.0 clang 19 stops.
static void note_arch(const struct gcl_option_use *use, const char *name) {
    enum { OLDEST = 60, PORTABLE = 75, NEWEST = 90 };
    guint64 number = 0;
    const char *digits = strchr(name, '_');
    if (!strcmp(name, "native") || !strcmp(name, "all") || !strcmp(name, "all-major")) {
        number = PORTABLE;
    } else if (digits && (g_str_has_prefix(name, "sm_") || g_str_has_prefix(name, "compute_") ||
                          g_str_has_prefix(name, "lto_"))) {
        g_autofree char *trimmed = g_strdup(digits + 1);
        g_strcanon(trimmed, "0123456789", '\0');
        number = g_ascii_strtoull(trimmed, NULL, 10);
    }
    if (number < 10) {
        bad_value(use, "an architecture such as sm_90");
        return;
    }
    number = CLAMP(number, OLDEST, NEWEST);
    const char *before = use->options->arch;
    if (!before || g_ascii_strtoull(before + 3, NULL, 10) < number) {
        g_autofree char *arch = g_strdup_printf("sm_%u", (unsigned)number);
        use->options->arch = gcl_options_keep(use->options, arch);
    }
}

static void set_arch(const struct gcl_option_use *use) {
    note_arch(use, use->value);
    g_ptr_array_add(*(GPtrArray **)field(use), (gpointer)use->value);
}

// -gencode arch=compute_70,code=sm_70 or code=[sm_70,compute_70]
static void set_gencode(const struct gcl_option_use *use) {
    g_auto(GStrv) words = g_strsplit_set(use->value, ",[]\"' ", -1);
    g_ptr_array_add(use->options->gencodes, (gpointer)use->value);
    for (char **word = words; *word; word++) {
        const char *value = *word;
        if (g_str_has_prefix(value, "arch=") || g_str_has_prefix(value, "code="))
            value += 5;
        if (*value)
            note_arch(use, value);
    }
}

static void set_werror(const struct gcl_option_use *use) {
    if (!use->value || !strcmp(use->value, "all-warnings"))
        gcl_options_add(use->options, use->options->common, "-Werror");
}

static void set_machine(const struct gcl_option_use *use) {
    if (strcmp(use->value, "64") != 0)
        bad_value(use, "64");
}

static void set_jobs(const struct gcl_option_use *use) {
    guint64 count;
    if (!g_ascii_string_to_unsigned(use->value, 10, 0, 256, &count, NULL)) {
        bad_value(use, "a number");
        return;
    }
    use->options->jobs = count > 0 ? (unsigned)count : g_get_num_processors();
}

static void set_registers(const struct gcl_option_use *use) {
    guint64 count;
    if (g_ascii_string_to_unsigned(use->value, 10, 0, 255, &count, NULL))
        use->options->max_registers = (unsigned)count;
    else
        bad_value(use, "a number of registers, up to 255");
}

static void set_ptxas(const struct gcl_option_use *use) {
    if (g_str_has_suffix(use->value, "fmad=false"))
        use->options->fused_multiply_add = false;
}

static void forward_unknown(const struct gcl_option_use *use) {
    use->options->forward_compiler = true;
    use->options->forward_linker = true;
}

static void default_stream(const struct gcl_option_use *use) {
    set_choice(use);
    if (g_strcmp0(use->options->default_stream, "null") == 0)
        use->options->default_stream = "legacy";
}

#define FIELD(name) G_STRUCT_OFFSET(struct gcl_options, name)
#define NO_GPU_CODE "gcluster-cc makes objects and programs (-c, -o), no code for a GPU"

static const struct gcl_option table[] = {
    // What to make.
    {"compile", "c", GCL_VALUE_NONE, set_phase, GCL_PHASE_COMPILE, NULL,
     "compile each source to an object"},
    {"device-c", "dc", GCL_VALUE_NONE, set_device_compile, 0, "rdc", "-c with -rdc=true"},
    {"device-w", "dw", GCL_VALUE_NONE, set_device_compile, 0, NULL, "-c with -rdc=false"},
    {"preprocess", "E", GCL_VALUE_NONE, set_phase, GCL_PHASE_PREPROCESS, NULL,
     "preprocess to standard output"},
    {"device-link", "dlink", GCL_VALUE_NONE, set_phase, GCL_PHASE_DEVICE_LINK, NULL,
     "link the device code of objects"},
    {"link", "link", GCL_VALUE_NONE, set_phase, GCL_PHASE_LINK, NULL,
     "compile and link (the default)"},
    {"lib", NULL, GCL_VALUE_NONE, set_phase, GCL_PHASE_LIBRARY, NULL,
     "compile and put into an archive"},
    {"ptx", NULL, GCL_VALUE_NONE, set_module, 0, "ptx",
     "make modules that programs load (cuModuleLoad): PTX, with code for CPUs"},
    {"cubin", NULL, GCL_VALUE_NONE, set_module, 0, "cubin", "the same as a binary"},
    {"fatbin", NULL, GCL_VALUE_NONE, set_module, 0, "fatbin", "the same"},
    {"relocatable-link", "r", GCL_VALUE_NONE, set_phase, GCL_PHASE_RELOCATABLE, NULL,
     "join objects into one"},
    {"run", NULL, GCL_VALUE_NONE, set_phase, GCL_PHASE_RUN, NULL, "compile, link and run"},
    {"run-args", NULL, GCL_VALUE_LIST, add, FIELD(run_arguments), NULL, "arguments for -run"},
    {"shared", NULL, GCL_VALUE_NONE, set_true, FIELD(shared), NULL, "make a shared library"},
    {"output-file", "o", GCL_VALUE_ONE, set_text, FIELD(output), NULL, "what to write"},
    {"output-directory", "odir", GCL_VALUE_ONE, set_text, FIELD(output_directory), NULL,
     "where objects go"},
    {"x", NULL, GCL_VALUE_ONE, set_language, FIELD(language), "cu c++ c", "language of all inputs"},

    // Dependencies.
    {"generate-dependencies", "M", GCL_VALUE_NONE, set_depend, 0, "M", "print a make rule"},
    {"generate-nonsystem-dependencies", "MM", GCL_VALUE_NONE, set_depend, 0, "Mu",
     "the same without system headers"},
    {"generate-dependencies-with-compile", "MD", GCL_VALUE_NONE, set_depend, 0, "c",
     "write a make rule beside the object"},
    {"generate-nonsystem-dependencies-with-compile", "MMD", GCL_VALUE_NONE, set_depend, 0, "cu",
     "the same without system headers"},
    {"dependency-output", "MF", GCL_VALUE_ONE, set_text, FIELD(depend_file), NULL,
     "file for the make rule"},
    {"dependency-target-name", "MT", GCL_VALUE_ONE, add, FIELD(depend_targets), NULL,
     "target of the make rule"},
    {"MQ", NULL, GCL_VALUE_ONE, add, FIELD(depend_targets), NULL, NULL},
    {"generate-dependency-targets", "MP", GCL_VALUE_NONE, set_true, FIELD(depend_phony), NULL,
     "add an empty rule for each header"},

    // Preprocessor and language.
    {"define-macro", "D", GCL_VALUE_LIST, add, FIELD(common), "-D", "define a macro"},
    {"undefine-macro", "U", GCL_VALUE_LIST, add, FIELD(common), "-U", "undefine a macro"},
    {"include-path", "I", GCL_VALUE_LIST, add, FIELD(common), "-I", "search headers there"},
    {"system-include", "isystem", GCL_VALUE_LIST, add_pair, FIELD(common), "-isystem",
     "search system headers there"},
    {"pre-include", "include", GCL_VALUE_LIST, add_pair, FIELD(common), "-include",
     "include a file first"},
    {"std", NULL, GCL_VALUE_ONE, set_text, FIELD(standard), NULL, "language standard: c++17, ..."},
    {"ftemplate-depth", NULL, GCL_VALUE_ONE, add, FIELD(common), "-ftemplate-depth=", NULL},
    {"ftemplate-backtrace-limit", NULL, GCL_VALUE_ONE, add, FIELD(common),
     "-ftemplate-backtrace-limit=", NULL},
    {"no-exceptions", "noeh", GCL_VALUE_NONE, add, FIELD(common), "-fno-exceptions", NULL},
    {"expt-relaxed-constexpr", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"extended-lambda", "expt-extended-lambda", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"no-host-device-initializer-list", "nohdinitlist", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"no-host-device-move-forward", "nohdmoveforward", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"default-stream", NULL, GCL_VALUE_ONE, default_stream, FIELD(default_stream),
     "legacy null per-thread", "what stream 0 means: legacy, per-thread"},
    {"no-align-double", NULL, GCL_VALUE_NONE, refuse, 0, NULL, NULL},

    // Optimisation, arithmetic, debugging.
    {"optimize", "O", GCL_VALUE_ONE, set_text, FIELD(optimize), NULL,
     "optimisation of host code, 0 to 3"},
    {"debug", "g", GCL_VALUE_NONE, set_true, FIELD(debug), NULL, "debug information"},
    {"device-debug", "G", GCL_VALUE_NONE, set_true, FIELD(device_debug), NULL,
     "kernels for debuggers, thread by thread"},
    {"generate-line-info", "lineinfo", GCL_VALUE_NONE, set_true, FIELD(line_info), NULL,
     "kernels say from which lines they come"},
    {"profile", "pg", GCL_VALUE_NONE, add_profile, 0, NULL, "instrument host code for gprof"},
    {"use_fast_math", NULL, GCL_VALUE_NONE, set_fast_math, 0, NULL,
     "kernels: fast instead of exact arithmetic"},
    {"fmad", NULL, GCL_VALUE_BOOLEAN, set_boolean, FIELD(fused_multiply_add), NULL,
     "kernels: fuse multiplication and addition (true)"},
    {"ftz", NULL, GCL_VALUE_BOOLEAN, set_boolean, FIELD(flush_denormals), NULL,
     "GPU code: denormal floats are 0 (false)"},
    {"prec-div", NULL, GCL_VALUE_BOOLEAN, set_boolean, FIELD(exact_quotients), NULL,
     "GPU code: quotients of floats are rounded correctly (true)"},
    {"prec-sqrt", NULL, GCL_VALUE_BOOLEAN, set_boolean, FIELD(exact_roots), NULL,
     "GPU code: square roots of floats are rounded correctly (true)"},
    {"maxrregcount", NULL, GCL_VALUE_ONE, set_registers, 0, NULL,
     "GPU code: registers of a thread, in kernels without launch bounds"},
    {"Ofast-compile", "Ofc", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"dopt", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"restrict", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"extra-device-vectorization", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"optimization-info", "opt-info", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"dlink-time-opt", "dlto", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"lto", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"gen-opt-lto", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},

    // Architecture.
    {"gpu-architecture", "arch", GCL_VALUE_LIST, set_arch, FIELD(architectures), NULL,
     "architecture of GPU code, and what __CUDA_ARCH__ says"},
    {"cuda-path", NULL, GCL_VALUE_ONE, set_text, FIELD(cuda_path), NULL,
     "folder of the CUDA toolkit, for its mathematics in GPU code"},
    {"gpu-code", "code", GCL_VALUE_LIST, set_arch, FIELD(codes), NULL, NULL},
    {"generate-code", "gencode", GCL_VALUE_ONE, set_gencode, 0, NULL,
     "the same: arch=...,code=..."},
    {"march", NULL, GCL_VALUE_ONE, set_march, 0, NULL,
     "code for one processor: x86-64-v3, native, ..."},
    {"device-target", NULL, GCL_VALUE_ONE, set_device_target, FIELD(device_target), NULL,
     "device code alone, for another processor: aarch64-linux-gnu, ..."},
    {"device", NULL, GCL_VALUE_ONE, set_devices, 0, "cpu cuda all",
     "what kernels are made for: cpu, cuda, all (the default)"},
    {"cpu", NULL, GCL_VALUE_ONE, set_cpu, 0, "vector scalar",
     "how kernels run their threads: vector, scalar"},
    {"sanitize", NULL, GCL_VALUE_ONE, set_sanitize, 0, "a list of footprint, race, init, sync",
     "check what kernels do: footprint,race,init,sync"},
    {"relocatable-device-code", "rdc", GCL_VALUE_BOOLEAN, set_boolean,
     FIELD(relocatable_device_code), NULL, "device code may use that of other files"},
    {"machine", "m", GCL_VALUE_ONE, set_machine, 0, NULL, NULL},
    {"m64", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"m32", NULL, GCL_VALUE_NONE, refuse, 0, "only 64-bit code can be made", NULL},
    {"list-gpu-arch", "arch-ls", GCL_VALUE_NONE, set_phase, GCL_PHASE_LIST_ARCH, NULL,
     "list architectures"},
    {"list-gpu-code", "code-ls", GCL_VALUE_NONE, set_phase, GCL_PHASE_LIST_CODE, NULL,
     "list architectures"},
    {"entries", "e", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"extensible-whole-program", "ewp", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"keep-device-functions", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},

    // Libraries and other tools.
    {"library", "l", GCL_VALUE_LIST, add, FIELD(link), "-l", "link a library"},
    {"library-path", "L", GCL_VALUE_LIST, add, FIELD(link), "-L", "search libraries there"},
    {"compiler-options", "Xcompiler", GCL_VALUE_LIST, add_host, 0, NULL,
     "options for the host compiler (clang)"},
    {"linker-options", "Xlinker", GCL_VALUE_LIST, add_pair, FIELD(link), "-Xlinker",
     "options for the linker"},
    {"archive-options", "Xarchive", GCL_VALUE_LIST, add, FIELD(archive), NULL, "options for ar"},
    {"archiver-binary", "arbin", GCL_VALUE_ONE, set_text, FIELD(archiver), NULL, NULL},
    {"ptxas-options", "Xptxas", GCL_VALUE_LIST, set_ptxas, 0, NULL, NULL},
    {"nvlink-options", "Xnvlink", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"Xcudafe", NULL, GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"Xcicc", NULL, GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"Xnvvm", NULL, GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"Xfatbinary", NULL, GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"compiler-bindir", "ccbin", GCL_VALUE_ONE, set_text, FIELD(host_compiler), NULL,
     "one of MPI's compilers, whose folders and libraries are added; others are ignored"},
    {"allow-unsupported-compiler", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"cudart", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"cudadevrt", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"libdevice-directory", "ldir", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"target-directory", "target-dir", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"forward-unknown-to-host-compiler", NULL, GCL_VALUE_NONE, set_true, FIELD(forward_compiler),
     NULL, "unknown options go to the host compiler"},
    {"forward-unknown-to-host-linker", NULL, GCL_VALUE_NONE, set_true, FIELD(forward_linker), NULL,
     "unknown options go to the linker"},
    {"forward-unknown-opts", NULL, GCL_VALUE_NONE, forward_unknown, 0, NULL, "both"},
    {"no-device-link", "nodlink", GCL_VALUE_NONE, ignore, 0, NULL, NULL},

    // Warnings.
    {"disable-warnings", "w", GCL_VALUE_NONE, set_true, FIELD(no_warnings), NULL, "no warnings"},
    {"Werror", NULL, GCL_VALUE_MAYBE, set_werror, 0, NULL, "warnings are errors"},
    {"Wdefault-stream-launch", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"Wmissing-launch-bounds", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"Wext-lambda-captures-this", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"Wno-deprecated-gpu-targets", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"resource-usage", "res-usage", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"display-error-number", "err-no", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"no-display-error-number", "no-err-no", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"diag-error", "diag_error", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"diag-suppress", "diag_suppress", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"diag-warn", "diag_warn", GCL_VALUE_LIST, ignore, 0, NULL, NULL},
    {"brief-diagnostics", "brief-diag", GCL_VALUE_ONE, ignore, 0, NULL, NULL},

    // How the work is done.
    {"dryrun", NULL, GCL_VALUE_NONE, set_true, FIELD(dry_run), NULL, "show commands, run none"},
    {"verbose", "v", GCL_VALUE_NONE, set_true, FIELD(verbose), NULL, "show commands"},
    {"threads", "t", GCL_VALUE_ONE, set_jobs, 0, NULL, "source files compiled at a time"},
    {"keep", NULL, GCL_VALUE_NONE, set_true, FIELD(keep), NULL, "keep intermediate files"},
    {"save-temps", NULL, GCL_VALUE_NONE, set_true, FIELD(keep), NULL, NULL},
    {"keep-dir", NULL, GCL_VALUE_ONE, set_text, FIELD(keep_directory), NULL,
     "where -keep puts them"},
    {"emit", NULL, GCL_VALUE_ONE, add_dump, 0, "source", "print the rewritten source"},
    {"dump", NULL, GCL_VALUE_LIST, add_dump, 0,
     "unit edits source shapes pragmas ir access uniformity vector regions ptx",
     "print stages: unit, edits, source, shapes, pragmas, ir, access, uniformity, vector, "
     "regions, ptx"},
    {"Rgcluster", NULL, GCL_VALUE_ONE, set_remarks, 0, "vector cache",
     "say how kernels are vectorised, or what comes from the cache"},
    {"explain", NULL, GCL_VALUE_MAYBE, set_explain, 0, "text json",
     "say how kernels split, what they touch and why not less: text, json; alone nothing else"},
    {"check-rewrite", NULL, GCL_VALUE_NONE, set_check_rewrite, 0, NULL,
     "verify the rewritten source"},
    {"version", "V", GCL_VALUE_NONE, set_phase, GCL_PHASE_VERSION, NULL, "versions"},
    {"help", "h", GCL_VALUE_NONE, set_phase, GCL_PHASE_HELP, NULL, "this text"},
    {"objdir-as-tempdir", "objtemp", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"split-compile", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"split-compile-extended", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"jobserver", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"time", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"fdevice-time-trace", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"frandom-seed", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"dont-use-profile", "noprof", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"use-local-env", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"input-drive-prefix", "idp", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"dependency-drive-prefix", "ddp", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"drive-prefix", "dp", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"qpp-config", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"host-linker-script", "hls", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"augment-host-linker-script", "aug-hls", GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"static-global-template-stub", NULL, GCL_VALUE_BOOLEAN, ignore, 0, NULL, NULL},
    {"device-entity-has-hidden-visibility", NULL, GCL_VALUE_BOOLEAN, ignore, 0, NULL, NULL},
    {"device-stack-protector", NULL, GCL_VALUE_BOOLEAN, ignore, 0, NULL, NULL},
    {"no-compress", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"compress-mode", NULL, GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"compress-all", NULL, GCL_VALUE_NONE, ignore, 0, NULL, NULL},
    {"jump-table-density", "jtd", GCL_VALUE_ONE, ignore, 0, NULL, NULL},
    {"source-in-ptx", "src-in-ptx", GCL_VALUE_NONE, ignore, 0, NULL, NULL},

    // What can't be made here.
    {"optix-ir", NULL, GCL_VALUE_NONE, refuse, 0, NO_GPU_CODE, NULL},
    {"ltoir", NULL, GCL_VALUE_NONE, refuse, 0, NO_GPU_CODE, NULL},
    {"relocatable-ptx", "reloc-ptx", GCL_VALUE_NONE, refuse, 0, NO_GPU_CODE, NULL},
    {"cuda", NULL, GCL_VALUE_NONE, refuse, 0, "--emit=source prints the rewritten file", NULL},
    {"fdevice-syntax-only", NULL, GCL_VALUE_NONE, refuse, 0, "-c finds the same errors", NULL},
    {"compile-as-tools-patch", "astoolspatch", GCL_VALUE_NONE, refuse, 0, NULL, NULL},
    {"clean-targets", "clean", GCL_VALUE_NONE, refuse, 0, NULL, NULL},
};

static bool is_spelled(const char *candidate, const char *name, size_t length) {
    return candidate && strlen(candidate) == length && memcmp(candidate, name, length) == 0;
}

const struct gcl_option *gcl_option_find(const char *name, size_t length) {
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (is_spelled(table[i].name, name, length) || is_spelled(table[i].alias, name, length))
            return &table[i];
    return NULL;
}

const struct gcl_option *gcl_option_at(size_t index) {
    return index < G_N_ELEMENTS(table) ? &table[index] : NULL;
}
