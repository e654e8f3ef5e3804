// A forecast: how long a program takes on a cluster, and how long on one node alone, found by
// planning what it does as the nodes would plan it. Nothing runs, and nothing is measured: what
// kernels take is given in blocks one after the other, and who knows what a block takes makes a
// time of it, perhaps later.
//
// Counted is what the node does that has most to do, one operation after the other. To move bytes
// takes the latency of a link once, and until who waits goes on; then as long as the node that
// sends or gets most needs for its messages and for the bytes at the speed of a link, in both
// directions at once.
#ifndef GCL_PLAN_FORECAST_H
#define GCL_PLAN_FORECAST_H

#include "plan/schedule/plan.h"

struct gcl_launch_part;
struct gcl_program;
struct gcl_reader;

/// A link between machines, by TLS, where none is measured or said.
#define GCL_FORECAST_NETWORK_BYTES_PER_NS 0.5
#define GCL_FORECAST_NETWORK_NS 50e3
/// What nodes need themselves, whatever the link: to wake up, for a message, for a byte of it.
#define GCL_FORECAST_WAKE_NS 10e3
#define GCL_FORECAST_MESSAGE_NS 1e3
#define GCL_FORECAST_BYTE_NS 0.2
/// What a thread takes for a page that it touches and another node has, besides a link's latency.
#define GCL_FORECAST_PAGE_NS 8e3

/// Bytes from which on what comes from the host goes on to other nodes, before they ask.
#define GCL_FORECAST_SCATTERED (1 << 20)
/// Threads that wake up one after the other until a node does what another one has sent it for.
#define GCL_FORECAST_WAKES 4

/// Nobody knows which part of what may come by faults does.
#define GCL_FORECAST_UNKNOWN UINT32_MAX

struct gcl_forecast_cluster {
    uint32_t node_count;
    double threads;      ///< of a node, as far as they run at the same time
    double home_threads; ///< of node 0, when it does all alone
    double wave;         ///< threads of blocks that fill node 0; 0: a block for each of its threads
    double bytes_per_ns; ///< from and to a node
    double latency_ns;   ///< of a link
    double wake_ns;      ///< until a node goes on with what has come
    double message_ns;   ///< that a node is busy for each message, besides
    double page_ns;      ///< that a page takes which comes as a thread touches it; 0: none does
    /// Of nodes' parts, with which all take the same time; outlives forecasts. NULL: all are like
    /// node 0.
    const uint32_t *weights;
};

/// What a link between two nodes takes.
struct gcl_forecast_link {
    double latency_ns;
    double bytes_per_ns; ///< with what nodes need themselves
};

struct gcl_forecast_moves {
    double time_ns; ///< of moving between nodes
    double waits;   ///< in which a link's latency is so many times,
    double carried; ///< and so many bytes at its speed, one after the other
    uint64_t bytes;
};

/// What all launches of a kernel take so far.
struct gcl_forecast_kernel {
    /// Blocks that run one after the other: on node 0 alone, and on the node that has most of them.
    double alone, spread;
    uint64_t launches, kept;             ///< of which run on one node and could have been split,
    uint16_t reason;                     ///< enum gcl_reason_code: why the latest of those does
    uint64_t versions;                   ///< private: sum of those of the latest such memory
    struct gcl_forecast_moves moves;     ///< for its launches
    struct gcl_schedule_memo *schedules; ///< private
};

/// What a plan moves. False: no memory.
GCL_MUST_USE bool gcl_forecast_price(const struct gcl_forecast_cluster *cluster,
                                     const struct gcl_plan *plan, struct gcl_forecast_moves *moves);

struct gcl_forecast;
/// NULL: no memory.
struct gcl_forecast *gcl_forecast_create(const struct gcl_forecast_cluster *cluster);
/// With its kernels.
void gcl_forecast_destroy(struct gcl_forecast *forecast);
/// A kernel of the program that hasn't been launched yet. `program` NULL: nothing is known of what
/// it touches. `reader`, which outlives the forecast, NULL: nothing is looked up in memory. Gives
/// NULL without memory.
struct gcl_forecast_kernel *gcl_forecast_add_kernel(struct gcl_forecast *forecast,
                                                    const struct gcl_program *program,
                                                    const struct gcl_reader *reader);

// What the program does, in its order. False: no memory, or what it does can't be said; the
// forecast is worth nothing then.

GCL_MUST_USE bool gcl_forecast_allocate(struct gcl_forecast *forecast, uint64_t begin,
                                        uint64_t size, enum gcl_host_use use);
void gcl_forecast_free(struct gcl_forecast *forecast, uint64_t begin);
/// From here on, as gcl_scheduler_limit, of all kernels.
void gcl_forecast_limit(struct gcl_forecast *forecast, int64_t steps);
/// From here on so much of what may come by faults does, in thousandths; GCL_FORECAST_UNKNOWN: as
/// much as takes a quarter of the time in which all of it would come before.
void gcl_forecast_touch(struct gcl_forecast *forecast, uint32_t touched);
/// A launch of a whole grid.
GCL_MUST_USE bool gcl_forecast_launch(struct gcl_forecast *forecast,
                                      struct gcl_forecast_kernel *kernel,
                                      const struct gcl_launch_part *launch);
/// The host, on node 0, reads bytes of an allocation, or writes them.
GCL_MUST_USE bool gcl_forecast_access(struct gcl_forecast *forecast, uint64_t begin,
                                      const struct gcl_region *bytes, bool is_written);
/// Bytes of an allocation become a value.
GCL_MUST_USE bool gcl_forecast_fill(struct gcl_forecast *forecast, uint64_t begin,
                                    const struct gcl_region *bytes, uint8_t value);
/// The allocation that holds `address`; NULL: none does.
const struct gcl_directory_entry *gcl_forecast_find(const struct gcl_forecast *forecast,
                                                    uint64_t address);

/// Links are like that: also for what moved so far.
void gcl_forecast_set_link(struct gcl_forecast *forecast, const struct gcl_forecast_link *link);

struct gcl_forecast_moves gcl_forecast_moves(const struct gcl_forecast *forecast);
/// Bytes that nodes other than 0 have by now and got or made: of what has never been written, they
/// are said to have a copy as well.
uint64_t gcl_forecast_away(const struct gcl_forecast *forecast);

#endif
