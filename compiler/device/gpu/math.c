// Functions of mathematics reach the code generator by their names in the C library, or as LLVM's
// intrinsics. The toolkit's library (libdevice) computes nearly all of them; without it our own
// for CPUs do (lower/math.h), and those of gpu/library.
#include "device/gpu/math.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <string.h>

#include "device/gpu/fast.h"
#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"
#include "device/lower/math.h"

// library/gpu_library.c, compiled.
__asm__(".pushsection .rodata\n"
        "gcl_gpu_library: .incbin \"" GCL_GPU_LIBRARY "\"\n"
        "gcl_gpu_library_end: .popsection\n");
extern const char gcl_gpu_library[] __attribute__((visibility("hidden")));
extern const char gcl_gpu_library_end[] __attribute__((visibility("hidden")));

#define OURS "__gcl_math_"

// Functions of the C library that LLVM's back end has no instructions for. A float's ends in f.
static const char *const names[] = {
    "acos",      "acosh",  "asin",    "asinh",   "atan",    "atan2",     "atanh", "cbrt",
    "cos",       "cosh",   "erf",     "erfc",    "exp",     "exp10",     "exp2",  "expm1",
    "fdim",      "fmod",   "frexp",   "hypot",   "ilogb",   "j0",        "j1",    "jn",
    "ldexp",     "lgamma", "llrint",  "llround", "log",     "log10",     "log1p", "log2",
    "logb",      "lrint",  "lround",  "memcmp",  "modf",    "nextafter", "pow",   "powi",
    "remainder", "remquo", "scalbln", "scalbn",  "sin",     "sincos",    "sinh",  "strcat",
    "strcmp",    "strcpy", "strlen",  "strncmp", "strncpy", "tan",       "tanh",  "tgamma",
    "y0",        "y1",     "yn",
};

static bool is_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        size_t base = strlen(names[i]);
        bool begins = strncmp(name, names[i], base) == 0;
        if (begins && (length == base || (length == base + 1 && name[base] == 'f')))
            return true;
    }
    return false;
}

// The name in the C library of a declared function, to be freed; NULL: it isn't of mathematics.
static char *c_name(const char *name) {
    g_autofree char *base = NULL;
    if (g_str_has_prefix(name, OURS))
        return g_strdup(name + strlen(OURS));
    if (!g_str_has_prefix(name, "llvm."))
        return is_name(name) ? g_strdup(name) : NULL;
    g_auto(GStrv) words = g_strsplit(name + strlen("llvm."), ".", -1);
    bool is_float = g_strv_contains((const char *const *)words, "f32");
    base = g_strconcat(words[0], is_float ? "f" : "", NULL);
    return is_name(base) ? g_steal_pointer(&base) : NULL;
}

const char *gcl_gpu_math_missing(LLVMValueRef call) {
    const char *name = gcl_intrinsic_callee(call);
    if (g_str_has_prefix(name, OURS))
        return name + strlen(OURS);
    return is_name(name) ? name : NULL;
}

// Libraries, best first, each with what stands before the C library's name in its own.
struct library {
    LLVMModuleRef module; ///< NULL: there is none
    const char *prefix;
};

static LLVMModuleRef read_bitcode(struct gcl_gpu *g, const char *bytes, size_t size) {
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "mathematics");
    if (LLVMGetBitcodeModuleInContext2(g->m.context, buffer, &module))
        return NULL; // the context's handler has reported it
    LLVMSetTarget(module, LLVMGetTarget(g->m.module));
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(g->m.module));
    return module;
}

static LLVMModuleRef read_file(struct gcl_gpu *g, const char *path) {
    g_autofree char *bytes = NULL;
    gsize size;
    if (!path || !g_file_get_contents(path, &bytes, &size, NULL))
        return NULL;
    return read_bitcode(g, bytes, size);
}

// Ours ask the C library for what large angles are.
static bool is_incomplete(const struct library *library, const char *name) {
    static const char *const ours[] = {"sin", "cos", "tan", "sincos", "sincosf", NULL};
    return strcmp(library->prefix, OURS) == 0 && g_strv_contains(ours, name);
}

