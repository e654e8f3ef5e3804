// What every stage asks of the module: constants and types, source lines, what the user is told,
// and LLVM's passes.
#include "device/ir/module.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/ir/shim.h"

LLVMTypeRef gcl_i32(struct gcl_module *m) {
    return LLVMInt32TypeInContext(m->context);
}

LLVMTypeRef gcl_i64(struct gcl_module *m) {
    return LLVMInt64TypeInContext(m->context);
}

LLVMTypeRef gcl_ptr(struct gcl_module *m) {
    return LLVMPointerTypeInContext(m->context, 0);
}

LLVMValueRef gcl_u32(struct gcl_module *m, uint32_t value) {
    return LLVMConstInt(gcl_i32(m), value, 0);
}

LLVMValueRef gcl_u64(struct gcl_module *m, uint64_t value) {
    return LLVMConstInt(gcl_i64(m), value, 0);
}

void gcl_module_add_attribute(struct gcl_module *m, LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    assert(kind != 0); // LLVM has an attribute of that name
    LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

LLVMValueRef gcl_minimum(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, a, b, ""), a, b, "");
}

LLVMValueRef gcl_maximum(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntUGT, a, b, ""), a, b, "");
}

struct gcl_source_location gcl_module_place(const struct gcl_module *m, LLVMValueRef instruction,
                                            char **file) {
    unsigned length = 0;
    struct gcl_source_location place = {.path = m->inputs[0].source};
    *file = NULL;
    if (!instruction || LLVMGetDebugLocLine(instruction) == 0)
        return place;
    const char *name = LLVMGetDebugLocFilename(instruction, &length);
    place.line = LLVMGetDebugLocLine(instruction);
    place.column = LLVMGetDebugLocColumn(instruction);
    if (name)
        place.path = *file = g_strndup(name, length);
    return place;
}

void gcl_module_error(struct gcl_module *m, enum gcl_diagnostic_code code, LLVMValueRef instruction,
                      const char *format, ...) {
    g_autofree char *file = NULL;
    struct gcl_source_location place = gcl_module_place(m, instruction, &file);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    gcl_diagnostics_add(m->diagnostics, code, &place, NULL, "%s", message);
    m->failed = true;
}

static unsigned line_kind(const struct gcl_module *m) {
    return LLVMGetMDKindIDInContext(m->context, "gcl.line", 8);
}

void gcl_module_keep_lines(struct gcl_module *m, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetDebugLocLine(i) == 0)
                continue;
            LLVMMetadataRef line = LLVMValueAsMetadata(gcl_u32(m, LLVMGetDebugLocLine(i)));
            LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, &line, 1);
            LLVMSetMetadata(i, line_kind(m), LLVMMetadataAsValue(m->context, node));
        }
    }
}

LLVMValueRef gcl_module_line(const struct gcl_module *m, LLVMValueRef instruction) {
    return LLVMGetMetadata(instruction, line_kind(m));
}

void gcl_module_set_line(const struct gcl_module *m, LLVMValueRef instruction, LLVMValueRef line) {
    if (line)
        LLVMSetMetadata(instruction, line_kind(m), line);
}

uint32_t gcl_module_line_number(const struct gcl_module *m, LLVMValueRef instruction) {
    LLVMValueRef node = gcl_module_line(m, instruction), line = NULL;
    if (node)
        LLVMGetMDNodeOperands(node, &line);
    return line ? (uint32_t)LLVMConstIntGetZExtValue(line) : 0;
}

void gcl_module_remark(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                       LLVMValueRef instruction, const char *what) {
    g_autofree char *text = g_strdup_printf(
        "%s:%u: remark: %s: lane by lane: %s [-Rgcluster=vector]", m->inputs[0].source,
        gcl_module_line_number(m, instruction), kernel->name, what);
    if (g_hash_table_add(m->remarks, g_strdup(text)))
        fprintf(stderr, "%s\n", text);
}

void gcl_module_mark(struct gcl_module *m, LLVMValueRef instruction, const char *name) {
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
    LLVMSetMetadata(instruction, kind,
                    LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0)));
}

bool gcl_module_is_marked(struct gcl_module *m, LLVMValueRef instruction, const char *name) {
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
    return LLVMGetMetadata(instruction, kind) != NULL;
}

struct gcl_device_kernel *gcl_module_kernel(const struct gcl_module *m, LLVMValueRef function) {
    for (guint i = 0; i < m->kernels->len; i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        if (kernel->function == function)
            return kernel;
    }
    return NULL;
}

struct gcl_device_kernel *gcl_module_mirror_kernel(const struct gcl_module *m,
                                                   LLVMValueRef function) {
    for (guint i = 0; i < m->kernels->len; i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        if (kernel->mirror && kernel->mirror == function)
            return kernel;
    }
    return NULL;
}

bool gcl_module_dumps(const struct gcl_module *m, const char *stage) {
    return m->options->dump &&
           g_ptr_array_find_with_equal_func(m->options->dump, stage, g_str_equal, NULL);
}

void gcl_module_tell(const struct gcl_module *m, const char *what, const char *symbol) {
    if (!m->options->progress)
        return;
    char *name = gcl_shim_qualified_name(symbol);
    g_snprintf(m->options->progress, GCL_DEVICE_PROGRESS_SIZE, "%s %s", what, name ? name : symbol);
    free(name);
}

void gcl_module_run_passes(struct gcl_module *m, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
    LLVMErrorRef error = LLVMRunPasses(m->module, passes, m->machine, options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "LLVM passes %s: %s", passes, text);
        LLVMDisposeErrorMessage(text);
    }
    LLVMDisposePassBuilderOptions(options);
}
