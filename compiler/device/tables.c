// Writes the constant tables of gcluster/kernel.h and the constructor that hands them to the
// runtime.
#include "device/tables.h"

#include <assert.h>
#include <string.h>

#include "device/access/table.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/target.h"
#include "device/lower/image.h"
#include "device/vector/variants.h"

static LLVMValueRef global(struct gcl_module *m, LLVMValueRef value) {
    LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(value), "");
    LLVMSetInitializer(g, value);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return g;
}

static LLVMValueRef string(struct gcl_module *m, const char *text) {
    return global(m, LLVMConstStringInContext2(m->context, text, strlen(text), 0));
}

static LLVMValueRef record(struct gcl_module *m, LLVMValueRef *fields, unsigned count) {
    return LLVMConstStructInContext(m->context, fields, count, 0);
}

static LLVMValueRef array(struct gcl_module *m, GPtrArray *elements) {
    if (elements->len == 0)
        return LLVMConstNull(gcl_ptr(m));
    LLVMTypeRef type = LLVMTypeOf(elements->pdata[0]);
    return global(m, LLVMConstArray2(type, (LLVMValueRef *)elements->pdata, elements->len));
}

static LLVMValueRef parameters(struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (unsigned i = 0; i < LLVMCountParams(kernel->function); i++) {
        LLVMTypeRef type = gcl_parameter_type(kernel->function, i);
        LLVMValueRef fields[] = {
            gcl_u32(m, gcl_parameter_offset(m, kernel->function, i)),
            gcl_u32(m, (uint32_t)LLVMABISizeOfType(m->layout, type)),
        };
        g_ptr_array_add(list, record(m, fields, 2));
    }
    return array(m, list);
}

static LLVMValueRef variant_record(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                   const struct gcl_device_variant *variant) {
    g_autoptr(GPtrArray) regions = g_ptr_array_new();
    for (guint r = 0; r < kernel->regions->len; r++)
        g_ptr_array_add(regions, variant->functions[r]);
    LLVMValueRef shape[3];
    for (size_t i = 0; i < 3; i++)
        shape[i] = gcl_u32(m, variant->block_size[i]);
    LLVMValueRef fields[] = {gcl_u32(m, variant->target->level),
                             LLVMConstArray2(gcl_i32(m), shape, 3), array(m, regions)};
    return record(m, fields, G_N_ELEMENTS(fields));
}

static uint32_t kernel_flags(const struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    bool has_threads = gcl_variants_by_threads(m, kernel) != NULL;
    return (kernel->polls ? GCL_KERNEL_POLLS : 0) | (has_threads ? GCL_KERNEL_THREADS : 0) |
           (kernel->strips ? GCL_KERNEL_STRIPS : 0) | (kernel->launches ? GCL_KERNEL_LAUNCHES : 0) |
           (m->options->sanitize ? GCL_KERNEL_SANITIZED | m->options->sanitize : 0);
}

