// Loops that retry an atomic operation.
#ifndef GCL_DEVICE_CUT_RETRIES_H
#define GCL_DEVICE_CUT_RETRIES_H

#include "device/ir/module.h"

/// Makes a function of each loop of `lane` that retries an atomic operation.
void gcl_retries_outline(struct gcl_module *m, LLVMValueRef lane);
/// Whether `call` calls a function that gcl_retries_outline has made.
bool gcl_retries_calls(LLVMValueRef call);
/// Whether code that a lane function, or a function of such a loop, calls may ask which thread is
/// running.
bool gcl_retries_needs_thread(LLVMValueRef function);
/// Whether `i` is a call of code that may ask which thread is running.
bool gcl_retries_asks_for_thread(LLVMValueRef i);

#endif
