// Names the threads of a block whose code runs.
#ifndef GCL_EXEC_RUNNING_H
#define GCL_EXEC_RUNNING_H

#include <stddef.h>

#include "gcluster/kernel.h"

/// Prints a block's place in the grid and what gcl_block.running tells: the thread, or the warps of
/// all threads that run at once as one vector, or that none is known. For a signal handler as well.
void gcl_running_print(const struct gcl_block *block, char *text, size_t size);

#endif
