// How many bytes of copies have passed through memory that is neither the program's nor a device's:
// what page-locked memory spares a program.
#ifndef GCL_BASE_STAGED_H
#define GCL_BASE_STAGED_H

#include <stddef.h>
#include <stdint.h>

/// Counts bytes that are copied to or from such memory. Any thread.
void gcl_staged_add(size_t bytes);
/// All so far in this process.
uint64_t gcl_staged_bytes(void);

#endif
