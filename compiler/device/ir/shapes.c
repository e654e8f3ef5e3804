// Finds a kernel's shapes by the name that its launches have in the source. Kernels that share a
// name (overloads, instances of a template) share their shapes too.
#include "device/ir/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"

char *gcl_shapes_source_symbol(const char *symbol) {
    static const char *const marks[] = {"__static__", "__intern__", ".static.", ".intern."};
    char *mangled = g_strdup(symbol);
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        char *mark = strstr(mangled, marks[i]);
        if (mark)
            *mark = '\0';
    }
    return mangled;
}

// "_Z6kernelIfEvPT_" and "_ZN5space6kernelEv" are "kernel".
static char *source_name(const char *symbol) {
    g_autofree char *mangled = gcl_shapes_source_symbol(symbol);
    char *base = gcl_shim_base_name(mangled);
    char *name = g_strdup(base ? base : mangled);
    free(base);
    return name;
}

GArray *gcl_shapes_find(const struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    GArray *shapes = g_array_new(FALSE, FALSE, sizeof(struct gcl_shape));
    g_autofree char *name = source_name(kernel->name);
    for (guint i = 0; i < m->options->shapes->len; i++) {
        const struct gcl_shape *shape = &g_array_index(m->options->shapes, struct gcl_shape, i);
        const uint32_t *size = shape->block_size;
        if (strcmp(shape->kernel, name) == 0 && size[0] * size[1] * size[2] <= kernel->max_threads)
            g_array_append_val(shapes, *shape);
    }
    return shapes;
}
