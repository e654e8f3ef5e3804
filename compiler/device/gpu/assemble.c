// ptxas reads a file and writes one: both lie in a folder of their own for as long as it runs.
#include "device/gpu/assemble.h"

#include <assert.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

static void warn(struct gcl_gpu *g, unsigned machine, const char *said) {
    size_t length = strcspn(said, "\n");
    gcl_diagnostics_add(g->m.diagnostics, GCL_CODE_NOT_ASSEMBLED,
                        &(struct gcl_source_location){.path = g->m.inputs[0].source},
                        "the object has PTX instead, which drivers compile",
                        "no machine code for sm_%u: %.*s", machine, (int)length, said);
}

// The assembler, which may take minutes, ends with the process that waits for it.
static void enter_child(void *nothing) {
    (void)nothing;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// Runs the assembler; true if it wrote `output`. `*said` is to be freed.
static bool run(struct gcl_gpu *g, const char *machine, const char *input, const char *output,
                char **said) {
    const char *words[] = {g->m.options->gpu->assembler,
                           "-arch",
                           machine,
                           "-o",
                           output,
                           input,
                           g->m.options->gpu->lines ? "-lineinfo" : NULL,
                           NULL};
    g_autoptr(GError) error = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, enter_child, NULL,
                      NULL, said, &status, &error)) {
        *said = g_strdup(error->message);
        return false;
    }
    return g_spawn_check_wait_status(status, NULL);
}

GBytes *gcl_gpu_assemble(struct gcl_gpu *g, const struct gcl_gpu_target *target, unsigned machine,
                         GBytes *ptx) {
    const struct gcl_gpu_options *options = g->m.options->gpu;
    assert(options->assembler && options->folder);
    g_autofree char *folder = g_build_filename(options->folder, "gpu-XXXXXX", NULL);
    g_autofree char *said = NULL;
    if (!g_mkdtemp(folder)) {
        warn(g, machine, "no folder for the assembler's files");
        return NULL;
    }
    g_autofree char *input = g_build_filename(folder, "code.ptx", NULL);
    g_autofree char *output = g_build_filename(folder, "code.cubin", NULL);
    g_autofree char *name = g_strdup_printf("sm_%u%s", machine, target->is_exact ? "a" : "");
    char *code = NULL;
    gsize size = 0;
    bool good = g_file_set_contents(input, g_bytes_get_data(ptx, NULL),
                                    (gssize)g_bytes_get_size(ptx) - 1, NULL) &&
                run(g, name, input, output, &said) &&
                g_file_get_contents(output, &code, &size, NULL);
    if (!good)
        warn(g, machine, said && *said ? said : "the assembler wrote nothing");
    g_unlink(input);
    g_unlink(output);
    g_rmdir(folder);
    return good ? g_bytes_new_take(code, size) : NULL;
}
