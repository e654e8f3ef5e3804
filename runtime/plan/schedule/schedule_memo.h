// Schedules that have been found before: a launch that is repeated while the bytes that it needs
// are where they were then has the same.
#ifndef GCL_PLAN_SCHEDULE_MEMO_H
#define GCL_PLAN_SCHEDULE_MEMO_H

#include "plan/schedule/schedule.h"

/// For one kernel and one directory; used by one thread at a time.
struct gcl_schedule_memo;
/// As gcl_scheduler_create. The reader outlives the memo.
struct gcl_schedule_memo *gcl_schedule_memo_create(const struct gcl_program *program,
                                                   struct gcl_directory *directory,
                                                   const struct gcl_reader *reader);
void gcl_schedule_memo_destroy(struct gcl_schedule_memo *memo);

/// As gcl_scheduler_count_moves; before the first launch.
void gcl_schedule_memo_count_moves(struct gcl_schedule_memo *memo);
/// As gcl_scheduler_limit. A launch that took too long is planned anew where it may take twice as
/// many steps.
void gcl_schedule_memo_limit(struct gcl_schedule_memo *memo, int64_t steps);
/// As gcl_scheduler_weigh; `number` is another one each time that weights are.
void gcl_schedule_memo_weigh(struct gcl_schedule_memo *memo, const uint32_t *weights,
                             uint64_t number);

/// As gcl_scheduler_fault.
void gcl_schedule_memo_fault(struct gcl_schedule_memo *memo, bool faults);
/// Whether launches may have the reader asked, which may wait for all that came before; they may
/// until they are told.
void gcl_schedule_memo_look(struct gcl_schedule_memo *memo, bool looks);

/// Bytes that it takes.
size_t gcl_schedule_memo_memory(const struct gcl_schedule_memo *memo);
/// As gcl_scheduler_find, from memory where that is possible; the schedule belongs to the memo and
/// is valid until the next call. Memos that saw the same calls and directories find in the same
/// way, and ask their readers for the same. NULL: no memory.
const struct gcl_schedule *gcl_schedule_memo_find(struct gcl_schedule_memo *memo,
                                                  const struct gcl_launch_part *launch,
                                                  uint32_t node);
/// The border of a node's part of the launch that was found last (border.h). NULL: it has none, or
/// it has been planned for the first time: what isn't repeated isn't looked at. Belongs to the
/// memo, and is valid until the next call unless somebody holds it.
struct gcl_border *gcl_schedule_memo_border(struct gcl_schedule_memo *memo,
                                            const struct gcl_launch_part *launch, uint32_t node);

#endif
