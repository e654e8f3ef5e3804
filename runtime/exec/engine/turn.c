#include "exec/engine/turn.h"

#include "base/clock.h"
#include "exec/engine/state.h"

static void take(struct gcl_turn_taken *turn) {
    turn->is_mine = gcl_lease_enter(turn->lease);
    if (!turn->is_mine)
        gcl_engine_fail(turn->engine, GCL_UNAVAILABLE);
    turn->begin_ns = gcl_clock_ns();
}

struct gcl_turn_taken gcl_turn_begin(struct gcl_engine *engine, const struct gcl_command *command) {
    struct gcl_turn_taken turn = {
        .engine = engine, .lease = command->kind == GCL_COMMAND_RUN ? engine->options.lease : NULL};
    if (turn.lease)
        take(&turn);
    return turn;
}

bool gcl_turn_renew(struct gcl_turn_taken *turn) {
    if (!turn->lease || !turn->is_mine || !gcl_lease_is_recalled(turn->lease))
        return false;
    uint64_t end_ns = gcl_clock_ns();
    gcl_lease_leave(turn->lease, end_ns - turn->begin_ns);
    take(turn);
    turn->waited_ns += turn->begin_ns - end_ns;
    return true;
}

void gcl_turn_end(struct gcl_turn_taken *turn) {
    if (turn->lease && turn->is_mine)
        gcl_lease_leave(turn->lease, gcl_clock_ns() - turn->begin_ns);
}
