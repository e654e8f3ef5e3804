// Whether an access program, which comes from an object file, can be evaluated.
#ifndef GCL_PLAN_CHECK_H
#define GCL_PLAN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "gcluster/access.h"

/// What is wrong: "guard 3: its node doesn't exist". `table` and `what` are constant.
struct gcl_program_fault {
    const char *table; ///< "node", "guard", "base", "access", "reason", "program"
    size_t index;
    const char *what;
};

/// False if an index leads out of its table, a width isn't 1 to 64, an operand stands behind its
/// node, guards, loops or what is loaded follow from themselves, or something is read behind
/// `argument_size`, the bytes of the packed arguments; `fault` says which. Tables have to be as
/// long as their counts say, which nobody can check. What is true may be evaluated with any
/// arguments.
bool gcl_program_check(const struct gcl_program *program, size_t argument_size,
                       struct gcl_program_fault *fault);

#endif
