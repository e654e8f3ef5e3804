// Access programs: what the compiler knows of the memory that a kernel's threads read and write, as
// constant tables. The runtime evaluates them at launch, when all arguments are known, for any
// range of blocks (runtime/plan).
//
// An access is one instruction. Its address is base + offset; it happens for those threads, and
// those iterations of the loops around it, for which its guards hold. Offsets and conditions are
// nodes of a graph over arguments, thread and block numbers and iteration numbers. Nodes are
// integers of a width in bits and wrap around as the kernel's do.
#ifndef GCLUSTER_ACCESS_H
#define GCLUSTER_ACCESS_H

#include <stdint.h>

#include "gcluster/look.h"

/// No node, guard or base.
#define GCL_NONE 0xffffu

/// Operands `a`, `b` and `c` are indices of nodes in front of this one, unless it says otherwise.
/// Comparisons have width 1; they, like extensions, read their operands with those' width. Shifts
/// by the width or more give 0, or the sign.
enum gcl_node_kind {
    GCL_NODE_CONSTANT,     ///< constants[a]
    GCL_NODE_ARGUMENT,     ///< the bits at byte `a` of the packed arguments
    GCL_NODE_THREAD_INDEX, ///< of axis `a`, as are the next ones
    GCL_NODE_BLOCK_INDEX,
    GCL_NODE_BLOCK_SIZE,
    GCL_NODE_GRID_SIZE,
    GCL_NODE_GLOBAL_INDEX, ///< block index * block size + thread index
    GCL_NODE_ITERATION,    ///< of the loop that guards[a] enters: 0, 1, …
    GCL_NODE_LAST,         ///< behind that loop: the number of its last iteration
    GCL_NODE_LOAD,         ///< what accesses[a] reads
    GCL_NODE_UNKNOWN,      ///< depends on data in other ways; reasons[a] says why
    GCL_NODE_ADD,
    GCL_NODE_SUBTRACT,
    GCL_NODE_MULTIPLY,
    GCL_NODE_UDIV,
    GCL_NODE_SDIV,
    GCL_NODE_UREM,
    GCL_NODE_SREM,
    GCL_NODE_SHL,
    GCL_NODE_LSHR,
    GCL_NODE_ASHR,
    GCL_NODE_AND,
    GCL_NODE_OR,
    GCL_NODE_XOR,
    GCL_NODE_UMIN,
    GCL_NODE_UMAX,
    GCL_NODE_SMIN,
    GCL_NODE_SMAX,
    GCL_NODE_EQ,
    GCL_NODE_ULT,
    GCL_NODE_SLT,
    GCL_NODE_SELECT, ///< a ? b : c
    GCL_NODE_ZEXT,
    GCL_NODE_SEXT,
    GCL_NODE_TRUNC,
};

struct gcl_node {
    uint8_t kind;  ///< enum gcl_node_kind
    uint8_t width; ///< bits of the result, 1 to 64
    uint16_t a;
    uint16_t b;
    uint16_t c;
};

/// What has to hold for code to run: a chain from inside to outside.
enum gcl_guard_kind {
    GCL_GUARD_HOLDS, ///< `node` is 1
    GCL_GUARD_FAILS, ///< `node` is 0
    /// A loop: iteration i + 1 runs if iteration i does and `node`, with i as the iteration, is 1.
    /// GCL_NONE: nothing is known of its end.
    GCL_GUARD_LOOP,
};

struct gcl_guard {
    uint8_t kind; ///< enum gcl_guard_kind
    uint8_t zero;
    uint16_t node;
    uint16_t outer; ///< index of the next guard, GCL_NONE at the end
};

enum gcl_base_kind {
    GCL_BASE_ARGUMENT, ///< the pointer at byte `index` of the packed arguments
    GCL_BASE_VARIABLE, ///< `*variables[index]`
    GCL_BASE_LOADED,   ///< a pointer that accesses[index] reads: any allocation that has escaped
    GCL_BASE_ANY,      ///< not known: reasons[index] says why
};

