// PTX, parsed and executed on the host: what the test driver has in place of a GPU. No driver API
// is known here.
//
// A module is parsed once (ptx_parse), its variables get addresses and bytes from the caller
// (ptx_variables, ptx_initialise), and its entries run (ptx_run), each launch on the thread that
// calls. Several threads may run entries of one module at once; parsing, ptx_variables and
// ptx_initialise are for one thread at a time, before that.
//
// What runs: warps of 32 lanes, each lane with its own program counter; lanes that diverged meet
// again as early as they can, and take turns while they have not, so that one lane may wait for
// another of its warp. Warps and blocks take turns too, in an order and for a number of
// instructions that the seed decides. Blocks begin in the order of their index; any number of them
// is under way at once if those before them don't end (all of them, in a cooperative launch), so
// that blocks may wait for each other. Registers, shared and local memory begin with garbage that
// the seed decides.
//
// Memory is the caller's, asked for range by range (struct ptx_range). Shared, local, constant and
// parameter memory have windows in the generic address space from PTX_WINDOWS on, where no process
// of a host with 47 bits of addresses has memory; constant variables lie there too. The caller's
// ranges must lie below PTX_WINDOWS.
//
// Mathematics: what PTX says is rounded to nearest (or otherwise) is; functions with .approx are
// within one unit in the last place of the true value, better than a GPU's. Results that are not a
// number have the bits 7fffffff for .f32, 7fff for .f16 and .bf16, a quiet one of the operands' for
// .f64.
#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// First of the generic addresses of shared, local, constant and parameter memory, and of
/// functions.
#define PTX_WINDOWS (UINT64_C(1) << 47)

struct ptx_module;
struct ptx_heap;

/// A parameter of an entry: where its bytes lie in what a launch passes.
struct ptx_parameter {
    size_t offset, size, alignment;
};

/// Facts of an entry. Belongs to its module.
struct ptx_function {
    const char *name;
    struct ptx_module *module;
    const struct ptx_parameter *parameters;
    size_t parameter_count;
    size_t parameter_size; ///< bytes of all parameters, with what lies between
    size_t shared_size;    ///< bytes of static shared memory, of functions that it calls too
    size_t local_size;    ///< bytes of local memory for a thread, without those of functions called
    uint32_t max_threads; ///< of a block: .maxntid or .reqntid, 1024 without
    uint32_t required[3]; ///< .reqntid; 0, 0, 0: any block
    uint32_t min_blocks;  ///< .minnctapersm, 0 without
    uint32_t register_count; ///< 32-bit registers of a thread that are live at once, at most 255
};

enum ptx_space { PTX_GLOBAL, PTX_CONST };

/// A variable of a module in global or constant memory. Belongs to its module.
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    size_t size, alignment;
    const unsigned char *bytes; ///< initial value, `size` bytes, addresses in it not yet filled in
    /// Where the variable lies: the caller sets it before the first launch, aligned, for
    /// PTX_GLOBAL. For PTX_CONST ptx_parse sets it to an address at or above PTX_WINDOWS, and
    /// `storage` to the variable's bytes, which begin with the initial value; kernels read them
    /// there. The caller copies from and to `storage` between launches and never sets the address.
    uint64_t address;
    unsigned char *storage;
    bool is_extern; ///< declared, not defined: the caller finds it in no other module, as there is
                    ///< no linking
};

/// Parses `text` (ends in a 0; not kept). NULL: it is wrong, or has an instruction that is not
/// known; `error` says in which line and what. Free with ptx_free, which takes NULL.
struct ptx_module *ptx_parse(const char *text, char *error, size_t error_size);
void ptx_free(struct ptx_module *module);

/// The entry of that name; NULL: there is none. (Other functions are not found.)
const struct ptx_function *ptx_find(const struct ptx_module *module, const char *name);

/// The module's entries, in the order of its text; `*list` is the module's.
size_t ptx_functions(const struct ptx_module *module, const struct ptx_function *const **list);

/// The module's variables in global and constant memory, in the order of its text; `*list` is the
/// module's, and the caller sets addresses in it.
size_t ptx_variables(struct ptx_module *module, struct ptx_variable **list);

/// Writes the initial value of variable `index` to `bytes`, with the addresses of other variables
/// and of functions in it: all variables have addresses by now. Do so for every variable, PTX_CONST
/// ones into their storage, before the first launch.
void ptx_initialise(struct ptx_module *module, size_t index, unsigned char *bytes);

/// Bytes [begin, end) of device addresses that lie at `bytes` in the host's memory.
struct ptx_range {
    uint64_t begin, end;
    unsigned char *bytes;
};

/// What malloc and free in kernels allocate from: `size` bytes from the device address `address` on
/// (a multiple of 16, below PTX_WINDOWS). They are zeroed memory of the heap's own; allocations
/// live until they are freed, over launches. Launches with the same heap may run at once. NULL: out
/// of memory.
struct ptx_heap *ptx_heap_create(uint64_t address, size_t size);
void ptx_heap_destroy(struct ptx_heap *heap);
/// The heap's memory, for those who copy from it.
struct ptx_range ptx_heap_range(const struct ptx_heap *heap);

/// A launch. The caller has checked grid and block against the device's limits and the function's
/// facts; ptx_run asserts that the block has 1 to 1024 threads and no extent of the grid is 0.
struct ptx_launch {
    const struct ptx_function *function;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;         ///< bytes
    const unsigned char *parameters; ///< parameter_size bytes
    bool is_cooperative;             ///< all blocks are under way at once
    uint64_t seed;
    uint64_t instruction_limit; ///< lanes' instructions, after which the launch ends with
                                ///< PTX_TIMEOUT; 0: none
    uint32_t multiprocessors;   ///< what %nsmid says; 0: 1
    /// Finds the range with `address`, as large as it is: `range->begin <= address < range->end`.
    /// False: nothing is there that may be read (is_write: written). The answer must hold until
    /// ptx_run returns: it is asked once for a range, not for each access. An access may not reach
    /// over the end of a range into the next.
    bool (*memory)(void *context, uint64_t address, bool is_write, struct ptx_range *range);
    void *context;
    struct ptx_heap *heap; ///< NULL: malloc returns NULL
    FILE *output; ///< of printf, whose texts are written whole, each at once, and of assert; NULL:
                  ///< stdout
};

enum ptx_end {
    PTX_DONE,
    PTX_ILLEGAL_ADDRESS,
    PTX_MISALIGNED,
    PTX_TRAP,
    PTX_ASSERT,
    PTX_ILLEGAL_INSTRUCTION, ///< an instruction that has no meaning: a lane not in its own mask, a
                             ///< wrong count
    PTX_INVALID_PC,          ///< an indirect call of what is no function
    PTX_STACK_OVERFLOW,      ///< more than 512 KiB of local memory for a thread
    PTX_DEADLOCK,            ///< all threads wait at barriers, or for lanes, that never come
    PTX_TIMEOUT              ///< instruction_limit
};

/// Runs a launch to its end. Anything but PTX_DONE: `text` says what happened, in which kernel,
/// block and thread, at which line of PTX, and of the source if .loc says it; blocks stop where
/// they are.
enum ptx_end ptx_run(const struct ptx_launch *launch, char *text, size_t text_size);

/// Instructions of lanes that ptx_run has executed on this thread so far.
uint64_t ptx_instruction_count(void);

#endif
