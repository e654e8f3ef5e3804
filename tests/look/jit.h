// Looks of a program that is made at run time, as code in memory.
#ifndef JIT_H
#define JIT_H

#include <stdint.h>

#include "gcluster/access.h"

struct jit;

/// Gives a program the looks that the compiler makes for it, for processors of a level that this
/// one has. Ends the process if that can't be done.
struct jit *jit_create(struct gcl_program *program, uint32_t level);
/// As if `access` were `shift` bytes further than the one for which its look was made.
void jit_shift(struct jit *jit, uint16_t access, int64_t shift);
/// Takes them away again.
void jit_destroy(struct jit *jit);

#endif
