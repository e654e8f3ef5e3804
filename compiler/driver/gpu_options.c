// Names of architectures become numbers.
#include "gpu_options.h"

#include <assert.h>
#include <string.h>

const struct gcl_gpu_options *gcl_gpu_options_init(struct gcl_gpu_options *gpu,
                                                   const struct gcl_options *options) {
    static const char *const others[] = {"uniformity", "vector", "regions", NULL};
    bool shows = options->phase == GCL_PHASE_DUMP;
    // What is checked, is checked on CPUs.
    bool is_wanted = (options->devices & GCL_DEVICE_CUDA) && !options->sanitize &&
                     (!shows || gcl_options_dump_one(options, (const char *const[]){"ptx", NULL}));
    GArray *targets = g_array_new(FALSE, FALSE, sizeof(struct gcl_gpu_target));
    struct gcl_gpu_target target = {
        .architecture = (unsigned)g_ascii_strtoull(options->arch + strlen("sm_"), NULL, 10)};
    assert(target.architecture > 0);
    g_array_append_val(targets, target);
    *gpu = (struct gcl_gpu_options){
        .targets = targets,
        .alone =
            shows ? !gcl_options_dump_one(options, others) : !(options->devices & GCL_DEVICE_CPU),
        .lines = options->line_info || options->device_debug,
    };
    return is_wanted ? gpu : NULL;
}

void gcl_gpu_options_finish(struct gcl_gpu_options *gpu) {
    g_array_unref((GArray *)gpu->targets);
}
