// The old place of NVTX's names for what the driver API has.
#include "nvtx3/nvToolsExtCuda.h"
