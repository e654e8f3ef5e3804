// What this node has to do for a plan besides running blocks: transfers before them, and after them
// putting together what several nodes changed.
#ifndef GCL_EXEC_MOVEMENT_H
#define GCL_EXEC_MOVEMENT_H

#include "cluster/communicator/communicator.h"
#include "plan/schedule/plan.h"

struct gcl_device;
struct gcl_memory_guard;
struct gcl_movement;
struct gcl_remote;
struct gcl_remote_task;

/// What a node carries out its part of a plan with.
struct gcl_movement_means {
    gcl_node self;
    struct gcl_communicator communicator;
    const struct gcl_device *device;
    struct gcl_memory_guard *guard; ///< node 0, if there is guarded memory
    struct gcl_remote *remote;      ///< NULL: no pages come as they are touched
};

/// What a movement is for: as struct gcl_request has it, and the number of the operation, by which
/// nodes name requests, and its track.
struct gcl_movement_purpose {
    const char *what;
    uint64_t sequence;
    enum gcl_track track;
};

/// Holds the plan for as long as it lives, and takes the task (remote.h; NULL: there is none).
/// NULL: no memory.
struct gcl_movement *gcl_movement_create(struct gcl_plan *plan, struct gcl_movement_purpose purpose,
                                         const struct gcl_movement_means *means,
                                         struct gcl_remote_task *task);
void gcl_movement_destroy(struct gcl_movement *movement);
/// Its plan, of which this node's transfers have been chosen.
const struct gcl_plan *gcl_movement_plan(const struct gcl_movement *movement);

/// Whether there is something to do on this node.
bool gcl_movement_has_before(const struct gcl_movement *movement);
bool gcl_movement_has_after(const struct gcl_movement *movement);
/// Whether pages begin or end to be absent before the blocks.
bool gcl_movement_has_task(const struct gcl_movement *movement);
/// Do this node's part before the blocks, and after them: return when the blocks may run, or when
/// the memory is as the plan says. Other nodes have to do theirs. GCL_NO_MEMORY, GCL_NODE_LOST,
/// GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_movement_before(struct gcl_movement *movement);
/// Does what gcl_movement_before does, if that takes no waiting. GCL_NOT_READY: something is left,
/// with which a later call of either goes on.
GCL_MUST_USE enum gcl_status gcl_movement_attempt(struct gcl_movement *movement);
GCL_MUST_USE enum gcl_status gcl_movement_after(struct gcl_movement *movement);
/// Bytes that came by the plan's faults, once gcl_movement_after is done: to all nodes, on node 0;
/// to this one on others.
uint64_t gcl_movement_came(const struct gcl_movement *movement);

/// For people, what is exchanged: "64 bytes for step, of 1024 bytes at 0x110000000000", of the
/// first allocation if there are several.
void gcl_movement_describe(const struct gcl_movement *movement, char *text, size_t size);

/// What a request of that number is for: "fetch", "merge", "touch", or "spill" of a depot; NULL:
/// nobody says.
const char *gcl_movement_name(uint64_t tag);
/// Numbers of requests that no movement has.
uint64_t gcl_movement_tag_beside(uint64_t sequence, size_t index);
/// Numbers of requests for bytes that are touched, which begin again at some index.
uint64_t gcl_movement_tag_touched(uint64_t index);
/// Numbers of a depot's requests (depot.h), which begin again likewise: for a wish, a chunk that is
/// put, and what is answered.
enum gcl_depot_request { GCL_DEPOT_WISH = 1, GCL_DEPOT_CHUNK, GCL_DEPOT_ANSWER };
uint64_t gcl_movement_tag_depot(enum gcl_depot_request request, uint64_t index);

#endif
