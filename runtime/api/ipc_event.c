// A page for each event, which all its processes have: how often it was recorded, and which of the
// last records are reached. Who waits for one sleeps on its place in the page (a futex); a stream
// that does is held by a thread of its own meanwhile, so that nothing else waits.
#include "api/ipc_event.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "api/api.h"
#include "api/ipc.h"
#include "base/clock.h"
#include "base/log.h"
#include "exec/memory/share.h"

enum { PLACES = 256, PAGE_SIZE = 4096, PATIENCE_MS = 100 };

struct record {
    atomic_uint reached;  ///< the number of the latest record of this place that is reached
    atomic_uint recorder; ///< process of the latest one that was made
};

struct page {
    atomic_uint count; ///< records that were made, numbered from 1
    struct record records[PLACES];
};
static_assert(sizeof(struct page) <= PAGE_SIZE, "");

/// An event's page in this process.
struct shared_event {
    struct page *page;
    struct gcl_share share;
    atomic_uint users; ///< the event, and who waits
};

struct known {
    const struct gcl_event *event;
    struct shared_event *shared;
    struct known *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *list;
static atomic_uint any;

bool gcl_ipc_event_is_any(void) {
    return atomic_load_explicit(&any, memory_order_relaxed) > 0;
}

static void leave(struct shared_event *shared) {
    if (!shared || atomic_fetch_sub(&shared->users, 1) > 1)
        return;
    gcl_share_forget((uintptr_t)shared->page, (uintptr_t)shared->page + PAGE_SIZE);
    munmap(shared->page, PAGE_SIZE);
    free(shared);
}

/// What processes share of an event, used until leave(). NULL: nothing.
static struct shared_event *use(const struct gcl_event *event) {
    pthread_mutex_lock(&lock);
    struct known *known = list;
    while (known && known->event != event)
        known = known->next;
    struct shared_event *shared = known ? known->shared : NULL;
    if (shared)
        atomic_fetch_add(&shared->users, 1);
    pthread_mutex_unlock(&lock);
    return shared;
}

/// A page for an event: one that is shared from here on, or another process's (`from`). NULL: that
/// can't be done.
static struct shared_event *create(const struct gcl_share *from) {
    struct shared_event *shared = malloc(sizeof *shared);
    void *page = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t begin = (uintptr_t)page;
    bool ok = shared && page != MAP_FAILED;
    if (ok && from)
        ok = from->size == PAGE_SIZE && gcl_share_map(from, begin) == GCL_OK;
    else if (ok)
        ok = gcl_share_pages(begin, begin + PAGE_SIZE, &shared->share) == GCL_OK;
    if (!ok) {
        if (page != MAP_FAILED)
            munmap(page, PAGE_SIZE);
        free(shared);
        return NULL;
    }
    if (from)
        shared->share = *from;
    shared->page = page;
    atomic_init(&shared->users, 1);
    return shared;
}

/// False: no memory.
static bool know(const struct gcl_event *event, struct shared_event *shared) {
    struct known *known = malloc(sizeof *known);
    if (!known)
        return false;
    pthread_mutex_lock(&lock);
    *known = (struct known){.event = event, .shared = shared, .next = list};
    list = known;
    atomic_fetch_add(&any, 1);
    pthread_mutex_unlock(&lock);
    return true;
}

void gcl_ipc_event_forget(const struct gcl_event *event) {
    pthread_mutex_lock(&lock);
    struct known **link = &list;
    while (*link && (*link)->event != event)
        link = &(*link)->next;
    struct known *known = *link;
    if (known) {
        *link = known->next;
        atomic_fetch_sub(&any, 1);
    }
    pthread_mutex_unlock(&lock);
    if (known)
        leave(known->shared);
    free(known);
}

// Records.

static bool is_reached(const struct page *page, unsigned number) {
    unsigned reached = atomic_load(&page->records[number % PLACES].reached);
    return number == 0 || (int)(reached - number) >= 0;
}

/// Waits until a record is reached. False: the process that made it is gone.
static bool await(struct page *page, unsigned number) {
    struct record *record = &page->records[number % PLACES];
    const struct timespec patience = {.tv_nsec = PATIENCE_MS * 1000000L};
    // Who records tells its number a moment after it has taken a place.
    for (int missed = 0; !is_reached(page, number) && missed < 2;) {
        unsigned reached = atomic_load(&record->reached);
        if ((int)(reached - number) >= 0)
            break;
        syscall(SYS_futex, &record->reached, FUTEX_WAIT, reached, &patience, NULL, 0);
        bool is_gone = kill((pid_t)atomic_load(&record->recorder), 0) != 0 && errno == ESRCH;
        missed = is_gone ? missed + 1 : 0;
    }
    return is_reached(page, number);
}

struct moment {
    struct shared_event *shared;
    unsigned number;
    struct gcl_engine *engine;
    struct gcl_command *held;
};

static void reach(void *data) {
    struct moment *moment = data;
    struct record *record = &moment->shared->page->records[moment->number % PLACES];
    atomic_store(&record->reached, moment->number);
    syscall(SYS_futex, &record->reached, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
    leave(moment->shared);
    free(moment);
}

gclError_t gcl_ipc_event_record(struct gcl_runtime *runtime, struct gcl_event *event,
                                struct gcl_stream *stream) {
    struct shared_event *shared = use(event);
    if (!shared)
        return gclSuccess;
    struct moment *moment = malloc(sizeof *moment);
    struct gcl_command *command =
        moment ? gcl_engine_command(runtime->engine, GCL_COMMAND_CALL) : NULL;
    if (!command) {
        free(moment);
        leave(shared);
        return gclErrorMemoryAllocation;
    }
    unsigned number = atomic_fetch_add(&shared->page->count, 1) + 1;
    // The place may be that of an earlier record still.
    if (number > PLACES)
        await(shared->page, number - PLACES);
    atomic_store(&shared->page->records[number % PLACES].recorder, (unsigned)getpid());
    *moment = (struct moment){.shared = shared, .number = number};
    command->call = (struct gcl_host_call){.function = reach, .data = moment};
    gcl_engine_submit(runtime->engine, stream, command);
    return gclSuccess;
}

// Waiting.

static void *wait_and_let_go(void *data) {
    struct moment *moment = data;
    if (!await(moment->shared->page, moment->number)) {
        gcl_log(GCL_LOG_ERROR, "a process has gone that was to reach an event");
        gcl_engine_fail(moment->engine, GCL_TRAP);
    }
    gcl_engine_let_go(moment->engine, moment->held, gcl_clock_ns());
    leave(moment->shared);
    free(moment);
    return NULL;
}

static gclError_t hold(struct gcl_runtime *runtime, struct shared_event *shared, unsigned number,
                       struct gcl_stream *stream) {
    struct moment *moment = malloc(sizeof *moment);
    pthread_t thread;
    if (!moment)
        return gclErrorMemoryAllocation;
    *moment = (struct moment){.shared = shared,
                              .number = number,
                              .engine = runtime->engine,
                              .held = gcl_stream_hold(runtime->engine, stream)};
    if (moment->held && pthread_create(&thread, NULL, wait_and_let_go, moment) == 0) {
        pthread_detach(thread);
        return gclSuccess;
    }
    if (moment->held) {
        await(shared->page, number); // here, then
        gcl_engine_let_go(runtime->engine, moment->held, gcl_clock_ns());
    }
    bool ok = moment->held != NULL;
    free(moment);
    leave(shared);
    return ok ? gclSuccess : gclErrorMemoryAllocation;
}

gclError_t gcl_ipc_event_hold(struct gcl_runtime *runtime, struct gcl_event *event,
                              struct gcl_stream *stream) {
    struct shared_event *shared = use(event);
    if (!shared)
        return gclSuccess;
    unsigned number = atomic_load(&shared->page->count);
    if (!is_reached(shared->page, number))
        return hold(runtime, shared, number, stream);
    leave(shared);
    return gclSuccess;
}

void gcl_ipc_event_synchronize(const struct gcl_event *event) {
    struct shared_event *shared = use(event);
    if (shared)
        await(shared->page, atomic_load(&shared->page->count));
    leave(shared);
}

bool gcl_ipc_event_is_reached(const struct gcl_event *event) {
    struct shared_event *shared = use(event);
    bool ok = !shared || is_reached(shared->page, atomic_load(&shared->page->count));
    leave(shared);
    return ok;
}

// Handles.

static_assert(sizeof(struct gcl_share) <= sizeof(gclIpcEventHandle_t), "");

GCL_API(IpcGetEventHandle, (gclIpcEventHandle_t * handle, gclEvent_t event_handle)) {
    struct gcl_event *event = (struct gcl_event *)event_handle;
    struct gcl_runtime *runtime;
    gclError_t error = gcl_ipc_enter(&runtime);
    if (!error && !gcl_event_is_alive(runtime->engine, event))
        error = gclErrorInvalidResourceHandle;
    if (!error && (!handle || !(gcl_event_flags(event) & gclEventInterprocess)))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    struct shared_event *shared = use(event);
    if (!shared) {
        shared = create(NULL);
        if (!shared || !know(event, shared)) {
            leave(shared);
            return gcl_api_leave(gclErrorMemoryAllocation);
        }
        atomic_fetch_add(&shared->users, 1);
    }
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &shared->share, sizeof shared->share);
    leave(shared);
    return gclSuccess;
}

GCL_API(IpcOpenEventHandle, (gclEvent_t * event, gclIpcEventHandle_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_share share;
    gclError_t error = gcl_ipc_enter(&runtime);
    if (!error && !event)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    memcpy(&share, &handle, sizeof share);
    struct shared_event *shared = create(&share);
    if (!shared)
        return gcl_api_leave(gclErrorInvalidResourceHandle);
    error = gclEventCreateWithFlags(event, gclEventDisableTiming | gclEventInterprocess);
    if (!error && know((const struct gcl_event *)*event, shared))
        return gclSuccess;
    leave(shared);
    return gcl_api_leave(error ? error : gclErrorMemoryAllocation);
}
