// What a part of the launcher on another host has to know before it starts nodes.
#ifndef GCL_LAUNCHER_START_H
#define GCL_LAUNCHER_START_H

#include <glib.h>

struct gcl_start {
    char *folder;     ///< to work in
    char **words;     ///< the program and its arguments, then NULL
    char **variables; ///< "NAME=value" of the environment, then NULL
};

/// The body of a START frame.
GByteArray *gcl_start_write(const struct gcl_start *start);
/// False: the body is none.
gboolean gcl_start_read(const guint8 *bytes, gsize size, struct gcl_start *start);
void gcl_start_clear(struct gcl_start *start);

#endif
