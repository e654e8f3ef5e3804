// Which kernels a vendor's library can run on a GPU (gcluster/vendor.h).
#ifndef GCL_EXEC_VENDOR_H
#define GCL_EXEC_VENDOR_H

#include "gcluster/kernel.h"
#include "gcluster/vendor.h"

/// The vendor that a kernel has been offered and whose library is there; NULL: none. The
/// calling thread has the driver's context.
const struct gcl_vendor *gcl_vendor_of(const struct gcl_kernel *kernel);

#endif
