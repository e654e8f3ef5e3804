// A list of shapes is a set: it has each size of a kernel once, and GCL_SHAPES_PER_KERNEL sizes at
// most. A kernel with more of them gets the shape of any size in place of the rest.
#include "shape.h"

#include <assert.h>
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

bool gcl_shape_is_any(const struct gcl_shape *shape) {
    return shape->block_size[0] == 0;
}

// Whether a shape is in the list; `count`: how many known sizes the kernel has there.
static bool is_listed(const GArray *shapes, const struct gcl_shape *shape, guint *count) {
    assert(shape->kernel);
    bool found = false;
    *count = 0;
    for (guint i = 0; i < shapes->len; i++) {
        const struct gcl_shape *known = &g_array_index(shapes, struct gcl_shape, i);
        if (strcmp(known->kernel, shape->kernel) != 0)
            continue;
        *count += !gcl_shape_is_any(known);
        found |= memcmp(known->block_size, shape->block_size, sizeof known->block_size) == 0;
    }
    return found;
}

static void append(GArray *shapes, const struct gcl_shape *shape) {
    assert(shape->kernel && (gcl_shape_is_any(shape) || is_possible(shape->block_size)));
    struct gcl_shape own = *shape;
    own.kernel = g_strdup(shape->kernel);
    g_array_append_val(shapes, own);
}

void gcl_shapes_add(GArray *shapes, const char *kernel, const uint32_t block_size[3]) {
    const struct gcl_shape shape = {(char *)kernel, {block_size[0], block_size[1], block_size[2]}};
    guint count;
    if (!is_possible(block_size) || is_listed(shapes, &shape, &count))
        return;
    if (count < GCL_SHAPES_PER_KERNEL)
        append(shapes, &shape);
    else
        gcl_shapes_add_any(shapes, kernel);
}

void gcl_shapes_add_any(GArray *shapes, const char *kernel) {
    const struct gcl_shape any = {.kernel = (char *)kernel};
    guint count;
    if (!is_listed(shapes, &any, &count))
        append(shapes, &any);
}

char *gcl_shapes_format(const GArray *shapes) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < shapes->len; i++) {
        const struct gcl_shape *shape = &g_array_index(shapes, struct gcl_shape, i);
        const uint32_t *size = shape->block_size;
        if (gcl_shape_is_any(shape))
            g_string_append_printf(text, "%s any\n", shape->kernel);
        else
            g_string_append_printf(text, "%s %u %u %u\n", shape->kernel, size[0], size[1], size[2]);
    }
    return g_string_free(text, FALSE);
}

static void parse_line(GArray *shapes, char *line) {
    uint32_t size[3];
    char *blank = strchr(line, ' ');
    if (!blank || blank == line)
        return;
    *blank = '\0';
    if (strcmp(blank + 1, "any") == 0)
        gcl_shapes_add_any(shapes, line);
    else if (sscanf(blank + 1, "%u %u %u", &size[0], &size[1], &size[2]) == 3)
        gcl_shapes_add(shapes, line, size);
}

void gcl_shapes_parse(GArray *shapes, const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        parse_line(shapes, *line);
}
