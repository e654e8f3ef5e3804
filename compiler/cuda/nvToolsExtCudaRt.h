// The old place of NVTX's names for what the runtime has.
#include "nvtx3/nvToolsExtCudaRt.h"
