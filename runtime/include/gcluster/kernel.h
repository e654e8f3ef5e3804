// The one contract between compiler and runtime: constant tables that gcluster-cc leaves in every
// object with device code, and the state that a running block sees.
//
// A kernel is cut wherever its threads wait for each other: at barriers, at warp operations unless
// its code works on vectors that are warps, and between a read behind a barrier and a write that
// may change what slower warps have yet to read.
// What lies between two cuts is a region. A region runs for a range of threads of one block at a
// time; each thread then stands before its next cut, whose number is also the number of the region
// behind it. Region 0 starts the kernel; GCL_EXIT means that the thread has returned.
//
// Thread t of a block is (x, y, z) with t = x + block_size[0] * (y + block_size[1] * z); threads
// 32 w to 32 w + 31 form warp w.
#ifndef GCLUSTER_KERNEL_H
#define GCLUSTER_KERNEL_H

#include <stdint.h>

#include "gcluster/access.h"

/// Changes whenever anything in this file does, or what host code calls (api/register.h); the
/// runtime refuses objects of another version.
#define GCL_KERNEL_ABI 12u

/// Next region of a thread that has returned.
#define GCL_EXIT 0xffffffffu
/// A region's answer when its threads part ways: each one's next region is in gcl_block.next.
#define GCL_DIVERGED 0xfffffffeu
/// As a region's `here`: its threads are [begin, end), wherever gcl_block.next says they stand.
#define GCL_ANYWHERE 0xfffffffdu

/// What the threads that stand before a cut wait for.
enum gcl_cut_kind {
    GCL_CUT_ENTRY,        ///< region 0: nothing
    GCL_CUT_BARRIER,      ///< all threads of the block; `operation` says what of `value` is reduced
    GCL_CUT_GRID_BARRIER, ///< all threads of the grid (cooperative launches)
    GCL_CUT_YIELD,        ///< nothing: a loop that polls memory lets the other threads go first
    GCL_CUT_ORDER,        ///< nothing: but who stands before lower cuts goes first
    GCL_CUT_WARP_SYNC,    ///< the lanes in `mask`
    GCL_CUT_WARP_BALLOT,  ///< result: bit per lane in `mask` with `value` != 0
    GCL_CUT_WARP_SHUFFLE, ///< result: `value` of lane `lane`
    GCL_CUT_WARP_MATCH,   ///< result: lanes in `mask` with the same `value`
    GCL_CUT_WARP_REDUCE,  ///< result: `operation` over `value` of the lanes in `mask`
};

/// How a barrier or a warp reduction combines values.
enum gcl_cut_operation {
    GCL_REDUCE_NONE,
    GCL_REDUCE_COUNT, ///< number of non-zero values
    GCL_REDUCE_ADD,
    GCL_REDUCE_AND,
    GCL_REDUCE_OR,
    GCL_REDUCE_XOR,
    GCL_REDUCE_MIN_SIGNED, ///< of values sign-extended from 32 bits
    GCL_REDUCE_MAX_SIGNED,
    GCL_REDUCE_MIN_UNSIGNED,
    GCL_REDUCE_MAX_UNSIGNED,
};

/// One cut; `cuts[r]` of a kernel stands before region r.
struct gcl_cut {
    uint32_t kind;      ///< enum gcl_cut_kind
    uint32_t operation; ///< enum gcl_cut_operation
    uint32_t line;      ///< source line, 0 if unknown
};

