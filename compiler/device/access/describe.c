// Kernels and their programs as explanations want them (explain/explain.h).
#include "device/access/describe.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "device/access/table.h"
#include "device/ir/module.h"
#include "device/ir/shapes.h"
#include "device/ir/shim.h"
#include "device/ir/source.h"

static const char *const *variable_names(const struct gcl_device_program *p) {
    const char **names = g_new0(const char *, p->variables->len + 1);
    for (guint i = 0; i < p->variables->len; i++) {
        const char *symbol = ((const struct gcl_device_variable *)p->variables->pdata[i])->name;
        char *name = gcl_shim_source_name(symbol);
        names[i] = g_strdup(name ? name : symbol);
        free(name);
    }
    return names;
}

// The largest block that launches are known to use: small ones are often special cases.
static uint32_t *block_size(const struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    g_autoptr(GArray) shapes = gcl_shapes_find(m, kernel);
    uint32_t most = 0, *size = NULL;
    for (guint i = 0; i < shapes->len; i++) {
        const uint32_t *s = g_array_index(shapes, struct gcl_shape, i).block_size;
        if (s[0] * s[1] * s[2] <= most)
            continue;
        most = s[0] * s[1] * s[2];
        g_free(size);
        size = g_memdup2(s, 3 * sizeof *s);
    }
    return size;
}

/// Fields of a parameter, as they are found.
struct field_list {
    GArray *fields;   ///< struct gcl_explained_field
    uint32_t begin;   ///< of the parameter in the packed arguments
    uint32_t element; ///< bytes of what the parameter itself points to
};

static void add_field(void *context, const char *name, uint64_t offset, uint64_t element) {
    struct field_list *list = context;
    uint32_t size = (uint32_t)MIN(element, G_MAXUINT32);
    if (*name) {
        struct gcl_explained_field field = {list->begin + (uint32_t)offset, size, g_strdup(name)};
        g_array_append_val(list->fields, field);
    } else {
        list->element = size;
    }
}

static void find_fields(struct gcl_explained_kernel *k, LLVMValueRef function) {
    struct field_list list = {.fields = g_array_new(FALSE, FALSE, sizeof *k->fields)};
    uint32_t *elements = g_new0(uint32_t, k->parameter_count + 1);
    for (unsigned i = 0; i < k->parameter_count; i++) {
        list.begin = k->parameters[i];
        list.element = 0;
        gcl_shim_visit_fields(function, i, add_field, &list);
        elements[i] = list.element;
    }
    k->elements = elements;
    k->field_count = list.fields->len;
    k->fields = (void *)g_array_free(list.fields, FALSE);
}

struct gcl_explained_kernel *gcl_device_program_describe(const struct gcl_module *m,
                                                         const struct gcl_device_kernel *kernel) {
    const struct gcl_device_program *p = kernel->program;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel->function);
    struct gcl_explained_kernel *k = g_new0(struct gcl_explained_kernel, 1);
    char *name = gcl_shim_source_name(kernel->name);
    k->name = g_strdup(name ? name : kernel->name);
    k->symbol = kernel->name;
    k->file = gcl_source_file(m, subprogram);
    k->line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
    k->program = gcl_device_program_view(p);
    k->parameters = (const uint32_t *)(void *)p->parameters->data;
    k->parameter_count = p->parameters->len;
    k->variables = variable_names(p);
    k->block_size = block_size(m, kernel);
    k->table_size = gcl_device_program_size(p);
    k->work = p->work;
    k->parameter_names = (const char *const *)kernel->parameter_names->pdata;
    find_fields(k, kernel->function);
    free(name);
    return k;
}

void gcl_device_description_destroy(struct gcl_explained_kernel *k) {
    g_free((char *)k->name);
    g_free((char *)k->file);
    g_free((struct gcl_program *)k->program);
    for (unsigned i = 0; i < k->field_count; i++)
        g_free(k->fields[i].name);
    g_free((struct gcl_explained_field *)k->fields);
    g_free((uint32_t *)k->elements);
    g_strfreev((char **)k->variables);
    g_free((uint32_t *)k->block_size);
    g_free(k);
}
