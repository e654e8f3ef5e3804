// Text of a directory for people: logs show it, and tests compare it.
//
//     a 4096 bytes: [0, 4096) on 0, [2048, 4096) on 1 to 3
//     b 64 bytes: [0, 64) filled with 0
#ifndef GCL_PLAN_DIRECTORY_PRINT_H
#define GCL_PLAN_DIRECTORY_PRINT_H

#include <stdio.h>

#include "plan/directory/directory.h"

/// What printed text calls allocations. `of` NULL: by their addresses.
struct gcl_names {
    /// The name of the allocation that begins at an address, valid until the next call.
    const char *(*of)(void *context, uint64_t begin);
    void *context;
};

/// Prints the name of the allocation that begins at an address.
void gcl_print_name(const struct gcl_names *names, uint64_t begin, FILE *out);
/// Prints a set of bytes as gcl_region_format says it, in parentheses unless it consists of runs.
void gcl_print_region(const struct gcl_region *region, FILE *out);
/// Prints nodes [begin, end), of which there is one at least: "2", "0 to 3".
void gcl_print_nodes(uint32_t begin, uint32_t end, FILE *out);

/// Prints all allocations by address, a line each: size, what the host does with it, and which
/// bytes are valid on which nodes. Nodes in a row that have the same bytes are named together.
void gcl_directory_print(struct gcl_directory *directory, const struct gcl_names *names, FILE *out);

#endif
