// A prediction: how long a program would take on so many nodes, where that time would go, and which
// kernel keeps it from going down. For `gcluster-run --predict`.
#ifndef GCL_EXEC_PREDICTION_H
#define GCL_EXEC_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct gcl_kernel;

/// Of the program, on so many nodes.
struct gcl_prediction_line {
    uint32_t nodes;
    bool is_known; ///< false: what the program does can't be planned for so many
    double time_ns;
    double compute_ns, moving_ns; ///< parts of it, if they don't overlap the host's
    uint64_t moved;               ///< bytes between nodes
};

/// Of a kernel's launches, on the nodes of a line.
struct gcl_prediction_share {
    double compute_ns, moving_ns;
    uint64_t moved;  ///< bytes between nodes
    uint64_t kept;   ///< launches that would run on one node and could have been split,
    uint16_t reason; ///< and why: enum gcl_reason_code
};

struct gcl_prediction_kernel {
    const struct gcl_kernel *kernel;
    uint64_t launches;
    struct gcl_prediction_share *shares; ///< for each line
};

struct gcl_prediction {
    struct gcl_prediction_line *lines; ///< by nodes, ascending; the first is what was measured, of
    size_t line_count;                 ///< one node
    struct gcl_prediction_kernel *kernels;
    size_t kernel_count;
    double threads, bytes_per_ns, latency_ns; ///< of a node, and of links
};

/// What of a line's time is neither computing nor moving.
double gcl_prediction_host_ns(const struct gcl_prediction_line *line);

/// Writes tables for people.
void gcl_prediction_write(const struct gcl_prediction *prediction, FILE *out);
/// Draws it as SVG.
void gcl_prediction_draw(const struct gcl_prediction *prediction, FILE *out);

#endif
