// The old name of device_functions.h.
#include "../cuda_runtime.h"