/// A running block. The runtime makes it; regions read and write it.
struct gcl_block {
    uint32_t block_index[3];
    uint32_t block_size[3];
    uint32_t grid_size[3];
    uint32_t thread_count; ///< product of block_size, 1 to 1024
    uint32_t thread;       ///< the running thread, kept while code outside the region needs it
    uint32_t dynamic_shared_size; ///< bytes
    uint32_t running; ///< for faults: first thread that runs + GCL_RUNNING_COUNT * how many do
    const unsigned char *arguments; ///< packed as gcl_parameter says
    unsigned char *shared;          ///< gcl_kernel.shared_size bytes
    unsigned char *dynamic_shared;  ///< dynamic_shared_size bytes
    unsigned char *frame; ///< what lives across cuts: kept_size and frame_size of gcl_kernel
    uint32_t *next;       ///< per thread: region in which it goes on
    uint64_t *value;      ///< per thread: operand of the cut, afterwards its result
    uint32_t *mask;       ///< per thread: lanes that take part; 0: whoever has come
    uint32_t *lane;       ///< per thread: source lane of a shuffle, 0 to 31
};

/// Runs threads of a block from one cut to the next: all of [begin, end) if `here` is GCL_ANYWHERE,
/// otherwise those t among them with gcl_block.next[t] == here; the others keep their state and
/// their place. Returns the region in which all that ran go on, or GCL_DIVERGED after writing
/// gcl_block.next for each of them. A region whose threads may part ways writes next in any case.
/// Code made of vectors runs whole blocks: [begin, end) is [0, thread_count). It may pass plain
/// barriers, at which all threads stand, by itself. That of a kernel with GCL_KERNEL_STRIPS gets an
/// array of blocks side by side along x, and runs all of them: `end` is the threads that they have
/// together.
typedef uint32_t gcl_region(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here);

/// What a processor must offer to run a piece of code.
enum gcl_cpu_level {
    GCL_CPU_ANY = 0, ///< nothing beyond what every processor of its architecture has
    GCL_CPU_V2 = 2,  ///< x86-64-v2: SSE 4.2
    GCL_CPU_V3 = 3,  ///< x86-64-v3: AVX2
    GCL_CPU_V4 = 4,  ///< x86-64-v4: AVX-512
};

/// The code of one kernel for one kind of processor and shape of block.
struct gcl_variant {
    uint32_t level;         ///< enum gcl_cpu_level
    uint32_t block_size[3]; ///< the only one that it is right for; 0, 0, 0: right for all
    gcl_region *const *regions;
};

/// Where a parameter lies in the packed arguments, in bytes.
struct gcl_parameter {
    uint32_t offset;
    uint32_t size;
};

enum gcl_kernel_flags {
    GCL_KERNEL_POLLS = 1, ///< has a GCL_CUT_YIELD: its blocks may wait for each other
    /// The last variant runs thread by thread, with the results of the others: better for blocks
    /// with short rows along x.
    GCL_KERNEL_THREADS = 2,
    GCL_KERNEL_SANITIZED = 4, ///< tells the runtime what it does (gcluster/sanitize.h)
    GCL_KERNEL_STRIPS = 8,    ///< its only region runs several blocks along x (gcl_region)
    // What is checked of it, with GCL_KERNEL_SANITIZED.
    GCL_KERNEL_FOOTPRINT = 16, ///< accesses lie in the footprint of their block
    GCL_KERNEL_RACE = 32,      ///< threads of a block don't race
    GCL_KERNEL_INIT = 64,      ///< what is read was written
    GCL_KERNEL_SYNC = 128,     ///< all threads come to barriers
    GCL_KERNEL_TASK = 256,     ///< what a library does on the host (gcluster/task.h)
    GCL_KERNEL_LAUNCHES = 512, ///< may launch kernels (gcluster/child.h), which touch anything
};

/// What gcl_block.running counts threads by: 1 where they run one by one, otherwise a vector's, or
/// the block's where noting each vector would cost time. A `running` of 0 says nothing. That of the
/// first of blocks side by side is for all, with threads numbered through; code for part of a block
/// has noted its own there.
enum { GCL_RUNNING_COUNT = 1 << 16 };

/// As many rows of threads (with the same y and z) the blocks of a strip run at once: enough that
/// memory is busy, few enough that processors fetch all of them ahead.
enum { GCL_STRIP_ROWS = 4 };

