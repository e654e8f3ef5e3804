// Variables of several devices lie alike, at some distance from each other.
#include "plan/inspect/base.h"

#include <assert.h>
#include <string.h>

bool gcl_base_address(const struct gcl_program *program, const struct gcl_launch_part *launch,
                      uint16_t index, uint64_t *address) {
    assert(index < program->base_count);
    const struct gcl_base *base = &program->bases[index];
    if (base->kind == GCL_BASE_ARGUMENT)
        memcpy(address, launch->arguments + base->index, sizeof *address);
    else if (base->kind == GCL_BASE_VARIABLE)
        *address = (uint64_t)(uintptr_t)*program->variables[base->index] +
                   (uint64_t)launch->variable_shift;
    return base->kind == GCL_BASE_ARGUMENT || base->kind == GCL_BASE_VARIABLE;
}
