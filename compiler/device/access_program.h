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
    enum gcl_stored stored; ///< by what isn't a reduction
    LLVMValueRef pointer;   ///< NULL: anywhere
    LLVMValueRef length;    ///< bytes, where `size` is 0
    uint32_t size;          ///< bytes
    uint32_t element;       ///< bytes
    uint32_t reason;        ///< enum gcl_reason_code by which it holds the kernel on one node, or 0
};

enum { GCL_EFFECTS = 3 };

/// One place that an instruction touches: an access to be.
struct gcl_draft {
    struct gcl_effect effect;
    struct gcl_device_place place;
    int block;
    const struct gcl_pragma *pragma; ///< that says so; NULL: the kernel does it
    uint32_t length;                 ///< node, bytes; of a pragma
};

/// The effects of an instruction; returns how many. `*reason` is set to an enum gcl_reason_code if
/// the kernel has to stay on one node because of it whatever memory it is about.
unsigned gcl_access_effects(struct gcl_extraction *x, LLVMValueRef i,
                            struct gcl_effect effects[GCL_EFFECTS], uint32_t *reason);

/// What an atomic operation does to what lies there; false if it is no reduction.
bool gcl_access_reduction(LLVMValueRef atomic, enum gcl_reduction *reduction);
/// Makes reductions of all (struct gcl_draft) that change the pointer of a REDUCES, and takes out
/// of `stays` (struct gcl_reason) what keeps the kernel on one node because of them.
void gcl_access_reduce(struct gcl_extraction *x, const struct gcl_pragma *pragma, GArray *drafts,
                       GArray *stays);

/// For each access whether neither its place nor its conditions depend on data; to be freed.
bool *gcl_access_find_exact(const struct gcl_device_program *program);
/// Reports pragmas that contradict what the kernel does for certain. `said` has for each access of
/// the program the pragma that it comes from, NULL if it is the kernel's.
void gcl_access_check(struct gcl_extraction *x, struct gcl_device_program *program,
                      const GPtrArray *pragmas, const struct gcl_pragma *const *said);
/// Reports pragmas about a split where the kernel has to stay on one node.
void gcl_access_check_split(struct gcl_extraction *x, const struct gcl_device_program *program,
                            const GPtrArray *pragmas);

/// The program of a kernel, with what pragmas say of it.
struct gcl_device_program *gcl_access_build(struct gcl_extraction *x);

#endif
