// The driver API (gcluster/driver.h): what its files share. Most functions are the runtime API's
// under other names; what is the driver API's own is contexts, modules, and errors that no later
// call of the runtime API reports.
#ifndef GCL_API_DRIVER_DRIVER_H
#define GCL_API_DRIVER_DRIVER_H

#include <stdbool.h>

#include "gcluster/driver.h"

/// Begins the definition of cuName; that of one which has the other name cuName_v2.
#define GCL_CU(name, parameters) CUresult cu##name parameters
#define GCL_CU_V2(name, parameters)                                                                \
    CUresult cu##name##_v2 parameters __attribute__((alias("cu" #name)));                          \
    CUresult cu##name parameters

/// What a call of the runtime API returned, as the driver API has it; the thread's last error is
/// what it was before that call.
CUresult gcl_driver_result(gclError_t error);

/// The device of a context; -1: it is none.
int gcl_driver_context_device(CUcontext context);
/// The primary context of a device; NULL: there is no such device, or no memory.
CUcontext gcl_driver_primary(int device);

static inline void *gcl_driver_pointer(CUdeviceptr address) {
    return (void *)(uintptr_t)address;
}

#endif
