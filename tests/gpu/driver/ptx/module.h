// What the parser makes of a text and the executor runs: functions of operations whose operands are
// places in a frame of registers.
//
// A frame has 32 lanes of each register side by side: a register of n bytes is an array of 32
// elements of n bytes. A predicate is one uint32_t, a bit a lane. Constants lie in a pool of the
// function, laid out likewise. A place (uint32_t) is a byte offset in the frame, or with POOL set
// in the pool; both kinds are multiples of 4 but for that bit.
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "ptx.h"
#include "read/arena.h"

enum { PTX_LANES = 32, PTX_POOL = 1 };

/// The types of PTX: name, bytes, and class: u(nsigned), s(igned), b(its), f(loat), h(alf), z
/// (bfloat), p(redicate); H and Z are pairs.
#define PTX_TYPES(X)                                                                               \
    X(NONE, "", 0, ' ')                                                                            \
    X(PRED, "pred", 4, 'p')                                                                        \
    X(U8, "u8", 1, 'u')                                                                            \
    X(S8, "s8", 1, 's')                                                                            \
    X(B8, "b8", 1, 'b')                                                                            \
    X(U16, "u16", 2, 'u')                                                                          \
    X(S16, "s16", 2, 's')                                                                          \
    X(B16, "b16", 2, 'b')                                                                          \
    X(F16, "f16", 2, 'h')                                                                          \
    X(BF16, "bf16", 2, 'z')                                                                        \
    X(U32, "u32", 4, 'u')                                                                          \
    X(S32, "s32", 4, 's')                                                                          \
    X(B32, "b32", 4, 'b')                                                                          \
    X(F32, "f32", 4, 'f')                                                                          \
    X(F16X2, "f16x2", 4, 'H')                                                                      \
    X(BF16X2, "bf16x2", 4, 'Z')                                                                    \
    X(U64, "u64", 8, 'u')                                                                          \
    X(S64, "s64", 8, 's')                                                                          \
    X(B64, "b64", 8, 'b')                                                                          \
    X(F64, "f64", 8, 'f')                                                                          \
    X(B128, "b128", 16, 'b')

enum ptx_type {
#define X(name, text, size, kind) PTX_##name,
    PTX_TYPES(X)
#undef X
        PTX_TYPE_COUNT
};

struct ptx_type_fact {
    const char *name;
    uint8_t size;
    char kind;
};
extern const struct ptx_type_fact ptx_type_facts[PTX_TYPE_COUNT];

/// Where an address leads.
enum ptx_window {
    PTX_IN_GENERIC,
    PTX_IN_GLOBAL,
    PTX_IN_SHARED,
    PTX_IN_LOCAL,
    PTX_IN_CONST,
    PTX_IN_PARAM
};

/// The windows in the generic address space: an address of a space is the generic one less the
/// window's. Functions' addresses are multiples of 16 in a window of their own.
#define PTX_SHARED_WINDOW PTX_WINDOWS
#define PTX_LOCAL_WINDOW (PTX_WINDOWS + (UINT64_C(1) << 40))
#define PTX_CONST_WINDOW (PTX_WINDOWS + (UINT64_C(2) << 40))
#define PTX_PARAM_WINDOW (PTX_WINDOWS + (UINT64_C(3) << 40))
#define PTX_CODE_WINDOW (PTX_WINDOWS + (UINT64_C(4) << 40))
#define PTX_WINDOW_SIZE (UINT64_C(1) << 40)

enum ptx_rounding { PTX_NEAREST, PTX_TOWARDS_ZERO, PTX_DOWN, PTX_UP, PTX_NEAREST_AWAY };

enum ptx_comparison {
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU,
    PTX_NUM,
    PTX_NAN
};

struct ptx_warp;
struct ptx_op;
struct ptx_code;

/// Executes an operation for the lanes of the warp's mask: returns the next one, or NULL when the
/// lanes can't go on at once.
typedef const struct ptx_op *ptx_step(struct ptx_warp *warp, const struct ptx_op *op);

