// Block sizes that launches are known to use before the program runs. For them the code generator
// may make code of its own; a size that no launch has costs room and nothing else. That there are
// launches of which the size isn't known is noted too: code for any size is then worth its room.
#ifndef GCL_BASE_SHAPE_H
#define GCL_BASE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/// A kernel is launched with blocks of this size.
struct gcl_shape {
    char *kernel; ///< name in the source, without namespaces, classes and template arguments
    uint32_t block_size[3]; ///< 0, 0, 0: of any size
};

/// How many sizes of one kernel are kept: the first ones. More are any size.
enum { GCL_SHAPES_PER_KERNEL = 4 };

/// An empty list of struct gcl_shape, freed by g_array_unref.
GArray *gcl_shapes_create(void);

/// Adds a shape, with a copy of the name, unless it is there or no block can have that size. Where
/// the kernel has enough, it is any size that is added.
void gcl_shapes_add(GArray *shapes, const char *kernel, const uint32_t block_size[3]);

/// Adds that launches of the kernel may have blocks of any size.
void gcl_shapes_add_any(GArray *shapes, const char *kernel);

bool gcl_shape_is_any(const struct gcl_shape *shape);

/// The list as text, one shape a line, `kernel 32 8 1` or `kernel any`, to be freed; and back: what
/// gcl_shapes_parse can't read it leaves out.
char *gcl_shapes_format(const GArray *shapes);
void gcl_shapes_parse(GArray *shapes, const char *text);

#endif