/// One kernel of an object.
struct gcl_kernel {
    const char *name; ///< mangled, as the host registers it
    const struct gcl_parameter *parameters;
    /// Best first: the highest level, and in a level the fixed shapes before the general one. The
    /// first that processor and block allow is the one that runs. None, and neither cuts nor
    /// regions, where the object has GPU code alone.
    const struct gcl_variant *variants;
    const struct gcl_cut *cuts;
    uint32_t variant_count;
    uint32_t parameter_count;
    uint32_t argument_size; ///< bytes of the packed arguments
    uint32_t region_count;
    uint32_t frame_size;   ///< bytes a thread, 0 for a kernel without cuts
    uint32_t kept_size;    ///< bytes a block in front of those: what its threads have in common
    uint32_t shared_size;  ///< bytes of static shared memory, a multiple of 64
    uint32_t max_threads;  ///< from __launch_bounds__, 1024 without
    uint32_t flags;        ///< enum gcl_kernel_flags
    uint32_t architecture; ///< 75 where __CUDA_ARCH__ was 750; 0: unknown
    const struct gcl_program *program; ///< what it reads and writes, NULL if that isn't known
};

enum gcl_variable_flags {
    GCL_VARIABLE_CONSTANT = 1, ///< __constant__: kernels only read it
    GCL_VARIABLE_MANAGED = 2,  ///< __managed__: lives where the host's variable of that name does
    GCL_VARIABLE_BANKED = 4,   ///< GPU code reads it from a copy in the constant bank
};

/// A __device__, __constant__ or __managed__ variable. Kernels reach it through `*address`, which
/// the runtime sets before the first launch.
struct gcl_variable {
    const char *name;
    const void *image; ///< initial bytes
    void **address;
    uint64_t size;
    uint32_t alignment;
    uint32_t flags; ///< enum gcl_variable_flags
};

/// gcl_fixup.target: the object's image (gcl_code.image).
#define GCL_FIXUP_IMAGE 0xffffffffu

/// A pointer inside a variable's image that leads to another variable: after placing all of them
/// the runtime stores target's address + addend at variable's address + offset.
struct gcl_fixup {
    uint32_t variable; ///< index
    uint32_t target;   ///< index, or GCL_FIXUP_IMAGE
    uint64_t offset;
    int64_t addend;
};

/// Bytes of a function's descriptor, whose first word is the function's address in this process.
/// Device code has the address of that for the function's: it is the same on every node.
enum { GCL_DESCRIPTOR_SIZE = 16 };

/// A constant in an image, in bytes from its start.
struct gcl_image_constant {
    const void *bytes;
    uint64_t offset;
    uint64_t size;
};

/// A pointer in an image that leads into it: the runtime stores the image's address + target at the
/// image's address + offset.
struct gcl_image_pointer {
    uint64_t offset;
    uint64_t target;
};

/// What device code knows by addresses that may end up in memory, and so mean the same on every
/// node: descriptors of functions, one behind the other, then constants, such as tables of virtual
/// functions. Kernels only read it. Files whose device code is linked together share one.
struct gcl_image {
    void **address; ///< set by the runtime before the first launch
    void *const *functions;
    const struct gcl_image_constant *constants;
    const struct gcl_image_pointer *pointers;
    uint32_t function_count;
    uint32_t constant_count;
    uint32_t pointer_count;
    uint32_t zero;
    uint64_t size; ///< bytes
    uint64_t hash; ///< of the names of all this, their order and sizes
};

enum gcl_gpu_code_kind {
    GCL_GPU_PTX,   ///< text that ends in a 0, which is part of its size
    GCL_GPU_CUBIN, ///< machine code
};

enum gcl_gpu_code_flags {
    GCL_GPU_EXACT = 1, ///< runs on that architecture alone, as sm_90a does
};

