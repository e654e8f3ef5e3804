// One of the headers that cuda_runtime.h includes with nvcc; here all of it is in there.
#include "cuda_runtime.h"
