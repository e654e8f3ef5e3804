// Why a kernel is kept on one node, replicated, merged or over-approximated: the registry that
// compiler, runtime and editor share. Each has a page in compiler/diagnostics.md.
//
// GCL_REASON(name, number, what happens, why, what to do about it)
#ifndef GCLUSTER_REASONS_H
#define GCLUSTER_REASONS_H

#define GCL_REASONS                                                                                \
    GCL_REASON(ATOMIC_RESULT, 201, "the kernel stays on one node",                                 \
               "the result of an atomic operation is used, so blocks must see each other's",       \
               "split it in two: count first, then write at known places")                         \
    GCL_REASON(COMPARE_AND_SWAP, 202, "the kernel stays on one node",                              \
               "a compare-and-swap lets blocks depend on each other in any order",                 \
               "use an atomic operation that CUDA has, without asking for its result")             \
    GCL_REASON(WAITS, 203, "the kernel stays on one node",                                         \
               "threads wait in a loop for what other blocks write",                               \
               "end the kernel where blocks have to wait, and launch another one")                 \
    GCL_REASON(FENCE, 204, "the kernel stays on one node",                                         \
               "a fence orders memory for blocks that run at the same time",                       \
               "end the kernel where blocks have to see each other, and launch another one")       \
    GCL_REASON(GRID_BARRIER, 205, "the kernel stays on one node",                                  \
               "all blocks of the grid wait for each other",                                       \
               "end the kernel at the barrier, and launch another one")                            \
    GCL_REASON(DEVICE_MALLOC, 206, "the kernel stays on one node", "threads allocate memory",      \
               "allocate with cudaMalloc and pass the pointer")                                    \
    GCL_REASON(CALL, 207, "the kernel stays on one node",                                          \
               "a call can't be followed: by a pointer, recursive, or defined elsewhere",          \
               "call a function that the compiler sees")                                           \
    GCL_REASON(BASE, 208, "the kernel stays on one node",                                          \
               "it isn't known which allocation a pointer leads to",                               \
               "pass the pointer as an argument of the kernel")                                    \
    GCL_REASON(NO_BLOCKS, 209, "the kernel stays on one node",                                     \
               "all its blocks touch the same: no place depends on the block",                     \
               "fine if it is launched with one block; else compute places from blockIdx")         \
    GCL_REASON(LAUNCH, 210, "the kernel stays on one node, as do the kernels that it launches",    \
               "threads launch kernels", "launch them from the host, which can spread each")       \
    GCL_REASON(DATA_INDEX, 211, "the whole allocation counts as touched",                          \
               "the place depends on data",                                                        \
               "say what is touched: #pragma gcluster reads(…) or writes(…)")                      \
    GCL_REASON(DATA_GUARD, 212, "what may be touched is fetched before",                           \
               "data decides whether it is touched",                                               \
               "fine if it is only read; else write always, as in a[i] = is_new ? value : a[i]")   \
    GCL_REASON(LOADED_POINTER, 213, "every allocation whose address was stored counts as touched", \
               "a pointer is loaded from memory", "pass the pointer as an argument of the kernel") \
    GCL_REASON(FLOAT_INDEX, 214, "the whole allocation counts as touched",                         \
               "the place is computed in floating point",                                          \
               "compute it in integers, or say what is touched")                                   \
    GCL_REASON(LOOP, 215, "all that the loop may reach counts as touched",                         \
               "it isn't known how often a loop runs",                                             \
               "bound the loop by an argument, or say what is touched")                            \
    GCL_REASON(EXCHANGED_INDEX, 216, "the whole allocation counts as touched",                     \
               "the place was computed by another thread",                                         \
               "compute it from thread numbers and arguments, or say what is touched")             \
    GCL_REASON(SIZE, 217, "whole allocations count as touched",                                    \
               "the kernel is too large to describe what it touches",                              \
               "split the kernel, or say what is touched")                                         \
    GCL_REASON(OPERATION, 218, "the whole allocation counts as touched",                           \
               "the place is computed by an operation that isn't modelled",                        \
               "compute it by integer arithmetic, or say what is touched")                         \
    GCL_REASON(OVERLAP, 221, "what each node writes is merged", "blocks may write the same bytes", \
               "let each block write a part of its own, or say so: #pragma gcluster disjoint(…)")  \
    GCL_REASON(REPLICATED, 222, "every node gets a copy", "all blocks read the same bytes",        \
               "fine if it is small or seldom changes")                                            \
    GCL_REASON(PARTS, 223, "more counts as touched than is",                                       \
               "what is touched consists of too many parts",                                       \
               "have all threads and loops take steps of one size, as i += stride does")           \
    GCL_REASON(DECLARED, 224, "all that a pragma names counts as touched",                         \
               "the compiler can't tell what of it is touched",                                    \
               "fine if the pragma names no more than is needed")                                  \
    GCL_REASON(TEXTURE, 225, "every node gets a copy of all texels",                               \
               "a texture is fetched wherever its coordinates say",                                \
               "fine if it is small or seldom changes; else read it from memory by an index")      \
    GCL_REASON(INSPECTED, 226, "what is touched is looked up before the launch",                   \
               "the place comes from memory that the kernel only reads",                           \
               "fine if that memory seldom changes")                                               \
    GCL_REASON(DEAR_MERGE, 227, "the launch stays on one node",                                    \
               "to merge what nodes write would move more bytes than it can save",                 \
               "let each block write a part of its own, or say so: #pragma gcluster disjoint(…)")  \
    GCL_REASON(NO_GAIN, 228, "the launch stays on one node",                                       \
               "more nodes would cost more time than they save",                                   \
               "nothing, or give each node cores of its own; GCL_SPLIT=always spreads it anyway")  \
    GCL_REASON(DEAR_PLAN, 229, "the launch stays on one node",                                     \
               "to find out what each node touches would take too long for what the launch takes", \
               "have all threads and loops take steps of one size, as i += stride does")           \
    GCL_REASON(HOST_MEMORY, 230, "the launch stays on one node",                                   \
               "it reduces into memory that the host may look at meanwhile",                       \
               "reduce into device memory (cudaMalloc), and copy that")

/// GCL_REASON_WAITS = 203 and so on.
enum gcl_reason_code {
#define GCL_REASON(name, number, what, why, advice) GCL_REASON_##name = number,
    GCL_REASONS
#undef GCL_REASON
};

#endif
