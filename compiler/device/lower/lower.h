// Lowering: from clang's IR for NVPTX to IR of the host's processor.
//
// Before: LLVM IR as text. After each stage the module is valid IR. Stages, in order:
//
//     retarget   address spaces away, kernels and device variables noted
//     bools      with --sanitize=race, init or sync, where clang hasn't optimised: what a bool in
//                memory means; then sanitize's own optimisation
//     legalize   instructions that mean something else on the host, inline assembly among them
//     launches   kernels that device code launches are named as the runtime knows them
//                (the access programs are made here, access/access.h)
//     math       our implementations of functions of the C library; root: 1 / √y
//     inline     code that holds a cut moves into its kernels
//     sanitize   threads tell the runtime of their accesses, and waits, with --sanitize
//     contract   a * b + c becomes one operation
//     quotients  those that may be approximate become products
//     variables  shared and device variables become addresses that are known at run time; globals:
//                slots for those; image: what is known by its address
//                (kernels fall apart and get their code here, cut/cut.h and vector/vector.h)
//     functions  functions that stay functions ask the runtime for their block
//     image      calls through pointers read descriptors
//     math, addresses, narrow, pieces, blocks    on optimised code, for instruction selection
//                (device/emit.c)
#ifndef GCL_DEVICE_LOWER_LOWER_H
#define GCL_DEVICE_LOWER_LOWER_H

#include "device/lower/addresses.h"
#include "device/lower/blocks.h"
#include "device/lower/bools.h"
#include "device/lower/contract.h"
#include "device/lower/functions.h"
#include "device/lower/image.h"
#include "device/lower/inline.h"
#include "device/lower/launches.h"
#include "device/lower/legalize.h"
#include "device/lower/math.h"
#include "device/lower/narrow.h"
#include "device/lower/pieces.h"
#include "device/lower/quotients.h"
#include "device/lower/retarget.h"
#include "device/lower/sanitize.h"
#include "device/lower/variables.h"

#endif
