// From the device pass' LLVM IR to an object file: the CPU code generator.
//
// clang compiles device code for NVPTX, because there kernels keep their parameters as written and
// address spaces tell shared and constant memory apart; this module moves that IR to the host's
// processor. Stages, each a function from a module to a module (device.c):
//
//     retarget   address spaces away, kernels and device variables noted
//     legalize   instructions that mean something else on the host, or nothing
//     access     what each kernel reads and writes, from a copy of the module (access.h)
//     variables  shared and device variables become addresses that are known at run time
//     math       our implementations of functions of the C library
//     inline     code that holds a cut moves into its kernels
//     sanitize   threads tell the runtime of their accesses, and waits, with --sanitize
//     contract   a * b + c becomes one operation
//     quotients  those that may be approximate become products
//     polls      loops in which threads wait by reading memory get a cut too
//     lockstep   what relies on warps in step, without saying so, wants vectors that are warps, or
//                cuts if threads run one by one; what relies on all warps having read, a cut
//     prefetch   loops around barriers ask early for what they read next
//     cut        a kernel falls apart at barriers
//     demote     what crosses a cut goes through memory, once a thread or once a block
//     regions    one function a region: a thread's way from one cut to the next
//     hoist      that function in the form that the vectoriser reads
//     retries    loops that retry an atomic operation become functions, for the lanes one by one
//     variants   code for a whole block from it, once for each kind of processor and block size:
//                vectors of threads (vector, with cfg and uniformity), or thread by thread (lanes)
//     tables     what the runtime reads (gcluster/kernel.h)
//     emit       optimisation and object file
#ifndef GCL_DEVICE_DEVICE_H
#define GCL_DEVICE_DEVICE_H

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

struct gcl_device_options {
    /// LLVM's triple of what to generate for, such as aarch64-linux-gnu; NULL: this machine's.
    const char *triple;
    /// LLVM's name of the processor to generate for, such as x86-64-v3 or znver4, or "native";
    /// NULL: code for each level of the architecture, from which the runtime chooses.
    const char *cpu;
    /// Stages to print, or NULL: "ir" (after retargeting), "access", "uniformity", "vector",
    /// "regions" (before optimisation); others are none of its business.
    GPtrArray *dump;
    int optimization_level; ///< 0 to 3
    const GArray *shapes;   ///< struct gcl_shape: block sizes that launches are known to use
    bool scalar;            ///< one thread after the other: the reference for the vectoriser
    unsigned sanitize;      ///< what is checked: GCL_KERNEL_FOOTPRINT and so on, a sum
    bool remarks;           ///< say how kernels were vectorised
    bool only_analyses;     ///< generate no code
    bool is_part;           ///< of a program's device code: there is more, which isn't seen yet
    GArray *explanations;   ///< struct gcl_device_explanation to be added for each kernel, or NULL
};

/// What is known of a kernel: text to be freed, and references.
struct gcl_device_explanation {
    char *text;
    json_t *json;
    json_t *tables; ///< explain/tables.h
};

/// Compiles device code and writes `object_path`: one input for a source file that stands alone,
/// all files of a program that are compiled separately and linked (-rdc=true). What the user has to
/// know is appended to `diagnostics` (struct gcl_diagnostic *). Returns false, and
/// writes no object, if one of them is an error. With `options->dump` the text goes to standard
/// output as well.
bool gcl_device_compile(const struct gcl_device_options *options,
                        const struct gcl_device_input *inputs, size_t count,
                        const char *object_path, GPtrArray *diagnostics);

#endif
