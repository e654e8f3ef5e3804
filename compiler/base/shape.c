#include "shape.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void clear_shape(gpointer data) {
    struct gcl_shape *shape = data;
    g_free(shape->kernel);
}

GArray *gcl_shapes_create(void) {
    GArray *shapes = g_array_new(FALSE, FALSE, sizeof(struct gcl_shape));
    g_array_set_clear_func(shapes, clear_shape);
    return shapes;
}

// CUDA's limits.
static bool is_possible(const uint32_t size[3]) {
    enum { THREADS = 1024, DEPTH = 64 };
    return size[0] >= 1 && size[1] >= 1 && size[2] >= 1 && size[0] <= THREADS &&
           size[1] <= THREADS && size[2] <= DEPTH && size[0] * size[1] * size[2] <= THREADS;
}

void gcl_shapes_add(GArray *shapes, const char *kernel, const uint32_t block_size[3]) {
    guint count = 0;
    if (!is_possible(block_size))
        return;
    for (guint i = 0; i < shapes->len; i++) {
        const struct gcl_shape *known = &g_array_index(shapes, struct gcl_shape, i);
        if (strcmp(known->kernel, kernel) != 0)
            continue;
        count++;
        if (memcmp(known->block_size, block_size, sizeof known->block_size) == 0)
            return;
    }
    if (count >= GCL_SHAPES_PER_KERNEL)
        return;
    struct gcl_shape shape = {.kernel = g_strdup(kernel)};
    memcpy(shape.block_size, block_size, sizeof shape.block_size);
    g_array_append_val(shapes, shape);
}

char *gcl_shapes_format(const GArray *shapes) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < shapes->len; i++) {
        const struct gcl_shape *shape = &g_array_index(shapes, struct gcl_shape, i);
        const uint32_t *size = shape->block_size;
        g_string_append_printf(text, "%s %u %u %u\n", shape->kernel, size[0], size[1], size[2]);
    }
    return g_string_free(text, FALSE);
}

void gcl_shapes_parse(GArray *shapes, const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        uint32_t size[3];
        char *blank = strchr(*line, ' ');
        if (!blank || sscanf(blank, " %u %u %u", &size[0], &size[1], &size[2]) != 3)
            continue;
        *blank = '\0';
        gcl_shapes_add(shapes, *line, size);
    }
}
