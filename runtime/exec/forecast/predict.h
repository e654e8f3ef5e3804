// What a program would take on clusters of several sizes: while node 0 does all alone, each command
// is foreseen (foresight.h) for each of them, and then waited for, so that its blocks are measured
// by themselves.
//
// A cluster has two clocks, of the host and of its nodes. The host's goes on by what passes between
// commands, and by what planning takes; a command begins when both have come to it, and takes the
// nodes' clock on by what moves and by the blocks of the node that has most of them. Where the
// program waits, the host's clock comes up.
#ifndef GCL_EXEC_FORECAST_PREDICT_H
#define GCL_EXEC_FORECAST_PREDICT_H

#include "base/predict_text.h"
#include "exec/engine/engine.h"
#include "exec/watch/prediction.h"
#include "plan/schedule/forecast.h"

struct gcl_predict;
/// For one node, `cluster`'s home with its threads, and for clusters of each of `counts` such
/// nodes. NULL: no memory.
struct gcl_predict *gcl_predict_create(const struct gcl_predict_counts *counts,
                                       const struct gcl_forecast_cluster *cluster);

// One thread at a time, while a lock is held.

void gcl_predict_allocate(struct gcl_predict *predict, uint64_t begin, uint64_t size,
                          enum gcl_host_use use);
void gcl_predict_free(struct gcl_predict *predict, uint64_t begin);
/// Node 0 is going to do a command; a run's blocks are going to be measured.
void gcl_predict_before(struct gcl_predict *predict, struct gcl_command *command);
/// That command has been submitted, and is done `taken_ns` later; 0: nobody waited for it.
void gcl_predict_after(struct gcl_predict *predict, uint64_t taken_ns);
/// The program has waited for its commands.
void gcl_predict_waited(struct gcl_predict *predict);

/// What comes of it; lives as long as `predict`. NULL: no memory.
const struct gcl_prediction *gcl_predict_end(struct gcl_predict *predict);

#endif
