// What people say for a prediction, in the environment and on gcluster-run's command line.
#ifndef GCL_BASE_PREDICT_TEXT_H
#define GCL_BASE_PREDICT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GCL_PREDICT_MOST = 16, GCL_PREDICT_MOST_NODES = 65536 };

/// Numbers of nodes to predict for, ascending, from 2 on.
struct gcl_predict_counts {
    uint32_t counts[GCL_PREDICT_MOST];
    size_t count;
};

/// A link between nodes.
struct gcl_predict_link {
    double bytes_per_ns, latency_ns;
};

// False: the text can't be read; the result is undefined.

/// Reads "2,8,64": GCL_PREDICT_MOST ascending numbers from 2 to GCL_PREDICT_MOST_NODES at most.
bool gcl_predict_parse_counts(const char *text, struct gcl_predict_counts *counts);
/// Reads "12.5GB/s,2us": kB/s, MB/s, GB/s or TB/s (powers of 1000), and ns, us or ms.
bool gcl_predict_parse_link(const char *text, struct gcl_predict_link *link);

#endif
