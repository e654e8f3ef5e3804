// What the files of this library share.
#ifndef GCL_LIB_RAND_RAND_H
#define GCL_LIB_RAND_RAND_H

#include <curand.h>

#include <stdbool.h>
#include <stdint.h>

#include "rand/kernels.h"

/// A generator: of random numbers, with states of threads on the device (curand.c), or
/// `is_twister`, with one state there (twister.c), or, with `sobol_bits`, of quasirandom ones, with
/// the direction vectors of its dimensions there (sobol.c).
struct curandGenerator_st {
    enum gcl_rand_generator kind;
    bool is_twister;
    unsigned sobol_bits; ///< 32 or 64; 0: it isn't one of Sobol's
    bool is_scrambled;
    unsigned dimensions;
    bool is_host;
    bool is_ready; ///< `states` are those of `seed` and `offset`, or of the dimensions
    uint64_t seed, offset;
    void *states; ///< NULL: not there yet
    cudaStream_t stream;
};

// sobol.c

/// OUT_OF_RANGE, after a message: there are no direction vectors for so many dimensions.
curandStatus_t gcl_rand_set_dimensions(curandGenerator_t generator, unsigned count);
/// Draws on the device: as many numbers of each dimension, one dimension after the other. `count`
/// is a multiple of the dimensions.
cudaError_t gcl_rand_draw_sobol(curandGenerator_t generator, enum gcl_rand_draw draw,
                                const struct gcl_rand_drawing *drawing);

// twister.c

/// Brings a Mersenne twister's state to the device, unless it is there.
cudaError_t gcl_rand_seed_twister(curandGenerator_t generator);
/// Draws on the device; `element`: bytes of a number.
cudaError_t gcl_rand_draw_twister(curandGenerator_t generator, enum gcl_rand_draw draw,
                                  const struct gcl_rand_drawing *drawing, size_t element);

#endif
