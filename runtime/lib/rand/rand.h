// What the files of this library share.
#ifndef GCL_LIB_RAND_RAND_H
#define GCL_LIB_RAND_RAND_H

#include <curand.h>

#include <stdbool.h>
#include <stdint.h>

#include "rand/kernels.h"

/// A generator: of random numbers, with states of threads on the device (curand.c), or, with
/// `sobol_bits`, of quasirandom ones, with the direction vectors of its dimensions there (sobol.c).
struct curandGenerator_st {
    enum gcl_rand_generator kind;
    unsigned sobol_bits; ///< 32 or 64; 0: it isn't one of Sobol's
    unsigned dimensions;
    bool is_host;
    bool is_ready; ///< `states` are those of `seed` and `offset`, or of the dimensions
    uint64_t seed, offset;
    void *states; ///< NULL: not there yet
    cudaStream_t stream;
};

/// TYPE_ERROR, after a message: a status alone is often not looked at.
curandStatus_t gcl_rand_refuse(const char *what);

// sobol.c

/// OUT_OF_RANGE, after a message: there are no direction vectors for so many dimensions.
curandStatus_t gcl_rand_set_dimensions(curandGenerator_t generator, unsigned count);
/// Draws on the device: as many numbers of each dimension, one dimension after the other. `count`
/// is a multiple of the dimensions.
cudaError_t gcl_rand_draw_sobol(curandGenerator_t generator, enum gcl_rand_draw draw,
                                const struct gcl_rand_drawing *drawing);

#endif
