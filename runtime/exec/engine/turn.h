// A thread's turn at a device that others have in between (base/lease.h). Whoever has claimed units
// keeps the lease until they are run, since blocks may wait for those of other threads.
#ifndef GCL_EXEC_ENGINE_TURN_H
#define GCL_EXEC_ENGINE_TURN_H

#include "base/lease.h"
#include "exec/engine/engine.h"

struct gcl_turn_taken {
    struct gcl_engine *engine;
    const struct gcl_lease_end *lease; ///< NULL: nobody else has the device
    bool is_mine;
    uint64_t begin_ns;
    uint64_t waited_ns; ///< between units
};

/// Waits until this process may run units of a command. If it never may again, the engine has
/// failed.
struct gcl_turn_taken gcl_turn_begin(struct gcl_engine *engine, const struct gcl_command *command);
/// Between units: lets others have the device if they want it, and waits until it is back. Returns
/// whether it has waited.
bool gcl_turn_renew(struct gcl_turn_taken *turn);
void gcl_turn_end(struct gcl_turn_taken *turn);

static inline bool gcl_turn_is_mine(const struct gcl_turn_taken *turn) {
    return !turn->lease || turn->is_mine;
}

#endif
