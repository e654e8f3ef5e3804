// A judgement: who is to run the program's kernels from here on, node 0 alone or all nodes, and the
// figures that say so. One text for the log and for statistics.
#ifndef GCL_EXEC_JUDGEMENT_H
#define GCL_EXEC_JUDGEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct gcl_kernel;

/// What was foreseen of a kernel's launches while node 0 did all alone.
struct gcl_judged_kernel {
    const struct gcl_kernel *kernel;
    uint64_t launches, kept; ///< of which would run on one node although they could be split
    double block_ns;         ///< measured: what one block takes on one thread
    double alone_ns, all_ns; ///< its blocks on node 0, and on the node that would have most of them
    double moving_ns;        ///< what moves between nodes for them, besides
    uint64_t moved;          ///< bytes of that
    double planning_ns;      ///< that it took to foresee this
};

struct gcl_judgement {
    enum gcl_judgement_kind {
        GCL_JUDGED_NO_GAIN, ///< node 0 alone, from the beginning: other nodes would add nothing
        GCL_JUDGED_ALL,     ///< all nodes, which would have been faster
        GCL_JUDGED_FULL,    ///< all nodes, as node 0 has no room for the memory
        GCL_JUDGED_ALONE,   ///< node 0 alone, as all nodes were slower
        GCL_JUDGED_DEAR,    ///< node 0 alone for good, as to foresee takes too long
        GCL_JUDGED_END,     ///< the program's end: it stays as it is
    } kind;
    bool were_all;       ///< all nodes ran the kernels until now
    uint32_t node_count; ///< 0: nothing was foreseen, and there are no figures
    uint64_t at_ns;      ///< of gcl_clock_ns
    uint64_t memory;     ///< bytes that the program has allocated, where node 0 did all alone

    // Since the judgement before this one.

    double alone_ns;    ///< kernels on node 0, or what they would have taken there
    double all_ns;      ///< and on all nodes: foreseen, or the time that has passed
    double moving_ns;   ///< what of a foreseen `all_ns` is moving between nodes,
    uint64_t moved;     ///< and the bytes of that
    double planning_ns; ///< to foresee it
    double changing_ns; ///< to bring the memory to all nodes and back
    double needed_ns;   ///< that all nodes had to be faster by
    double lost_ns;     ///< by all nodes, since the program began
    const struct gcl_judged_kernel *kernels; ///< of which something was foreseen
    size_t kernel_count;
};

/// "node 0", or "all nodes": who runs kernels from here on, or at the end.
const char *gcl_judgement_who(const struct gcl_judgement *judgement);
/// Writes a judgement as a sentence without an end of line.
void gcl_judgement_write(const struct gcl_judgement *judgement, FILE *out);
/// Writes what was foreseen of a kernel on so many nodes, likewise.
void gcl_judgement_write_kernel(const struct gcl_judged_kernel *kernel, uint32_t node_count,
                                FILE *out);
/// Writes a judgement and its kernels to the log, where that shows what happens once a job.
void gcl_judgement_log(const struct gcl_judgement *judgement);

#endif
