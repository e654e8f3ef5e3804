// CUDA 12.8 has this header, so programs include it. Types of 4 bits are refused by their names.
#include "cuda_fp6.h"
