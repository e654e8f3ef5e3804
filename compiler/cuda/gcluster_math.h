// To be filled.
#ifndef GCLUSTER_MATH_H
#define GCLUSTER_MATH_H
#include "gcluster_base.h"
#endif
