// Launches: how each of them is spread, and this node's share of it.
#ifndef GCL_EXEC_SPREAD_LAUNCH_H
#define GCL_EXEC_SPREAD_LAUNCH_H

#include "exec/spread/core.h"

/// Which launch it is, and where.
struct gcl_spread_site {
    uint32_t kernel; ///< number
    uint32_t node;   ///< the only one that may run it; GCL_NOBODY: they share it
    uint64_t sequence;
    uint32_t track;    ///< wanted
    uint32_t planning; ///< steps that this may take; 0: any number
    bool may_wait;     ///< for commands that came before
    bool faults;       ///< pages of what is read vaguely come as they are touched
};

/// False: no memory.
bool gcl_spread_create_launches(struct gcl_spread *spread);
/// Gives a kernel the next number. False: no memory.
bool gcl_spread_add_kernel(struct gcl_spread *spread, const struct gcl_kernel *kernel);
/// Node 0: the number of a kernel, which the others are told. False: no memory.
bool gcl_spread_number(struct gcl_spread *spread, const struct gcl_kernel *kernel,
                       const struct gcl_code *code, uint32_t *number);
/// Node 0: nobody launches an object's kernels any more, as it is unloaded.
void gcl_spread_drop_kernels(struct gcl_spread *spread, const struct gcl_code *code);
/// Node 0: tells of the kernels that the others don't know yet.
void gcl_spread_tell_kernels(struct gcl_spread *spread);
/// Submits this node's share of a launch; `command` runs all of it.
struct gcl_fence gcl_spread_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command, const struct gcl_spread_site *site);
/// `node`: the only one that may run it; GCL_NOBODY: they share it.
struct gcl_fence gcl_spread_submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                       struct gcl_command *command, const struct gcl_code *code,
                                       uint32_t node);
/// The kernel of a number, NULL: there is none; and how many there are.
const struct gcl_kernel *gcl_spread_kernel(const struct gcl_spread *spread, uint32_t number);
uint32_t gcl_spread_kernel_count(const struct gcl_spread *spread);
/// What blocks of a kernel have taken on this node since launches are measured; NULL: none has
/// been.
const struct gcl_run_cost *gcl_spread_kernel_cost(const struct gcl_spread *spread, uint32_t number);
/// Node 0: of what might have come by faults of a launch of a kernel, the largest part that did
/// since this was asked last, in thousandths; GCL_FORECAST_UNKNOWN: there was no such launch.
uint32_t gcl_spread_take_touched(struct gcl_spread *spread, uint32_t number);
/// While a launch is planned: its kernel's number, and that this has waited for commands before it,
/// to look up what they leave behind.
uint32_t gcl_spread_launched_kernel(const struct gcl_spread *spread);
void gcl_spread_note_wait(struct gcl_spread *spread, uint64_t time_ns);
/// Bytes that schedules take.
size_t gcl_spread_schedule_memory(const struct gcl_spread *spread);

#endif
