// What the code generator is given: device code of source files, and how to compile it.
#ifndef GCL_DEVICE_IR_OPTIONS_H
#define GCL_DEVICE_IR_OPTIONS_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/pragma.h"
#include "base/shape.h"
/// The device pass' output for one source file.
struct gcl_device_input {
    const char *ir; ///< LLVM IR as text
    size_t size;
    const char *unit_id; ///< unique; the host half of the file registers under the same
    const char *source;  ///< path of the .cu file, for messages
    /// struct gcl_pragma *: what the file says about kernels. Of static ones it means its own.
    const GPtrArray *pragmas;
};

/// One translation to make of kernels for GPUs: PTX, and what is assembled of it.
struct gcl_gpu_target {
    unsigned architecture; ///< 90 for compute_90
    bool is_exact;         ///< compute_90a: with what no other architecture has
    bool has_ptx;          ///< the object gets the PTX; else what is assembled alone
    unsigned machines[16]; ///< 90 for sm_90; exact if the PTX is
    unsigned machine_count;
};

struct gcl_gpu_options {
    const GArray *targets;  ///< struct gcl_gpu_target
    const char *assembler;  ///< path of ptxas, or NULL: the object gets the PTX in any case
    const char *folder;     ///< for the assembler's files, which may stay there if it is ended
    const char *libdevice;  ///< path of the CUDA toolkit's library of mathematics, or NULL
    bool alone;             ///< no code for CPUs
    bool tells;             ///< says which kernels have no GPU code, as the user has asked for some
    unsigned max_registers; ///< of a thread, in kernels without launch bounds; 0: no limit
    bool flush_denormals;   ///< of float
    bool exact_quotients;   ///< of float
    bool exact_roots;       ///< of float
    bool lines;             ///< the code says which line of the source it comes from
};

enum { GCL_DEVICE_PROGRESS_SIZE = 256 };

struct gcl_device_options {
    /// LLVM's triple of what to generate for, such as aarch64-linux-gnu; NULL: this machine's.
    const char *triple;
    /// LLVM's name of the processor to generate for, such as x86-64-v3 or znver4, or "native";
    /// NULL: code for each level of the architecture, from which the runtime chooses.
    const char *cpu;
    const struct gcl_gpu_options *gpu; ///< what is made for GPUs, NULL: nothing
    /// Stages to print, or NULL: "ir" (after retargeting), "access", "uniformity", "vector",
    /// "regions" (before optimisation), "ptx"; others are none of its business.
    GPtrArray *dump;
    const char *ptx_path;   ///< a file for the PTX of the first kind of GPU, or NULL
    int optimization_level; ///< 0 to 3
    const GArray *shapes;   ///< struct gcl_shape: block sizes that launches are known to use
    bool debug;             ///< kernels that can are run thread by thread, as the source has them
    bool lines;             ///< CPU code says which lines of the source it comes from
    bool scalar;            ///< one thread after the other: the reference for the vectoriser
    unsigned sanitize;      ///< what is checked: GCL_KERNEL_FOOTPRINT and so on, a sum
    bool remarks;           ///< say how kernels were vectorised
    bool only_analyses;     ///< generate no code
    bool is_part;           ///< of a program's device code: there is more, which isn't seen yet
    bool in_parts;          ///< large code may be several objects (gcl_device_part_path)
    char *progress;         ///< GCL_DEVICE_PROGRESS_SIZE bytes that say what it is at, or NULL
    bool costs;             ///< explanations say what launches take on clusters (explain/costs.h)
    GArray *explanations;   ///< struct gcl_device_explanation to be added for each kernel, or NULL
};

/// What is known of a kernel: text to be freed, and references.
struct gcl_device_explanation {
    char *text;
    json_t *json;
    json_t *tables; ///< explain/tables.h
};

#endif
