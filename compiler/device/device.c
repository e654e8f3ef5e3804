// The pipeline of the CPU code generator, one call a stage.
#include "device/device.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/access/access.h"
#include "device/access/describe.h"
#include "device/access/table.h"
#include "device/cut/cut.h"
#include "device/cut/demote.h"
#include "device/cut/hoist.h"
#include "device/cut/lockstep.h"
#include "device/cut/polls.h"
#include "device/cut/prefetch.h"
#include "device/cut/regions.h"
#include "device/cut/stretch.h"
#include "device/emit.h"
#include "device/gpu/gpu.h"
#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/options.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/look/look.h"
#include "device/lower/annotations.h"
#include "device/lower/lower.h"
#include "device/ptx/ptx.h"
#include "device/tables.h"
#include "device/vector/native.h"
#include "device/vector/variants.h"
#include "explain/costs.h"
#include "explain/tables.h"
#include "explain/text.h"

static void kernel_free(void *data) {
    struct gcl_device_kernel *kernel = data;
    g_free(kernel->name);
    for (guint i = 0; i < kernel->regions->len; i++) {
        g_array_free(g_array_index(kernel->regions, struct gcl_device_region, i).takes, TRUE);
        g_array_free(g_array_index(kernel->regions, struct gcl_device_region, i).leaves, TRUE);
    }
    g_array_free(kernel->regions, TRUE);
    g_array_free(kernel->kept, TRUE);
    g_array_free(kernel->framed, TRUE);
    for (guint i = 0; i < kernel->shapes->len; i++)
        g_free(g_array_index(kernel->shapes, struct gcl_device_shape, i).lanes);
    g_array_free(kernel->shapes, TRUE);
    for (guint i = 0; i < kernel->variants->len; i++)
        g_free(g_array_index(kernel->variants, struct gcl_device_variant, i).functions);
    g_array_free(kernel->variants, TRUE);
    g_hash_table_destroy(kernel->shared_locals);
    g_ptr_array_free(kernel->parameter_names, TRUE);
    gcl_device_program_destroy(kernel->program);
    g_free(kernel->native);
    g_ptr_array_unref(kernel->said);
    g_free(kernel);
}

static void entry_free(void *data) {
    struct gcl_device_entry *entry = data;
    g_free(entry->name);
    g_free(entry->symbol);
    g_free(entry);
}

static void variable_free(void *data) {
    struct gcl_device_variable *variable = data;
    g_free(variable->name);
    g_free(variable);
}

// Without this LLVM prints what it finds wrong by itself and ends the process.
static void note_error(LLVMDiagnosticInfoRef info, void *data) {
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    gcl_module_error(data, GCL_CODE_CODE_GENERATION, NULL, "%s", text);
    LLVMDisposeMessage(text);
}

static void module_init(struct gcl_module *m, const struct gcl_device_options *options,
                        GPtrArray *diagnostics) {
    *m = (struct gcl_module){
        .options = options,
        .context = LLVMContextCreate(),
        .spaces = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .owners = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, variable_free),
        .entries = g_ptr_array_new_with_free_func(entry_free),
        .kernels = g_ptr_array_new_with_free_func(kernel_free),
        .variables = g_ptr_array_new(),
        .remarks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .fixups = g_array_new(FALSE, TRUE, sizeof(struct gcl_fixup)),
        .image = {.functions = g_ptr_array_new(),
                  .constants = g_ptr_array_new(),
                  .offsets = g_hash_table_new(g_direct_hash, g_direct_equal),
                  .pointers = g_array_new(FALSE, TRUE, sizeof(struct gcl_image_pointer))},
        .gpu_codes = g_array_new(FALSE, TRUE, sizeof(struct gcl_device_gpu_code)),
        .diagnostics = diagnostics,
    };
    LLVMContextSetDiagnosticHandler(m->context, note_error, m);
}

static void module_finish(struct gcl_module *m) {
    g_hash_table_destroy(m->spaces);
    g_hash_table_destroy(m->owners);
    g_ptr_array_free(m->entries, TRUE);
    g_ptr_array_free(m->kernels, TRUE);
    g_ptr_array_free(m->variables, TRUE);
    g_array_free(m->fixups, TRUE);
    g_ptr_array_free(m->image.functions, TRUE);
    g_ptr_array_free(m->image.constants, TRUE);
    g_hash_table_destroy(m->image.offsets);
    g_array_free(m->image.pointers, TRUE);
    for (guint i = 0; i < m->gpu_codes->len; i++)
        g_bytes_unref(g_array_index(m->gpu_codes, struct gcl_device_gpu_code, i).bytes);
    g_array_free(m->gpu_codes, TRUE);
    g_hash_table_destroy(m->remarks);
    if (m->module)
        LLVMDisposeModule(m->module);
    gcl_target_finish(m);
    LLVMContextDispose(m->context);
}

