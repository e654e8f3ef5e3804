// The device code of one object while it is compiled: what every stage of the code generator reads
// and writes.
#ifndef GCL_DEVICE_MODULE_H
#define GCL_DEVICE_MODULE_H

#include <glib.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "device.h"
#include "gcluster/kernel.h"

/// A region of a kernel, as the tables will describe it.
struct gcl_device_region {
    struct gcl_cut cut; ///< what stands before it
    LLVMValueRef lane;  ///< for blocks of all sizes: i32 (the kernel's parameters…, ptr block, i32
                        ///< thread, x, y, z, ptr kept, left, frame)
    bool diverges;      ///< threads may go on in different regions
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
    LLVMValueRef function; ///< as clang made it; empty once its regions exist
    GArray *regions;       ///< struct gcl_device_region
    GArray *shapes;        ///< struct gcl_device_shape; the last is the general one
    GArray *variants;      ///< struct gcl_device_variant, best first
    uint32_t frame_size;   ///< bytes a thread
    uint32_t shared_size;  ///< bytes
    uint32_t max_threads;
    uint32_t kept_size;         ///< bytes a block: locals that its threads share
    GArray *kept;               ///< struct gcl_device_kept: those locals
    GArray *framed;             ///< struct gcl_device_kept: locals of each thread, but for arrays
    GHashTable *shared_locals;  ///< such an alloca -> int64_t *: its stride by threadIdx.x
    bool polls;                 ///< has a loop in which a thread waits for another one
    bool locks;                 ///< has a loop in which a thread waits for a lock
    bool has_warps;             ///< relies on warps: vectors must be such
    uint32_t settled;           ///< gcl_math_settles
    bool vector;                ///< runs in vectors (vector.c), not thread by thread (lanes.c)
    bool strips;                ///< runs several blocks along x at once
    bool any_size;              ///< launches may have sizes for which there is no code of their own
    GPtrArray *parameter_names; ///< as in the source
    struct gcl_device_program *program; ///< what it reads and writes (access.h)
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

/// What lies at addresses that are the same on every node (image.c).
struct gcl_device_image {
    LLVMValueRef slot;    ///< holds its address at run time; NULL: there is nothing in it
    GPtrArray *functions; ///< LLVMValueRef: their descriptors come first
    GPtrArray *constants; ///< LLVMValueRef
    GHashTable *offsets;  ///< LLVMValueRef of those -> bytes from the image's start
    GArray *pointers;     ///< struct gcl_image_pointer
    uint64_t size;        ///< bytes
    uint64_t hash;        ///< of what it has, in which order, and how large
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
    GPtrArray *diagnostics;
    GHashTable *remarks; ///< texts that the user has seen
    bool failed;
};

/// NVPTX address spaces.
enum { GCL_SPACE_GLOBAL = 1, GCL_SPACE_SHARED = 3, GCL_SPACE_CONSTANT = 4 };

/// The source line of `instruction` (NULL, or without one: the file). `*file` is set to what the
/// place borrows, to be freed.
struct gcl_place gcl_module_place(const struct gcl_module *m, LLVMValueRef instruction,
                                  char **file);
/// Reports an error at the source line of `instruction` (NULL: the file).
void gcl_module_error(struct gcl_module *m, enum gcl_diagnostic_code code, LLVMValueRef instruction,
                      const char *format, ...) G_GNUC_PRINTF(4, 5);

/// Keeps the source lines of a kernel's instructions when debug information goes.
void gcl_module_keep_lines(struct gcl_module *m, LLVMValueRef function);
/// The line that an instruction has kept, NULL if none, and the way to give it to another one.
LLVMValueRef gcl_module_line(const struct gcl_module *m, LLVMValueRef instruction);
void gcl_module_set_line(const struct gcl_module *m, LLVMValueRef instruction, LLVMValueRef line);
/// Tells the user, once for each line, what is the matter with an instruction of a kernel.
void gcl_module_remark(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                       LLVMValueRef instruction, const char *what);

/// The kernel whose function this is; NULL for any other function.
struct gcl_device_kernel *gcl_module_kernel(const struct gcl_module *m, LLVMValueRef function);

/// What is known about block sizes of launches of `kernel`, as struct gcl_shape with borrowed
/// names; freed with g_array_unref.
GArray *gcl_shapes_of(const struct gcl_module *m, const struct gcl_device_kernel *kernel);

/// A kernel's symbol without what clang appends to those of local ones with -rdc=true; to be freed.
char *gcl_source_symbol(const char *symbol);
/// What pragmas say of `kernel`: const struct gcl_pragma *, borrowed; freed with g_ptr_array_unref.
GPtrArray *gcl_pragmas_of(const struct gcl_module *m, const struct gcl_device_kernel *kernel);

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

// The stages, in order.
bool gcl_retarget(struct gcl_module *m);
void gcl_legalize(struct gcl_module *m);
void gcl_math_link(struct gcl_module *m);
void gcl_inline(struct gcl_module *m);
/// Has all be inlined, by whatever inlines next: as the analysis does, and what it is checked with.
void gcl_inline_mark_all(struct gcl_module *m);
/// Does what clang's passes do, and doesn't move loads ahead of their conditions, for
/// --sanitize=race, init and sync: such a load would be a race, or read what isn't written.
void gcl_sanitize_optimize(struct gcl_module *m);
void gcl_sanitize(struct gcl_module *m);
void gcl_contract(struct gcl_module *m);
void gcl_quotients(struct gcl_module *m);
void gcl_variables_lower(struct gcl_module *m);
/// Gives what is known by its address a place in the image, and its uses that.
void gcl_image_build(struct gcl_module *m);
/// Has calls through pointers read descriptors; when no stage looks at calls any more.
void gcl_image_lower_calls(struct gcl_module *m);
void gcl_polls_cut(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_lockstep_keep(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_prefetch_build(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_cut_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_demote_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_regions_build(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_shapes_build(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_vector_prepare(struct gcl_module *m);
void gcl_variants_build(struct gcl_module *m, struct gcl_device_kernel *kernel);
void gcl_tables_emit(struct gcl_module *m);
void gcl_math_lower(struct gcl_module *m);
void gcl_addresses_sink(struct gcl_module *m);
void gcl_pieces_split(struct gcl_module *m);
bool gcl_emit(struct gcl_module *m, const char *object_path);

/// Whether a variable of the source is global or constant memory that the runtime places.
bool gcl_variables_has(struct gcl_module *m, LLVMValueRef global);
/// Replaces every use of `global` in an instruction by what `make` builds in front of it. Uses in
/// initialisers stay.
void gcl_variables_replace(struct gcl_module *m, LLVMValueRef global,
                           LLVMValueRef (*make)(struct gcl_module *, LLVMBuilderRef, void *),
                           void *data);
/// A word named after `name` that the runtime sets before kernels run, and what is read from it.
LLVMValueRef gcl_variables_add_slot(struct gcl_module *m, const char *name);
LLVMValueRef gcl_variables_load_slot(struct gcl_module *m, LLVMBuilderRef builder,
                                     LLVMValueRef slot);
/// Bytes from the start of a structure or an array to one of its elements.
uint64_t gcl_variables_inner(struct gcl_module *m, LLVMTypeRef type, unsigned index);
/// Whether the source names a constant, so that the host may ask for it.
bool gcl_image_is_named(LLVMValueRef global);
/// Whether `global` is a constant that holds the address of a function or of a constant.
bool gcl_image_leads_on(struct gcl_module *m, LLVMValueRef global);
/// Where a function's descriptor or a constant lies in the image; false: it isn't there.
bool gcl_image_offset(const struct gcl_module *m, LLVMValueRef global, uint64_t *offset);

/// The function by which kernels tell the sanitizer of an access (sanitize.c): void (address,
/// site).
#define GCL_TELL "gcl_device_access.quick"
/// Fields of a site that are known when compiling.
enum { GCL_SITE_SIZE = 2 };
/// Whether `i` is a call of it. Nothing that others may see happens by that.
bool gcl_sanitize_tells(LLVMValueRef i);
/// Whether threads of a block are told apart: they run one after the other then.
bool gcl_sanitize_by_thread(const struct gcl_module *m);

/// Creates `machine` and fills `targets`; false if LLVM can't generate code for this machine.
bool gcl_target_init(struct gcl_module *m);
void gcl_target_finish(struct gcl_module *m);
/// The target whose code runs wherever this object's code does: for functions that all share.
const struct gcl_device_target *gcl_target_least(const struct gcl_module *m);
/// Has `function` compiled for that target and no other.
void gcl_target_set(struct gcl_module *m, LLVMValueRef function,
                    const struct gcl_device_target *target);

/// The enum gcl_cpu_level for which `function` is compiled.
uint32_t gcl_target_level(const struct gcl_module *m, LLVMValueRef function);
/// How many bytes a register for vectors has on such processors.
unsigned gcl_target_register(uint32_t level);

/// True if the user wants to see that stage (gcl_device_options.dump).
bool gcl_module_dumps(const struct gcl_module *m, const char *stage);

/// Runs an LLVM pass pipeline, given as opt's -passes= text.
void gcl_run_passes(struct gcl_module *m, const char *passes);

/// Gives a function an attribute without a value.
void gcl_add_attribute(struct gcl_module *m, LLVMValueRef function, const char *name);

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
