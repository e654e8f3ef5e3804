// A text as a whole: its operands, its statements one after the other, its results.
#include "device/ptx/ptx.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"

static bool translate_statement(struct gcl_ptx *p, char *text) {
    struct gcl_ptx_statement s;
    if (!gcl_ptx_parse(text, &s) || (s.predicate && !gcl_ptx_read(p, s.predicate)))
        return false;
    return gcl_ptx_integer_translate(p, &s) || gcl_ptx_real_translate(p, &s) ||
           gcl_ptx_memory_translate(p, &s) || gcl_ptx_together_translate(p, &s) ||
           gcl_ptx_library_translate(p, &s);
}

// Constraints are `=r,=&f,r,l,n,0,~{memory}`: plain registers, numbers, and inputs that share the
// register of an output, of which they are the first value.
static bool read_constraints(struct gcl_ptx *p, LLVMValueRef callee) {
    size_t length;
    const char *text = LLVMGetInlineAsmConstraintString(callee, &length);
    g_autofree char *copy = g_strndup(text, length);
    g_auto(GStrv) list = g_strsplit(copy, ",", -1);
    unsigned input = 0;
    for (char **c = list; *c; c++) {
        bool is_output = (*c)[0] == '=';
        const char *letter = *c + strspn(*c, "=&");
        if ((*c)[0] == '~' || !(*c)[0])
            continue;
        bool is_tied = !is_output && g_ascii_isdigit(letter[0]);
        if (!is_tied && (strlen(letter) != 1 || !strchr("hrlfdnC", letter[0])))
            return false;
        p->outputs += is_output;
        if (is_tied)
            g_hash_table_insert(p->registers, g_strdup_printf("$%s", letter),
                                gcl_ptx_as_bits(p, LLVMGetOperand(p->call, input)));
        input += !is_output;
    }
    return true;
}

static LLVMValueRef output(struct gcl_ptx *p, unsigned index, LLVMTypeRef type) {
    g_autofree char *name = g_strdup_printf("$%u", index);
    LLVMValueRef bits = g_hash_table_lookup(p->registers, name);
    if (!bits)
        return NULL;
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(p->m->layout, type);
    bits = LLVMBuildIntCast2(p->b, bits, gcl_ptx_integer(p, width), 0, "");
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(p->b, bits, type, "");
    return LLVMBuildBitCast(p->b, bits, type, "");
}

static bool replace_results(struct gcl_ptx *p) {
    LLVMTypeRef type = LLVMTypeOf(p->call);
    if (p->outputs == 0)
        return true;
    if (p->outputs == 1) {
        LLVMValueRef value = output(p, 0, type);
        if (value)
            LLVMReplaceAllUsesWith(p->call, value);
        return value != NULL;
    }
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned i = 0; i < p->outputs; i++) {
        LLVMValueRef value = output(p, i, LLVMStructGetTypeAtIndex(type, i));
        if (!value)
            return false;
        all = LLVMBuildInsertValue(p->b, all, value, i, "");
    }
    LLVMReplaceAllUsesWith(p->call, all);
    return true;
}

// Takes back what has been built in front of `call`, last things first.
static void take_back(LLVMValueRef call, LLVMValueRef before) {
    for (LLVMValueRef i; (i = LLVMGetPreviousInstruction(call)) != before;)
        LLVMInstructionEraseFromParent(i);
}

// The first statement that isn't known, to be freed.
static char *translate_text(struct gcl_ptx *p, const char *text) {
    g_autofree char *copy = g_strdup(text);
    const char *rest = copy;
    gcl_ptx_drop_comments(copy);
    for (char *statement; (statement = gcl_ptx_next(&rest));) {
        g_autofree char *cut = g_strdup(statement);
        if (!translate_statement(p, cut))
            return statement;
        g_free(statement);
    }
    return replace_results(p) ? NULL : g_strdup(copy);
}

static unsigned unknown_kind(const struct gcl_module *m) {
    static const char name[] = "gcl.unknown";
    return LLVMGetMDKindIDInContext(m->context, name, sizeof name - 1);
}

static void note_unknown(struct gcl_module *m, LLVMValueRef call, const char *statement) {
    LLVMMetadataRef text = LLVMMDStringInContext2(m->context, statement, strlen(statement));
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, &text, 1);
    LLVMSetMetadata(call, unknown_kind(m), LLVMMetadataAsValue(m->context, node));
}

static char *read_unknown(const struct gcl_module *m, LLVMValueRef call) {
    LLVMValueRef node = LLVMGetMetadata(call, unknown_kind(m)), text = NULL;
    unsigned length = 0;
    if (node)
        LLVMGetMDNodeOperands(node, &text);
    const char *statement = text ? LLVMGetMDString(text, &length) : "";
    return g_strndup(statement, length);
}

char *gcl_ptx_translate(struct gcl_module *m, struct gcl_ptx_module *texts, LLVMValueRef call) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    g_autofree char *copy = g_strndup(text, length);
    g_autoptr(GHashTable) registers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    struct gcl_ptx p = {.m = m,
                        .call = call,
                        .registers = registers,
                        .carry = &texts->carry,
                        .library = texts->library};
    LLVMValueRef before = LLVMGetPreviousInstruction(call);

    p.b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(p.b, call);
    char *unknown = read_constraints(&p, callee) ? translate_text(&p, copy) : g_strdup(copy);
    LLVMDisposeBuilder(p.b);
    texts->library = p.library;
    if (unknown) {
        texts->carry.value = NULL;
        take_back(call, before);
        note_unknown(m, call, unknown);
    } else {
        texts->is_called |= p.calls_library;
        LLVMInstructionEraseFromParent(call);
    }
    return unknown;
}

// What is said: the statement, the file, the line.
static void refuse(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef call) {
    g_autofree char *file = NULL, *statement = read_unknown(m, call);
    struct gcl_source_location place = gcl_module_place(m, call, &file);
    LLVMTypeRef types[] = {gcl_ptr(m), gcl_ptr(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), types, 3, 0);
    static const char name[] = "gcl_device_refuse_ptx";
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    if (!function)
        function = LLVMAddFunction(m->module, name, type);
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef arguments[] = {LLVMBuildGlobalStringPtr(b, statement, ""),
                                LLVMBuildGlobalStringPtr(b, place.path ? place.path : "", ""),
                                gcl_u32(m, place.line)};
    LLVMBuildCall2(b, type, function, arguments, G_N_ELEMENTS(arguments), "");
    if (LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

void gcl_ptx_refuse(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                    refuse(m, builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
