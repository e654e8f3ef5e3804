// The access program of a launch in a planning scenario, as the compiler would make it of a kernel.
#ifndef TEST_SCENARIO_KERNEL_H
#define TEST_SCENARIO_KERNEL_H

#include "scenario.h"

enum {
    KERNEL_NODES = SCENARIO_ACCESSES * SCENARIO_VARIABLES * 4,
    KERNEL_CONSTANTS = SCENARIO_ACCESSES * (SCENARIO_VARIABLES + 1),
};

struct kernel {
    struct gcl_program program; ///< of the tables below
    struct gcl_node nodes[KERNEL_NODES];
    int64_t constants[KERNEL_CONSTANTS];
    struct gcl_guard guards[SCENARIO_ACCESSES];
    struct gcl_base bases[SCENARIO_ACCESSES];
    struct gcl_access accesses[SCENARIO_ACCESSES];
    struct gcl_reason reasons[SCENARIO_ACCESSES];
};

/// Makes the program; the pointer to the buffer of access i is the launch's argument at byte 8 i.
void kernel_init(struct kernel *kernel, const struct scenario_launch *launch);

#endif
