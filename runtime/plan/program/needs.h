// What an access of a program depends on, whatever the launch.
#ifndef GCL_PLAN_NEEDS_H
#define GCL_PLAN_NEEDS_H

#include "plan/region/piece.h"

struct gcl_needs {
    bool fused[3]; ///< axes that only count as block index * block size + thread index
    uint16_t ended[GCL_PIECE_LOOPS]; ///< guards of loops whose last iteration counts, inner first
    unsigned ended_count;
};

/// `seen` is room for a flag per node of the program.
void gcl_needs_find(const struct gcl_program *program, uint16_t access, bool *seen,
                    struct gcl_needs *needs);
/// Finds which nodes follow from arguments and sizes alone, a flag each: they are the same for all
/// threads of a launch.
void gcl_needs_find_uniform(const struct gcl_program *program, bool *is_uniform);

#endif
