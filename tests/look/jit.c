#include "jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>

#include "base/diagnostic.h"
#include "device/ir/target.h"
#include "device/look/look.h"

struct jit {
    struct gcl_program *program;
    struct gcl_module m;
    LLVMExecutionEngineRef engine;
    GArray *looks; ///< struct gcl_look_code
    GPtrArray *loads;
};

static const struct gcl_device_target *target_of(const struct gcl_module *m, uint32_t level) {
    size_t i = 0;
    while (i + 1 < m->target_count && m->targets[i].level > level)
        i++;
    return &m->targets[i];
}

static void add_look(struct jit *jit, LLVMModuleRef module, uint16_t access, uint32_t level) {
    GArray *loads = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    LLVMValueRef function = gcl_look_build(&jit->m, module, jit->program, access, loads);
    g_autofree char *name = g_strdup_printf("look_%u", access);
    struct gcl_look_code code = {.level = level,
                                 .access = access,
                                 .load_count = (uint16_t)loads->len,
                                 .loads = (const uint16_t *)(void *)loads->data};
    g_ptr_array_add(jit->loads, loads);
    if (!function)
        return;
    LLVMSetValueName2(function, name, strlen(name));
    gcl_target_set(&jit->m, function, target_of(&jit->m, level));
    g_array_append_val(jit->looks, code);
}

/// Adds a function in front of the looks: calls that the sanitizer checks read what is in front of
/// the callee, where no memory is before the first function.
static void add_front(struct jit *jit, LLVMModuleRef module) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(jit->m.context), NULL, 0, 0);
    LLVMValueRef front = LLVMAddFunction(module, "front", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(jit->m.context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(jit->m.context, front, ""));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

static void compile(struct jit *jit, LLVMModuleRef module) {
    struct LLVMMCJITCompilerOptions options;
    char *message = NULL;
    LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
    options.OptLevel = 2;
    LLVMVerifyModule(module, LLVMAbortProcessAction, &message);
    LLVMDisposeMessage(message);
    gcl_looks_optimize(&jit->m, module);
    LLVMLinkInMCJIT();
    if (LLVMCreateMCJITCompilerForModule(&jit->engine, module, &options, sizeof options, &message))
        g_error("%s", message);
    for (guint i = 0; i < jit->looks->len; i++) {
        struct gcl_look_code *code = &g_array_index(jit->looks, struct gcl_look_code, i);
        g_autofree char *name = g_strdup_printf("look_%u", code->access);
        code->function = (gcl_look_function *)LLVMGetFunctionAddress(jit->engine, name);
        g_assert(code->function);
    }
}

struct jit *jit_create(struct gcl_program *program, uint32_t level) {
    static const struct gcl_device_options options = {.optimization_level = 2};
    struct jit *jit = g_new0(struct jit, 1);
    jit->program = program;
    jit->looks = g_array_new(FALSE, FALSE, sizeof(struct gcl_look_code));
    jit->loads = g_ptr_array_new();
    jit->m = (struct gcl_module){.options = &options,
                                 .context = LLVMContextCreate(),
                                 .diagnostics = gcl_diagnostics_create()};
    g_assert(gcl_target_init(&jit->m));
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("looks", jit->m.context);
    char *triple = LLVMGetTargetMachineTriple(jit->m.machine);
    LLVMSetTarget(module, triple);
    LLVMSetModuleDataLayout(module, jit->m.layout);
    LLVMDisposeMessage(triple);
    add_front(jit, module);
    for (uint16_t a = 0; a < program->access_count; a++)
        add_look(jit, module, a, level);
    compile(jit, module);
    program->looks = (const struct gcl_look_code *)(void *)jit->looks->data;
    program->look_count = (uint16_t)jit->looks->len;
    return jit;
}

void jit_shift(struct jit *jit, uint16_t access, int64_t shift) {
    for (guint i = 0; i < jit->looks->len; i++) {
        struct gcl_look_code *code = &g_array_index(jit->looks, struct gcl_look_code, i);
        if (code->access == access)
            code->shift = shift;
    }
}

void jit_destroy(struct jit *jit) {
    jit->program->looks = NULL;
    jit->program->look_count = 0;
    LLVMDisposeExecutionEngine(jit->engine);
    gcl_target_finish(&jit->m);
    LLVMContextDispose(jit->m.context);
    g_ptr_array_unref(jit->m.diagnostics);
    for (guint i = 0; i < jit->loads->len; i++)
        g_array_free(jit->loads->pdata[i], TRUE);
    g_ptr_array_free(jit->loads, TRUE);
    g_array_free(jit->looks, TRUE);
    g_free(jit);
}
