// From NVPTX to the processor of the host.
#ifndef GCL_DEVICE_LOWER_RETARGET_H
#define GCL_DEVICE_LOWER_RETARGET_H

#include "device/ir/module.h"

/// Parses and links the inputs as IR for the host: address spaces go, kernels and device variables
/// are noted in the module. Needs gcl_target_init. Returns false with a diagnostic.
bool gcl_retarget(struct gcl_module *m);
/// Parses and links the inputs as they are, for NVIDIA's GPUs: symbols have the names that
/// gcl_retarget gives them. Returns false with a diagnostic.
bool gcl_retarget_keep(struct gcl_module *m);

/// Is called for an entry of `!nvvm.annotations`: function, key, value.
typedef void gcl_annotation_visit(void *context, LLVMValueRef function, const char *key,
                                  uint32_t value);
/// Visits what clang says of defined functions: which are kernels, and their launch bounds.
void gcl_retarget_visit_annotations(LLVMModuleRef module, gcl_annotation_visit *visit,
                                    void *context);

#endif
