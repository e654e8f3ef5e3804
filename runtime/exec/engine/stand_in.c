// A thread that stands in takes units as a guest does, and leaves when as many threads run without
// it as there are workers.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/engine/state.h"

struct gcl_stand_in {
    struct gcl_engine *engine;
    pthread_t id;
    uint64_t line; ///< of the trace
    void *scratch;
    struct gcl_stand_in *next;
};

void gcl_engine_set_stand_ins(struct gcl_engine *engine, unsigned most) {
    engine->stand_ins.most = engine->options.worker_count > 1 ? most : 0;
}

/// A launch of which units are left, in any order; NULL: there is none.
static struct gcl_command *find_work(const struct gcl_engine *engine) {
    struct gcl_command *command = engine->lanes[GCL_LANE_COMPUTE].first;
    while (command && (command->kind != GCL_COMMAND_RUN || command->run.is_cooperative ||
                       command->run.is_ordered || gcl_work_left(&command->work) == 0))
        command = command->next;
    return command;
}

/// Sleeps until it is called. False: the engine is closing.
static bool wait_for_call(struct gcl_engine *engine) {
    struct gcl_stand_ins *all = &engine->stand_ins;
    all->idle++;
    while (all->called == 0 && !engine->is_closing)
        pthread_cond_wait(&all->condition, &engine->lock);
    all->idle--;
    if (engine->is_closing)
        return false;
    all->called--;
    return true;
}

static void *run(void *argument) {
    struct gcl_stand_in *thread = argument;
    struct gcl_engine *engine = thread->engine;
    const struct gcl_device *device = engine->options.device;
    const struct gcl_participant who = {.line = thread->line,
                                        .slot = GCL_WORK_GUEST,
                                        .scratch = thread->scratch,
                                        .stands_in = true};
    pthread_setname_np(pthread_self(), "gcl-stand-in");
    device->units->enter_thread(device);
    gcl_listeners_began_thread(engine->options.listeners, who.line, "stand-in");
    pthread_mutex_lock(&engine->lock);
    do {
        struct gcl_command *command;
        while (!gcl_stand_in_is_needless(engine) && (command = find_work(engine)) != NULL)
            gcl_engine_participate(engine, command, &who);
        atomic_fetch_sub(&engine->stand_ins.active, 1);
    } while (wait_for_call(engine));
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

static void destroy(struct gcl_stand_in *thread) {
    const struct gcl_device *device = thread->engine->options.device;
    if (thread->scratch)
        device->units->close_scratch(device, thread->scratch);
    free(thread);
}

/// Another thread that begins. False, and there won't be more: it can't be had.
static bool start(struct gcl_engine *engine) {
    struct gcl_stand_ins *all = &engine->stand_ins;
    const struct gcl_device *device = engine->options.device;
    struct gcl_stand_in *thread = calloc(1, sizeof *thread);
    pthread_attr_t attributes;
    if (!thread)
        return false;
    // Behind the lines of the engine's threads, of those that help and of the device's queue.
    *thread = (struct gcl_stand_in){.engine = engine,
                                    .line = engine->options.worker_count +
                                            (uint64_t)GCL_LANE_COUNT + 2 + all->count,
                                    .scratch = device->units->open_scratch(device),
                                    .next = all->first};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, GCL_ENGINE_STACK_SIZE);
    int error = thread->scratch ? pthread_create(&thread->id, &attributes, run, thread) : ENOMEM;
    pthread_attr_destroy(&attributes);
    if (error) {
        gcl_log(GCL_LOG_DEBUG, "no more threads stand in for those that stop: %s", strerror(error));
        destroy(thread);
        return false;
    }
    all->first = thread;
    all->count++;
    return true;
}

/// One more thread stands in, if fewer do than have stopped and there is work.
static void call_in(struct gcl_engine *engine) {
    struct gcl_stand_ins *all = &engine->stand_ins;
    if (atomic_load(&all->active) >= atomic_load(&all->stopped) || engine->is_closing ||
        !find_work(engine))
        return;
    if (all->idle > all->called) {
        all->called++;
        pthread_cond_signal(&all->condition);
    } else if (all->count == all->most || !start(engine)) {
        all->most = all->count;
        return;
    }
    atomic_fetch_add(&all->active, 1);
}

/// Whether a thread runs units of launches and hasn't stopped, or is about to.
static bool others_run(const struct gcl_engine *engine) {
    for (const struct gcl_presence *presence = engine->present; presence; presence = presence->next)
        if (presence->command->kind == GCL_COMMAND_RUN && !presence->stopped_at)
            return true;
    return engine->stand_ins.called > 0;
}

bool gcl_engine_stopped(struct gcl_engine *engine, pid_t thread, uintptr_t page,
                        const struct gcl_kernel **kernel) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_presence *presence = gcl_engine_presence(engine, thread);
    bool is_run = presence && presence->command->kind == GCL_COMMAND_RUN;
    bool may_stand_in = engine->stand_ins.most > 0;
    *kernel = is_run ? presence->command->run.launch.kernel : NULL;
    if (is_run && may_stand_in) {
        if (!presence->stopped_at)
            atomic_fetch_add(&engine->stand_ins.stopped, 1);
        presence->stopped_at = page;
        call_in(engine);
    }
    bool result = may_stand_in && others_run(engine);
    pthread_mutex_unlock(&engine->lock);
    return result;
}

void gcl_stand_ins_leave(struct gcl_engine *engine, struct gcl_presence *presence) {
    if (presence->stopped_at)
        atomic_fetch_sub(&engine->stand_ins.stopped, 1);
    presence->stopped_at = 0;
}

void gcl_engine_went_on(struct gcl_engine *engine, uintptr_t begin, uintptr_t end) {
    if (atomic_load(&engine->stand_ins.stopped) == 0)
        return;
    pthread_mutex_lock(&engine->lock);
    for (struct gcl_presence *presence = engine->present; presence; presence = presence->next) {
        if (presence->stopped_at >= begin && presence->stopped_at < end)
            gcl_stand_ins_leave(engine, presence);
    }
    pthread_mutex_unlock(&engine->lock);
}

void gcl_stand_ins_stop(struct gcl_engine *engine) {
    struct gcl_stand_in *thread = engine->stand_ins.first, *next;
    pthread_mutex_lock(&engine->lock);
    pthread_cond_broadcast(&engine->stand_ins.condition);
    pthread_mutex_unlock(&engine->lock);
    for (; thread; thread = next) {
        next = thread->next;
        pthread_join(thread->id, NULL);
        destroy(thread);
    }
    engine->stand_ins.first = NULL;
}
