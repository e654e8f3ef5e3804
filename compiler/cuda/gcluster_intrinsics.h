// To be filled.
#ifndef GCLUSTER_INTRINSICS_H
#define GCLUSTER_INTRINSICS_H
#include "gcluster_base.h"
#endif
