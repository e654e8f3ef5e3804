// Only exchanges take time, and only those of movements carry the program's bytes.
#include "exec/exchange/meter.h"

#include <stdlib.h>

#include "base/clock.h"
#include "exec/exchange/movement.h"
#include "exec/watch/listener.h"

struct meter {
    struct gcl_communicator communicator;
    const struct gcl_listeners *listeners;
};

static void broadcast(void *context, const void *bytes, size_t size) {
    const struct meter *meter = context;
    meter->communicator.broadcast(meter->communicator.context, bytes, size);
}

static void expect(void *context, const struct gcl_request *request,
                   void (*came)(void *receiver, enum gcl_status status), void *receiver) {
    const struct meter *meter = context;
    meter->communicator.expect(meter->communicator.context, request, came, receiver);
}

typedef enum gcl_status carry(void *context, struct gcl_turn turn,
                              const struct gcl_request *requests, size_t count);

/// Measures an exchange, which is told of once it is over.
static enum gcl_status measure(const struct meter *meter, carry *function, struct gcl_turn turn,
                               const struct gcl_request *requests, size_t count) {
    struct gcl_heard_exchange heard = {
        .track = turn.track, .requests = requests, .count = count, .begin_ns = gcl_clock_ns()};
    turn.mapped = &heard.mapped;
    enum gcl_status status = function(meter->communicator.context, turn, requests, count);
    if (count == 0 || status == GCL_NOT_READY)
        return status;
    heard.name = gcl_movement_name(requests[0].tag);
    heard.end_ns = gcl_clock_ns();
    gcl_listeners_exchanged(meter->listeners, &heard);
    return status;
}

static enum gcl_status exchange(void *context, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count) {
    const struct meter *meter = context;
    return measure(meter, meter->communicator.exchange, turn, requests, count);
}

static enum gcl_status attempt(void *context, struct gcl_turn turn,
                               const struct gcl_request *requests, size_t count) {
    const struct meter *meter = context;
    return measure(meter, meter->communicator.attempt, turn, requests, count);
}

static bool is_near(void *context, gcl_node node) {
    const struct meter *meter = context;
    return meter->communicator.is_near(meter->communicator.context, node);
}

static enum gcl_status read_requests(void *context, const struct gcl_request *requests,
                                     size_t count) {
    const struct meter *meter = context;
    struct gcl_heard_exchange heard = {.track = GCL_TRACK_OUT,
                                       .name = "read",
                                       .requests = requests,
                                       .count = count,
                                       .begin_ns = gcl_clock_ns(),
                                       .is_alone = true};
    enum gcl_status status = meter->communicator.read(meter->communicator.context, requests, count);
    heard.end_ns = gcl_clock_ns();
    gcl_listeners_exchanged(meter->listeners, &heard);
    return status;
}

static void give_up(void *context, const char *reason) {
    const struct meter *meter = context;
    meter->communicator.give_up(meter->communicator.context, reason);
}

enum gcl_status gcl_meter_init(struct gcl_communicator *communicator,
                               const struct gcl_listeners *listeners) {
    struct meter *meter = malloc(sizeof *meter);
    if (!meter)
        return GCL_NO_MEMORY;
    *meter = (struct meter){*communicator, listeners};
    *communicator = (struct gcl_communicator){.broadcast = broadcast,
                                              .exchange = exchange,
                                              .attempt = attempt,
                                              .is_near = is_near,
                                              .read = read_requests,
                                              .expect = expect,
                                              .give_up = give_up,
                                              .context = meter};
    return GCL_OK;
}
