// Names of architectures become numbers: compute_<n> is an architecture of PTX, sm_<n> a machine
// that PTX is assembled for. As nvcc has it, -arch=sm_90 alone asks for both.
#include "gpu_options.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"

// What LLVM 19 has. PTX of an older one runs on newer machines.
static const unsigned known[] = {60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

enum {
    PORTABLE = 75, ///< what CUDA 13 still supports
    NEWEST = 90,
};

struct list {
    GArray *targets; ///< struct gcl_gpu_target
    GPtrArray *diagnostics;
    bool is_told; ///< that an architecture is newer than what LLVM knows
};

// An architecture by its name, such as sm_90a.
struct name {
    unsigned number;
    bool is_machine;
    bool is_exact;
};

static struct name read_name(const char *text) {
    const char *digits = strchr(text, '_');
    char *end = NULL;
    guint64 number = digits ? g_ascii_strtoull(digits + 1, &end, 10) : 0;
    return (struct name){.number = (unsigned)number,
                         .is_machine = g_str_has_prefix(text, "sm_"),
                         .is_exact = end && *end == 'a'};
}

// The best that LLVM has for an architecture.
static unsigned find_known(struct list *list, const char *text, unsigned number) {
    unsigned best = known[0];
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        best = known[i] <= number ? known[i] : best;
    if (number > NEWEST && !list->is_told) {
        list->is_told = true;
        gcl_diagnostics_add(list->diagnostics, GCL_CODE_NEWER_ARCHITECTURE, NULL, NULL,
                            "LLVM 19 has no code for %s: it gets PTX for compute_%d, which drivers "
                            "compile for it",
                            text, NEWEST);
    }
    return best;
}

static struct gcl_gpu_target *get_target(struct list *list, const char *text) {
    struct name name = read_name(text);
    struct gcl_gpu_target wanted = {.architecture = find_known(list, text, name.number),
                                    .is_exact = name.is_exact && name.number == NEWEST};
    for (guint i = 0; i < list->targets->len; i++) {
        struct gcl_gpu_target *target = &g_array_index(list->targets, struct gcl_gpu_target, i);
        if (target->architecture == wanted.architecture && target->is_exact == wanted.is_exact)
            return target;
    }
    g_array_append_val(list->targets, wanted);
    return &g_array_index(list->targets, struct gcl_gpu_target, list->targets->len - 1);
}

static void add_machine(struct gcl_gpu_target *target, unsigned machine) {
    for (unsigned i = 0; i < target->machine_count; i++) {
        if (target->machines[i] == machine)
            return;
    }
    if (target->machine_count < G_N_ELEMENTS(target->machines))
        target->machines[target->machine_count++] = machine;
}

// Adds code `code` made of PTX of architecture `arch`.
static void add_code(struct list *list, const char *arch, const char *code) {
    struct gcl_gpu_target *target = get_target(list, arch);
    struct name name = read_name(code);
    if (name.is_machine)
        add_machine(target, name.number);
    else
        target->has_ptx = true;
}

// arch=compute_80,code=[sm_80,compute_80]
static void add_gencode(struct list *list, const char *text) {
    g_auto(GStrv) words = g_strsplit_set(text, ",[]\"' ", -1);
    const char *arch = NULL;
    for (char **word = words; *word; word++) {
        bool is_arch = g_str_has_prefix(*word, "arch=");
        const char *value = is_arch || g_str_has_prefix(*word, "code=") ? *word + 5 : *word;
        if (is_arch)
            arch = value;
        else if (*value)
            add_code(list, arch ? arch : value, value);
    }
}

// -arch, with what -code says of it.
static void add_architecture(struct list *list, const char *arch, const GPtrArray *codes) {
    if (!strchr(arch, '_')) { // native, all, all-major: PTX runs on all of them
        get_target(list, "compute_75")->has_ptx = true;
        return;
    }
    for (guint i = 0; i < codes->len; i++)
        add_code(list, arch, codes->pdata[i]);
    if (codes->len > 0)
        return;
    add_code(list, arch, arch);
    get_target(list, arch)->has_ptx = true;
}

static void add_all(struct list *list, const struct gcl_options *options) {
    for (guint i = 0; i < options->gencodes->len; i++)
        add_gencode(list, options->gencodes->pdata[i]);
    for (guint i = 0; i < options->architectures->len; i++)
        add_architecture(list, options->architectures->pdata[i], options->codes);
    for (guint i = 0; i < options->codes->len && options->architectures->len == 0; i++)
        add_architecture(list, options->codes->pdata[i], options->codes);
    if (list->targets->len == 0)
        get_target(list, "compute_75")->has_ptx = true;
    if (g_strcmp0(options->module, "ptx") == 0)
        g_array_index(list->targets, struct gcl_gpu_target, 0).has_ptx = true;
}

// A file of the toolkit: where the command line says, else where the environment does, else where
// it is installed. To be freed; NULL: it isn't there.
static char *find_file(const struct gcl_options *options, const char *name) {
    const char *folders[] = {options->cuda_path, g_getenv("CUDA_HOME"), g_getenv("CUDA_PATH"),
                             "/usr/local/cuda", "/usr/lib/cuda"};
    size_t count = options->cuda_path ? 1 : G_N_ELEMENTS(folders);
    for (size_t i = 0; i < count; i++) {
        g_autofree char *path = folders[i] ? g_build_filename(folders[i], name, NULL) : NULL;
        if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&path);
    }
    return NULL;
}

