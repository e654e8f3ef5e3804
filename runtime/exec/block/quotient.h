// Integer division as a GPU does it, where the processor raises a fault instead.
#ifndef GCL_EXEC_QUOTIENT_H
#define GCL_EXEC_QUOTIENT_H

#include <stdbool.h>
#include <ucontext.h>

/// In a handler of SIGFPE, in a thread that runs a kernel: gives the instruction that failed its
/// results, and goes on behind it. A quotient or rest by 0 has all bits set, as NVIDIA's GPUs have
/// it (CUDA calls it unspecified); the least number by -1 is itself, without rest. False: the
/// instruction is no division.
bool gcl_quotient_mend(ucontext_t *context);

#endif
