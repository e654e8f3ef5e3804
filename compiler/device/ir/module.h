// The device code of one object while it is compiled: what every stage of the code generator reads
// and writes, and what each stage asks of LLVM: constants and types, source lines, passes.
//
// The files of compiler/device/ir hold data and analyses and change no code by themselves:
//
//     module      the data; options: what the code generator is given
//     target      kinds of processors
//     intrinsics  functions that our CUDA headers call
//     block       struct gcl_block in IR; parameter: a kernel's packed arguments
//     mirror      unoptimised copies of functions, for debuggers
//     lane        lane functions, one a region; variant: a kernel's code for one kind of processor
//     shapes      sizes of blocks that launches have
//     source      where instructions stand in the user's source
//     cfg         control flow: order, postdominators, loops
//     uniformity  which values all threads of a vector or block share, on top of cfg
//     shim        what LLVM offers in C++ alone
#ifndef GCL_DEVICE_MODULE_H
#define GCL_DEVICE_MODULE_H

#include <glib.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "device/ir/options.h"
#include "gcluster/kernel.h"

/// A region of a kernel, as the tables will describe it.
struct gcl_device_region {
    struct gcl_cut cut; ///< what stands before it
    LLVMValueRef lane;  ///< for blocks of all sizes: i32 (the kernel's parameters…, ptr block, i32
                        ///< thread, x, y, z, ptr kept, left, frame)
    bool diverges;      ///< threads may go on in different regions
    bool walks;         ///< runs thread by thread (vector/walks.c)
    bool has_warps;     ///< relies on warps; else parts of a block run in vectors of any size
    GArray *takes;      ///< struct gcl_device_kept that it reads
    GArray *leaves;     ///< struct gcl_device_kept that it may write
};

/// A place for a local variable while threads wait at a cut.
struct gcl_device_kept {
    LLVMTypeRef type;
    uint32_t offset; ///< for one of each thread: times the number of threads
};

/// A kind of processor to generate for.
struct gcl_device_target {
    uint32_t level; ///< enum gcl_cpu_level
    char *cpu;      ///< LLVM's name
};

/// Lane functions for one size of blocks.
struct gcl_device_shape {
    uint32_t block_size[3]; ///< 0, 0, 0: for all
    LLVMValueRef *lanes;    ///< one a region
};

/// A kernel's code for one kind of processor and shape of block: struct gcl_variant.
struct gcl_device_variant {
    const struct gcl_device_target *target;
    uint32_t block_size[3];    ///< the only one that it is right for; 0, 0, 0: right for all
    bool by_threads;           ///< has no vectors
    const LLVMValueRef *lanes; ///< lane functions for that size, one a region
    LLVMValueRef *functions;   ///< gcl_region, one a region of the kernel
};

struct gcl_device_kernel {
    char *name;            ///< of its symbol
    LLVMValueRef function; ///< as clang made it; gone once the tables exist
    LLVMValueRef mirror;   ///< what runs in place of all other code (ir/mirror.h), or NULL
    GArray *regions;       ///< struct gcl_device_region
    GArray *shapes;        ///< struct gcl_device_shape; the last is the general one
    GArray *variants;      ///< struct gcl_device_variant, best first
    uint32_t frame_size;   ///< bytes a thread
    uint32_t shared_size;  ///< bytes
    uint32_t max_threads;
    uint32_t architecture;     ///< 75 where __CUDA_ARCH__ was 750
    uint32_t kept_size;        ///< bytes a block: locals that its threads share
    GArray *kept;              ///< struct gcl_device_kept: those locals
    GArray *framed;            ///< struct gcl_device_kept: locals of each thread, but for arrays
    GHashTable *shared_locals; ///< such an alloca -> int64_t *: its stride by threadIdx.x
    bool yields;               ///< has a loop in which a thread waits for another one, for whatever
    bool polls;                ///< and for more than a lock
    bool locks;                ///< has a loop in which a thread waits for a lock
    bool launches;             ///< may launch kernels
    bool has_warps;            ///< relies on warps: vectors must be such
    bool in_step;              ///< so do all of its regions, with or without warp operations
    uint32_t settled;          ///< gcl_math_settles
    bool vector;   ///< runs in vectors (vector/vector.c), not thread by thread (vector/scalar.c)
    bool strips;   ///< runs several blocks along x at once
    bool steps;    ///< and their vectors a few iterations of its loop each in turn
    bool any_size; ///< launches may have sizes for which there is no code of their own
    char *native; ///< runs blocks on CPUs instead of its code (vector/native.h); NULL: nothing does
    GPtrArray *said; ///< struct gcl_pragma *: what its annotations say (lower/annotations.h)
    bool once;       ///< so long that code for blocks of any size is compiled once
    GPtrArray *parameter_names;         ///< as in the source
    struct gcl_device_program *program; ///< what it reads and writes (access/access.h)
    guint explanation; ///< its number + 1 among gcl_device_options.explanations; 0: none
};

/// A name under which the host half of an input knows a kernel. Kernels from templates may be known
/// to several inputs.
struct gcl_device_entry {
    size_t input;
    char *name;
    char *symbol; ///< differs from `name` for local kernels of linked inputs
    struct gcl_device_kernel *kernel;
};

/// A variable in global or constant memory.
struct gcl_device_variable {
    size_t input;       ///< that defines it
    char *name;         ///< as its host half knows it
    LLVMValueRef image; ///< its initial bytes
    LLVMValueRef slot;  ///< holds its address at run time
    uint32_t flags;     ///< enum gcl_variable_flags
};

