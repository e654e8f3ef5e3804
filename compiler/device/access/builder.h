// A kernel's program in the making: what access/draft.c, access/fill.c and access/program.c share.
#ifndef GCL_DEVICE_ACCESS_BUILDER_H
#define GCL_DEVICE_ACCESS_BUILDER_H

#include "device/access/build.h"
#include "device/access/memory.h"
#include "device/access/table.h"

/// A draft of a gcl_access: a place in memory that an instruction touches.
struct gcl_access_draft {
    struct gcl_effect effect;
    struct gcl_access_target target;
    int block;
    const struct gcl_pragma *pragma; ///< that says so; NULL: the kernel does it
    uint32_t length;                 ///< node, bytes; of a pragma
};

/// Of a record: a pragma has taken its place.
#define GCL_REPLACED 0xfffffffeu

/// A loop and the guard that enters it.
struct gcl_access_entry {
    int loop;
    uint16_t guard;
    uint16_t access; ///< for which it came into the program
};

struct gcl_builder {
    struct gcl_extraction *x;
    struct gcl_device_program *p;
    GPtrArray *pragmas;  ///< const struct gcl_pragma *
    GArray *drafts;      ///< struct gcl_access_draft; access i of the program is the i-th
    GArray *stays;       ///< struct gcl_reason by which the kernel stays on one node
    GHashTable *nodes;   ///< node of the graph -> its index in the program + 1
    GHashTable *reasons; ///< reason of `x` -> its index in the program + 1
    GHashTable *guards;  ///< block + 1 -> its guard + 1
    GArray *entries;     ///< struct gcl_access_entry
    guint finished;      ///< of them
    uint16_t access;     ///< that is made at the moment
    uint32_t texels;     ///< what is the place of a texel, GCL_NOTHING until there is one
    bool exits;          ///< threads may end where they are
    bool coarse;         ///< without offsets and guards
};

#endif
