// Launches, and the limits they keep to.
#ifndef GCL_API_LAUNCH_H
#define GCL_API_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "exec/watch/trace.h"
#include "gcluster.h"

struct gcl_function;
struct gcl_runtime;
struct gcl_stream;

struct gcl_kernel_work;

struct gcl_launch_request {
    dim3 grid, block;
    size_t shared_size;
    gclStream_t handle;
    struct gcl_origin origin;
    bool is_cooperative;
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
};

/// Checks a launch on a stream of the calling thread's device, and notes what it is. The work owns
/// its arguments.
gclError_t gcl_launch_describe(struct gcl_launch_request *launch, const void *stub,
                               void *const *arguments, struct gcl_kernel_work *work);
/// Launches what was described on a stream.
gclError_t gcl_launch_again(struct gcl_runtime *runtime, struct gcl_stream *stream,
                            const struct gcl_kernel_work *work);

/// How many blocks of a kernel count as running on one core at once: what occupancy functions say.
/// 0 if not even one fits.
unsigned gcl_launch_blocks_per_core(const struct gcl_runtime *runtime,
                                    const struct gcl_function *function, size_t threads,
                                    size_t dynamic_shared_size);

#endif
