// The old name of math_functions.h.
#include "../cuda_runtime.h"
