// The old place of NVTX.
#include "nvtx3/nvToolsExt.h"
