// What a node is for one thread of a sample launch, in one iteration of the loops around it.
#ifndef GCL_EXPLAIN_POINT_H
#define GCL_EXPLAIN_POINT_H

#include "sample.h"

struct gcl_point {
    uint32_t block[3];
    uint32_t thread[3];
    uint32_t iteration; ///< of each loop
};

/// The number, extended by its sign; false if it depends on data.
bool gcl_point_value(const struct gcl_sample *sample, const struct gcl_point *at, uint16_t node,
                     int64_t *value);

#endif
