// The way of the analysis: a copy of the module with everything inlined into its kernels, a list of
// the places in memory that each kernel's instructions are about, and the program made of it.
//
// value.c, target.c, loop.c and guard.c of this room say what an address and a condition are;
// memory.c says what an instruction does; program.c brings it into tables.
#include "device/access/access.h"

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/guard.h"
#include "device/access/program.h"
#include "device/access/work.h"
#include "device/ir/cfg.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/lower/inline.h"

// Whether a kernel's parameter by value, at `pointer`, may be changed by it, so that its members
// aren't what the host passed.
static bool is_changed(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMOpcode opcode = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMCall;
        if (opcode == LLVMLoad)
            continue;
        if (opcode != LLVMGetElementPtr || is_changed(user))
            return true;
    }
    return false;
}

static void copy_parameters(struct gcl_module *m, LLVMValueRef kernel) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);
        LLVMTypeRef type = gcl_shim_byval(kernel, i);
        if (!type || !is_changed(parameter))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        LLVMValueRef local = LLVMBuildAlloca(builder, type, "");
        LLVMReplaceAllUsesWith(parameter, local);
        LLVMBuildMemCpy(builder, local, 1, parameter, 1,
                        gcl_u64(m, LLVMABISizeOfType(m->layout, type)));
    }
    LLVMDisposeBuilder(builder);
}

void gcl_access_copy_parameters(struct gcl_module *m) {
    for (guint i = 0; i < m->kernels->len; i++) {
        const struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        copy_parameters(m, LLVMGetNamedFunction(m->module, kernel->name));
    }
}

static struct gcl_extraction *extraction_create(struct gcl_module *m,
                                                struct gcl_device_kernel *kernel) {
    struct gcl_extraction *x = g_new0(struct gcl_extraction, 1);
    x->m = m;
    x->kernel = kernel;
    x->function = LLVMGetNamedFunction(m->module, kernel->name);
    x->cfg = gcl_cfg_create(x->function);
    gcl_access_find_ups(x);
    gcl_graph_init(&x->graph);
    GHashTable **const tables[] = {&x->values,  &x->open_values,  &x->open_phis,
                                   &x->targets, &x->open_targets, &x->open_phi_targets};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        *tables[i] = g_hash_table_new(g_direct_hash, g_direct_equal);
    x->kept = g_ptr_array_new_with_free_func(g_free);
    x->records = g_array_new(FALSE, FALSE, sizeof(struct gcl_record));
    x->record_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    x->reasons = g_array_new(FALSE, FALSE, sizeof(struct gcl_reason));
    x->files = g_ptr_array_new_with_free_func(g_free);
    return x;
}

static void extraction_destroy(struct gcl_extraction *x) {
    GHashTable *const tables[] = {x->values,       x->open_values,      x->open_phis,   x->targets,
                                  x->open_targets, x->open_phi_targets, x->record_index};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_destroy(tables[i]);
    gcl_cfg_destroy(x->cfg);
    g_free(x->up);
    gcl_graph_finish(&x->graph);
    g_ptr_array_free(x->kept, TRUE);
    g_array_free(x->records, TRUE);
    g_array_free(x->reasons, TRUE);
    g_ptr_array_free(x->files, TRUE);
    g_free(x);
}

void gcl_access_extract(struct gcl_module *m) {
    struct gcl_module copy = *m;
    copy.module = LLVMCloneModule(m->module);
    gcl_mirrors_drop(copy.module);
    gcl_inline_mark_all(&copy);
    gcl_access_copy_parameters(&copy);
    gcl_module_run_passes(&copy, GCL_INLINE ",function(lower-switch,fix-irreducible,mergereturn,"
                                            "loop-simplify,lcssa)");
    bool is_broken = copy.failed;
    for (guint i = 0; i < m->kernels->len && !is_broken; i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        struct gcl_extraction *x = extraction_create(&copy, kernel);
        kernel->program = gcl_access_build(x);
        if (m->options->explanations)
            kernel->program->work = gcl_access_work(x->function);
        extraction_destroy(x);
    }
    m->failed |= copy.failed;
    LLVMDisposeModule(copy.module);
}
