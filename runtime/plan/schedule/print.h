// Text of plans for people, a line for each command, which is what nodes have to do for an
// operation: copies before it, runs of blocks, and what becomes one of what several nodes changed.
//
//     copy a [2044, 4096) 0 -> 1
//     fill b [0, 64) with 0 on 1
//     run blur [0, 4) on 0
//     run blur [4, 8) on 1, after copy
//     reduce h [0, 1024) with 4-byte add 1 to 3 -> 0
//     merge c [0, 4096) 1 -> 0
//     on one node because threads allocate memory [GCL206]
#ifndef GCL_PLAN_SCHEDULE_PRINT_H
#define GCL_PLAN_SCHEDULE_PRINT_H

#include "plan/directory/print.h"
#include "plan/schedule/schedule.h"

/// Prints what nodes send each other before an operation, and combine after it. Nothing where they
/// do neither.
void gcl_plan_print(const struct gcl_plan *plan, const struct gcl_names *names, FILE *out);
/// Prints a launch's plan with the blocks that each node runs, and in the end what keeps the launch
/// on one node, if anything does. `kernel` is the kernel's name.
void gcl_schedule_print(const struct gcl_schedule *schedule, const char *kernel,
                        const struct gcl_names *names, FILE *out);

#endif
