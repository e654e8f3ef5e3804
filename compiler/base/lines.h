// Lines of a text, by where they begin.
#ifndef GCL_BASE_LINES_H
#define GCL_BASE_LINES_H

#include <glib.h>
#include <stdint.h>

/// The line that a byte of a text is in, from 0. `begins`: uint32_t, ascending, the first is 0.
static inline guint gcl_line_of(const GArray *begins, uint32_t offset) {
    guint low = 0, high = begins->len;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(begins, uint32_t, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