enum gcl_base_flags {
    GCL_BASE_DISJOINT = 1, ///< a pragma says that no two blocks write the same element
    GCL_BASE_REDUCED = 2,  ///< a pragma says that all that changes it is a reduction
    GCL_BASE_TEXTURE = 4,  ///< what describes a texture, or its texels, which are only read
};

struct gcl_base {
    uint8_t kind;  ///< enum gcl_base_kind
    uint8_t flags; ///< enum gcl_base_flags
    uint16_t index;
};

enum gcl_access_kind {
    GCL_ACCESS_READ,
    GCL_ACCESS_WRITE,
    GCL_ACCESS_REDUCE, ///< an atomic operation whose result nobody asks for
    GCL_ACCESS_ATOMIC, ///< one whose result is used, or a compare-and-swap
};

/// What a reduction does with what lies there.
enum gcl_reduction {
    GCL_REDUCTION_ADD,
    GCL_REDUCTION_FADD,
    GCL_REDUCTION_AND,
    GCL_REDUCTION_OR,
    GCL_REDUCTION_XOR,
    GCL_REDUCTION_UMIN,
    GCL_REDUCTION_UMAX,
    GCL_REDUCTION_SMIN,
    GCL_REDUCTION_SMAX,
    GCL_REDUCTION_FMIN,
    GCL_REDUCTION_FMAX,
};

/// What a write, or an atomic operation with a result, may leave behind.
enum gcl_stored {
    GCL_STORED_NUMBER,
    GCL_STORED_ANYTHING, ///< addresses, too: what other kernels may find there and follow
};

/// Where something stands in the source.
struct gcl_source_position {
    uint32_t line; ///< 0: unknown
    uint16_t column;
    uint16_t file; ///< index into `files`
};

struct gcl_access {
    uint8_t kind;      ///< enum gcl_access_kind
    uint8_t reduction; ///< enum gcl_reduction; enum gcl_stored of what isn't a reduction
    uint16_t base;
    uint16_t offset;  ///< node of 64 bits: bytes, signed
    uint16_t guard;   ///< the innermost, GCL_NONE: every thread
    uint16_t length;  ///< node of 64 bits: bytes from there on, where `size` is 0
    uint16_t element; ///< bytes of the elements that it consists of, for messages and reductions
    uint32_t size;    ///< bytes
    struct gcl_source_position place;
};

/// Why the compiler doesn't know more, or why the kernel stays on one node.
struct gcl_reason {
    uint16_t code;   ///< enum gcl_reason_code (gcluster/reasons.h)
    uint16_t access; ///< that it is about, GCL_NONE: the kernel
    struct gcl_source_position place;
};

enum gcl_program_flags {
    GCL_PROGRAM_SINGLE = 1, ///< a pragma says that all blocks run on one node
};

/// All accesses of one kernel to global memory.
struct gcl_program {
    const struct gcl_node *nodes;
    const int64_t *constants;
    const struct gcl_guard *guards;
    const struct gcl_base *bases;
    const struct gcl_access *accesses;
    const struct gcl_reason *reasons;
    const char *const *files;
    const char *const *names; ///< of the parameters
    /// Where the addresses of variables stand: `address` of struct gcl_variable
    /// (gcluster/kernel.h).
    void *const *const *variables;
    const struct gcl_look_code *looks; ///< of an access, best first
    uint16_t node_count;
    uint16_t constant_count;
    uint16_t guard_count;
    uint16_t base_count;
    uint16_t access_count;
    uint16_t reason_count;
    uint16_t file_count;
    uint16_t variable_count;
    uint16_t look_count;
    uint8_t split; ///< 'x', 'y', 'z': the axis along which a pragma cuts the grid; 0: none does
    uint8_t flags; ///< enum gcl_program_flags
};

#endif
