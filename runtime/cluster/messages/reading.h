// Reading another process' memory: as few system calls (process_vm_readv) as there can be.
#ifndef GCL_CLUSTER_READING_H
#define GCL_CLUSTER_READING_H

#include <sys/types.h>
#include <sys/uio.h>

#include "cluster/communicator/communicator.h"

enum { GCL_READING_PIECES = 512 }; ///< of one system call

/// What one system call reads: the same bytes here and there, in pieces. Starts with the process,
/// and without pieces.
struct gcl_reading {
    pid_t process;
    struct iovec here[GCL_READING_PIECES], there[GCL_READING_PIECES];
    size_t pieces, size;
};

// GCL_NODE_LOST: the process has ended. GCL_SYSTEM, after a message: it can't be read.

/// Adds `size` bytes at `there`, which are here at latest after gcl_reading_finish.
GCL_MUST_USE enum gcl_status gcl_reading_add(struct gcl_reading *reading, unsigned char *here,
                                             const unsigned char *there, size_t size);
/// Adds a request's region, whose bytes are in their place there.
GCL_MUST_USE enum gcl_status gcl_reading_add_region(struct gcl_reading *reading,
                                                    const struct gcl_request *request);
/// Reads what has been added and isn't here yet.
GCL_MUST_USE enum gcl_status gcl_reading_finish(struct gcl_reading *reading);

#endif
