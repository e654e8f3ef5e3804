// By which a chunk that comes back from a disk is told from what was written there (a failing disk
// gives other bytes, a lost write older ones), and what memory holds from what it held. Not for
// what somebody may want to be mistaken.
#ifndef GCL_EXEC_CHECKSUM_H
#define GCL_EXEC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Of bytes that are aligned for numbers of 64 bits. Bytes that differ in one such number never
/// have the same; others do with a probability of about 2^-64.
uint64_t gcl_checksum(const void *bytes, size_t size);

#endif
