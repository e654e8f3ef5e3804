// Programs with code for CPUs alone don't pay for looking: the driver is loaded where it might be
// used.
#include "process/choose.h"

#include <stdio.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/code/registry.h"
#include "exec/device/cpu.h"
#include "exec/device/cuda/cuda.h"

static bool has_gpu_code(const struct gcl_code *code) {
    return code->gpu_code_count > 0;
}

static bool is_any(const struct gcl_code *code) {
    (void)code;
    return true;
}

static bool is_unfit(const struct gcl_code *code) {
    return !gcl_device_cuda_runs(code);
}

static bool is_partial(const struct gcl_code *code) {
    return gcl_device_cuda_lacks(code) != NULL;
}

/// Says what of the program doesn't run on the GPU that was found. Who insists on it may not launch
/// a kernel that has no code there.
static bool find_gap(bool is_insisting, const char *found, char *text, size_t size) {
    const struct gcl_code *unfit = gcl_registry_find_code(is_unfit);
    const struct gcl_code *partial =
        unfit || is_insisting ? NULL : gcl_registry_find_code(is_partial);
    char name[128];
    if (unfit)
        snprintf(text, size, "%s has no GPU code that runs on %s", unfit->source, found);
    if (partial)
        snprintf(text, size, "%s has no GPU code of kernel %s for %s", partial->source,
                 gcl_name_demangle(gcl_device_cuda_lacks(partial)->name, name, sizeof name), found);
    return unfit || partial;
}

/// Why the program can't run on any GPU; false: it may. One without a kernel may load some.
static bool find_obstacle(char *text, size_t size) {
    if (gcl_registry_is_sanitized())
        snprintf(text, size, "the program is built with --sanitize, which checks it on the CPU");
    else if (gcl_registry_find_code(is_any) && !gcl_registry_find_code(has_gpu_code))
        snprintf(text, size, "the program has no GPU code");
    else
        return false;
    return true;
}

/// Opens the GPU, and looks whether it runs all of the program.
static enum gcl_cuda_state open_gpu(bool is_insisting, const struct gcl_cuda_choice *choice,
                                    const struct gcl_device **device, char *text, size_t size) {
    char found[320];
    enum gcl_cuda_state state = gcl_device_cuda_open(choice, device, found, sizeof found);
    if (state == GCL_CUDA_READY && find_gap(is_insisting, found, text, size))
        return GCL_CUDA_UNUSABLE;
    snprintf(text, size, "%s", found);
    return state;
}

void gcl_choose_write_gpus(FILE *out) {
    gcl_device_cuda_describe(out);
}

void gcl_choose_list_gpus(const struct gcl_env *env, struct gcl_seat *seat) {
    char text[512];
    seat->gpu_count = 0;
    if (env->device != GCL_ENV_DEVICE_CPU && !find_obstacle(text, sizeof text))
        gcl_device_cuda_list(env->gpu, seat);
}

/// Without a GPU in the binding: the one that the user wants, or the first, to say what is wrong.
static struct gcl_cuda_choice choose_gpu(const struct gcl_env *env,
                                         const struct gcl_cluster_place *place,
                                         const struct gcl_binding *binding) {
    int wanted = env->gpu >= 0 ? env->gpu : 0;
    bool has_gpu = binding->gpu_sharers > 0;
    return (struct gcl_cuda_choice){.number = has_gpu ? (int)binding->gpu.number : wanted,
                                    .sharers = has_gpu ? binding->gpu_sharers : 1,
                                    .has_neighbours = place->local_count > 1,
                                    .shares_memory = place->node == 0,
                                    .keeps_bits = env->deterministic || env->verify};
}

const struct gcl_device *gcl_choose_device(const struct gcl_env *env,
                                           const struct gcl_cluster_place *place,
                                           const struct gcl_binding *binding) {
    const struct gcl_cuda_choice choice = choose_gpu(env, place, binding);
    bool is_insisting = env->device == GCL_ENV_DEVICE_CUDA;
    const struct gcl_device *device = NULL;
    char text[512];
    enum gcl_cuda_state state = GCL_CUDA_ABSENT;
    if (env->debug.is_set)
        gcl_device_cpu_run_last(env->debug.block);
    if (env->device == GCL_ENV_DEVICE_CPU || (env->debug.is_set && !is_insisting))
        return gcl_device_cpu();
    if (!find_obstacle(text, sizeof text))
        state = open_gpu(is_insisting, &choice, &device, text, sizeof text);
    if (state == GCL_CUDA_READY) {
        gcl_log(GCL_LOG_INFO, "%s", text);
        return device;
    }
    if (is_insisting) {
        gcl_log(GCL_LOG_ERROR, "GCL_DEVICE=cuda: %s", text);
        return NULL;
    }
    gcl_log(state == GCL_CUDA_ABSENT ? GCL_LOG_INFO : GCL_LOG_WARN, "kernels run on the CPU: %s",
            text);
    return gcl_device_cpu();
}
