// Commands that have to wait for others while they run: they let these go first, on the same
// threads.
//
// A launch whose blocks all wait may wait for another launch, a copy or the host. So its thread
// looks for other commands before it comes back to it, and leaves its core to others where there
// are none. Whoever waits long is told of, since it may wait for ever.
#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/name.h"
#include "exec/engine/state.h"

#define PATIENCE_NS 20000u             // how long a call is attempted
#define NAP_NS 50000                   // how long a launch sleeps that has waited for long
#define LONG_NS UINT64_C(1000000)      // which is this
#define REPORT_NS UINT64_C(2000000000) // and this a person wants to know

static bool put_off_call(struct gcl_engine *engine, struct gcl_command *command) {
    const struct gcl_command *first = engine->lanes[GCL_LANE_COMPUTE].first;
    struct gcl_host_call *call = &command->call;
    assert(command->kind == GCL_COMMAND_CALL && call->attempt && !command->is_listed);
    command->is_put_off = false;
    if (!first || (first->kind == GCL_COMMAND_CALL && first->call.attempted_ns)) {
        pthread_mutex_unlock(&engine->lock);
        sched_yield(); // others may bring what it waits for
        uint64_t now_ns = gcl_clock_ns();
        pthread_mutex_lock(&engine->lock);
        if (!call->attempted_ns)
            call->attempted_ns = now_ns;
        if (now_ns - call->attempted_ns > PATIENCE_NS)
            call->attempt = NULL;
    } else if (!call->attempted_ns) {
        call->attempted_ns = gcl_clock_ns();
    }
    gcl_engine_list(engine, command, 1);
    return true;
}

/// Tells where blocks of a launch wait, which none of them gets further, and ends it if that can't
/// change.
static void report(const struct gcl_command *command) {
    const struct gcl_block_launch *launch = &command->run.launch;
    char place[160], name[60], origin[300] = "";
    gcl_waiting_print(&command->run.waiting, launch->kernel, place, sizeof place);
    if (command->run.is_closed) {
        char what[320];
        snprintf(what, sizeof what,
                 "waits in a loop on %s for memory that nothing changes meanwhile: of several "
                 "nodes, what other streams do with it comes after the kernel",
                 place);
        gcl_fault_report(launch, GCL_FAULT_WAIT, what, "on the CPU");
        return;
    }
    if (launch->file)
        snprintf(origin, sizeof origin, ", launched at %s:%u,", launch->file, launch->line);
    gcl_log(GCL_LOG_WARN,
            "%s%s has waited for %u s in a loop on %s; unless another stream or the host writes "
            "what it waits for, it will not end",
            gcl_name_demangle(launch->kernel->name, name, sizeof name), origin,
            (unsigned)(REPORT_NS / 1000000000), place);
}

// Nobody got further: others may, if they get the core.
static void rest(struct gcl_engine *engine, struct gcl_command *command) {
    const struct timespec nap = {.tv_nsec = NAP_NS};
    const struct gcl_command *first = engine->lanes[GCL_LANE_COMPUTE].first;
    uint64_t now_ns = gcl_clock_ns();
    if (!command->moved_ns)
        command->moved_ns = now_ns;
    uint64_t waited_ns = now_ns - command->moved_ns;
    bool is_told = waited_ns > REPORT_NS && !command->is_told;
    command->is_told |= is_told;
    bool is_idle = !first || first->is_waiting;
    pthread_mutex_unlock(&engine->lock);
    if (is_told)
        report(command);
    if (is_idle && waited_ns > LONG_NS)
        nanosleep(&nap, NULL);
    else
        sched_yield();
    pthread_mutex_lock(&engine->lock);
}

static bool put_back_launch(struct gcl_engine *engine, struct gcl_command *command) {
    const struct gcl_device *device = engine->options.device;
    bool has_moved = true, gives_up = gcl_engine_status(engine) != GCL_OK;
    uint32_t count = 0;
    if (device->units->cut_again)
        count = device->units->cut_again(device, &command->run, gives_up, &has_moved);
    if (count == 0)
        return false;
    command->is_waiting = true;
    if (has_moved)
        command->moved_ns = 0;
    else
        rest(engine, command);
    gcl_engine_list_again(engine, command, count);
    return true;
}

bool gcl_engine_put_back(struct gcl_engine *engine, struct gcl_command *command) {
    assert(!command->is_listed && command->participants == 0);
    if (command->kind == GCL_COMMAND_RUN)
        return put_back_launch(engine, command);
    return command->is_put_off && put_off_call(engine, command);
}
