// Searches PATH, the configured places and the folders around the running program.
#include "driver/options/installation.h"

#include <string.h>

#include "base/diagnostic.h"
#include "config.h"

static const struct {
    const char *program;
    const char *package;
    const char *configured;
} tools[GCL_TOOL_COUNT] = {
#define GCL_TOOL_ROW(name, program, package, path) {program, package, path},
    GCL_TOOL_LIST(GCL_TOOL_ROW)
#undef GCL_TOOL_ROW
};

static void add_missing(GPtrArray *diagnostics, const char *what, const char *package) {
    g_autofree char *help =
        g_strdup_printf("package %s has it: apt-get install %s", package, package);
    gcl_diagnostics_add(diagnostics, GCL_CODE_TOOL_MISSING, NULL, help, "cannot find %s", what);
}

static char *find_tool(enum gcl_tool tool, GPtrArray *diagnostics) {
    const char *chosen = tool == GCL_TOOL_CLANG ? g_getenv("GCLUSTER_CLANG") : NULL;
    char *path = g_find_program_in_path(chosen ? chosen : tools[tool].program);
    if (!path && !chosen && g_file_test(tools[tool].configured, G_FILE_TEST_IS_EXECUTABLE))
        path = g_strdup(tools[tool].configured);
    if (!path)
        add_missing(diagnostics, chosen ? chosen : tools[tool].program, tools[tool].package);
    return path;
}

// The folder that holds bin, lib and include.
static char *find_prefix(void) {
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *bin = g_path_get_dirname(program ? program : GCL_PREFIX "/bin/gcluster-cc");
    g_autofree char *up = g_build_filename(bin, GCL_BIN_TO_PREFIX, NULL);
    return g_canonicalize_filename(up, NULL);
}

// The prefix is a toolkit, unless that is the system's.
static char *find_toolkit(const char *prefix) {
    char *apart = g_build_filename(prefix, "lib/gcluster/cuda", NULL);
    if (g_file_test(apart, G_FILE_TEST_IS_DIR))
        return apart;
    g_free(apart);
    return g_strdup(prefix);
}

static char *find_directory(const char *prefix, const char *folder, const char *file,
                            GPtrArray *diagnostics) {
    char *directory = g_build_filename(prefix, folder, NULL);
    g_autofree char *path = g_build_filename(directory, file, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        add_missing(diagnostics, path, "gcluster");
    return directory;
}

// clang's headers lie beside the program that /usr/bin/clang-19 links to.
static char *find_resources(const char *clang, GPtrArray *diagnostics) {
    g_autofree char *real = realpath(clang, NULL);
    g_autofree char *bin = g_path_get_dirname(real ? real : clang);
    g_autofree char *relative = g_build_filename(bin, "..", "lib", "clang", "19", NULL);
    char *directory = g_canonicalize_filename(relative, NULL);
    g_autofree char *header = g_build_filename(directory, "include", "stddef.h", NULL);
    if (!g_file_test(header, G_FILE_TEST_EXISTS))
        add_missing(diagnostics, header, "libclang-common-19-dev");
    return directory;
}

void gcl_installation_init(struct gcl_installation *installation, GPtrArray *diagnostics) {
    const char *prefix = installation->prefix = find_prefix();
    for (int i = 0; i < GCL_TOOL_COUNT; i++)
        installation->tools[i] = find_tool((enum gcl_tool)i, diagnostics);
    const char *clang = installation->tools[GCL_TOOL_CLANG];
    installation->resource_directory = clang ? find_resources(clang, diagnostics) : NULL;
    installation->toolkit_directory = find_toolkit(prefix);
    installation->cuda_directory =
        find_directory(prefix, GCL_CUDA_DIR, "cuda_runtime.h", diagnostics);
    installation->include_directory =
        find_directory(prefix, GCL_INCLUDE_DIR, "gcluster.h", diagnostics);
    installation->library_directory =
        find_directory(prefix, GCL_LIBRARY_DIR, GCL_PLUGIN, diagnostics);
}

void gcl_installation_finish(struct gcl_installation *installation) {
    for (int i = 0; i < GCL_TOOL_COUNT; i++)
        g_free(installation->tools[i]);
    g_free(installation->prefix);
    g_free(installation->resource_directory);
    g_free(installation->cuda_directory);
    g_free(installation->include_directory);
    g_free(installation->library_directory);
    g_free(installation->toolkit_directory);
}

char *gcl_installation_library(const char *name) {
    g_autofree char *prefix = find_prefix();
    g_autofree char *toolkit = find_toolkit(prefix);
    for (const char *const *suffix = (const char *const[]){"so", "a", NULL}; *suffix; suffix++) {
        g_autofree char *file = g_strdup_printf("lib%s.%s", name, *suffix);
        char *path = g_build_filename(toolkit, "lib64", file, NULL);
        g_autofree char *target = g_file_read_link(path, NULL);
        bool is_empty = !g_strcmp0(target, "libcudart.so"); // for other linkers
        if (!is_empty && g_file_test(path, G_FILE_TEST_EXISTS))
            return path;
        g_free(path);
    }
    return NULL;
}

bool gcl_installation_searches(const struct gcl_installation *installation, const char *folder) {
    g_autofree char *in_toolkit =
        g_build_filename(installation->toolkit_directory, "include", NULL);
    const char *ours[] = {in_toolkit, installation->cuda_directory,
                          installation->include_directory};
    char *real = realpath(folder, NULL);
    bool found = false;
    for (size_t i = 0; i < G_N_ELEMENTS(ours) && real; i++) {
        char *other = realpath(ours[i], NULL);
        found = found || g_strcmp0(real, other) == 0;
        free(other);
    }
    free(real);
    return found;
}

void gcl_installation_explain(const char *log, GPtrArray *diagnostics) {
    static const struct {
        const char *complaint;
        const char *header;
        const char *package;
    } known[] = {
        {"'cstdlib' file not found", "the C++ standard library's headers", "libstdc++-12-dev"},
        {"'cmath' file not found", "the C++ standard library's headers", "libstdc++-12-dev"},
        {"'new' file not found", "the C++ standard library's headers", "libstdc++-12-dev"},
        {"'stdlib.h' file not found", "the C library's headers", "libc6-dev"},
        {"'omp.h' file not found", "OpenMP's headers", "libomp-19-dev"},
        {"cannot find -lomp", "the OpenMP library", "libomp-19-dev"},
        {"cannot find -lstdc++", "the C++ standard library", "libstdc++-12-dev"},
        {"cannot find -lgcc", "GCC's support library", "libgcc-12-dev"},
        {"cannot find Scrt1.o", "the C library's start-up code", "libc6-dev"},
        {"libclang_rt.asan", "clang's sanitizer runtime", "libclang-rt-19-dev"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (!strstr(log, known[i].complaint))
            continue;
        add_missing(diagnostics, known[i].header, known[i].package);
        return;
    }
}
