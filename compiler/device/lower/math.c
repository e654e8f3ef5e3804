// Finds the function that computes a function of the C library, and the stages that put it in.
#include "device/lower/math.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/target.h"
#include "device/lower/root.h"

// library/math_library.c, compiled.
__asm__(".pushsection .rodata\n"
        "gcl_math_library: .incbin \"" GCL_MATH_LIBRARY "\"\n"
        "gcl_math_library_end: .popsection\n");
extern const char gcl_math_library[] __attribute__((visibility("hidden")));
extern const char gcl_math_library_end[] __attribute__((visibility("hidden")));

// A function's variants by level: SSE4, AVX2, AVX-512.
#define VARIANTS(name, parameters, two, three, four, arguments, is_double)                         \
    {name, "_ZGVbN" #two parameters "_" name, GCL_CPU_V2, two, arguments, is_double},              \
        {name, "_ZGVdN" #three parameters "_" name, GCL_CPU_V3, three, arguments, is_double},      \
        {name, "_ZGVeN" #four parameters "_" name, GCL_CPU_V4, four, arguments, is_double},
#define FLOAT_1(name) VARIANTS(name, "v", 4, 8, 16, 1, false)
#define FLOAT_2(name) VARIANTS(name, "vv", 4, 8, 16, 2, false)
#define DOUBLE_1(name) VARIANTS(name, "v", 2, 4, 8, 1, true)
#define DOUBLE_2(name) VARIANTS(name, "vv", 2, 4, 8, 2, true)

// What libmvec of glibc 2.36 has and CUDA's bounds allow, and one more.
static const struct gcl_math_variant variants[] = {
    // clang-format off
    FLOAT_1("acoshf") FLOAT_1("asinhf") FLOAT_1("atanhf") FLOAT_1("cosf")   FLOAT_1("coshf")
    FLOAT_1("erfcf")  FLOAT_1("exp2f")  FLOAT_1("sinf")   FLOAT_1("sinhf")  FLOAT_1("tanf")
    FLOAT_1("tanhf")  FLOAT_2("hypotf") FLOAT_2("powf")   DOUBLE_1("acosh") DOUBLE_1("asinh")
    DOUBLE_1("atanh") DOUBLE_1("erf")   DOUBLE_1("erfc")  DOUBLE_1("exp10") DOUBLE_1("sinh")
    DOUBLE_2("hypot") DOUBLE_2("pow")
    // clang-format on
    FLOAT_1(GCL_RECIPROCAL_ROOT) // ours
};

// Names of the C library's functions, and LLVM's of the intrinsics that clang makes of some.
#define BOTH(name) {name "f", "llvm." name ".f32"}, {name, "llvm." name ".f64"}
static const struct {
    const char *name;
    const char *intrinsic;
} functions[] = {
    BOTH("acos"),  BOTH("acosh"), BOTH("asin"),   BOTH("asinh"),
    BOTH("atan"),  BOTH("atan2"), BOTH("atanh"),  BOTH("cbrt"),
    BOTH("cos"),   BOTH("cosh"),  BOTH("erf"),    BOTH("erfc"),
    BOTH("exp"),   BOTH("exp10"), BOTH("exp2"),   BOTH("expm1"),
    BOTH("hypot"), BOTH("log"),   BOTH("log10"),  BOTH("log1p"),
    BOTH("log2"),  BOTH("pow"),   BOTH("sin"),    BOTH("sinh"),
    BOTH("tan"),   BOTH("tanh"),  BOTH("sincos"), {GCL_RECIPROCAL_ROOT, GCL_RECIPROCAL_ROOT},
};

const char *gcl_math_name(LLVMValueRef call) {
    const char *name = gcl_intrinsic_callee(call);
    if (!*name || !LLVMIsDeclaration(LLVMGetCalledValue(call)))
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (strcmp(name, functions[i].name) == 0 || strcmp(name, functions[i].intrinsic) == 0)
            return functions[i].name;
    }
    return NULL;
}

const struct gcl_math_variant *gcl_math_find(const char *name, uint32_t level) {
    for (size_t i = 0; i < G_N_ELEMENTS(variants); i++) {
        if (variants[i].level == level && strcmp(variants[i].name, name) == 0)
            return &variants[i];
    }
    return NULL;
}

// Without an instruction for it, a sum isn't fused.
static bool is_fused(LLVMValueRef i) {
    return g_str_has_prefix(gcl_intrinsic_callee(i), "llvm.fmuladd.");
}

uint32_t gcl_math_settles(LLVMValueRef function) {
    uint32_t level = GCL_CPU_V2;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = gcl_math_name(i);
            if (name && gcl_math_find(name, GCL_CPU_V4))
                return GCL_CPU_ANY;
            level = is_fused(i) ? GCL_CPU_V3 : level;
        }
    }
    return level;
}

