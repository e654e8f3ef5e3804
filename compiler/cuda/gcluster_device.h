// What a thread does with its block and its device: barriers, fences, clocks, traps, memory.
#ifndef GCLUSTER_DEVICE_H
#define GCLUSTER_DEVICE_H

#include "device_launch_parameters.h"

#include <new>
#include <time.h>

/// Whoever calls this waits for others: it must not be moved into or out of a branch.
#define __GCL_CUT extern "C" __attribute__((device, nothrow, convergent))

__GCL_CUT void __gcl_barrier();
__GCL_CUT int __gcl_barrier_count(int __predicate);
__GCL_CUT int __gcl_barrier_and(int __predicate);
__GCL_CUT int __gcl_barrier_or(int __predicate);
__GCL_CUT void __gcl_grid_barrier();

__GCL_EXTERN __attribute__((noreturn)) void __gcl_trap();
__GCL_EXTERN long long __gcl_clock();
__GCL_EXTERN unsigned long long __gcl_globaltimer();
__GCL_EXTERN void __gcl_nanosleep(unsigned int __nanoseconds);
__GCL_PURE unsigned int __gcl_dynamic_shared_size();

// clang has a builtin of this name for its own GPU targets.
#define __syncthreads __gcl_syncthreads
__GCL_DEVICE void __gcl_syncthreads() {
    __gcl_barrier();
}
__GCL_DEVICE int __syncthreads_count(int __predicate) {
    return __gcl_barrier_count(__predicate);
}
__GCL_DEVICE int __syncthreads_and(int __predicate) {
    return __gcl_barrier_and(__predicate);
}
__GCL_DEVICE int __syncthreads_or(int __predicate) {
    return __gcl_barrier_or(__predicate);
}

__GCL_DEVICE void __threadfence() {
    __nvvm_membar_gl();
}
__GCL_DEVICE void __threadfence_block() {
    __nvvm_membar_cta();
}
__GCL_DEVICE void __threadfence_system() {
    __nvvm_membar_sys();
}

__GCL_DEVICE clock_t clock() {
    return __gcl_clock();
}
__GCL_DEVICE long long clock64() {
    return __gcl_clock();
}
__GCL_DEVICE void __nanosleep(unsigned int __nanoseconds) {
    __gcl_nanosleep(__nanoseconds);
}
__GCL_DEVICE void __trap() {
    __gcl_trap();
}
/// A breakpoint without a debugger to stop in.
__GCL_DEVICE void __brkpt() {
}
/// A marker for profilers.
__GCL_DEVICE void __prof_trigger(int) {
}
/// Waits for the launches before this one in its stream, which have always finished: launches that
/// may overlap (cudaLaunchAttributeProgrammaticStreamSerialization) follow each other.
__GCL_DEVICE void cudaGridDependencySynchronize() {
}
/// Lets the next launch begin, which waits for the end of this one all the same.
__GCL_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
}

#define __builtin_nv_assume __builtin_assume
#define __nv_assume __builtin_assume
#define __assume __builtin_assume

#endif
