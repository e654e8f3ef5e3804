// The functions that this name once held are all in the header.
#include "cuda_bf16.h"
