// Who notes which allocations have escaped (space.h): whose addresses come into memory where
// kernels may find them.
//
//  - Copies from the host into device memory are looked through for addresses, as they are made.
//    Copies between places in device memory bring nothing new.
//  - Kernels that may store addresses may store those of their arguments and of variables. What
//    they find in memory has escaped before.
//  - Kernels that compute addresses in ways that the compiler doesn't follow, as by an array of
//    pointers or with bits masked, may reach what their arguments and variables lead to.
//  - The host writes unseen to memory that it shares with the device: managed, pinned or
//    registered memory may hold any address. When a kernel gets such memory that follows or stores
//    pointers, everything that there is has escaped. To look through the memory instead would have
//    to be done for each launch anew.
//
// None of it is done unless the space is to note escapes: in jobs of several nodes, and for code
// that checks itself, whether it is there when the runtime starts or comes later.
//
// Addresses are found as numbers of 64 bits at multiples of 8 bytes. What merely looks like one
// does no harm but that more counts as escaped.
#ifndef GCL_EXEC_ESCAPE_H
#define GCL_EXEC_ESCAPE_H

#include "exec/memory/space.h"
#include "gcluster/kernel.h"

/// Copies like memcpy, from the host, into memory of `space` that kernels read.
void gcl_escape_copy(struct gcl_space *space, void *target, const void *source, size_t size);
/// Somebody else copies so many words from the host into memory that kernels read, to multiples of
/// 8 bytes.
void gcl_escape_note(struct gcl_space *space, const void *words, size_t count);
/// A kernel is about to be launched, with these packed arguments.
void gcl_escape_launch(struct gcl_space *space, const struct gcl_kernel *kernel,
                       const unsigned char *arguments);

#endif