// True if headers of ours call the library by name, for functions that the C library lacks.
static bool is_called(struct gcl_module *m, LLVMModuleRef library) {
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (!LLVMIsDeclaration(f) && LLVMGetNamedFunction(m->module, LLVMGetValueName2(f, &length)))
            return true;
    }
    return false;
}

// Replaces calls of math functions that `library` implements by calls of its functions.
static void redirect(struct gcl_module *m, LLVMModuleRef library) {
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(functions); i++) {
        const char *name = functions[i / 2].name;
        LLVMValueRef called =
            LLVMGetNamedFunction(m->module, i % 2 ? functions[i / 2].intrinsic : name);
        g_autofree char *ours = g_strconcat("__gcl_math_", name, NULL);
        if (!called || !LLVMIsDeclaration(called) || !LLVMGetNamedFunction(library, ours))
            continue;
        LLVMValueRef function = LLVMGetNamedFunction(m->module, ours);
        if (!function)
            function = LLVMAddFunction(m->module, ours, LLVMGlobalGetValueType(called));
        LLVMReplaceAllUsesWith(called, function);
        LLVMDeleteFunction(called);
    }
}

const char *gcl_math_library_bytes(size_t *size) {
    *size = (size_t)(gcl_math_library_end - gcl_math_library);
    return gcl_math_library;
}

void gcl_math_link(struct gcl_module *m) {
    size_t size;
    const char *bytes = gcl_math_library_bytes(&size);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bytes, size, "math", 0);
    LLVMModuleRef library = NULL;
    bool failed = LLVMParseBitcodeInContext2(m->context, buffer, &library);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return; // the context's handler has reported it
    redirect(m, library);
    if (!is_called(m, library)) {
        LLVMDisposeModule(library);
        return;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        gcl_module_add_attribute(m, f, "alwaysinline");
        gcl_target_set(m, f, gcl_target_least(m));
    }
    LLVMLinkModules2(m->module, library);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (!LLVMIsDeclaration(f) && g_str_has_prefix(LLVMGetValueName2(f, &length), "__gcl_math_"))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

// Nobody looks at errno, so a function has no effect but its result.
LLVMValueRef gcl_math_declare(struct gcl_module *m, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    if (function)
        return function;
    function = LLVMAddFunction(m->module, name, type);
    gcl_module_add_attribute(m, function, "memory");
    gcl_module_add_attribute(m, function, "nounwind");
    gcl_module_add_attribute(m, function, "willreturn");
    return function;
}

