// Edits that answer a reason why a kernel spreads as it does: what its advice says, where that is a
// matter of a line. A pragma says what only the user knows, so each action's title says it in
// words.
//
// This header is the front of the room `repair`, whose other files make the longer edits: hoist
// (read a loop's bound in front of the loop), and two_phase (count before placing), with
// kernel_text and counter, the kernel that it rewrites and what that counts with.
#ifndef GCL_LSP_ADVICE_H
#define GCL_LSP_ADVICE_H

#include "lsp/read/view.h"

/// [{title, edits}], of which one is enough, for a reason of a kernel as --explain=json has them;
/// empty if there is no such edit. `line`: of the view's text, where the kernel's name is now;
/// `offset`: where the reason stands.
json_t *gcl_advice_list(const struct gcl_view *view, const json_t *kernel, const json_t *reason,
                        uint32_t line, uint32_t offset, struct gcl_glance *glance);

/// {title, edits}: pragmas that say what of a kernel's arguments the compiler knows to be touched;
/// NULL if there is nothing to say, or it has been said.
json_t *gcl_advice_known(const struct gcl_view *view, const json_t *kernel, uint32_t line);

#endif
