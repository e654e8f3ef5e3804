// What instructions do to memory, and the program made of that: the inside of access.c.
#ifndef GCL_DEVICE_ACCESS_PROGRAM_H
#define GCL_DEVICE_ACCESS_PROGRAM_H

#include "access.h"
#include "access_build.h"

/// One thing that an instruction does to memory that may be global.
struct gcl_effect {
    LLVMValueRef instruction;
    enum gcl_record_role role;
    enum gcl_access_kind kind;
    enum gcl_reduction reduction;
    LLVMValueRef pointer; ///< NULL: anywhere
    LLVMValueRef length;  ///< bytes, where `size` is 0
    uint32_t size;        ///< bytes
    uint32_t element;     ///< bytes
    uint32_t reason;      ///< enum gcl_reason_code by which it holds the kernel on one node, or 0
};

enum { GCL_EFFECTS = 3 };

/// The effects of an instruction; returns how many. `*reason` is set to an enum gcl_reason_code if
/// the kernel has to stay on one node because of it whatever memory it is about.
unsigned gcl_access_effects(struct gcl_extraction *x, LLVMValueRef i,
                            struct gcl_effect effects[GCL_EFFECTS], uint32_t *reason);

/// For each access whether neither its place nor its conditions depend on data; to be freed.
bool *gcl_access_find_exact(const struct gcl_device_program *program);

/// The program of a kernel, with what pragmas say of it.
struct gcl_device_program *gcl_access_build(struct gcl_extraction *x);

#endif
