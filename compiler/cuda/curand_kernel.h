// Random numbers in kernels: XORWOW, Philox 4x32-10 and MRG32k3a, with cuRAND's seeding, so that a
// program draws the very numbers it draws with cuRAND; and uniform, normal, log-normal and Poisson
// distributions of them; Sobol's quasirandom sequences in 32 and 64 bits, scrambled or not, with
// distributions by their inverse functions. Poisson numbers follow the distribution, not cuRAND's
// sequence. There is no MTGP32 generator.
//
// QUALIFIERS may be defined before the inclusion, to `static __host__ __device__` say.
#ifndef GCLUSTER_CURAND_KERNEL_H
#define GCLUSTER_CURAND_KERNEL_H
#define CURAND_KERNEL_H_ // programs ask for it

#include "curand.h"
#include "vector_functions.h"

#ifdef __cplusplus

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

// What the public functions are made of can be called wherever they can.
#define __GCL_CURAND static __inline__ __host__ __device__

#include "gcluster_curand_mrg32k3a.h"
#include "gcluster_curand_philox.h"
#include "gcluster_curand_xorwow.h"

#include "gcluster_curand_uniform.h"

#include "gcluster_curand_normal.h"

#include "gcluster_curand_poisson.h"

#include "gcluster_curand_sobol.h"

typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

#endif

#endif
