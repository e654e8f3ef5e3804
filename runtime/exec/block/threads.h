// Threads of kernels that are compiled to be debugged (gcl_threads_run in gcluster/kernel.h): each
// has a stack, on which it stays the function call that it is in the source while others run.
#ifndef GCL_EXEC_THREADS_H
#define GCL_EXEC_THREADS_H

/// Called where a block is left before its end. On the stack of one of its threads it doesn't
/// return: the worker's goes on, and calls gcl_block_leave there.
void gcl_threads_leave(void);

#endif
