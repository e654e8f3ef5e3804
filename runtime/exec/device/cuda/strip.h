// What a region is to the GPU's kernels of ours (library/bytes.c): a table of strips. Shared by
// them and by the host.
#ifndef GCL_EXEC_CUDA_STRIP_H
#define GCL_EXEC_CUDA_STRIP_H

#include <stdint.h>

/// Runs of `length` bytes, evenly apart, in their place and where the region's bytes lie one after
/// the other.
struct gcl_cuda_strip {
    int64_t place, packed;         ///< of the first run
    int64_t stride, packed_stride; ///< bytes from run to run
    int64_t length, count;         ///< of runs
    int64_t first;                 ///< words of all strips before it in its table
};

/// What a kernel is given. It goes through all strips word by word.
struct gcl_cuda_strips {
    const struct gcl_cuda_strip *strips;
    uint64_t count, words; ///< of strips; of theirs
    unsigned char *place, *packed;
    const unsigned char *base; ///< as it was before; lies as `place` does
    uint64_t value;            ///< to fill with
};

#endif