static void dump(const struct gcl_module *m, const char *stage) {
    if (!gcl_module_dumps(m, stage))
        return;
    char *text = LLVMPrintModuleToString(m->module);
    fputs(text, stdout);
    LLVMDisposeMessage(text);
}

static void dump_access(const struct gcl_device_kernel *kernel,
                        const struct gcl_explained_kernel *description) {
    g_autofree char *text = gcl_text_program(description);
    printf("kernel %s: %zu bytes\n%s", description->name, gcl_device_program_size(kernel->program),
           text);
}

static void explain(const struct gcl_module *m, struct gcl_device_kernel *kernel,
                    const struct gcl_explained_kernel *description) {
    struct gcl_explanation *e = gcl_explain(description);
    struct gcl_device_explanation all = {gcl_explanation_text(e), gcl_explanation_json(e),
                                         gcl_tables_write(description)};
    if (m->options->costs)
        json_object_set_new(all.json, "costs", gcl_costs(description));
    g_array_append_val(m->options->explanations, all);
    kernel->explanation = m->options->explanations->len;
    gcl_explanation_destroy(e);
}

static void show_programs(const struct gcl_module *m) {
    bool dumps = gcl_module_dumps(m, "access"), explains = m->options->explanations;
    for (guint i = 0; i < m->kernels->len && (dumps || explains); i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        if (!kernel->program)
            continue;
        struct gcl_explained_kernel *description = gcl_device_program_describe(m, kernel);
        if (dumps)
            dump_access(kernel, description);
        if (explains)
            explain(m, kernel, description);
        gcl_device_description_destroy(description);
    }
}

// Code with more branches gains little from vectors, in which all of them become masks, and LLVM
// takes minutes for it: its time grows with their square.
#define MOST_BRANCHES 2000

static bool has_too_many_branches(LLVMValueRef function) {
    unsigned branches = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        branches += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)) > 1;
    return branches > MOST_BRANCHES;
}

// Where threads wait without saying so, the source doesn't have what makes them.
static void forget_mirror(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    g_autofree char *file = NULL;
    struct gcl_source_location place = gcl_module_place(
        m, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function)), &file);
    gcl_diagnostics_add(m->diagnostics, GCL_CODE_NOT_DEBUGGED, &place,
                        "add __syncthreads() or __syncwarp() where threads rely on each other, or "
                        "debug another kernel",
                        "debuggers can't stop in %s, whose threads wait by reading memory or rely "
                        "on warps in step",
                        kernel->name);
    gcl_mirror_forget(kernel->mirror);
    kernel->mirror = NULL;
}

static void cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    if (kernel->native)
        gcl_native_forget(m, kernel);
    unsigned cuts = kernel->mirror ? gcl_cut_count(kernel->function) : 0;
    gcl_polls_cut(m, kernel);
    gcl_module_tell(m, "kernel", kernel->name);
    bool is_by_thread = (m->options->sanitize & ~(unsigned)GCL_KERNEL_FOOTPRINT) != 0;
    kernel->vector = !m->options->scalar && !is_by_thread && !kernel->yields && !kernel->locks &&
                     !kernel->native && kernel->max_threads > 1;
    bool is_too_branchy = kernel->vector && has_too_many_branches(kernel->function);
    kernel->vector &= !is_too_branchy;
    gcl_lockstep_keep(m, kernel);
    if (kernel->mirror && (kernel->in_step || gcl_cut_count(kernel->function) != cuts))
        forget_mirror(m, kernel);
    if (kernel->mirror) {
        kernel->vector = false;
        return;
    }
    kernel->settled = gcl_math_settles(kernel->function);
    if (kernel->vector) {
        gcl_stretches_cut(m, kernel);
        gcl_prefetch_build(m, kernel);
    }
    gcl_cut_kernel(m, kernel);
    gcl_module_keep_lines(m, kernel->function);
    if (m->options->remarks && !m->options->scalar && !kernel->vector)
        gcl_module_remark(
            m, kernel, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function)),
            is_too_branchy
                ? "all of it, as it has more than " G_STRINGIFY(MOST_BRANCHES) " branches"
                : "all of it, as its threads wait for each other in a loop");
}

// Leaves tables alone: kernels have no regions, and functions no code.
static void forget_code(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LLVMBasicBlockRef entry;
        gcl_shim_drop_body(f);
        entry = LLVMAppendBasicBlockInContext(m->context, f, "");
        LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
        LLVMPositionBuilderAtEnd(builder, entry);
        LLVMBuildUnreachable(builder);
        LLVMDisposeBuilder(builder);
    }
}

// The last byte of PTX is the 0 that ends it.
static void show_ptx(const struct gcl_module *m) {
    const char *path = m->options->ptx_path;
    for (guint i = 0; i < m->gpu_codes->len; i++) {
        const struct gcl_device_gpu_code *code =
            &g_array_index(m->gpu_codes, struct gcl_device_gpu_code, i);
        if (code->kind != GCL_GPU_PTX)
            continue;
        const char *text = g_bytes_get_data(code->bytes, NULL);
        if (gcl_module_dumps(m, "ptx"))
            fputs(text, stdout);
        if (path)
            g_file_set_contents(path, text, -1, NULL);
        path = NULL;
    }
}