static LLVMValueRef find_in(const struct library *library, const char *name) {
    if (is_incomplete(library, name))
        return NULL;
    g_autofree char *full = g_strconcat(library->prefix, name, NULL);
    LLVMValueRef function = library->module ? LLVMGetNamedFunction(library->module, full) : NULL;
    return function && !LLVMIsDeclaration(function) ? function : NULL;
}

// Declares a library's function in the module.
static LLVMValueRef declare(struct gcl_gpu *g, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(g->m.module, name);
    return function ? function : LLVMAddFunction(g->m.module, name, type);
}

static LLVMTypeRef type_of(LLVMValueRef function) {
    return LLVMGlobalGetValueType(function);
}

// Redirects calls of a declared function to the first library that has it with the same type, else
// to the C library's name, which nothing has.
static void redirect(struct gcl_gpu *g, const struct library *libraries, LLVMValueRef function) {
    size_t length;
    g_autofree char *name = c_name(LLVMGetValueName2(function, &length));
    if (!name)
        return;
    g_autofree char *target = g_strdup(name);
    for (size_t i = 0; libraries[i].prefix; i++) {
        LLVMValueRef found = find_in(&libraries[i], name);
        if (!found || type_of(found) != type_of(function))
            continue;
        g_free(target);
        target = g_strconcat(libraries[i].prefix, name, NULL);
        break;
    }
    LLVMValueRef other = declare(g, target, type_of(function));
    if (other != function)
        LLVMReplaceAllUsesWith(function, other);
}

static void replace(LLVMValueRef instruction, LLVMValueRef by) {
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

// LLVM's back end would compute x - trunc(x / y) * y, which is another number for large quotients.
static LLVMValueRef build_remainder(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i), types[] = {type, type};
    bool is_float = LLVMGetTypeKind(type) == LLVMFloatTypeKind;
    LLVMTypeRef signature = LLVMFunctionType(type, types, 2, 0);
    LLVMValueRef function = declare(g, is_float ? "fmodf" : "fmod", signature);
    LLVMValueRef operands[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    return LLVMBuildCall2(b, signature, function, operands, 2, "");
}

static void lower_instruction(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef made = NULL;
    LLVMPositionBuilderBefore(b, i);
    if (opcode == LLVMCall && strcmp(gcl_intrinsic_callee(i), "llvm.sqrt.f32") == 0)
        made = gcl_gpu_fast_root(g, b, i);
    else if (opcode == LLVMCall)
        made = gcl_gpu_fast_call(g, b, i);
    else if (opcode == LLVMFDiv)
        made = gcl_gpu_fast_quotient(g, b, i);
    else if (opcode == LLVMFRem)
        made = build_remainder(g, b, i);
    if (made)
        replace(i, made);
    else
        gcl_shim_make_strict(i);
}

static void lower_instructions(struct gcl_gpu *g) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                lower_instruction(g, builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

// What libraries brought is the module's own.
static void make_local(struct gcl_gpu *g, GHashTable *before) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !g_hash_table_contains(before, f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

static GHashTable *list_defined(struct gcl_gpu *g) {
    GHashTable *defined = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            g_hash_table_add(defined, f);
    }
    return defined;
}

void gcl_gpu_math_lower(struct gcl_gpu *g) {
    size_t size;
    const char *bytes = gcl_math_library_bytes(&size);
    struct library libraries[] = {
        {read_file(g, g->m.options->gpu->libdevice), "__nv_"},
        {read_bitcode(g, gcl_gpu_library, (size_t)(gcl_gpu_library_end - gcl_gpu_library)), OURS},
        {read_bitcode(g, bytes, size), OURS},
        {NULL, NULL},
    };
    lower_instructions(g);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f))
            redirect(g, libraries, f);
    }
    g_autoptr(GHashTable) before = list_defined(g);
    for (size_t i = 0; libraries[i].prefix; i++) {
        if (libraries[i].module)
            gcl_shim_link_needed(g->m.module, libraries[i].module);
    }
    make_local(g, before);
}
