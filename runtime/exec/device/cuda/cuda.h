// A GPU as a device, by NVIDIA's driver. Kernels run from the GPU code of their object, memory is
// the GPU's own, mapped at the addresses that it has on all nodes: the host never touches it. What
// the host uses as well is the host's memory, which the driver lets the GPU use at its address.
#ifndef GCL_EXEC_DEVICE_CUDA_H
#define GCL_EXEC_DEVICE_CUDA_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/communicator/seat.h"
#include "exec/device/device.h"

struct gcl_code;

/// Which GPU a process wants.
struct gcl_cuda_choice {
    int number;          ///< as the driver counts those that it shows
    unsigned sharers;    ///< nodes of this host that use it, with this one
    bool has_neighbours; ///< there are other nodes on this host
    bool shares_memory;  ///< the program uses managed and pinned memory in this process
    bool keeps_bits;     ///< results don't depend on which node has which part of a launch
};

enum gcl_cuda_state {
    GCL_CUDA_READY,
    GCL_CUDA_ABSENT,   ///< there is no driver, or no GPU, as on most machines
    GCL_CUDA_UNUSABLE, ///< there is one that can't be used
};

/// Lists GPUs that can be used in a seat: number `wanted`, or all if that is -1. None if there is
/// no driver, which is loaded.
void gcl_device_cuda_list(int wanted, struct gcl_seat *seat);

/// The GPU of this process, opened once; it lives as long as the process. What was found becomes
/// `text`, with what is needed unless it is ready.
enum gcl_cuda_state gcl_device_cuda_open(const struct gcl_cuda_choice *choice,
                                         const struct gcl_device **device, char *text, size_t size);

/// Whether an object has code for the open GPU.
bool gcl_device_cuda_runs(const struct gcl_code *code);
/// The first kernel of which that code has nothing; NULL: it has all, as far as can be seen.
const struct gcl_kernel *gcl_device_cuda_lacks(const struct gcl_code *code);

/// Writes what the driver shows of GPUs, and what of that can be used, for people.
void gcl_device_cuda_describe(FILE *out);

#endif
