// Large buffers that are used for a moment, again and again. What is given back to malloc may go to
// the system, and come from there the next time with a page fault for each 4 KiB, which takes
// longer than to fill them. So a few of them are kept, for the whole process.
#ifndef GCL_BASE_SPARE_H
#define GCL_BASE_SPARE_H

#include <stddef.h>

enum {
    GCL_SPARE_LEAST = 128 << 10, ///< bytes of a buffer that is kept
    GCL_SPARE_MOST = 32 << 20,   ///< bytes of all that are
};

/// A buffer of at least `size` bytes, with anything in it. NULL: no memory. Any thread.
void *gcl_spare_take(size_t size);
/// Gives back a buffer that was taken. Takes NULL. Any thread.
void gcl_spare_give(void *bytes);

#endif
