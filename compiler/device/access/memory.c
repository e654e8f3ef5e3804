// What each kind of instruction does to memory, whichever memory that is.
#include "device/access/memory.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"
#include "gcluster/texture.h"

enum { MOST_MOVED = 8 }; ///< bytes of the largest value that a processor stores at once

static uint32_t store_size(const struct gcl_extraction *x, LLVMTypeRef type) {
    return (uint32_t)LLVMStoreSizeOfType(x->m->layout, type);
}

static uint32_t element_size(const struct gcl_extraction *x, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return store_size(x, type);
}

static struct gcl_effect touch(const struct gcl_extraction *x, LLVMValueRef i,
                               enum gcl_access_kind kind, LLVMValueRef pointer, LLVMTypeRef type) {
    assert(LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind);
    return (struct gcl_effect){.instruction = i,
                               .kind = kind,
                               .pointer = pointer,
                               .size = store_size(x, type),
                               .element = element_size(x, type)};
}

// Whether a value of the type may be an address, or hold one.
static bool may_be_address(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
    case LLVMStructTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) >= 64;
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind:
        return may_be_address(LLVMGetElementType(type));
    default:
        return false;
    }
}

static struct gcl_effect leave(const struct gcl_extraction *x, LLVMValueRef i,
                               enum gcl_access_kind kind, LLVMValueRef pointer, LLVMTypeRef type) {
    struct gcl_effect e = touch(x, i, kind, pointer, type);
    // Of a value that needn't be aligned, other threads may write a part.
    if (LLVMIsAStoreInst(i) && LLVMGetAlignment(i) < e.element)
        e.element = LLVMGetAlignment(i);
    e.stored = may_be_address(type) ? GCL_STORED_ANYTHING : GCL_STORED_NUMBER;
    return e;
}

bool gcl_access_reduction(LLVMValueRef i, enum gcl_reduction *reduction) {
    assert(LLVMIsAAtomicRMWInst(i));
    static const struct {
        LLVMAtomicRMWBinOp operation;
        enum gcl_reduction reduction;
    } known[] = {
        {LLVMAtomicRMWBinOpAdd, GCL_REDUCTION_ADD},   {LLVMAtomicRMWBinOpSub, GCL_REDUCTION_ADD},
        {LLVMAtomicRMWBinOpAnd, GCL_REDUCTION_AND},   {LLVMAtomicRMWBinOpOr, GCL_REDUCTION_OR},
        {LLVMAtomicRMWBinOpXor, GCL_REDUCTION_XOR},   {LLVMAtomicRMWBinOpMax, GCL_REDUCTION_SMAX},
        {LLVMAtomicRMWBinOpMin, GCL_REDUCTION_SMIN},  {LLVMAtomicRMWBinOpUMax, GCL_REDUCTION_UMAX},
        {LLVMAtomicRMWBinOpUMin, GCL_REDUCTION_UMIN}, {LLVMAtomicRMWBinOpFAdd, GCL_REDUCTION_FADD},
        {LLVMAtomicRMWBinOpFSub, GCL_REDUCTION_FADD}, {LLVMAtomicRMWBinOpFMax, GCL_REDUCTION_FMAX},
        {LLVMAtomicRMWBinOpFMin, GCL_REDUCTION_FMIN},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(known); k++) {
        *reduction = known[k].reduction;
        if (known[k].operation == LLVMGetAtomicRMWBinOp(i))
            return true;
    }
    return false;
}

static struct gcl_effect of_atomic(const struct gcl_extraction *x, LLVMValueRef i) {
    assert(LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i));
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    struct gcl_effect e = leave(x, i, GCL_ACCESS_ATOMIC, LLVMGetOperand(i, 0), type);
    e.reason = LLVMIsAAtomicCmpXchgInst(i) ? GCL_REASON_COMPARE_AND_SWAP : GCL_REASON_ATOMIC_RESULT;
    if (!LLVMIsAAtomicRMWInst(i) || LLVMGetFirstUse(i))
        return e;
    if (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg)
        e.kind = GCL_ACCESS_WRITE;
    else if (gcl_access_reduction(i, &e.reduction))
        e.kind = GCL_ACCESS_REDUCE;
    if (e.kind != GCL_ACCESS_ATOMIC)
        e.reason = 0;
    return e;
}

// The values that a copy moves aren't known; what they are aligned to bounds their size, so that
// nobody else writes a part of one. The assumption for an array of bytes is one.
static uint32_t moved_element(LLVMValueRef call, unsigned operand) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    return align ? (uint32_t)MIN(LLVMGetEnumAttributeValue(align), MOST_MOVED) : 1;
}

static struct gcl_effect move(LLVMValueRef call, enum gcl_access_kind kind, unsigned operand,
                              enum gcl_record_role role) {
    LLVMValueRef length = LLVMGetOperand(call, 2);
    struct gcl_effect e = {.instruction = call,
                           .role = role,
                           .kind = kind,
                           .pointer = LLVMGetOperand(call, operand),
                           .element = moved_element(call, operand)};
    if (LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) <= UINT32_MAX)
        e.size = (uint32_t)LLVMConstIntGetZExtValue(length);
    else
        e.length = length;
    return e;
}

// Intrinsics of LLVM's that say something or do it to themselves.
static bool is_silent(const char *name) {
    static const char *const prefixes[] = {
        "llvm.assume",
        "llvm.lifetime.",
        "llvm.invariant.",
        "llvm.dbg.",
        "llvm.trap",
        "llvm.debugtrap",
        "llvm.prefetch",
        "llvm.experimental.noalias",
        "llvm.stacksave",
        "llvm.stackrest",
        "llvm.sideeffect",
        "llvm.donothing",
        "gcl_device_print",
        "gcl_device_assert",
        "gcl_device_trap",
        "gcl_device_is_local",
        "gcl_device_clock",
        "gcl_device_globaltimer",
        "gcl_device_nanosleep",
        "gcl_device_child_error",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(name, prefixes[i]))
            return true;
    }
    return false;
}

