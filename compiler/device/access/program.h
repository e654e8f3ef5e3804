// The whole of a program: drafts of the accesses, pragmas, tables.
#ifndef GCL_DEVICE_ACCESS_PROGRAM_H
#define GCL_DEVICE_ACCESS_PROGRAM_H

#include "device/access/build.h"
#include "device/access/table.h"

/// The program of a kernel, with what pragmas say of it.
struct gcl_device_program *gcl_access_build(struct gcl_extraction *x);

#endif
