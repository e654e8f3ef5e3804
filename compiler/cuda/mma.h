// Part of CUDA's runtime headers; everything is in one of them.
#include "crt/mma.h"