// A function of our headers that is too long to be part of each fetch: what describes the texture
// and its level, and texels somewhere.
static unsigned of_texture(LLVMValueRef call, const char *name, struct gcl_effect *effects) {
    if (!strstr(name, GCL_TEXTURE_FUNCTION))
        return 0;
    for (unsigned e = 0; e < 2; e++)
        effects[e] =
            (struct gcl_effect){.instruction = call,
                                .kind = GCL_ACCESS_READ,
                                .pointer = LLVMGetOperand(call, e),
                                .role = e ? GCL_ROLE_WHOLE : GCL_ROLE_SOURCE,
                                .size = e ? sizeof(struct gcl_texels) : sizeof(struct gcl_texture),
                                .element = 8};
    effects[2] = (struct gcl_effect){.instruction = call,
                                     .kind = GCL_ACCESS_READ,
                                     .role = GCL_ROLE_TEXELS,
                                     .pointer = effects[1].pointer,
                                     .size = 1,
                                     .element = 1};
    return 3;
}

/// Functions of the C library that write results of `size` bytes to where the arguments behind
/// their first lead. A program's own function of such a name with other arguments is none of them.
static unsigned of_library(LLVMValueRef call, const char *name, struct gcl_effect *effects) {
    static const struct {
        const char *name;
        unsigned operands;
        uint32_t size;
    } functions[] = {{"sincos", 3, sizeof(double)},
                     {"sincosf", 3, sizeof(float)},
                     {"frexp", 2, sizeof(int)},
                     {"frexpf", 2, sizeof(int)}};
    unsigned count = 0, operands = LLVMGetNumArgOperands(call);
    size_t n = 0;
    while (n < G_N_ELEMENTS(functions) && strcmp(functions[n].name, name) != 0)
        n++;
    if (n == G_N_ELEMENTS(functions) || functions[n].operands != operands)
        return 0;
    for (unsigned o = 1; o < operands; o++) {
        LLVMValueRef result = LLVMGetOperand(call, o);
        if (LLVMGetTypeKind(LLVMTypeOf(result)) != LLVMPointerTypeKind)
            return 0;
        effects[count++] = (struct gcl_effect){.instruction = call,
                                               .kind = GCL_ACCESS_WRITE,
                                               .pointer = result,
                                               .size = functions[n].size,
                                               .element = functions[n].size};
    }
    return count;
}

static unsigned anything(LLVMValueRef call, struct gcl_effect *effects) {
    effects[0] = (struct gcl_effect){.instruction = call, .kind = GCL_ACCESS_READ, .element = 1};
    effects[1] = effects[0];
    effects[1].kind = GCL_ACCESS_WRITE;
    effects[1].stored = GCL_STORED_ANYTHING;
    return 2;
}

uint32_t gcl_access_why(LLVMValueRef i) {
    const char *name = gcl_intrinsic_callee(i);
    bool launches = !strcmp(name, "gcl_device_launch") || !strcmp(name, "__gcl_child_launch");
    return launches ? GCL_REASON_LAUNCH : GCL_REASON_CALL;
}

static unsigned of_call(LLVMValueRef call, struct gcl_effect *effects, uint32_t *reason) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    const char *name = gcl_intrinsic_callee(call);
    if (intrinsic) {
        if (intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut == GCL_CUT_GRID_BARRIER)
            *reason = GCL_REASON_GRID_BARRIER;
        return 0;
    }
    if (g_str_has_prefix(name, "llvm.memcpy.") || g_str_has_prefix(name, "llvm.memmove.")) {
        effects[0] = move(call, GCL_ACCESS_READ, 1, GCL_ROLE_SOURCE);
        effects[1] = move(call, GCL_ACCESS_WRITE, 0, GCL_ROLE_WHOLE);
        effects[1].stored = GCL_STORED_ANYTHING;
        return 2;
    }
    if (g_str_has_prefix(name, "llvm.memset.")) {
        effects[0] = move(call, GCL_ACCESS_WRITE, 0, GCL_ROLE_WHOLE);
        return 1;
    }
    if (strcmp(name, "gcl_device_malloc") == 0 || strcmp(name, "gcl_device_free") == 0) {
        *reason = GCL_REASON_DEVICE_MALLOC;
        return 0;
    }
    if (is_silent(name) || !gcl_shim_uses_memory(call))
        return 0;
    unsigned count = of_texture(call, name, effects);
    if (count == 0)
        count = of_library(call, name, effects);
    if (count > 0)
        return count;
    *reason = gcl_access_why(call);
    return anything(call, effects);
}

unsigned gcl_access_effects(struct gcl_extraction *x, LLVMValueRef i,
                            struct gcl_effect effects[GCL_EFFECTS], uint32_t *reason) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        effects[0] = touch(x, i, GCL_ACCESS_READ, LLVMGetOperand(i, 0), LLVMTypeOf(i));
        return 1;
    case LLVMStore:
        effects[0] =
            leave(x, i, GCL_ACCESS_WRITE, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
        return 1;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        effects[0] = of_atomic(x, i);
        return 1;
    case LLVMFence:
        if (!LLVMIsAtomicSingleThread(i))
            *reason = GCL_REASON_FENCE;
        return 0;
    case LLVMCall:
        return of_call(i, effects, reason);
    default:
        if (!gcl_shim_uses_memory(i))
            return 0;
        *reason = GCL_REASON_OPERATION;
        return anything(i, effects);
    }
}
