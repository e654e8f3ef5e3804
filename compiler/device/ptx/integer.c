// Integers and bits: arithmetic with and without carries, logic, shifts, comparisons, moves.
#include <assert.h>
#include <string.h>

#include "device/ptx/ptx.h"

// `{low, high}`: parts of equal width, the first one lowest.
static LLVMValueRef pack(struct gcl_ptx *p, const struct gcl_ptx_operand *o, unsigned bits) {
    unsigned width = bits / o->count;
    LLVMTypeRef whole = gcl_ptx_integer(p, bits), part = gcl_ptx_integer(p, width);
    LLVMValueRef all = LLVMConstNull(whole);
    for (unsigned i = 0; i < o->count; i++) {
        LLVMValueRef value = gcl_ptx_read(p, o->names[i]);
        if (!value)
            return NULL;
        value = LLVMBuildIntCast2(p->b, value, part, 0, "");
        value = LLVMBuildZExt(p->b, value, whole, "");
        LLVMValueRef place = LLVMConstInt(whole, (unsigned long long)i * width, 0);
        all = LLVMBuildOr(p->b, all, LLVMBuildShl(p->b, value, place, ""), "");
    }
    return all;
}

static void unpack(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef all) {
    const struct gcl_ptx_operand *o = &s->operands[0];
    LLVMTypeRef whole = LLVMTypeOf(all);
    unsigned width = LLVMGetIntTypeWidth(whole) / o->count;
    for (unsigned i = 0; i < o->count; i++) {
        LLVMValueRef place = LLVMConstInt(whole, (unsigned long long)i * width, 0);
        LLVMValueRef part = LLVMBuildLShr(p->b, all, place, "");
        gcl_ptx_write(p, s, o->names[i], LLVMBuildTrunc(p->b, part, gcl_ptx_integer(p, width), ""));
    }
}

static bool is_divisible(unsigned bits, const struct gcl_ptx_operand *o) {
    return !o->is_vector || (o->count > 1 && bits % (8 * o->count) == 0);
}

static bool move(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    const char *type = gcl_ptx_type(s);
    unsigned bits = gcl_ptx_bits(type);
    const struct gcl_ptx_operand *to = &s->operands[0], *from = &s->operands[1];
    if (s->operand_count != 2 || bits == 0 || to->is_address || from->is_address ||
        !is_divisible(bits, to) || !is_divisible(bits, from))
        return false;
    LLVMValueRef value = from->is_vector ? pack(p, from, bits) : gcl_ptx_operand(p, s, 1, type);
    if (!value)
        return false;
    if (to->is_vector)
        unpack(p, s, gcl_ptx_as_bits(p, value));
    else
        gcl_ptx_write(p, s, to->names[0], value);
    return true;
}

static LLVMValueRef arithmetic(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                               const char *type, LLVMValueRef x, LLVMValueRef y) {
    static const struct {
        const char *name;
        LLVMOpcode plain, is_signed;
    } table[] = {
        {"add", LLVMAdd, LLVMAdd},   {"sub", LLVMSub, LLVMSub},   {"mul", LLVMMul, LLVMMul},
        {"div", LLVMUDiv, LLVMSDiv}, {"rem", LLVMURem, LLVMSRem}, {"and", LLVMAnd, LLVMAnd},
        {"or", LLVMOr, LLVMOr},      {"xor", LLVMXor, LLVMXor},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(s->words[0], table[i].name) == 0)
            return LLVMBuildBinOp(
                p->b, gcl_ptx_is_signed(type) ? table[i].is_signed : table[i].plain, x, y, "");
    }
    return NULL;
}

