// A command: one thing the device does, and what waits for it. Commands form a graph; the engine
// owns it and starts a command when nothing it waits for is left.
#ifndef GCL_EXEC_COMMAND_H
#define GCL_EXEC_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/communicator/track.h"
#include "exec/device/device.h"
#include "exec/engine/work.h"

enum gcl_command_kind {
    GCL_COMMAND_RUN,    ///< run a kernel
    GCL_COMMAND_COPY,   ///< copy or set a box of bytes
    GCL_COMMAND_CALL,   ///< call a function, mostly of the program
    GCL_COMMAND_FREE,   ///< free memory
    GCL_COMMAND_RECORD, ///< record an event
    GCL_COMMAND_WAIT,   ///< nothing; exists to wait and to be waited for
};

struct gcl_stream;
struct gcl_event;
struct gcl_command;

struct gcl_host_call {
    void (*function)(void *data);
    void *data;
    /// Of a function of the runtime's, for traces. NULL: it is the program's, and has a thread of
    /// its own.
    const char *name;
    /// Of the runtime's: it runs on a thread that the track has for itself, where it may wait for
    /// other nodes.
    enum gcl_track track;
    bool leaves_workers; ///< false: with GCL_TRACK_KERNELS it runs where kernels run
    /// Of the runtime's, where nodes aren't devices: does what the function does, if that takes no
    /// waiting. Runs where kernels run, perhaps several times. False: something is left, for
    /// another attempt or for the function. NULL: there are none.
    bool (*attempt)(void *data);
    uint64_t attempted_ns; ///< the engine's: when the first attempt was over; 0: there was none
    /// Instead of `function`, of the runtime's: called with each number below `share_count`, by
    /// several workers at once.
    void (*share)(void *data, uint32_t number);
    uint32_t share_count;
};

struct gcl_release {
    struct gcl_space *space;
    void *memory;
};

/// `command` waits for the one in whose list this edge hangs.
struct gcl_edge {
    struct gcl_command *command;
    struct gcl_edge *next;
};

struct gcl_command {
    enum gcl_command_kind kind;
    struct gcl_stream *stream;
    union {
        struct gcl_run run;
        struct gcl_box_copy copy;
        struct gcl_host_call call;
        struct gcl_release release;
        struct gcl_event *event;
    };

    // The engine's, under its lock.
    uint32_t unmet;              ///< commands it still waits for
    uint32_t participants;       ///< threads that run its units
    bool is_listed;              ///< in its lane's list
    bool is_small;               ///< one thread is woken first, more when it turns out long
    bool is_awaited;             ///< whoever submits it waits for it and will run it
    bool is_put_off;             ///< an attempt has left something
    bool is_waiting;             ///< its blocks wait for others, perhaps of other commands
    bool is_told;                ///< of that, and for how long
    bool is_aside;               ///< it has a place in its stream, but not among all commands
    bool is_fit;                 ///< it has been made to fit the device, or belongs to such a one
    bool is_vague;               ///< and may touch more than is known of it
    bool flows;                  ///< it goes into a queue of the device (queue.h)
    bool is_put;                 ///< and is there
    atomic_bool may_widen;       ///< others may still be woken
    struct gcl_edge *dependents; ///< who waits for it
    struct gcl_edge in_stream;   ///< its edge from the command before it
    struct gcl_command *next, *previous;
    uint64_t sequence; ///< its number in its stream, from 1
    struct gcl_device_mark *before,
        *mark;                 ///< in the queue, in front of it and behind it; NULL: none
    uint64_t begin_ns, end_ns; ///< `end_ns` 0: it has just ended
    uint64_t moved_ns;         ///< when one of the blocks that wait got further; 0: not yet
    uint64_t at_ns; ///< a moment's: what it has waited for so far was done then; 0: nothing yet

    struct gcl_work work;
};

#endif
