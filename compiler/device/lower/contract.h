// Multiplications and additions that become one operation.
#ifndef GCL_DEVICE_LOWER_CONTRACT_H
#define GCL_DEVICE_LOWER_CONTRACT_H

#include "device/ir/module.h"

/// Makes one fused operation of each product and sum that clang allows to be contracted.
void gcl_contract(struct gcl_module *m);

#endif