static LLVMValueRef compare(struct gcl_ptx *p, const char *how, const char *type, LLVMValueRef x,
                            LLVMValueRef y) {
    static const struct {
        const char *name;
        LLVMIntPredicate plain, is_signed; ///< 0: not of integers
        LLVMRealPredicate real;            ///< 0: not of floating-point numbers
    } table[] = {
        {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
        {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
        {"lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT},
        {"le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
        {"gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT},
        {"ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
        {"lo", LLVMIntULT, LLVMIntULT, 0},
        {"ls", LLVMIntULE, LLVMIntULE, 0},
        {"hi", LLVMIntUGT, LLVMIntUGT, 0},
        {"hs", LLVMIntUGE, LLVMIntUGE, 0},
        {"equ", 0, 0, LLVMRealUEQ},
        {"neu", 0, 0, LLVMRealUNE},
        {"ltu", 0, 0, LLVMRealULT},
        {"leu", 0, 0, LLVMRealULE},
        {"gtu", 0, 0, LLVMRealUGT},
        {"geu", 0, 0, LLVMRealUGE},
        {"num", 0, 0, LLVMRealORD},
        {"nan", 0, 0, LLVMRealUNO},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(how, table[i].name) != 0)
            continue;
        if (gcl_ptx_is_real(type))
            return table[i].real ? LLVMBuildFCmp(p->b, table[i].real, x, y, "") : NULL;
        LLVMIntPredicate predicate = gcl_ptx_is_signed(type) ? table[i].is_signed : table[i].plain;
        return predicate ? LLVMBuildICmp(p->b, predicate, x, y, "") : NULL;
    }
    return NULL;
}

// What a comparison is combined with, `.and`, `.or` or `.xor` of a predicate behind.
static LLVMValueRef combine(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                            LLVMValueRef result) {
    LLVMValueRef other = gcl_ptx_operand(p, s, 3, "pred");
    if (!other)
        return NULL;
    if (gcl_ptx_has(s, "and"))
        return LLVMBuildAnd(p->b, result, other, "");
    if (gcl_ptx_has(s, "or"))
        return LLVMBuildOr(p->b, result, other, "");
    return gcl_ptx_has(s, "xor") ? LLVMBuildXor(p->b, result, other, "") : NULL;
}

// setp: a predicate and, behind `|`, its contrary; set: all bits, or 1.0.
static bool set(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    bool is_value = strcmp(s->words[0], "set") == 0;
    const char *type = gcl_ptx_type(s), *to = is_value ? s->words[s->word_count - 2] : "pred";
    LLVMValueRef x = gcl_ptx_operand(p, s, 1, type), y = gcl_ptx_operand(p, s, 2, type);
    if (!x || !y || s->word_count < 3u + is_value || !gcl_ptx_result(s)[0] ||
        s->operand_count > 4 || gcl_ptx_bits(to) == 0)
        return false;
    LLVMValueRef plain = compare(p, s->words[1], type, x, y), result = plain;
    if (result && s->operand_count == 4)
        result = combine(p, s, result);
    if (!result)
        return false;
    LLVMValueRef contrary = LLVMBuildNot(p->b, plain, "");
    if (s->operands[0].second && s->operand_count == 4)
        contrary = combine(p, s, contrary);
    if (is_value && gcl_ptx_is_real(to))
        result = LLVMBuildUIToFP(p->b, result, gcl_ptx_llvm_type(p, to), "");
    else if (is_value)
        result = LLVMBuildSExt(p->b, result, gcl_ptx_llvm_type(p, to), "");
    gcl_ptx_write(p, s, s->operands[0].names[0], result);
    if (s->operands[0].second)
        gcl_ptx_write(p, s, s->operands[0].second, contrary);
    return true;
}

// shl and shr clamp their amounts, where LLVM's are undefined from the width on.
static LLVMValueRef shift(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *type) {
    LLVMValueRef x = gcl_ptx_operand(p, s, 1, type), amount = gcl_ptx_operand(p, s, 2, "u32");
    if (!x || !amount || gcl_ptx_is_real(type))
        return NULL;
    LLVMTypeRef wide = LLVMTypeOf(x);
    bool left = strcmp(s->words[0], "shl") == 0, fill = !left && gcl_ptx_is_signed(type);
    LLVMValueRef limit = gcl_u32(p->m, gcl_ptx_bits(type) - 1);
    LLVMValueRef fits = LLVMBuildICmp(p->b, LLVMIntULE, amount, limit, "");
    LLVMValueRef safe =
        LLVMBuildIntCast2(p->b, LLVMBuildSelect(p->b, fits, amount, limit, ""), wide, 0, "");
    if (fill)
        return LLVMBuildAShr(p->b, x, safe, "");
    LLVMValueRef moved = left ? LLVMBuildShl(p->b, x, safe, "") : LLVMBuildLShr(p->b, x, safe, "");
    return LLVMBuildSelect(p->b, fits, moved, LLVMConstNull(wide), "");
}

// Any function of three bits, for each bit: the table is its result for the operands 0xf0, 0xcc and
// 0xaa (PTX ISA, "lop3").
static LLVMValueRef any_logic(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef table = s->operand_count == 5 ? gcl_ptx_operand(p, s, 4, "u32") : NULL;
    LLVMValueRef result = gcl_u32(p->m, 0), bits[3][2];
    if (!table || !LLVMIsAConstantInt(table) || s->word_count != 2)
        return NULL;
    for (unsigned i = 0; i < 3; i++) {
        bits[i][1] = gcl_ptx_operand(p, s, i + 1, "b32");
        if (!bits[i][1])
            return NULL;
        bits[i][0] = LLVMBuildNot(p->b, bits[i][1], "");
    }
    for (unsigned i = 0; i < 8; i++) {
        if (!(LLVMConstIntGetZExtValue(table) >> i & 1))
            continue;
        LLVMValueRef ab = LLVMBuildAnd(p->b, bits[0][i >> 2 & 1], bits[1][i >> 1 & 1], "");
        result = LLVMBuildOr(p->b, result, LLVMBuildAnd(p->b, ab, bits[2][i & 1], ""), "");
    }
    return result;
}

// A product: its lower half, its upper half, or all of it.
static LLVMValueRef multiply(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                             const char *type) {
    LLVMValueRef x = gcl_ptx_operand(p, s, 1, type), y = gcl_ptx_operand(p, s, 2, type);
    unsigned bits = gcl_ptx_bits(type);
    if (!x || !y)
        return NULL;
    if (!gcl_ptx_has(s, "hi") && !gcl_ptx_has(s, "wide"))
        return LLVMBuildMul(p->b, x, y, "");
    LLVMTypeRef wide = gcl_ptx_integer(p, 2 * bits);
    bool is_signed = gcl_ptx_is_signed(type);
    LLVMValueRef product = LLVMBuildMul(p->b, LLVMBuildIntCast2(p->b, x, wide, is_signed, ""),
                                        LLVMBuildIntCast2(p->b, y, wide, is_signed, ""), "");
    if (gcl_ptx_has(s, "wide"))
        return product;
    LLVMValueRef upper = LLVMBuildLShr(p->b, product, LLVMConstInt(wide, bits, 0), "");
    return LLVMBuildTrunc(p->b, upper, LLVMTypeOf(x), "");
}

// Where the carry goes, and where it comes from: it is one of the block in which it was left.
static void leave_carry(struct gcl_ptx *p, LLVMValueRef carry) {
    *p->carry = (struct gcl_ptx_carry){LLVMGetInsertBlock(p->b), carry};
}

static LLVMValueRef take_carry(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const takers[] = {"addc", "subc", "madc", NULL};
    if (!g_strv_contains(takers, s->words[0]))
        return gcl_u32(p->m, 0);
    return p->carry->block == LLVMGetInsertBlock(p->b) ? p->carry->value : NULL;
}

// x + y + carry or x - y - borrow, in twice the width: the bit above is the carry.
static LLVMValueRef extend(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef x,
                           LLVMValueRef y) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    LLVMTypeRef wide = gcl_ptx_integer(p, 2 * bits);
    LLVMValueRef carry = take_carry(p, s);
    if (!carry || s->predicate)
        return NULL;
    bool is_difference = g_str_has_prefix(s->words[0], "sub");
    LLVMOpcode opcode = is_difference ? LLVMSub : LLVMAdd;
    x = LLVMBuildZExt(p->b, x, wide, "");
    y = LLVMBuildZExt(p->b, y, wide, "");
    carry = LLVMBuildIntCast2(p->b, carry, wide, 0, "");
    LLVMValueRef sum =
        LLVMBuildBinOp(p->b, opcode, LLVMBuildBinOp(p->b, opcode, x, y, ""), carry, "");
    LLVMValueRef above = LLVMBuildLShr(p->b, sum, LLVMConstInt(wide, bits, 0), "");
    if (gcl_ptx_has(s, "cc"))
        leave_carry(p, LLVMBuildTrunc(p->b, above, gcl_ptx_integer(p, 1), ""));
    return LLVMBuildTrunc(p->b, sum, gcl_ptx_integer(p, bits), "");
}

// add, sub, mad with `.cc` or the `c` of "with carry".
static LLVMValueRef with_carry(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                               const char *type) {
    bool is_product = g_str_has_prefix(s->words[0], "mad");
    LLVMValueRef x = is_product ? multiply(p, s, type) : gcl_ptx_operand(p, s, 1, type);
    LLVMValueRef y = gcl_ptx_operand(p, s, is_product ? 3 : 2, type);
    if (!x || !y || gcl_ptx_has(s, "wide") || gcl_ptx_bits(type) < 32)
        return NULL;
    return extend(p, s, x, y);
}

static LLVMValueRef multiply_add(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                                 const char *type) {
    LLVMValueRef product = multiply(p, s, type);
    unsigned bits = gcl_ptx_bits(type);
    const char *wide = bits == 16 ? "s32" : "s64";
    bool is_wide = gcl_ptx_has(s, "wide");
    LLVMValueRef sum = gcl_ptx_operand(p, s, 3, is_wide ? wide : type);
    return product && sum ? LLVMBuildAdd(p->b, product, sum, "") : NULL;
}

static LLVMValueRef choose(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *type,
                           LLVMValueRef x, LLVMValueRef y) {
    const char *name = s->words[0];
    if (strcmp(name, "selp") == 0) {
        LLVMValueRef condition = gcl_ptx_operand(p, s, 3, "pred");
        return condition ? LLVMBuildSelect(p->b, condition, x, y, "") : NULL;
    }
    if (s->operand_count != 3 || gcl_ptx_is_real(type))
        return NULL;
    LLVMValueRef less = compare(p, strcmp(name, "min") == 0 ? "lt" : "gt", type, x, y);
    return LLVMBuildSelect(p->b, less, x, y, "");
}

// Instructions with one result from one to three values of one type.
static LLVMValueRef compute(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const carried[] = {"addc", "subc", "madc", NULL};
    static const char *const choices[] = {"min", "max", "selp", NULL};
    const char *name = s->words[0], *type = gcl_ptx_type(s);
    if (strcmp(name, "lop3") == 0)
        return any_logic(p, s);
    bool is_choice = g_strv_contains(choices, name);
    if (gcl_ptx_bits(type) == 0 || (gcl_ptx_is_real(type) && !is_choice) || gcl_ptx_has(s, "sat"))
        return NULL;
    if (strcmp(name, "shl") == 0 || strcmp(name, "shr") == 0)
        return shift(p, s, type);
    if (gcl_ptx_has(s, "cc") || g_strv_contains(carried, name))
        return with_carry(p, s, type);
    if (strcmp(name, "mul") == 0)
        return s->operand_count == 3 ? multiply(p, s, type) : NULL;
    if (strcmp(name, "mad") == 0)
        return s->operand_count == 4 ? multiply_add(p, s, type) : NULL;
    LLVMValueRef x = gcl_ptx_operand(p, s, 1, type);
    if (x && strcmp(name, "not") == 0)
        return LLVMBuildNot(p->b, x, "");
    if (x && strcmp(name, "neg") == 0)
        return LLVMBuildNeg(p->b, x, "");
    LLVMValueRef y = gcl_ptx_operand(p, s, 2, type);
    if (!x || !y)
        return NULL;
    if (is_choice)
        return choose(p, s, type, x, y);
    return s->operand_count == 3 ? arithmetic(p, s, type, x, y) : NULL;
}

bool gcl_ptx_integer_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    if (strcmp(s->words[0], "mov") == 0)
        return move(p, s);
    if (strcmp(s->words[0], "setp") == 0 || strcmp(s->words[0], "set") == 0)
        return set(p, s);
    LLVMValueRef value = gcl_ptx_result(s)[0] ? compute(p, s) : NULL;
    if (value)
        gcl_ptx_write(p, s, s->operands[0].names[0], value);
    return value != NULL;
}
