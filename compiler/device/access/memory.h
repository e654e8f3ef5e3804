// What instructions do to memory.
#ifndef GCL_DEVICE_ACCESS_MEMORY_H
#define GCL_DEVICE_ACCESS_MEMORY_H

#include "device/access/build.h"

/// What an instruction does to one range of memory that may be global.
struct gcl_effect {
    LLVMValueRef instruction;
    enum gcl_record_role role;
    enum gcl_access_kind kind;
    enum gcl_reduction reduction;
    enum gcl_stored stored; ///< by what isn't a reduction
    LLVMValueRef pointer;   ///< NULL: anywhere
    LLVMValueRef length;    ///< bytes, where `size` is 0
    uint32_t size;          ///< bytes
    uint32_t element;       ///< bytes
    uint32_t reason;        ///< enum gcl_reason_code by which it holds the kernel on one node, or 0
};

/// Upper bound on the effects of one instruction.
enum { GCL_EFFECTS = 3 };

/// The effects of an instruction; returns how many. `*reason` is set to an enum gcl_reason_code if
/// the kernel has to stay on one node because of it whatever memory it is about.
unsigned gcl_access_effects(struct gcl_extraction *x, LLVMValueRef i,
                            struct gcl_effect effects[GCL_EFFECTS], uint32_t *reason);
/// What an atomic operation does to what lies there; false if it is no reduction.
bool gcl_access_reduction(LLVMValueRef atomic, enum gcl_reduction *reduction);

/// Why nothing is known of what an instruction touches (enum gcl_reason_code).
uint32_t gcl_access_why(LLVMValueRef i);

#endif
