// What the sanitizer has found (sanitize.h): each thing told once, on stderr, a few a kernel.
//
// Findings are for one thread at a time.
#ifndef GCL_EXEC_FINDINGS_H
#define GCL_EXEC_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "gcluster/kernel.h"
#include "gcluster/sanitize.h"

/// The exit status of a program about which something was found.
#define GCL_FINDINGS_STATUS 66

enum gcl_finding_kind {
    GCL_FINDING_FOOTPRINT,  ///< an access outside of the footprint
    GCL_FINDING_UNWRITTEN,  ///< not written, although the footprint says so
    GCL_FINDING_BOUNDS,     ///< an access outside of any allocation
    GCL_FINDING_RACE,       ///< of blocks
    GCL_FINDING_HAZARD,     ///< a race of threads of a block
    GCL_FINDING_SAME_VALUE, ///< a race of blocks, or threads, that write the same
    GCL_FINDING_SYNC,       ///< threads or lanes that others wait for, and that don't come
    GCL_FINDING_INIT,       ///< a read of what nobody wrote
    GCL_FINDING_UNCHECKED,  ///< no finding, but a place of which the footprint says nothing
};

/// Two that are equal but for the sites' columns are one.
struct gcl_finding {
    enum gcl_finding_kind kind;
    const struct gcl_kernel *kernel;
    const struct gcl_site *site;  ///< NULL: none
    const struct gcl_site *other; ///< of a race
};

/// Starts zeroed.
struct gcl_findings {
    struct gcl_finding *list;
    size_t count, capacity;
};

bool gcl_findings_have(const struct gcl_findings *findings, const struct gcl_finding *finding);
/// Adds one that isn't there. Returns whether it is to be told: it is new, and the kernel has few.
bool gcl_findings_add(struct gcl_findings *findings, const struct gcl_finding *finding);
bool gcl_findings_have_kind(const struct gcl_findings *findings, enum gcl_finding_kind kind);
/// Tells how many more there are, and, as information, what couldn't be checked.
void gcl_findings_close(const struct gcl_findings *findings);
void gcl_findings_finish(struct gcl_findings *findings);

/// A line "gcluster: …" in one piece.
void gcl_findings_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
