// LLVM's back end for NVPTX, with its passes, once for each kind of GPU.
#include "device/gpu/target.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#define PTX_VERSION "+ptx85" // every driver since CUDA 12.5 loads it

static LLVMTargetMachineRef create_machine(const struct gcl_gpu_target *target) {
    static const char triple[] = "nvptx64-nvidia-cuda";
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &found, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    g_autofree char *name =
        g_strdup_printf("sm_%u%s", target->architecture, target->is_exact ? "a" : "");
    return LLVMCreateTargetMachine(found, triple, name, PTX_VERSION, LLVMCodeGenLevelAggressive,
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

bool gcl_gpu_target_init(struct gcl_gpu *g, const struct gcl_gpu_target *target) {
    g->m.machine = create_machine(target);
    if (!g->m.machine) {
        gcl_module_error(&g->m, GCL_CODE_CODE_GENERATION, NULL, "this LLVM has no code for GPUs");
        return false;
    }
    g->m.layout = LLVMCreateTargetDataLayout(g->m.machine);
    return true;
}

// Functions are compiled for the machine, whatever clang took them for.
static void forget_attributes(LLVMModuleRef module) {
    static const char *const names[] = {"target-cpu", "target-features", "frame-pointer"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
            LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, names[i],
                                             (unsigned)strlen(names[i]));
    }
}

static void optimize(struct gcl_gpu *g) {
    bool is_wanted = g->m.options->optimization_level > 0;
    if (!is_wanted)
        return;
    gcl_module_run_passes(&g->m, "function(infer-address-spaces),default<O3>");
}

static void write_code(struct gcl_gpu *g, const struct gcl_gpu_target *target) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(g->m.machine, g->m.module, LLVMAssemblyFile, &message,
                                            &buffer)) {
        gcl_module_error(&g->m, GCL_CODE_CODE_GENERATION, NULL, "no PTX: %s", message);
        LLVMDisposeMessage(message);
        return;
    }
    g_autofree char *text = g_strndup(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    size_t size = strlen(text) + 1;
    struct gcl_device_gpu_code code = {
        .kind = GCL_GPU_PTX,
        .architecture = target->architecture,
        .flags = target->is_exact ? GCL_GPU_EXACT : 0,
        .bytes = g_bytes_new_take(g_steal_pointer(&text), size),
    };
    g_array_append_val(g->m.gpu_codes, code);
}

void gcl_gpu_target_emit(struct gcl_gpu *g, const struct gcl_gpu_target *target) {
    LLVMModuleRef whole = g->m.module;
    LLVMTargetMachineRef machine = g->m.machine;
    g->m.module = LLVMCloneModule(whole);
    g->m.machine = create_machine(target);
    assert(g->m.machine);
    forget_attributes(g->m.module);
    optimize(g);
    if (!g->m.options->gpu->lines)
        LLVMStripModuleDebugInfo(g->m.module);
    if (!g->m.failed)
        write_code(g, target);
    LLVMDisposeModule(g->m.module);
    LLVMDisposeTargetMachine(g->m.machine);
    g->m.module = whole;
    g->m.machine = machine;
}