/// What lies at addresses that are the same on every node (lower/image.c).
struct gcl_device_image {
    LLVMValueRef slot;    ///< holds its address at run time; NULL: there is nothing in it
    GPtrArray *functions; ///< LLVMValueRef: their descriptors come first
    GPtrArray *constants; ///< LLVMValueRef
    GHashTable *offsets;  ///< LLVMValueRef of those -> bytes from the image's start
    GArray *pointers;     ///< struct gcl_image_pointer
    uint64_t size;        ///< bytes
    uint64_t hash;        ///< of what it has, in which order, and how large
};

/// A translation of the kernels for GPUs: struct gcl_gpu_code.
struct gcl_device_gpu_code {
    uint32_t kind; ///< enum gcl_gpu_code_kind
    uint32_t architecture;
    uint32_t flags; ///< enum gcl_gpu_code_flags
    GBytes *bytes;
};

struct gcl_module {
    const struct gcl_device_options *options;
    const struct gcl_device_input *inputs;
    size_t input_count;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    struct gcl_device_target targets[4]; ///< best first
    size_t target_count;
    char *features;       ///< LLVM's list for "native", NULL otherwise
    GHashTable *spaces;   ///< symbol of a global -> its address space on NVPTX, where it is not 0
    GHashTable *owners;   ///< symbol of a defined variable -> struct gcl_device_variable
    GPtrArray *entries;   ///< struct gcl_device_entry
    GPtrArray *kernels;   ///< struct gcl_device_kernel
    GPtrArray *variables; ///< struct gcl_device_variable
    GArray *fixups;       ///< struct gcl_fixup
    struct gcl_device_image image;
    GArray *gpu_codes; ///< struct gcl_device_gpu_code
    GPtrArray *diagnostics;
    GHashTable *remarks; ///< texts that the user has seen
    bool failed;
};

/// NVPTX address spaces.
enum { GCL_SPACE_GLOBAL = 1, GCL_SPACE_SHARED = 3, GCL_SPACE_CONSTANT = 4 };

/// The source line of `instruction` (NULL, or without one: the file). `*file` is set to what the
/// place borrows, to be freed.
struct gcl_source_location gcl_module_place(const struct gcl_module *m, LLVMValueRef instruction,
                                            char **file);
/// Reports an error at the source line of `instruction` (NULL: the file).
void gcl_module_error(struct gcl_module *m, enum gcl_diagnostic_code code, LLVMValueRef instruction,
                      const char *format, ...) G_GNUC_PRINTF(4, 5);

/// Writes to `options->progress`, if somebody reads that, what happens to a function.
void gcl_module_tell(const struct gcl_module *m, const char *what, const char *symbol);

/// Keeps the source lines of a kernel's instructions when debug information goes.
void gcl_module_keep_lines(struct gcl_module *m, LLVMValueRef function);
/// The line that an instruction has kept, NULL if none, and the way to give it to another one.
LLVMValueRef gcl_module_line(const struct gcl_module *m, LLVMValueRef instruction);
void gcl_module_set_line(const struct gcl_module *m, LLVMValueRef instruction, LLVMValueRef line);
/// Its number, 0 if the instruction has kept none.
uint32_t gcl_module_line_number(const struct gcl_module *m, LLVMValueRef instruction);
/// Tells the user, once for each line, what is the matter with an instruction of a kernel.
void gcl_module_remark(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                       LLVMValueRef instruction, const char *what);

/// Empty metadata: "invariant.load" as LLVM means it; "gcl.kept" is a load that a lane function may
/// do first, as it changes nothing there; "gcl.frame" one of what the thread has left for itself in
/// the frame; "gcl.entry" stands where all that it needs is known.
void gcl_module_mark(struct gcl_module *m, LLVMValueRef instruction, const char *name);
bool gcl_module_is_marked(struct gcl_module *m, LLVMValueRef instruction, const char *name);

/// The kernel whose function this is; NULL for any other function.
struct gcl_device_kernel *gcl_module_kernel(const struct gcl_module *m, LLVMValueRef function);

/// The kernel whose mirror this is; NULL for any other function.
struct gcl_device_kernel *gcl_module_mirror_kernel(const struct gcl_module *m,
                                                   LLVMValueRef function);

/// LLVM passes that inline, and tidy up. The analysis and the code that is made have the same ones,
/// so that both find the same guards: where one of them moves a load behind a branch that the other
/// has made a choice, threads read what the analysis doesn't know of.
#define GCL_INLINE                                                                                 \
    "always-inline,globaldce,"                                                                     \
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)"

/// LLVM passes for the control flow that cfg.h wants.
#define GCL_ONE_WAY_OUT                                                                            \
    "function(lower-switch,fix-irreducible,mergereturn,loop-simplify,lcssa,unify-loop-exits,"      \
    "loop-simplify,lcssa)"

/// True if the user wants to see that stage (gcl_device_options.dump).
bool gcl_module_dumps(const struct gcl_module *m, const char *stage);

/// Runs an LLVM pass pipeline, given as opt's -passes= text.
void gcl_module_run_passes(struct gcl_module *m, const char *passes);

/// Gives a function an attribute without a value.
void gcl_module_add_attribute(struct gcl_module *m, LLVMValueRef function, const char *name);

/// Constants and types, shorter than LLVM's.
LLVMTypeRef gcl_i32(struct gcl_module *m);
LLVMTypeRef gcl_i64(struct gcl_module *m);
LLVMTypeRef gcl_ptr(struct gcl_module *m);
LLVMValueRef gcl_u32(struct gcl_module *m, uint32_t value);
LLVMValueRef gcl_u64(struct gcl_module *m, uint64_t value);
/// The smaller and the larger of two unsigned numbers.
LLVMValueRef gcl_minimum(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gcl_maximum(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b);

#endif
