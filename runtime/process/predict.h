// A prediction (GCL_PREDICT): this process runs the program by itself, as node 0 of a job whose
// other nodes never have anything to do.
#ifndef GCL_PROCESS_PREDICT_H
#define GCL_PROCESS_PREDICT_H

#include <stdbool.h>

struct gcl_runtime;

/// Makes this process node 0 of such a job.
void gcl_predict_join(struct gcl_runtime *runtime);
/// Once it is known how many threads there are, and before memory is allocated. False: no memory.
bool gcl_predict_begin(struct gcl_runtime *runtime);
/// When all commands are done: writes what was predicted.
void gcl_predict_report(struct gcl_runtime *runtime);

#endif
