// Instructions by name: one whose words are `fma.rn.f16x2` is __gcl_ptx_fma_rn_f16x2 of
// library/ptx_library.c, with the words left out that say where memory is, who takes part, and how
// caches are to be used. The function takes numbers as they are, of vectors one after the other,
// and addresses as pointers. It returns the one result; of several, it stores words of 32 bits, or
// of 64 where the instruction is one of f64, to its first parameter.
#include <llvm-c/BitReader.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/ptx/ptx.h"

enum { ARGUMENTS = 48 };

// library/ptx_library.c, compiled.
__asm__(".pushsection .rodata\n"
        "gcl_ptx_library: .incbin \"" GCL_PTX_LIBRARY "\"\n"
        "gcl_ptx_library_end: .popsection\n");
extern const char gcl_ptx_library[] __attribute__((visibility("hidden")));
extern const char gcl_ptx_library_end[] __attribute__((visibility("hidden")));

static bool is_left_out(const char *word) {
    static const char *const words[] = {"aligned",  "sync", "shared", "shared::cta", "global",
                                        "volatile", "ftz",  "noftz",  NULL};
    return g_strv_contains(words, word) || g_str_has_prefix(word, "L1::") ||
           g_str_has_prefix(word, "L2::");
}

static char *name_of(const struct gcl_ptx_statement *s) {
    GString *name = g_string_new("__gcl_ptx");
    for (unsigned i = 0; i < s->word_count; i++) {
        if (!is_left_out(s->words[i]))
            g_string_append_printf(name, "_%s", s->words[i]);
    }
    return g_string_free(g_steal_pointer(&name), FALSE);
}

static LLVMModuleRef parse(struct gcl_module *m) {
    LLVMModuleRef library = NULL;
    size_t size = (size_t)(gcl_ptx_library_end - gcl_ptx_library);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(gcl_ptx_library, size, "ptx", 0);
    bool failed = LLVMParseBitcodeInContext2(m->context, buffer, &library);
    LLVMDisposeMemoryBuffer(buffer);
    return failed ? NULL : library; // the context's handler has reported it
}

// The bits of an operand as what a parameter takes; NULL: they aren't known.
static LLVMValueRef as_argument(struct gcl_ptx *p, const char *name, bool is_negated,
                                LLVMTypeRef type) {
    LLVMValueRef bits = gcl_ptx_read(p, name);
    if (!bits || LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return NULL;
    if (is_negated)
        bits = LLVMBuildNot(p->b, bits, "");
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(p->m->layout, type);
    bits = LLVMBuildIntCast2(p->b, bits, gcl_ptx_integer(p, width), 0, "");
    return LLVMBuildBitCast(p->b, bits, type, "");
}

/// A call that is being put together.
struct call {
    LLVMTypeRef types[ARGUMENTS];
    LLVMValueRef arguments[ARGUMENTS];
    unsigned count, next;
};

static bool add_operand(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                        const struct gcl_ptx_operand *o, struct call *call) {
    bool is_shared = gcl_ptx_has(s, "shared") || gcl_ptx_has(s, "shared::cta");
    for (unsigned i = 0; i < o->count; i++) {
        if (call->next == call->count)
            return false;
        LLVMTypeRef type = call->types[call->next];
        bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
        LLVMValueRef value = is_pointer ? gcl_ptx_address(p, s, o, is_shared, 16)
                                        : as_argument(p, o->names[i], o->is_negated, type);
        if (!value || (o->is_address && !is_pointer))
            return false;
        call->arguments[call->next++] = value;
    }
    return true;
}

static LLVMValueRef declare(struct gcl_ptx *p, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(p->m->module, name);
    return function ? function : LLVMAddFunction(p->m->module, name, type);
}

static void take_results(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMTypeRef word,
                         LLVMValueRef results) {
    const struct gcl_ptx_operand *o = &s->operands[0];
    for (unsigned i = 0; i < o->count; i++) {
        LLVMValueRef index = gcl_u64(p->m, i);
        LLVMValueRef place = LLVMBuildInBoundsGEP2(p->b, word, results, &index, 1, "");
        gcl_ptx_write(p, s, o->names[i], LLVMBuildLoad2(p->b, word, place, ""));
    }
}

static bool call(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *name,
                 LLVMValueRef model) {
    LLVMTypeRef type = LLVMGlobalGetValueType(model), result = LLVMGetReturnType(type);
    LLVMTypeRef word = gcl_ptx_has(s, "f64") ? gcl_i64(p->m) : gcl_i32(p->m);
    struct call call = {.count = LLVMCountParamTypes(type)};
    bool is_void = LLVMGetTypeKind(result) == LLVMVoidTypeKind, stores = false;
    if (call.count > ARGUMENTS)
        return false;
    LLVMGetParamTypes(type, call.types);
    const struct gcl_ptx_operand *first = &s->operands[0];
    if (is_void && s->operand_count > 0 && first->is_vector) {
        call.arguments[call.next++] = gcl_ptx_local(p, word, first->count);
        stores = true;
    }
    for (unsigned i = stores || !is_void; i < s->operand_count; i++) {
        if (!add_operand(p, s, &s->operands[i], &call))
            return false;
    }
    if (call.next != call.count || (!is_void && !gcl_ptx_result(s)[0]))
        return false;
    LLVMValueRef made =
        LLVMBuildCall2(p->b, type, declare(p, name, type), call.arguments, call.count, "");
    if (stores)
        take_results(p, s, word, call.arguments[0]);
    else if (!is_void)
        gcl_ptx_write(p, s, first->names[0], made);
    p->calls_library = true;
    return true;
}

bool gcl_ptx_library_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    if (!p->library)
        p->library = parse(p->m);
    g_autofree char *name = name_of(s);
    LLVMValueRef model = p->library ? LLVMGetNamedFunction(p->library, name) : NULL;
    return model && !LLVMIsDeclaration(model) && call(p, s, name, model);
}

static bool is_ours(LLVMValueRef function) {
    size_t length;
    return !LLVMIsDeclaration(function) &&
           g_str_has_prefix(LLVMGetValueName2(function, &length), "__gcl_ptx_");
}

// Functions that threads wait in have to be part of kernels, and the analysis sees what the others
// touch only there.
void gcl_ptx_finish(struct gcl_module *m, struct gcl_ptx_module *texts) {
    if (!texts->is_called) {
        if (texts->library)
            LLVMDisposeModule(texts->library);
        return;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(texts->library); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        gcl_module_add_attribute(m, f, "alwaysinline");
        gcl_target_set(m, f, gcl_target_least(m));
    }
    gcl_shim_link_needed(m->module, texts->library);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (is_ours(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    gcl_module_run_passes(m, "always-inline,globaldce,function(sroa)");
}
