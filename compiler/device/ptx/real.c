// Floating-point numbers of 32 and 64 bits, rounded to nearest, and conversions from and to them.
// `.ftz` is not done: denormal numbers stay. Approximations are what the function is.
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ptx/ptx.h"

// Rounding other than to nearest and saturation change results.
static bool is_plain(const struct gcl_ptx_statement *s) {
    static const char *const others[] = {"rz", "rm", "rp", "rna", "rs", "sat", "relu", NULL};
    return !gcl_ptx_has_any(s, others);
}

static LLVMValueRef arithmetic(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef x,
                               LLVMValueRef y) {
    static const struct {
        const char *name;
        LLVMOpcode opcode;
    } table[] = {{"add", LLVMFAdd}, {"sub", LLVMFSub}, {"mul", LLVMFMul}, {"div", LLVMFDiv}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(s->words[0], table[i].name) == 0)
            return LLVMBuildBinOp(p->b, table[i].opcode, x, y, "");
    }
    return NULL;
}

static LLVMValueRef call_llvm(struct gcl_ptx *p, const char *name, LLVMTypeRef type,
                              LLVMValueRef *arguments, unsigned count) {
    return gcl_intrinsic_call_llvm(p->m, p->b, name, &type, 1, arguments, count);
}

// Functions of one number, by LLVM's names.
static LLVMValueRef function(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef x) {
    static const char *const names[][2] = {{"abs", "llvm.fabs"}, {"sqrt", "llvm.sqrt"},
                                           {"sin", "llvm.sin"},  {"cos", "llvm.cos"},
                                           {"ex2", "llvm.exp2"}, {"lg2", "llvm.log2"}};
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef one = LLVMConstReal(type, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(s->words[0], names[i][0]) == 0)
            return call_llvm(p, names[i][1], type, &x, 1);
    }
    if (strcmp(s->words[0], "neg") == 0)
        return LLVMBuildFNeg(p->b, x, "");
    if (strcmp(s->words[0], "rcp") == 0)
        return LLVMBuildFDiv(p->b, one, x, "");
    if (strcmp(s->words[0], "rsqrt") == 0)
        return LLVMBuildFDiv(p->b, one, call_llvm(p, "llvm.sqrt", type, &x, 1), "");
    return NULL;
}

static LLVMValueRef compute(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    const char *name = s->words[0], *type = gcl_ptx_type(s);
    static const char *const extrema[] = {"NaN", "xorsign", NULL};
    LLVMValueRef values[3];
    unsigned count = s->operand_count - 1;
    if (!gcl_ptx_is_real(type) || count == 0 || count > G_N_ELEMENTS(values) || !is_plain(s))
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        values[i] = gcl_ptx_operand(p, s, i + 1, type);
        if (!values[i])
            return NULL;
    }
    LLVMTypeRef wanted = LLVMTypeOf(values[0]);
    if (count == 1)
        return function(p, s, values[0]);
    if (count == 3)
        return strcmp(name, "fma") == 0 || strcmp(name, "mad") == 0
                   ? call_llvm(p, "llvm.fma", wanted, values, 3)
                   : NULL;
    if (strcmp(name, "copysign") == 0) { // the sign is the first operand's
        LLVMValueRef swapped[] = {values[1], values[0]};
        return call_llvm(p, "llvm.copysign", wanted, swapped, 2);
    }
    if ((strcmp(name, "min") == 0 || strcmp(name, "max") == 0) && !gcl_ptx_has_any(s, extrema))
        return call_llvm(p, name[1] == 'i' ? "llvm.minnum" : "llvm.maxnum", wanted, values, 2);
    return arithmetic(p, s, values[0], values[1]);
}

// `.rni` and kin: a whole number, to nearest, towards zero, down, up.
static LLVMValueRef whole(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef x) {
    static const char *const names[][2] = {{"rni", "llvm.roundeven"},
                                           {"rzi", "llvm.trunc"},
                                           {"rmi", "llvm.floor"},
                                           {"rpi", "llvm.ceil"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (gcl_ptx_has(s, names[i][0]))
            return call_llvm(p, names[i][1], LLVMTypeOf(x), &x, 1);
    }
    return NULL;
}

static LLVMValueRef to_integer(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *to,
                               LLVMValueRef x) {
    LLVMValueRef value = whole(p, s, x);
    if (!value)
        return NULL;
    return gcl_intrinsic_to_integer(p->m, p->b, value, gcl_ptx_llvm_type(p, to),
                                    gcl_ptx_is_signed(to));
}

// cvt among plain types.
static LLVMValueRef convert(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    const char *from = gcl_ptx_type(s), *to = s->word_count > 2 ? s->words[s->word_count - 2] : "";
    LLVMTypeRef type = gcl_ptx_llvm_type(p, to);
    LLVMValueRef x = type && s->operand_count == 2 ? gcl_ptx_operand(p, s, 1, from) : NULL;
    if (!x || !is_plain(s) || gcl_ptx_bits(from) == 1 || gcl_ptx_bits(to) == 1)
        return NULL;
    bool was_real = gcl_ptx_is_real(from), is_real = gcl_ptx_is_real(to);
    if (!was_real && !is_real)
        return LLVMBuildIntCast2(p->b, x, type, gcl_ptx_is_signed(from), "");
    if (!was_real)
        return gcl_ptx_is_signed(from) ? LLVMBuildSIToFP(p->b, x, type, "")
                                       : LLVMBuildUIToFP(p->b, x, type, "");
    if (!is_real)
        return to_integer(p, s, to, x);
    LLVMValueRef rounded = whole(p, s, x);
    return LLVMBuildFPCast(p->b, rounded ? rounded : x, type, "");
}

bool gcl_ptx_real_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    if (!gcl_ptx_result(s)[0])
        return false;
    LLVMValueRef value = strcmp(s->words[0], "cvt") == 0 ? convert(p, s) : compute(p, s);
    if (value)
        gcl_ptx_write(p, s, s->operands[0].names[0], value);
    return value != NULL;
}
