// The edit that answers a returned atomic operation: `out[atomicAdd(count, 1)] = in[i]`.
//
// Where a thread writes depends on all that came before, wherever they ran. But any order is right,
// so also that of blocks: a first kernel counts what each block adds, a sum over these counts gives
// each block the place where it begins, and in the kernel threads of a block share a counter that
// starts there. A host function launches the three, and stands for the kernel where it was
// launched.
#ifndef GCL_LSP_TWO_PHASE_H
#define GCL_LSP_TWO_PHASE_H

#include "lsp/read/view.h"

/// {title, edits} for a reason at `offset`, where a kernel has that operation. NULL unless the
/// kernel's results are sure to be those of some order of threads. `explained`: the kernel as
/// --explain=json has it.
json_t *gcl_two_phase_edit(const struct gcl_view *view, const json_t *explained,
                           const json_t *reason, uint32_t offset);

#endif
