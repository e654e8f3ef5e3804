// From which size on it pays to spread a launch: what its blocks take, by the compiler's estimate,
// against what a launch costs on two nodes, by the runtime's own planner and forecast with the link
// that they assume where none is measured.
#ifndef GCL_EXPLAIN_WORTH_H
#define GCL_EXPLAIN_WORTH_H

#include "explain.h"

/// "pays from about 5000 blocks of 32 x 8 threads on (2 nodes of 16 threads)", to be freed; NULL:
/// nobody can say, as data decides what a block takes, or arguments do in a way that isn't simple.
char *gcl_worth(const struct gcl_explained_kernel *kernel);

#endif
