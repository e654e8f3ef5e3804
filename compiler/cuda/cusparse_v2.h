// cuSPARSE, by the name that programs from before CUDA 11 include.
#ifndef GCLUSTER_CUSPARSE_V2_H
#define GCLUSTER_CUSPARSE_V2_H

#include "cusparse.h"

#endif
