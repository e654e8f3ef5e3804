// What a hover says of a launch: its configuration, and what becomes of an argument.
#ifndef GCL_LSP_LAUNCH_HOVER_H
#define GCL_LSP_LAUNCH_HOVER_H

#include "lsp/read/view.h"

/// Appends the size of the launch on whose `<<<` or `>>>` the query's place is, as markdown; the
/// bytes of that go to `begin` and `end`. False, with nothing set, if the place isn't on one.
bool gcl_launch_hover_configuration(const struct gcl_query *query, GString *out, uint32_t *begin,
                                    uint32_t *end);
/// Appends what the launch around the query's place reads, writes and moves of the argument there;
/// nothing if the place is in no argument of a launch.
void gcl_launch_hover_argument(const struct gcl_query *query, GString *out);

#endif
