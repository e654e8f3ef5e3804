// How the threads and iterations around an access are gone through: a nest of levels, blocks
// outside, then threads, then the loops around the access. A node belongs to the level of the
// innermost thing that it depends on; what no node depends on is no level.
#ifndef GCL_PLAN_NEST_H
#define GCL_PLAN_NEST_H

#include "plan/directory/origins.h"
#include "plan/region/piece.h"

enum {
    GCL_NEST_LEVELS = 1 + 6 + GCL_PIECE_LOOPS,
    GCL_NEST_GUARDS = 64,
};

enum gcl_level_kind {
    GCL_LEVEL_ONCE, ///< the outermost one
    GCL_LEVEL_BLOCK,
    GCL_LEVEL_THREAD,
    GCL_LEVEL_GLOBAL,
    GCL_LEVEL_LOOP,
};

/// Places [begin, end) of an array of struct gcl_nest.
struct gcl_nest_list {
    uint32_t begin, end;
};

/// Something that counts from `begin` on, and up to `end` or as long as a loop goes on.
struct gcl_nest_level {
    enum gcl_level_kind kind;
    uint16_t index; ///< the axis, or the guard of a loop
    uint64_t begin, end;
    struct gcl_nest_list nodes;  ///< in `nodes`: what belongs to this level, operands first
    struct gcl_nest_list guards; ///< in `guards`: conditions whose nodes belong to it
    struct gcl_nest_list taken;  ///< in `taken`: nodes of levels further out that are used here or
                                 ///< further in, but for those of the outermost level
};

struct gcl_nest {
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    uint16_t access;
    const struct gcl_origins *origins; ///< the access'
    struct gcl_nest_level levels[GCL_NEST_LEVELS];
    unsigned count;
    uint16_t guards[GCL_NEST_GUARDS];
    uint16_t *nodes, *taken;
    uint8_t *level_of; ///< of each node of the program
};

/// Finds the nest of an access. Borrows the program, the launch and the origins. False: a node
/// counts something that isn't around the access, there is too much, or no memory.
GCL_MUST_USE bool gcl_nest_find(struct gcl_nest *nest, const struct gcl_program *program,
                                uint16_t access, const struct gcl_launch_part *launch,
                                const struct gcl_origins *origins);
/// The level that counts an axis or a loop; GCL_NEST_LEVELS: none does.
unsigned gcl_nest_level_of(const struct gcl_nest *nest, enum gcl_level_kind kind, uint16_t index);
void gcl_nest_finish(struct gcl_nest *nest);

#endif