static char *find_assembler(const struct gcl_options *options) {
    char *path = find_file(options, "bin/ptxas");
    return path || options->cuda_path ? path : g_find_program_in_path("ptxas");
}

// What is checked, is checked on CPUs.
static bool is_wanted(const struct gcl_options *options) {
    static const char *const ptx[] = {"ptx", NULL};
    bool shows = options->phase == GCL_PHASE_DUMP;
    return (options->devices & GCL_DEVICE_CUDA) && !options->sanitize &&
           (!shows || gcl_options_dump_one(options, ptx));
}

const struct gcl_gpu_options *gcl_gpu_options_init(struct gcl_gpu_options *gpu,
                                                   const struct gcl_options *options,
                                                   const char *beside, GPtrArray *diagnostics) {
    static const char *const others[] = {"uniformity", "vector", "regions", NULL};
    struct list list = {.targets = g_array_new(FALSE, FALSE, sizeof(struct gcl_gpu_target)),
                        .diagnostics = diagnostics};
    *gpu = (struct gcl_gpu_options){.targets = list.targets};
    if (!is_wanted(options))
        return NULL;
    add_all(&list, options);
    assert(list.targets->len > 0);
    *gpu = (struct gcl_gpu_options){
        .targets = list.targets,
        .assembler = find_assembler(options),
        .folder = beside ? g_path_get_dirname(beside) : NULL,
        .libdevice = find_file(options, "nvvm/libdevice/libdevice.10.bc"),
        .alone = options->phase == GCL_PHASE_DUMP ? !gcl_options_dump_one(options, others)
                                                  : !(options->devices & GCL_DEVICE_CPU),
        .tells = options->phase == GCL_PHASE_DUMP || (options->devices & GCL_DEVICE_TOLD),
        .max_registers = options->max_registers,
        .flush_denormals = options->flush_denormals,
        .exact_quotients = options->exact_quotients,
        .exact_roots = options->exact_roots,
        .lines = options->line_info || options->device_debug,
    };
    return gpu;
}

void gcl_gpu_options_finish(struct gcl_gpu_options *gpu) {
    g_array_unref((GArray *)gpu->targets);
    g_free((char *)gpu->assembler);
    g_free((char *)gpu->folder);
    g_free((char *)gpu->libdevice);
}

char *gcl_gpu_options_text(const struct gcl_gpu_options *gpu) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < gpu->targets->len; i++) {
        const struct gcl_gpu_target *target =
            &g_array_index(gpu->targets, struct gcl_gpu_target, i);
        g_string_append_printf(text, "compute_%u%s ptx %d:", target->architecture,
                               target->is_exact ? "a" : "", target->has_ptx);
        for (unsigned m = 0; m < target->machine_count; m++)
            g_string_append_printf(text, " sm_%u", target->machines[m]);
    }
    g_string_append_printf(
        text, "\nalone %d tells %d registers %u ftz %d div %d sqrt %d lines %d\n%s\n%s", gpu->alone,
        gpu->tells, gpu->max_registers, gpu->flush_denormals, gpu->exact_quotients,
        gpu->exact_roots, gpu->lines, gpu->assembler ? gpu->assembler : "",
        gpu->libdevice ? gpu->libdevice : "");
    return g_string_free(text, FALSE);
}
