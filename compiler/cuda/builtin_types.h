// All types of the runtime.
#ifndef GCLUSTER_BUILTIN_TYPES_H
#define GCLUSTER_BUILTIN_TYPES_H

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
