// What a thread of a kernel costs, as far as the numbers of rounds of its loops are known before it
// runs.
#ifndef GCL_DEVICE_ACCESS_WORK_H
#define GCL_DEVICE_ACCESS_WORK_H

#include <llvm-c/Core.h>

#include "explain/explain.h"

/// The work of a kernel into which all that it calls is inlined. Without terms: data decides how
/// often a loop runs, or more than two parameters multiplied do.
struct gcl_explained_work gcl_access_work(LLVMValueRef kernel);

#endif
