// From instructions to operations: what the decoders of single instructions use, and the table of
// instructions.
#ifndef PTX_READ_DECODE_H
#define PTX_READ_DECODE_H

#include "reader.h"

/// Modifiers that many instructions may have.
enum ptx_allowed { PTX_FTZ = 1, PTX_SAT = 2, PTX_ROUNDING = 4, PTX_RELU = 8 };

struct ptx_row;
typedef void ptx_decoder(struct ptx_reader *, struct ptx_instruction *, const struct ptx_row *);

/// An instruction: its name with those modifiers that no other column says.
struct ptx_row {
    const char *name;
    /// Results and operands, `t=tt`: t has the instruction's type, w the integer type of twice its
    /// size, c is the carry flag, 4 is .b32, 8 is .b64, 2 is .b16, p is a predicate, f has the
    /// second of two types.
    const char *form;
    unsigned allowed;       ///< enum ptx_allowed
    ptx_step *const *steps; ///< by type; NULL: `step` for all
    ptx_step *step;
    ptx_decoder *decode; ///< instead of the form; then `name` is without modifiers
};

/// The first row of an instruction that is called `name`, or NULL. Rows of one name, for different
/// types, follow each other.
const struct ptx_row *ptx_find_row(const char *name);

/// Whether the instruction has that modifier, which is then accounted for.
bool ptx_take_modifier(struct ptx_instruction *instruction, const char *name);
/// The next type among the modifiers that isn't accounted for; PTX_NONE: there is none.
enum ptx_type ptx_take_type(struct ptx_instruction *instruction);
/// Likewise; its lack is an error.
enum ptx_type ptx_need_type(struct ptx_reader *reader, struct ptx_instruction *instruction);
/// The first of `count` names that is a modifier: its index; `count` if none is.
unsigned ptx_take_one_of(struct ptx_instruction *instruction, const char *const *names,
                         unsigned count);
/// The rounding that the modifiers say, to nearest without; *is_integral: .rni and its like.
enum ptx_rounding ptx_take_rounding(struct ptx_instruction *instruction, bool *is_integral);
/// A modifier that is not accounted for is an error.
void ptx_check_modifiers(struct ptx_reader *reader, const struct ptx_instruction *instruction);

/// The operand that is next; its lack is an error.
struct ptx_operand *ptx_next_operand(struct ptx_reader *reader,
                                     struct ptx_instruction *instruction);
bool ptx_has_operand(const struct ptx_instruction *instruction);

/// Places of an operand of that type, in operations that are emitted after: a register of its size,
/// or with `is_wider_allowed` a larger one, whose size goes to *size. May emit operations.
uint32_t ptx_use(struct ptx_reader *reader, struct ptx_instruction *instruction,
                 const struct ptx_operand *operand, enum ptx_type type, bool is_wider_allowed,
                 uint8_t *size);
uint32_t ptx_define(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                    const struct ptx_operand *operand, enum ptx_type type, bool is_wider_allowed,
                    uint8_t *size);
/// A constant of `size` bytes, 0: a predicate.
uint32_t ptx_constant(struct ptx_reader *reader, uint64_t value, uint8_t size);
/// Notes that the function names a shared variable.
void ptx_note_place(struct ptx_reader *reader, const struct ptx_place *place);

/// Operands of an operation while it is put together.
struct ptx_operands {
    uint32_t d[4], s[5];
    uint8_t d_count, s_count, d_size[4], s_size[5];
};
void ptx_add_use(struct ptx_reader *reader, struct ptx_instruction *instruction,
                 struct ptx_operands *operands, const struct ptx_operand *operand,
                 enum ptx_type type, bool is_wider_allowed);
void ptx_add_define(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                    struct ptx_operands *operands, const struct ptx_operand *operand,
                    enum ptx_type type, bool is_wider_allowed);
/// Emits the operation, and says that all operands were decoded.
struct ptx_op *ptx_emit_with(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                             ptx_step *run, const struct ptx_operands *operands);

/// Emits what puts an address, a special register or the opposite of a predicate into a register:
/// decode_special.c.
void ptx_emit_source(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_operand *operand, enum ptx_type type,
                     const struct ptx_operands *operands);

/// Rows of instructions that have decoders of their own: decode_memory.c and decode_special.c.
ptx_decoder ptx_decode_load, ptx_decode_store, ptx_decode_atomic, ptx_decode_nothing;
ptx_decoder ptx_decode_move, ptx_decode_convert, ptx_decode_setp, ptx_decode_set, ptx_decode_cvta,
    ptx_decode_isspacep, ptx_decode_branch, ptx_decode_branch_indexed, ptx_decode_call,
    ptx_decode_return, ptx_decode_barrier, ptx_decode_lanes, ptx_decode_plain;

#endif
