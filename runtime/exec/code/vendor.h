// The vendors that kernels have been offered (gcluster/vendor.h), for devices that launch them.
#ifndef GCL_EXEC_VENDOR_H
#define GCL_EXEC_VENDOR_H

#include "gcluster/kernel.h"
#include "gcluster/vendor.h"

/// The vendor that a kernel has been offered and whose library is there; NULL: none. The
/// calling thread has the driver's context.
const struct gcl_vendor *gcl_vendor_of(const struct gcl_kernel *kernel);

#endif