/// One operation. `value` and `extra` are what the instruction needs beside registers, as each
/// step's comment says.
struct ptx_op {
    ptx_step *run;
    uint32_t guard; ///< place of the predicate | 1, | 2 if negated; 0: none
    uint32_t d[4];  ///< places of results
    uint32_t s[5];  ///< places of operands
    uint8_t d_count, s_count;
    uint8_t d_size[4], s_size[5]; ///< bytes of the registers; 0: a predicate
    uint8_t type, from_type;      ///< enum ptx_type: of the instruction; of what cvt and set read
    uint8_t window;               ///< enum ptx_window of an address
    uint8_t rounding;             ///< enum ptx_rounding
    uint8_t comparison;           ///< enum ptx_comparison
    uint8_t kind;                 ///< what of several the step does, as it says
    bool has_ftz, has_sat, is_integral, is_relu;
    uint32_t line;            ///< of the text
    uint32_t file, file_line; ///< of the source, by .loc; 0: not said
    uint64_t value;           ///< offset of an address, immediate mask …
    const void *extra;        ///< target of a branch, call, table
};

/// A variable that is no register, in any space.
struct ptx_place {
    const char *name;
    enum ptx_window window;
    size_t size, alignment;
    uint64_t offset; ///< in the frame's local memory, the parameters or the shared memory
    size_t index;    ///< global and const: in the module's variables; shared: in its shared ones
    bool is_extern;
};

/// The address of a variable or function in the initial value of a variable.
struct ptx_relocation {
    size_t variable, offset, size;
    const struct ptx_place *place; ///< NULL: `code`
    const struct ptx_code *code;
    int64_t addend;
    unsigned shift; ///< bits of the address below those that are stored
    bool is_generic;
};

enum ptx_builtin { PTX_NO_BUILTIN, PTX_VPRINTF, PTX_ASSERTFAIL, PTX_MALLOC, PTX_FREE };

/// A function: an entry has `facts.name`; all have code, but for built-in ones.
struct ptx_code {
    struct ptx_function facts;
    bool is_entry, is_defined;
    enum ptx_builtin builtin;
    uint32_t line;
    uint32_t number; ///< its address is PTX_CODE_WINDOW + 16 * (number + 1)
    struct ptx_place **results, **formals;
    size_t result_count, formal_count;
    struct ptx_op *ops;
    size_t op_count;
    unsigned char *pool;
    size_t pool_size, frame_size;
    /// What it may call and which shared variables it names, for the entries' static shared memory.
    const struct ptx_code **callees;
    size_t callee_count;
    const struct ptx_place **shared;
    size_t shared_count;
    bool calls_indirectly;
    uint64_t *shared_offsets; ///< of an entry: by index of the module's shared variables
};

/// A call: what is called and the local variables that hold arguments and results.
struct ptx_call {
    const struct ptx_code *code; ///< NULL: the address is in s[0]
    const struct ptx_place **arguments, **results;
    size_t argument_count, result_count;
};

/// The targets of brx.idx.
struct ptx_targets {
    const struct ptx_op **ops;
    size_t *numbers; ///< of those operations in their function
    size_t count;
};

struct ptx_module {
    struct ptx_arena arena;
    struct ptx_variable *variables;
    size_t variable_count;
    struct ptx_relocation *relocations;
    size_t relocation_count;
    struct ptx_place **shared;
    size_t shared_count;
    struct ptx_code **codes;
    size_t code_count;
    const struct ptx_function **entries;
    size_t entry_count;
    unsigned char *const_bytes;
    size_t const_size;
    const char **files; ///< by the number of .file; NULL: not said
    size_t file_count;
};

/// The code whose facts these are.
static inline const struct ptx_code *ptx_code_of(const struct ptx_function *function) {
    return (const struct ptx_code *)(const void *)function;
}

#endif
