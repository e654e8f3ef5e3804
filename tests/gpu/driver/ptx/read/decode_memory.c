// Instructions that reach memory: ld, st, atom, red. What only says how caches are used is read
// over.
#include <string.h>

#include "../execute/steps.h"
#include "decode.h"

/// Hints to caches, which change nothing of what is read or written.
static void take_hints(struct ptx_instruction *instruction) {
    static const char *const hints[] = {"nc",
                                        "ca",
                                        "cg",
                                        "cs",
                                        "lu",
                                        "cv",
                                        "wb",
                                        "wt",
                                        "weak",
                                        "unified",
                                        "L1::evict_normal",
                                        "L1::evict_unchanged",
                                        "L1::evict_first",
                                        "L1::evict_last",
                                        "L1::no_allocate",
                                        "L2::evict_normal",
                                        "L2::evict_first",
                                        "L2::evict_last",
                                        "L2::64B",
                                        "L2::128B",
                                        "L2::256B"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        ptx_take_modifier(instruction, hints[i]);
}

static enum ptx_window take_window(struct ptx_instruction *instruction) {
    static const char *const names[] = {"global", "shared", "shared::cta",  "local",
                                        "const",  "param",  "param::entry", "param::func"};
    static const enum ptx_window windows[] = {PTX_IN_GLOBAL, PTX_IN_SHARED, PTX_IN_SHARED,
                                              PTX_IN_LOCAL,  PTX_IN_CONST,  PTX_IN_PARAM,
                                              PTX_IN_PARAM,  PTX_IN_PARAM,  PTX_IN_GENERIC};
    return windows[ptx_take_one_of(instruction, names, 8)];
}

/// Whether the access is atomic, and whether it orders others: enum ptx_order.
static uint8_t take_order(struct ptx_instruction *instruction) {
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    static const char *const relaxed[] = {"volatile", "relaxed", "mmio"};
    static const char *const ordered[] = {"acquire", "release", "acq_rel"};
    ptx_take_one_of(instruction, scopes, 4);
    uint8_t order = PTX_WEAK;
    if (ptx_take_one_of(instruction, relaxed, 3) < 3)
        order = PTX_RELAXED;
    if (ptx_take_one_of(instruction, ordered, 3) < 3)
        order = PTX_ORDERED;
    return order;
}

/// What an address operand is to an operation.
struct address {
    enum ptx_window window;
    uint64_t offset;
    const struct ptx_place *place;
};

/// The address; its register, if it has one, is the next of the operation's operands.
static struct address add_address(struct ptx_reader *reader, struct ptx_instruction *instruction,
                                  struct ptx_operands *operands, enum ptx_window window) {
    struct ptx_operand *operand = ptx_next_operand(reader, instruction);
    if (operand->kind != PTX_O_ADDRESS)
        ptx_fail(reader, instruction->line, "'%.*s' of %.*s is no address", PTX_TEXT(operand->name),
                 PTX_TEXT(instruction->name));
    struct address address = {window, operand->value, operand->place};
    if (operand->has_register) {
        struct ptx_operand base = {
            .kind = PTX_O_REGISTER, .reg = operand->reg, .name = operand->name};
        ptx_add_use(reader, instruction, operands, &base, PTX_U32, true);
        if (operands->s_size[operands->s_count - 1] > 8)
            ptx_fail(reader, instruction->line, "an address of more than 64 bits");
    } else {
        operands->s[operands->s_count] = ptx_constant(reader, 0, 8);
        operands->s_size[operands->s_count++] = 8;
    }
    if (!address.place)
        return address;
    ptx_note_place(reader, address.place);
    bool is_parameter = window == PTX_IN_PARAM && (address.place->window == PTX_IN_LOCAL ||
                                                   address.place->window == PTX_IN_PARAM);
    if (window != PTX_IN_GENERIC && window != address.place->window && !is_parameter)
        ptx_fail(reader, instruction->line, "%s lies in another memory", address.place->name);
    address.window = address.place->window;
    return address;
}

static struct ptx_op *emit_access(struct ptx_reader *reader, struct ptx_instruction *instruction,
                                  ptx_step *step, const struct ptx_operands *operands,
                                  struct address address) {
    struct ptx_op *op = ptx_emit_with(reader, instruction, step, operands);
    op->window = (uint8_t)address.window;
    op->value = address.offset;
    op->extra = address.place;
    return op;
}

/// 1, 2, 4 elements.
static unsigned take_elements(struct ptx_instruction *instruction) {
    static const char *const names[] = {"v2", "v4"};
    unsigned found = ptx_take_one_of(instruction, names, 2);
    return found == 2 ? 1 : 2u << found;
}

/// The operand, or the elements of the list that it is: `count` of them.
static struct ptx_operand *elements_of(struct ptx_reader *reader,
                                       struct ptx_instruction *instruction, unsigned count) {
    struct ptx_operand *operand = ptx_next_operand(reader, instruction);
    if (count == 1 && operand->kind != PTX_O_LIST)
        return operand;
    if (operand->kind != PTX_O_LIST || operand->count != count)
        ptx_fail(reader, instruction->line, "a list of %u registers is missing", count);
    return operand->items;
}

static void take_cache_policy(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    if (ptx_take_modifier(instruction, "L2::cache_hint"))
        ptx_next_operand(reader, instruction);
}

static void check_access(struct ptx_reader *reader, struct ptx_instruction *instruction,
                         enum ptx_type type, unsigned count) {
    ptx_check_modifiers(reader, instruction);
    if (type == PTX_PRED || ptx_type_facts[type].size * count > 16)
        ptx_fail(reader, instruction->line, "%.*s of %u .%s", PTX_TEXT(instruction->name), count,
                 ptx_type_facts[type].name);
}

void ptx_decode_load(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_row *row) {
    take_hints(instruction);
    uint8_t order = take_order(instruction);
    enum ptx_window window = take_window(instruction);
    unsigned count = take_elements(instruction);
    enum ptx_type type = ptx_need_type(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    struct ptx_operand *items = elements_of(reader, instruction, count);
    for (unsigned i = 0; i < count; i++)
        ptx_add_define(reader, instruction, &operands, &items[i], type, true);
    struct address address = add_address(reader, instruction, &operands, window);
    take_cache_policy(reader, instruction);
    check_access(reader, instruction, type, count);
    bool is_uniform = address.window == PTX_IN_PARAM && address.place;
    struct ptx_op *op = emit_access(
        reader, instruction, is_uniform ? ptx_step_load_parameter : row->step, &operands, address);
    op->type = (uint8_t)type;
    op->kind = order;
    uint64_t size = (uint64_t)ptx_type_facts[type].size * count;
    if (is_uniform &&
        (address.offset > address.place->size || size > address.place->size - address.offset))
        ptx_fail(reader, instruction->line, "%s is read behind its end", address.place->name);
}

void ptx_decode_store(struct ptx_reader *reader, struct ptx_instruction *instruction,
                      const struct ptx_row *row) {
    take_hints(instruction);
    uint8_t order = take_order(instruction);
    enum ptx_window window = take_window(instruction);
    unsigned count = take_elements(instruction);
    enum ptx_type type = ptx_need_type(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    struct address address = add_address(reader, instruction, &operands, window);
    struct ptx_operand *items = elements_of(reader, instruction, count);
    for (unsigned i = 0; i < count; i++)
        ptx_add_use(reader, instruction, &operands, &items[i], type, true);
    take_cache_policy(reader, instruction);
    check_access(reader, instruction, type, count);
    if (address.window == PTX_IN_PARAM || address.window == PTX_IN_CONST)
        ptx_fail(reader, instruction->line, "a store to memory that can't be written");
    struct ptx_op *op = emit_access(reader, instruction, row->step, &operands, address);
    op->type = (uint8_t)type;
    op->kind = order;
}

/// Types that an atomic operation has, by ptx_atomic.
static bool has_type(unsigned kind, enum ptx_type type) {
    const struct ptx_type_fact *fact = &ptx_type_facts[type];
    bool is_integer = (fact->kind == 'u' || fact->kind == 's') && fact->size >= 4;
    bool is_half = fact->kind == 'h' || fact->kind == 'z' || fact->kind == 'H' || fact->kind == 'Z';
    switch (kind) {
    case PTX_ATOMIC_ADD:
        return is_integer || is_half || fact->kind == 'f';
    case PTX_ATOMIC_MIN:
    case PTX_ATOMIC_MAX:
        return is_integer;
    case PTX_ATOMIC_INC:
    case PTX_ATOMIC_DEC:
        return type == PTX_U32;
    case PTX_ATOMIC_CAS:
        return fact->kind == 'b' && fact->size >= 2;
    case PTX_ATOMIC_EXCH:
        return fact->kind == 'b' && fact->size >= 4;
    default:
        return fact->kind == 'b' && (fact->size == 4 || fact->size == 8);
    }
}

void ptx_decode_atomic(struct ptx_reader *reader, struct ptx_instruction *instruction,
                       const struct ptx_row *row) {
    static const char *const names[] = {"add", "min", "max", "inc",  "dec",
                                        "and", "or",  "xor", "exch", "cas"};
    bool has_result = strcmp(row->name, "atom") == 0;
    take_hints(instruction);
    ptx_take_modifier(instruction, "noftz");
    take_order(instruction);
    enum ptx_window window = take_window(instruction);
    unsigned kind = ptx_take_one_of(instruction, names, 10);
    enum ptx_type type = ptx_need_type(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    if (has_result)
        ptx_add_define(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                       false);
    struct address address = add_address(reader, instruction, &operands, window);
    for (int i = 0; i < (kind == PTX_ATOMIC_CAS ? 2 : 1); i++)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                    false);
    take_cache_policy(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    if (kind == 10 || !has_type(kind, type))
        ptx_fail(reader, instruction->line, "instruction %s.%s.%s is not known", row->name,
                 kind == 10 ? "?" : names[kind], ptx_type_facts[type].name);
    struct ptx_op *op = emit_access(reader, instruction, row->step, &operands, address);
    op->type = (uint8_t)type;
    op->kind = (uint8_t)kind;
}

/// Fences, prefetches and their like: what operands and modifiers say is read over.
void ptx_decode_nothing(struct ptx_reader *reader, struct ptx_instruction *instruction,
                        const struct ptx_row *row) {
    instruction->at = instruction->operand_count;
    ptx_emit_with(reader, instruction, row->step, &(struct ptx_operands){.d_count = 0});
}
