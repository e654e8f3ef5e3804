// What kernels of these headers touch, where the compiler can't find it out: the clauses of
// #pragma gcluster (gcluster-cc(1)), as an attribute, since pragmas of system headers aren't read.
//
//     template <class T>
//     __global__ void __launch_bounds__(1) GCL_PRAGMA("writes(out[blockIdx.x * tile : tile])")
//         pack(const T *in, T *out, size_t tile) { ... }
//
// Integers among the parameters count as unsigned.
#ifndef GCLUSTER_ALGORITHMS_DECLARE_H
#define GCLUSTER_ALGORITHMS_DECLARE_H

#define GCL_PRAGMA(clauses) __attribute__((annotate("gcl.pragma " clauses)))

#endif
