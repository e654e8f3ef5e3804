// The intrinsics of device code that are arithmetic; warps, atomics and caches have their own
// files.
#ifndef GCLUSTER_INTRINSICS_H
#define GCLUSTER_INTRINSICS_H

#include "gcluster_cast.h"
#include "gcluster_dpx.h"
#include "gcluster_fast_math.h"
#include "gcluster_integer.h"
#include "gcluster_rounding.h"
#include "gcluster_simd.h"

#endif
