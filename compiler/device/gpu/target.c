// LLVM's back end for NVPTX, with its passes, once for each kind of GPU.
#include "device/gpu/target.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/gpu/assemble.h"
#include "device/gpu/order.h"
#include "device/gpu/scope.h"
#include "device/gpu/warp.h"
#include "device/ir/shim.h"
#include "device/lower/retarget.h"

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

// The toolkit's library asks for the module's flag, LLVM's back end for the functions' attribute.
static void set_denormals(struct gcl_gpu *g) {
    static const char key[] = "denormal-fp-math-f32", value[] = "preserve-sign,preserve-sign";
    if (!g->m.options->gpu->flush_denormals)
        return;
    gcl_shim_set_flag(g->m.module, "nvvm-reflect-ftz", 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            LLVMAddTargetDependentFunctionAttr(f, key, value);
    }
}

static LLVMValueRef text_node(struct gcl_gpu *g, const char *text) {
    return LLVMMetadataAsValue(g->m.context,
                               LLVMMDStringInContext2(g->m.context, text, strlen(text)));
}

static void note_bounded(void *context, LLVMValueRef function, const char *key, uint32_t value) {
    (void)value;
    if (strcmp(key, "maxntidx") == 0)
        g_hash_table_add(context, function);
}

// Launch bounds of a kernel say more than the option, which is for the others.
static void limit_registers(struct gcl_gpu *g) {
    g_autoptr(GHashTable) bounded = g_hash_table_new(g_direct_hash, g_direct_equal);
    LLVMValueRef most = LLVMConstInt(gcl_i32(&g->m), g->m.options->gpu->max_registers, 0);
    gcl_retarget_visit_annotations(g->m.module, note_bounded, bounded);
    for (guint i = 0; i < g->kernels->len; i++) {
        const struct gcl_gpu_kernel *k = &g_array_index(g->kernels, struct gcl_gpu_kernel, i);
        LLVMValueRef kernel = LLVMGetNamedFunction(g->m.module, k->entry->symbol);
        LLVMValueRef node[] = {kernel, text_node(g, "maxnreg"), most};
        if (!g_hash_table_contains(bounded, kernel))
            LLVMAddNamedMetadataOperand(
                g->m.module, "nvvm.annotations",
                LLVMMDNodeInContext(g->m.context, node, G_N_ELEMENTS(node)));
    }
}

static void optimize(struct gcl_gpu *g) {
    bool is_wanted = g->m.options->optimization_level > 0;
    if (!is_wanted)
        return;
    gcl_module_run_passes(&g->m, "function(infer-address-spaces),default<O3>");
}

static void add_code(struct gcl_gpu *g, uint32_t kind, unsigned architecture, bool is_exact,
                     GBytes *bytes) {
    struct gcl_device_gpu_code code = {kind, architecture, is_exact ? GCL_GPU_EXACT : 0, bytes};
    g_array_append_val(g->m.gpu_codes, code);
}

// Drivers' assemblers (580) take the negative of -32768 in 16 bits, and its absolute value, for
// 32768 where it is compared or widened. What is put in their place they do as PTX says.
static char *spell_out_negatives(const char *ptx) {
    static const char *const spelled[][2] = {
        {"neg\\.s16 \t(%\\w+), (%\\w+);", "not.b16 \t\\1, \\2;\n\tadd.s16 \t\\1, \\1, 1;"},
        {"abs\\.s16 \t(%\\w+), (?!\\1;)(%\\w+);",
         "not.b16 \t\\1, \\2;\n\tadd.s16 \t\\1, \\1, 1;\n\tmax.s16 \t\\1, \\1, \\2;"}};
    char *text = g_strdup(ptx);
    for (size_t i = 0; i < G_N_ELEMENTS(spelled); i++) {
        g_autoptr(GRegex) instruction = g_regex_new(spelled[i][0], G_REGEX_RAW, 0, NULL);
        char *written = g_regex_replace(instruction, text, -1, 0, spelled[i][1], 0, NULL);
        g_free(text);
        text = written;
    }
    return text;
}

// PTX with the 0 that ends it, NULL with a diagnostic.
static GBytes *write_ptx(struct gcl_gpu *g) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(g->m.machine, g->m.module, LLVMAssemblyFile, &message,
                                            &buffer)) {
        gcl_module_error(&g->m, GCL_CODE_CODE_GENERATION, NULL, "no PTX: %s", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    char *text = spell_out_negatives(LLVMGetBufferStart(buffer)); // which ends in 0
    LLVMDisposeMemoryBuffer(buffer);
    return g_bytes_new_take(text, strlen(text) + 1);
}

// Returns whether there is machine code of all kinds that were asked for.
static bool assemble(struct gcl_gpu *g, const struct gcl_gpu_target *target, GBytes *ptx) {
    bool has_all = g->m.options->gpu->assembler != NULL;
    for (unsigned i = 0; i < target->machine_count && has_all; i++) {
        GBytes *code = gcl_gpu_assemble(g, target, target->machines[i], ptx);
        if (code)
            add_code(g, GCL_GPU_CUBIN, target->machines[i], target->is_exact, code);
        has_all = code != NULL;
    }
    return has_all;
}

static void write_code(struct gcl_gpu *g, const struct gcl_gpu_target *target) {
    GBytes *ptx = write_ptx(g);
    if (!ptx)
        return;
    bool has_all = assemble(g, target, ptx), shows = gcl_module_dumps(&g->m, "ptx");
    if (target->has_ptx || !has_all || shows)
        add_code(g, GCL_GPU_PTX, target->architecture, target->is_exact, ptx);
    else
        g_bytes_unref(ptx);
}

void gcl_gpu_target_emit(struct gcl_gpu *g, const struct gcl_gpu_target *target) {
    LLVMModuleRef whole = g->m.module;
    LLVMTargetMachineRef machine = g->m.machine;
    g->m.module = LLVMCloneModule(whole);
    g->m.machine = create_machine(target);
    assert(g->m.machine);
    forget_attributes(g->m.module);
    set_denormals(g);
    if (g->m.options->gpu->max_registers > 0)
        limit_registers(g);
    if (target->architecture >= 80)
        gcl_gpu_warp_use_instructions(g);
    optimize(g);
    gcl_gpu_order_relax(g);
    gcl_gpu_scope_lower(g);
    if (!g->m.options->gpu->lines)
        LLVMStripModuleDebugInfo(g->m.module);
    if (!g->m.failed)
        write_code(g, target);
    LLVMDisposeModule(g->m.module);
    LLVMDisposeTargetMachine(g->m.machine);
    g->m.module = whole;
    g->m.machine = machine;
}
