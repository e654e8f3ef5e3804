// make_cudaExtent() and kin come with the runtime's functions.
#include "cuda_runtime_api.h"
