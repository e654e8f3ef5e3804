// Answers gcluster-top, on node 0 of a job of several nodes.
#ifndef GCL_PROCESS_TOP_H
#define GCL_PROCESS_TOP_H

struct gcl_runtime;

/// Answers in a thread of its own from now on. Without one, which is logged, there are no answers.
void gcl_top_start(struct gcl_runtime *runtime);
/// Returns when nobody is answered any more.
void gcl_top_stop(void);

#endif
