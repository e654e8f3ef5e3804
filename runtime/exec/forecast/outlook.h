// The outlook: whether the program would be faster on all nodes than on node 0 alone, or the other
// way round, judged by what it did so far. Node 0 asks with each launch.
//
// While node 0 does all alone, launches and copies are planned for all nodes besides (foresight.h),
// and what kernels' blocks take is measured. While all nodes take part, the time that passes is
// compared with what node 0 would have needed.
//
// What changing over can cost is bounded: it is done only if to bring the memory there and back
// takes a small part of the time so far, and given up when it has cost as much again. So whatever
// the program does, it takes at most a tenth longer than on node 0 alone, and GCL_OUTLOOK_LOSS_NS,
// but for one launch that is under way when that is found out. To plan a launch may take a tenth of
// what its blocks would take on node 0 alone; one that would take longer stays there.
#ifndef GCL_EXEC_FORECAST_OUTLOOK_H
#define GCL_EXEC_FORECAST_OUTLOOK_H

#include "exec/engine/engine.h"
#include "exec/watch/judgement.h"
#include "exec/watch/listener.h"
#include "plan/schedule/forecast.h"

/// What a program may lose besides, in all.
#define GCL_OUTLOOK_LOSS_NS 50e6
/// What measuring a link takes at most, unless nobody answers.
#define GCL_OUTLOOK_MEASURING_NS 40e6

struct gcl_outlook;
/// `clock_ns`: gcl_clock_ns, or a test's. `listeners` are told of each judgement, as is the log;
/// NULL: nobody else. NULL: no memory.
struct gcl_outlook *gcl_outlook_create(const struct gcl_forecast_cluster *cluster,
                                       const struct gcl_listeners *listeners,
                                       uint64_t (*clock_ns)(void));
void gcl_outlook_destroy(struct gcl_outlook *outlook);

/// What is known of nodes that aren't equally fast, as struct gcl_forecast_cluster has it, from
/// when node 0 next begins to do all alone.
void gcl_outlook_weigh(struct gcl_outlook *outlook, const uint32_t *weights);

// While node 0 does all alone.

void gcl_outlook_allocate(struct gcl_outlook *outlook, uint64_t begin, uint64_t size,
                          enum gcl_host_use use);
void gcl_outlook_free(struct gcl_outlook *outlook, uint64_t begin, uint64_t size);
/// Foresees a command that node 0 is going to do; a run's blocks are going to be measured.
void gcl_outlook_foresee(struct gcl_outlook *outlook, struct gcl_command *command);
/// Whether all nodes should take part from here on.
bool gcl_outlook_says_all(const struct gcl_outlook *outlook);
/// Whether a run that has been foreseen is to be done slice by slice, as far as that isn't done,
/// because it may pay to have all nodes do the rest of it: nothing is known of its kernel yet but
/// what the slices before took.
bool gcl_outlook_tries(struct gcl_outlook *outlook, const struct gcl_run *run);
/// Whether to measure the link between nodes again, as all nodes should take part if it were much
/// faster than it was: what was measured while a machine was busy may be anything. What a
/// measurement takes is among what may be lost: GCL_OUTLOOK_MEASURING_NS at most.
bool gcl_outlook_doubts_link(const struct gcl_outlook *outlook);
/// It has been measured, unless `link` is NULL: no answer. The better figures of all measurements
/// count, as other work only ever makes a link look slower.
void gcl_outlook_measured(struct gcl_outlook *outlook, const struct gcl_forecast_link *link,
                          uint64_t taken_ns);

/// Steps (plan/schedule/schedule.h) that planning a run may take, for node 0 alone or for all.
uint32_t gcl_outlook_planning(const struct gcl_outlook *outlook, const struct gcl_run *run);

/// Of what a kernel's launches may get by faults so much does, in thousandths (forecast.h), as was
/// seen while all nodes took part.
void gcl_outlook_learn(struct gcl_outlook *outlook, const struct gcl_kernel *kernel,
                       uint32_t touched);

// While all nodes take part.

/// All nodes begin to take part: with GCL_JUDGED_ALL as the outlook says so, with GCL_JUDGED_FULL
/// as node 0 has no room for the memory.
void gcl_outlook_begin_all(struct gcl_outlook *outlook, enum gcl_judgement_kind why);
void gcl_outlook_note(struct gcl_outlook *outlook, struct gcl_run *run);
/// Like gcl_outlook_note, of what is left of a run that has been foreseen for node 0.
void gcl_outlook_take_over(struct gcl_outlook *outlook, struct gcl_run *run);
/// Whether node 0 should do all alone from here on.
bool gcl_outlook_says_alone(const struct gcl_outlook *outlook);
/// Node 0 begins to do all alone. Whatever is allocated is told anew, by gcl_outlook_allocate.
void gcl_outlook_begin_alone(struct gcl_outlook *outlook);

/// The program is at its end: says what came of it.
void gcl_outlook_conclude(struct gcl_outlook *outlook);

/// Notes a launch's fence; and which launch has to be done before another one is submitted, so that
/// not too much is under way when the outlook changes (of no stream: none has).
void gcl_outlook_submitted(struct gcl_outlook *outlook, struct gcl_fence fence);
struct gcl_fence gcl_outlook_backlog(const struct gcl_outlook *outlook);

#endif
