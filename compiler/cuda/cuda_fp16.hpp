// The functions that this name once held are all in the header.
#include "cuda_fp16.h"
