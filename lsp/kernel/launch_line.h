// The line over a launch: on how many nodes it runs, and what moves.
#ifndef GCL_LSP_LAUNCH_LINE_H
#define GCL_LSP_LAUNCH_LINE_H

#include "lsp/kernel/launches.h"

/// "4 nodes · 24.0 KiB a launch (halo 1 row: in)" as far as the source says how the kernel is
/// launched, else what is known of all launches of it; to be freed. The processor time that it
/// takes to find out is taken from `*budget_us`.
char *gcl_launch_line(const struct gcl_query *query, const struct gcl_source_launch *launch,
                      const json_t *kernel, gint64 *budget_us);

#endif