// Cuts every kernel and builds its regions.
static void build_kernels(struct gcl_module *m) {
    gcl_module_run_passes(m, GCL_ONE_WAY_OUT);
    for (guint i = 0; i < m->kernels->len; i++)
        cut(m, m->kernels->pdata[i]);
    if (m->options->debug)
        gcl_shim_describe_mirrors_alone(m->module);
    else if (!m->options->lines)
        LLVMStripModuleDebugInfo(m->module);
    // What a loop leaves behind is a value of its own there: it may differ from thread to thread,
    // which leave at different times, though all threads in the loop have the same.
    gcl_module_run_passes(m, "function(break-crit-edges,lcssa)");
    for (guint i = 0; i < m->kernels->len && !m->failed; i++) {
        gcl_module_tell(m, "kernel", ((struct gcl_device_kernel *)m->kernels->pdata[i])->name);
        if (((struct gcl_device_kernel *)m->kernels->pdata[i])->mirror)
            continue;
        gcl_demote_kernel(m, m->kernels->pdata[i]);
        gcl_regions_build(m, m->kernels->pdata[i]);
        if (!m->failed)
            gcl_variants_shape(m, m->kernels->pdata[i]);
    }
    if (!m->failed)
        gcl_hoist(m);
    dump(m, "regions");
    if (!m->failed)
        gcl_variants_choose_levels(m);
    for (guint i = 0; i < m->kernels->len && !m->failed; i++) {
        gcl_module_tell(m, "vectors of", ((struct gcl_device_kernel *)m->kernels->pdata[i])->name);
        gcl_variants_build(m, m->kernels->pdata[i]);
    }
}

// What kernels rely on without saying so, for who asks and wants no code; that it would be refused
// is for who does.
static void explain_order(struct gcl_module *m) {
    GPtrArray *told = m->diagnostics;
    m->diagnostics = gcl_diagnostics_create();
    gcl_inline(m);
    if (!m->failed) {
        gcl_variables_lower(m);
        gcl_module_run_passes(m, GCL_ONE_WAY_OUT);
    }
    for (guint i = 0; i < m->kernels->len && !m->failed; i++) {
        gcl_polls_cut(m, m->kernels->pdata[i]);
        gcl_lockstep_keep(m, m->kernels->pdata[i]);
    }
    g_ptr_array_unref(m->diagnostics);
    m->diagnostics = told;
    m->failed = false;
}

bool gcl_device_compile(const struct gcl_device_options *options,
                        const struct gcl_device_input *inputs, size_t count,
                        const char *object_path, GPtrArray *diagnostics) {
    struct gcl_module m;
    module_init(&m, options, diagnostics);
    m.inputs = inputs;
    m.input_count = count;
    if (!gcl_target_init(&m) || !gcl_retarget(&m))
        goto done;
    if (options->sanitize & ~(unsigned)GCL_KERNEL_FOOTPRINT) { // clang hasn't optimised it
        gcl_bools_widen(m.module);
        gcl_sanitize_optimize(&m);
    }
    dump(&m, "ir");
    gcl_intrinsics_rename(&m);
    gcl_legalize(&m);
    if (m.failed)
        goto done;
    gcl_launches_lower(&m);
    gcl_annotations_read_kernels(&m);
    gcl_access_extract(&m);
    show_programs(&m);
    if (options->only_analyses && options->explanations && !m.failed)
        explain_order(&m);
    if (options->only_analyses || m.failed)
        goto done;
    gcl_legalize_check_definitions(&m);
    if (m.failed)
        goto done;
    gcl_ptx_refuse(&m);
    if (options->sanitize) { // else loads stay that the analysis found to be useless
        gcl_inline_mark_all(&m);
        gcl_access_copy_parameters(&m);
    }
    gcl_math_link(&m);
    gcl_inline(&m);
    if (m.failed)
        goto done;
    if (options->sanitize)
        gcl_sanitize(&m);
    gcl_contract(&m);
    gcl_quotients(&m);
    gcl_variables_lower(&m);
    struct gcl_gpu_process gpu = gcl_gpu_start(&m);
    gcl_legalize_shifts(&m);
    if (options->gpu && options->gpu->alone)
        forget_code(&m);
    else
        build_kernels(&m);
    gcl_gpu_finish(&m, gpu);
    if (m.failed)
        goto done;
    show_ptx(&m);
    gcl_functions_lower(&m);
    gcl_image_lower_calls(&m);
    gcl_looks_build(&m);
    if (m.failed)
        goto done;
    gcl_tables_emit(&m);
    dump(&m, "vector");
    gcl_emit(&m, object_path);
done:
    module_finish(&m);
    return !m.failed;
}
