// By which a chunk that comes back from a disk is told from what was written there: a failing disk
// gives other bytes, a lost write older ones. Not for what somebody may want to be mistaken.
#ifndef GCL_EXEC_CHECKSUM_H
#define GCL_EXEC_CHECKSUM_H

#include <stdint.h>

/// Of GCL_CHUNK_SIZE bytes, aligned for numbers of 64 bits. Chunks that differ in one such number
/// never have the same; others do with a probability of about 2^-64.
uint64_t gcl_checksum(const void *chunk);

#endif
