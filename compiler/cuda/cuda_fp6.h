// CUDA 12.8 has this header, so programs include it. Types of 6 bits are refused by their names.
#include "cuda_fp8.h"