// The one variant that isn't libmvec's.
static void define_root(struct gcl_module *m, LLVMValueRef function, uint32_t level) {
    assert(LLVMIsDeclaration(function));
    gcl_root_define(m, function, level);
    gcl_module_add_attribute(m, function, "alwaysinline");
    for (size_t i = 0; i < m->target_count; i++) {
        if (m->targets[i].level == level)
            gcl_target_set(m, function, &m->targets[i]);
    }
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

static LLVMValueRef declare(struct gcl_module *m, const struct gcl_math_variant *variant) {
    LLVMTypeRef lane = variant->is_double ? LLVMDoubleTypeInContext(m->context)
                                          : LLVMFloatTypeInContext(m->context);
    LLVMTypeRef vector = LLVMVectorType(lane, variant->lanes);
    LLVMTypeRef parameters[] = {vector, vector};
    LLVMTypeRef type = LLVMFunctionType(vector, parameters, variant->arguments, 0);
    LLVMValueRef function = gcl_math_declare(m, variant->symbol, type);
    if (strcmp(variant->name, GCL_RECIPROCAL_ROOT) == 0 && LLVMIsDeclaration(function))
        define_root(m, function, variant->level);
    return function;
}

// Lanes [begin, begin + count) of a vector of `lanes`; behind its end comes its last lane again,
// which can't be slower than the others.
static LLVMValueRef take_lanes(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef vector,
                               unsigned lanes, unsigned begin, unsigned count) {
    assert(begin < lanes && count > 0);
    LLVMValueRef *mask = g_newa(LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++)
        mask[i] = gcl_u32(m, MIN(begin + i, lanes - 1));
    return LLVMBuildShuffleVector(builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask, count), "");
}

// Puts `count` lanes of `piece` into `whole` from lane `begin` on.
static LLVMValueRef put_lanes(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef whole,
                              LLVMValueRef piece, unsigned begin, unsigned count) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(whole));
    assert(begin < lanes);
    LLVMValueRef *mask = g_newa(LLVMValueRef, lanes);
    for (unsigned i = 0; i < lanes; i++)
        mask[i] = gcl_u32(m, MIN(i, LLVMGetVectorSize(LLVMTypeOf(piece)) - 1));
    piece = LLVMBuildShuffleVector(builder, piece, LLVMGetPoison(LLVMTypeOf(piece)),
                                   LLVMConstVector(mask, lanes), "");
    for (unsigned i = 0; i < lanes; i++) {
        bool is_inside = i >= begin && i < begin + count;
        mask[i] = gcl_u32(m, is_inside ? lanes + i - begin : i);
    }
    return LLVMBuildShuffleVector(builder, whole, piece, LLVMConstVector(mask, lanes), "");
}

// The scalar `value` as a vector of one lane.
static LLVMValueRef as_vector(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return value;
    return LLVMBuildInsertElement(builder, LLVMGetPoison(LLVMVectorType(type, 1)), value,
                                  gcl_u32(m, 0), "");
}

LLVMValueRef gcl_math_call(struct gcl_module *m, LLVMBuilderRef builder, uint32_t level,
                           const char *name, const LLVMValueRef *arguments, unsigned lanes) {
    const struct gcl_math_variant *variant = gcl_math_find(name, level);
    assert(variant && lanes > 0);
    LLVMValueRef function = declare(m, variant), whole[2], piece[2];
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    bool is_scalar = LLVMGetTypeKind(LLVMTypeOf(arguments[0])) != LLVMVectorTypeKind;
    for (unsigned a = 0; a < variant->arguments; a++)
        whole[a] = as_vector(m, builder, arguments[a]);

    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(whole[0]));
    for (unsigned begin = 0; begin < lanes; begin += variant->lanes) {
        for (unsigned a = 0; a < variant->arguments; a++)
            piece[a] = take_lanes(m, builder, whole[a], lanes, begin, variant->lanes);
        LLVMValueRef part = LLVMBuildCall2(builder, type, function, piece, variant->arguments, "");
        result = put_lanes(m, builder, result, part, begin, variant->lanes);
    }
    return is_scalar ? LLVMBuildExtractElement(builder, result, gcl_u32(m, 0), "") : result;
}

static void lower_call(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef call,
                       uint32_t level) {
    const char *name = gcl_math_name(call);
    if (!name || !gcl_math_find(name, level))
        return;
    LLVMValueRef arguments[2];
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        arguments[i] = LLVMGetOperand(call, i);
    LLVMPositionBuilderBefore(builder, call);
    LLVMReplaceAllUsesWith(call, gcl_math_call(m, builder, level, name, arguments, 1));
    LLVMInstructionEraseFromParent(call);
}

void gcl_math_lower(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        uint32_t level = gcl_target_level(m, f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                lower_call(m, builder, i, level);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