static LLVMValueRef kernel_record(struct gcl_module *m, const struct gcl_device_entry *entry) {
    const struct gcl_device_kernel *kernel = entry->kernel;
    assert(kernel);
    g_autoptr(GPtrArray) variants = g_ptr_array_new(), cuts = g_ptr_array_new();
    unsigned count = LLVMCountParams(kernel->function);
    for (guint r = 0; r < kernel->regions->len; r++) {
        const struct gcl_device_region *region =
            &g_array_index(kernel->regions, struct gcl_device_region, r);
        LLVMValueRef cut[] = {gcl_u32(m, region->cut.kind), gcl_u32(m, region->cut.operation),
                              gcl_u32(m, region->cut.line)};
        g_ptr_array_add(cuts, record(m, cut, 3));
    }
    for (guint v = 0; v < kernel->variants->len; v++) {
        const struct gcl_device_variant *variant =
            &g_array_index(kernel->variants, struct gcl_device_variant, v);
        g_ptr_array_add(variants, variant_record(m, kernel, variant));
    }
    LLVMValueRef fields[] = {
        string(m, entry->name),
        parameters(m, kernel),
        array(m, variants),
        array(m, cuts),
        gcl_u32(m, kernel->variants->len),
        gcl_u32(m, count),
        gcl_u32(m, gcl_parameter_offset(m, kernel->function, count)),
        gcl_u32(m, kernel->regions->len),
        gcl_u32(m, kernel->frame_size),
        gcl_u32(m, kernel->kept_size),
        gcl_u32(m, kernel->shared_size),
        gcl_u32(m, kernel->max_threads),
        gcl_u32(m, kernel_flags(m, kernel)),
        gcl_u32(m, kernel->architecture),
        gcl_device_program_emit(m, kernel->program),
    };
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef variable_record(struct gcl_module *m,
                                    const struct gcl_device_variable *variable) {
    uint32_t alignment = LLVMGetAlignment(variable->image);
    LLVMTypeRef type = LLVMGlobalGetValueType(variable->image);
    LLVMValueRef fields[] = {
        string(m, variable->name),
        variable->image,
        variable->slot,
        gcl_u64(m, LLVMABISizeOfType(m->layout, type)),
        gcl_u32(m, alignment ? alignment : 16),
        gcl_u32(m, variable->flags),
    };
    return record(m, fields, G_N_ELEMENTS(fields));
}

// The place of variable `index` among those of its input; their number if `index` is that of all.
static guint variable_number(const struct gcl_module *m, size_t input, guint index) {
    guint number = 0;
    for (guint i = 0; i < index; i++)
        number += ((const struct gcl_device_variable *)m->variables->pdata[i])->input == input;
    return number;
}

// Both variables of a fixup are its input's.
static LLVMValueRef fixup_record(struct gcl_module *m, const struct gcl_fixup *fixup) {
    bool is_image = fixup->target == GCL_FIXUP_IMAGE;
    size_t input = ((struct gcl_device_variable *)m->variables->pdata[fixup->variable])->input;
    LLVMValueRef fields[] = {
        gcl_u32(m, variable_number(m, input, fixup->variable)),
        gcl_u32(m, is_image ? GCL_FIXUP_IMAGE : variable_number(m, input, fixup->target)),
        gcl_u64(m, fixup->offset),
        gcl_u64(m, (uint64_t)fixup->addend),
    };
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef constant_record(struct gcl_module *m, LLVMValueRef constant) {
    uint64_t offset = 0;
    bool is_found = gcl_image_offset(m, constant, &offset);
    LLVMTypeRef type = LLVMGlobalGetValueType(constant);
    LLVMValueRef fields[] = {constant, gcl_u64(m, offset),
                             gcl_u64(m, LLVMABISizeOfType(m->layout, type))};
    g_assert(is_found);
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef pointer_record(struct gcl_module *m, const struct gcl_image_pointer *pointer) {
    LLVMValueRef fields[] = {gcl_u64(m, pointer->offset), gcl_u64(m, pointer->target)};
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef image_record(struct gcl_module *m) {
    const struct gcl_device_image *image = &m->image;
    g_autoptr(GPtrArray) constants = g_ptr_array_new(), pointers = g_ptr_array_new();
    if (!image->slot)
        return LLVMConstNull(gcl_ptr(m));
    for (guint i = 0; i < image->constants->len; i++)
        g_ptr_array_add(constants, constant_record(m, image->constants->pdata[i]));
    for (guint i = 0; i < image->pointers->len; i++)
        g_ptr_array_add(pointers, pointer_record(m, &g_array_index(image->pointers,
                                                                   struct gcl_image_pointer, i)));
    LLVMValueRef fields[] = {
        image->slot,
        array(m, image->functions),
        array(m, constants),
        array(m, pointers),
        gcl_u32(m, image->functions->len),
        gcl_u32(m, constants->len),
        gcl_u32(m, pointers->len),
        gcl_u32(m, 0),
        gcl_u64(m, image->size),
        gcl_u64(m, image->hash),
    };
    return global(m, record(m, fields, G_N_ELEMENTS(fields)));
}

// What the table of one input lists, but for its variables.
struct lists {
    GPtrArray *kernels;
    GPtrArray *fixups;
};

static LLVMValueRef variables_of(struct gcl_module *m, size_t input) {
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < m->variables->len; i++) {
        const struct gcl_device_variable *variable = m->variables->pdata[i];
        if (variable->input == input)
            g_ptr_array_add(list, variable_record(m, variable));
    }
    return array(m, list);
}

static void fill_lists(struct gcl_module *m, size_t input, struct lists *lists) {
    for (guint i = 0; i < m->entries->len; i++) {
        const struct gcl_device_entry *entry = m->entries->pdata[i];
        if (entry->input == input)
            g_ptr_array_add(lists->kernels, kernel_record(m, entry));
    }
    for (guint i = 0; i < m->fixups->len; i++) {
        const struct gcl_fixup *fixup = &g_array_index(m->fixups, struct gcl_fixup, i);
        const struct gcl_device_variable *variable = m->variables->pdata[fixup->variable];
        if (variable->input == input)
            g_ptr_array_add(lists->fixups, fixup_record(m, fixup));
    }
}

// What the tables of all inputs have in common.
struct shared_tables {
    LLVMValueRef image;
    LLVMValueRef gpu_codes;
    LLVMValueRef gpu_variables;
    LLVMValueRef *variables; ///< each input's
};

static LLVMValueRef code_record(struct gcl_module *m, size_t input,
                                const struct shared_tables *shared) {
    g_autoptr(GPtrArray) kernels = g_ptr_array_new(), fixups = g_ptr_array_new();
    fill_lists(m, input, &(struct lists){kernels, fixups});
    static const char *const needed[] = {[GCL_CPU_ANY] = "",
                                         [GCL_CPU_V2] = "x86-64-v2",
                                         [GCL_CPU_V3] = "x86-64-v3",
                                         [GCL_CPU_V4] = "x86-64-v4"};
    LLVMValueRef fields[] = {
        gcl_u32(m, GCL_KERNEL_ABI),
        gcl_u32(m, kernels->len),
        gcl_u32(m, variable_number(m, input, m->variables->len)),
        gcl_u32(m, fixups->len),
        string(m, m->inputs[input].unit_id),
        string(m, needed[gcl_target_least(m)->level]),
        string(m, m->inputs[input].source),
        array(m, kernels),
        shared->variables[input],
        array(m, fixups),
        shared->image,
        shared->gpu_codes,
        shared->gpu_variables,
        gcl_u32(m, m->gpu_codes->len),
        gcl_u32(m, m->gpu_codes->len ? m->variables->len : 0),
    };
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef gpu_code_record(struct gcl_module *m, const struct gcl_device_gpu_code *code) {
    gsize size;
    const char *bytes = g_bytes_get_data(code->bytes, &size);
    LLVMValueRef fields[] = {
        gcl_u32(m, code->kind),
        gcl_u32(m, code->architecture),
        gcl_u32(m, code->flags),
        gcl_u32(m, 0),
        global(m, LLVMConstStringInContext2(m->context, bytes, size, 1)),
        gcl_u64(m, size),
    };
    return record(m, fields, G_N_ELEMENTS(fields));
}

static LLVMValueRef gpu_codes(struct gcl_module *m) {
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < m->gpu_codes->len; i++)
        g_ptr_array_add(
            list, gpu_code_record(m, &g_array_index(m->gpu_codes, struct gcl_device_gpu_code, i)));
    return array(m, list);
}

static LLVMValueRef gpu_variables(struct gcl_module *m, LLVMValueRef *variables) {
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < m->variables->len && m->gpu_codes->len > 0; i++) {
        size_t input = ((const struct gcl_device_variable *)m->variables->pdata[i])->input;
        LLVMValueRef indices[] = {gcl_u32(m, 0), gcl_u32(m, variable_number(m, input, i))};
        LLVMTypeRef type = LLVMGlobalGetValueType(variables[input]);
        g_ptr_array_add(list, LLVMConstInBoundsGEP2(type, variables[input], indices, 2));
    }
    return array(m, list);
}

// A function that calls `callee` with each code record; `list` has it run before or after main.
static void call_at(struct gcl_module *m, const char *list, const char *callee, GPtrArray *codes) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(m->context), ptr = gcl_ptr(m);
    LLVMTypeRef type = LLVMFunctionType(nothing, &ptr, 1, 0);
    LLVMValueRef target = LLVMAddFunction(m->module, callee, type);
    g_autofree char *name = g_strconcat(callee, ".caller", NULL);
    LLVMValueRef caller = LLVMAddFunction(m->module, name, LLVMFunctionType(nothing, NULL, 0, 0));
    LLVMSetLinkage(caller, LLVMInternalLinkage);

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(m->context, caller, ""));
    for (guint i = 0; i < codes->len; i++)
        LLVMBuildCall2(builder, type, target, (LLVMValueRef *)&codes->pdata[i], 1, "");
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);

    // Early: the host half of the object registers at the default priority.
    LLVMValueRef fields[] = {gcl_u32(m, 101), caller, LLVMConstNull(ptr)};
    LLVMValueRef entry = record(m, fields, 3);
    LLVMValueRef entries = LLVMConstArray2(LLVMTypeOf(entry), &entry, 1);
    LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(entries), list);
    LLVMSetInitializer(g, entries);
    LLVMSetLinkage(g, LLVMAppendingLinkage);
}

static void delete_list(struct gcl_module *m, const char *list) {
    LLVMValueRef g = LLVMGetNamedGlobal(m->module, list);
    if (g)
        LLVMDeleteGlobal(g);
}

void gcl_tables_emit(struct gcl_module *m) {
    g_autoptr(GPtrArray) codes = g_ptr_array_new();
    g_autofree LLVMValueRef *variables = g_new0(LLVMValueRef, m->input_count);
    for (size_t i = 0; i < m->input_count; i++)
        variables[i] = variables_of(m, i);
    struct shared_tables shared = {image_record(m), gpu_codes(m), gpu_variables(m, variables),
                                   variables};
    for (size_t i = 0; i < m->input_count; i++)
        g_ptr_array_add(codes, global(m, code_record(m, i, &shared)));
    delete_list(m, "llvm.global_ctors");
    delete_list(m, "llvm.global_dtors");
    call_at(m, "llvm.global_ctors", "gcl_code_register", codes);
    call_at(m, "llvm.global_dtors", "gcl_code_unregister", codes);
    for (guint i = 0; i < m->kernels->len; i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        LLVMDeleteFunction(kernel->function);
        kernel->function = NULL;
    }
}
