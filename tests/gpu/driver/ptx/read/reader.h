// The parser's own: what is known while a text is read. Errors leave by longjmp to ptx_parse, which
// frees all.
//
// module.c reads what stands outside of functions, body.c functions' bodies, operand.c operands,
// decode.c makes operations of instructions, by the table of instructions (table.c), and
// registers.c gives the registers their places.
#ifndef PTX_READ_READER_H
#define PTX_READ_READER_H

#include <setjmp.h>

#include "../module.h"
#include "lex.h"

enum { PTX_MOST_MODIFIERS = 16, PTX_MOST_OPERANDS = 12 };

enum ptx_symbol_kind {
    PTX_REGISTER,
    PTX_REGISTERS, ///< %r<8>: named by what stands before the number
    PTX_PLACE,
    PTX_CODE,
    PTX_LABEL,
    PTX_PROTOTYPE,
    PTX_TARGETS
};

struct ptx_symbol {
    enum ptx_symbol_kind kind;
    const char *text;
    size_t length;
    unsigned depth;              ///< of the scope that it is in; 0: the module
    struct ptx_symbol *shadowed; ///< of the same name, in a scope outside
    struct ptx_symbol *previous; ///< in the same scope
    size_t number, count;        ///< of registers; label: index of the operation
    struct ptx_place *place;
    struct ptx_code *code;
    struct ptx_targets *targets;
};

enum ptx_operand_kind {
    PTX_O_REGISTER,
    PTX_O_INTEGER,
    PTX_O_FLOAT,
    PTX_O_DOUBLE,
    PTX_O_PLACE,   ///< address of a variable, plus `value`
    PTX_O_CODE,    ///< address of a function
    PTX_O_NAME,    ///< none of those: a label, or what comes later
    PTX_O_SPECIAL, ///< %tid.x: `name` and `part`
    PTX_O_ADDRESS, ///< [register, variable or nothing, plus `value`]
    PTX_O_LIST,    ///< {…} or (…)
    PTX_O_SINK     ///< _
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool is_negated;             ///< !p
    bool has_register;           ///< an address
    struct ptx_token name, part; ///< part: what stands behind a dot, if anything
    size_t reg;
    uint64_t value;
    struct ptx_place *place;
    struct ptx_code *code;
    struct ptx_operand *items; ///< of a list
    size_t count;
    struct ptx_operand *second; ///< a | b
};

struct ptx_instruction {
    uint32_t line;
    struct ptx_token name;
    struct ptx_token modifiers[PTX_MOST_MODIFIERS];
    bool is_used[PTX_MOST_MODIFIERS]; ///< modifiers that mean something to the instruction
    size_t modifier_count;
    struct ptx_operand operands[PTX_MOST_OPERANDS];
    size_t operand_count;
    size_t at; ///< operand that is next to be decoded
    bool is_guarded, is_guard_negated;
    size_t guard;
};

/// A reference to a label that is not known yet: the label's operation's number goes to `*slot`, or
/// to the value of operation `op`.
struct ptx_pending {
    struct ptx_token name;
    size_t op, *slot;
};

struct ptx_register {
    uint8_t size; ///< bytes of a lane; 0: predicate
    uint32_t place;
};

struct ptx_reader {
    struct ptx_lexer lexer;
    struct ptx_module *module;
    char *error;
    size_t error_size;
    jmp_buf failed;
    struct ptx_names names, constants;
    struct ptx_symbol *scope[64]; ///< the symbols of each open scope, the last one first
    unsigned depth;
    size_t variable_capacity, relocation_capacity, shared_capacity, code_capacity, entry_capacity,
        file_capacity;
    // Of the function that is read:
    struct ptx_code *code;
    struct ptx_op *ops;
    size_t op_count, op_capacity;
    struct ptx_register *registers;
    size_t register_count, register_capacity;
    struct ptx_pending *pending;
    size_t pending_count, pending_capacity;
    unsigned char *pool;
    size_t pool_size, pool_capacity;
    size_t callee_capacity, shared_use_capacity;
    uint32_t file, file_line;
    struct ptx_operand carry; ///< the flag of add.cc and its like; count 0: not needed yet
};

/// Ends the parsing: the error says the line and the text.
_Noreturn void ptx_fail(struct ptx_reader *reader, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// For %.*s: a token's text.
#define PTX_TEXT(token) (int)(token).length, (token).text

// module.c: words and scopes

bool ptx_is_sign(const struct ptx_reader *reader, char sign);
/// Goes over the token if it is that sign.
bool ptx_take_sign(struct ptx_reader *reader, char sign);
void ptx_expect_sign(struct ptx_reader *reader, char sign);
struct ptx_token ptx_expect(struct ptx_reader *reader, enum ptx_token_kind kind, const char *what);
uint64_t ptx_expect_integer(struct ptx_reader *reader);
struct ptx_symbol *ptx_find_symbol(const struct ptx_reader *reader, const char *text,
                                   size_t length);
struct ptx_symbol *ptx_add_symbol(struct ptx_reader *reader, struct ptx_token name,
                                  enum ptx_symbol_kind kind);
void ptx_open_scope(struct ptx_reader *reader);
void ptx_close_scope(struct ptx_reader *reader);
/// The type that a modifier says; PTX_NONE: it is none.
enum ptx_type ptx_type_of(struct ptx_token token);
/// Reads a variable's declaration behind its space: .align 4 .b8 name[64] = {…}, and further names.
void ptx_read_variables(struct ptx_reader *reader, enum ptx_window window, bool is_extern);
/// Reads .param .align 8 .b8 name[48] behind the .param; a place in no memory yet.
struct ptx_place *ptx_read_parameter(struct ptx_reader *reader, struct ptx_token *name);

// initial.c

/// Reads an initial value, behind the =, to the variable's `bytes`, elements of `type`.
void ptx_read_initial(struct ptx_reader *reader, struct ptx_place *place, enum ptx_type type,
                      const size_t *extents, size_t extent_count, unsigned char *bytes);

// body.c

/// Reads a function's body from the { on.
void ptx_read_body(struct ptx_reader *reader, struct ptx_code *code);
size_t ptx_new_register(struct ptx_reader *reader, uint8_t size);
/// Has the number of the operation at label `name` stored when it is known: to `slot`, or if that
/// is NULL to the value of the operation that was emitted last.
void ptx_await_label(struct ptx_reader *reader, struct ptx_token name, size_t *slot);

// operand.c

struct ptx_operand ptx_read_operand(struct ptx_reader *reader);
/// The register of that name; false: there is none.
bool ptx_find_register(const struct ptx_reader *reader, struct ptx_token name, size_t *number);

// decode.c, decode_*.c

/// Appends the operations of an instruction.
void ptx_decode(struct ptx_reader *reader, struct ptx_instruction *instruction);
/// Appends an operation, with line and guard of the instruction. Valid until the next one.
struct ptx_op *ptx_emit(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                        ptx_step *run);

// registers.c

/// Gives the function's registers places, which replace their numbers in its operations.
void ptx_place_registers(struct ptx_reader *reader);

#endif