/// One translation of an object's kernels for GPUs. Its entries have the kernels' names
/// (gcl_kernel.name) and take the parameters of gcl_kernel.parameters, each by its size, and a
/// gcl_gpu_part behind them. A kernel that GPUs can't run has no entry.
///
/// Global and constant variables have no place of their own in it: what they hold is at the
/// addresses that they have on all devices, which the runtime puts in the module's
/// `gcl_addresses`, an array of 64-bit numbers in constant memory: entry i is where
/// gcl_code.gpu_variables[i] is, and behind those comes where the object's image is. A module whose
/// kernels need none of them has no such symbol, one that needs no image no such entry.
///
/// A variable with GCL_VARIABLE_BANKED has, in constant memory, a second place `gcl_constant_<i>`.
/// Kernels read either, so before a launch the runtime copies there what has been written to the
/// variable since the last one.
struct gcl_gpu_code {
    uint32_t kind;         ///< enum gcl_gpu_code_kind
    uint32_t architecture; ///< 90 for sm_90: the least that runs it, of a cubin the major version's
    uint32_t flags;        ///< enum gcl_gpu_code_flags
    uint32_t zero;
    const void *bytes;
    uint64_t size; ///< bytes
};

/// The last parameter of a kernel in GPU code, by value: which part of a grid a launch is. A
/// block's index is that of the launch plus `first`; the size of the grid is `grid`.
struct gcl_gpu_part {
    uint32_t first[3];
    uint32_t grid[3];
    /// Of a cooperative launch: the address of 4 bytes that were 0 before the first one, and that
    /// no other launch uses at the same time. Its blocks meet there; it leaves them fit for the
    /// next.
    uint64_t barrier;
};

/// All device code of one object. The host half of the object registers under the same `id`, as
/// the content of its fat binary.
struct gcl_code {
    uint32_t abi; ///< GCL_KERNEL_ABI
    uint32_t kernel_count;
    uint32_t variable_count;
    uint32_t fixup_count;
    const char *id;
    const char *cpu; ///< what the least demanding variants need: "x86-64-v2", -v3, -v4, "" for any
    const char *source; ///< the source file, for messages
    const struct gcl_kernel *kernels;
    const struct gcl_variable *variables;
    const struct gcl_fixup *fixups;
    const struct gcl_image *image;       ///< NULL: nothing needs one
    const struct gcl_gpu_code *gpu_code; ///< NULL: the object has code for CPUs alone
    /// Those of `variables`, in their order; of files whose device code is linked together, which
    /// share their GPU code, those of all files.
    const struct gcl_variable *const *gpu_variables;
    uint32_t gpu_code_count;
    uint32_t gpu_variable_count;
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Makes an object's device code known; called by a constructor in that object, before main and
/// before the host half registers. `code` stays valid as long as the object is loaded.
void gcl_code_register(const struct gcl_code *code);
void gcl_code_unregister(const struct gcl_code *code);

/// For a region that runs whole ranges: calls it with GCL_ANYWHERE for each stretch of threads in
/// [begin, end) that stand before cut `here`. Returns what the region has to.
uint32_t gcl_region_run_stretches(gcl_region *region, struct gcl_block *block, uint32_t begin,
                                  uint32_t end, uint32_t here);

/// The way of one thread through a kernel, that of gcl_block.thread.
typedef void gcl_thread(struct gcl_block *block);

/// A region of a kernel that is compiled to be debugged (-G): runs threads as gcl_region says, one
/// after the other. `start`, which region 0 has, begins each of them; without it they go on where
/// they wait. A thread has `stack` bytes of its own in the frame; 0: it never waits.
uint32_t gcl_threads_run(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here,
                         gcl_thread *start, uint32_t stack);

/// The running thread of such a kernel waits before the cut in front of region `next`, with the
/// operands of that (gcl_block.mask, value, lane). Returns the cut's result.
uint64_t gcl_thread_wait(uint32_t next, uint32_t mask, uint64_t value, uint32_t lane);

/// A warp operation of a vector of code: of the 32 threads from `first` on those in `lanes`, by
/// their mask in groups, take the operands in gcl_block's arrays and find the results there.
void gcl_block_exchange(struct gcl_block *block, uint32_t kind, uint32_t operation, uint32_t first,
                        uint32_t lanes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
