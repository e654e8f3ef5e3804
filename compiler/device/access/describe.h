// Kernels and their programs as explanations want them (explain/explain.h).
#ifndef GCL_DEVICE_ACCESS_DESCRIBE_H
#define GCL_DEVICE_ACCESS_DESCRIBE_H

#include "device/ir/module.h"
#include "explain/explain.h"

/// A kernel and its program as explanations want them; borrows from both.
struct gcl_explained_kernel *gcl_device_program_describe(const struct gcl_module *m,
                                                         const struct gcl_device_kernel *kernel);
void gcl_device_description_destroy(struct gcl_explained_kernel *description);

#endif
