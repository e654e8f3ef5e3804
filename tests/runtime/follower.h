// Node 1 of a job of two, without the other one: operations are handed to it as node 0 would send
// them, and it computes. What it would exchange with node 0 goes nowhere.
#ifndef FOLLOWER_H
#define FOLLOWER_H

#include "exec/spread/core.h"

enum { FOLLOWER_ARGUMENTS = 300, FOLLOWER_VARIABLE = 64, FOLLOWER_WORKERS = 2 };

/// The object of the only kernel and the only variable that it knows.
#define FOLLOWER_CODE "follower-code"
#define FOLLOWER_KERNEL "step"

struct follower {
    struct gcl_spread *spread;
    struct gcl_engine *engine;
    struct gcl_space *space;
    uint64_t begin, end; ///< addresses of memory
    char reason[256];    ///< why it gave up last
    int given_up;        ///< how often it has
    /// Told of what it would exchange with node 0, which goes on when that returns; NULL: nobody.
    void (*exchanges)(const struct gcl_request *requests, size_t count);
};

/// The only one of a process; ends the process if there is no memory.
struct follower *follower_start(void);
/// Gives an operation the number that is due, writes it, and hands it over.
bool follower_apply(struct follower *follower, struct gcl_operation *operation);
/// The same for bytes, which are copied to a block of their size.
bool follower_apply_bytes(struct follower *follower, const void *bytes, size_t size);
/// Waits until all that it has been given is done, and has it go on if it has given up.
void follower_settle(struct follower *follower);

#endif
