// Margins: a stretch of addresses behind each allocation that belongs to nobody, so that programs
// which read or write a little past an end run as they do on a GPU, which maps memory in 2 MiB.
//
// A margin holds a pattern. The part that shares pages with its allocation has it from the start;
// the others are inaccessible until a kernel touches them, and are opened then, for writing only
// when it writes. Whoever is known to have written is noted, and told of when the allocation is
// freed or the process ends. Each node has margins of its own: nothing of them is ever moved.
#ifndef GCL_EXEC_MARGIN_H
#define GCL_EXEC_MARGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gcl_allocation;
struct gcl_kernel;
struct gcl_space;

/// Bytes of a margin at least: what a block of 1,024 threads with an element of 4 bytes each takes,
/// since the commonest overrun is a last block without a check of its index.
#define GCL_MARGIN_LEAST ((size_t)4096)

/// Which bytes an allocation's margin has, [begin, end); equal: it has none.
struct gcl_margin {
    uintptr_t begin, end;
    uintptr_t readable, writable; ///< ends of what can be accessed
    char *writer; ///< who was the first to write it, as far as that is known, for people; or NULL
};

/// What a margin is laid out by.
struct gcl_margin_layout {
    uintptr_t begin, end;
    uintptr_t open; ///< the pages up to here are the allocation's as well
};

/// Gives an allocation its margin, and the accessible part the pattern.
void gcl_margin_open(struct gcl_allocation *allocation, const struct gcl_margin_layout *layout);
/// Warns if an allocation's margin was written, with the bytes and the kernel. It has none then.
void gcl_margin_close(struct gcl_allocation *allocation);
/// Closes the margins of all allocations of a space, at its process's end.
void gcl_margin_close_all(struct gcl_space *space);

/// A kernel that the calling thread runs has stopped at an address. True: that is in a margin, and
/// the access can be repeated.
bool gcl_margin_touch(struct gcl_space *space, const struct gcl_kernel *kernel, uintptr_t address,
                      bool is_written);
/// The calling thread has run blocks of a launch with these packed arguments: notes the kernel if
/// there is no pattern right behind the end of an allocation that the arguments point into. Some
/// ten nanoseconds where nothing was allocated or freed since the thread's last call.
void gcl_margin_check_launch(struct gcl_space *space, const struct gcl_kernel *kernel,
                             const unsigned char *arguments);

#endif
