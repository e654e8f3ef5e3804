#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "exec/device/cuda/state.h"

struct gcl_cuda gcl_cuda = {.lock = PTHREAD_MUTEX_INITIALIZER};

void gcl_cuda_enter(void) {
    static _Thread_local bool has_entered;
    if (has_entered)
        return;
    has_entered = gcl_cuda_check(gcl_cuda.driver->context_use(gcl_cuda.context), "use its context");
}

bool gcl_cuda_check(int error, const char *what) {
    int none = GCL_CU_OK;
    if (error == GCL_CU_OK)
        return true;
    // Later ones follow from the first. As a process ends the driver may be taken down before what
    // uses it: then what is given back late is gone already.
    if (atomic_compare_exchange_strong(&gcl_cuda.error, &none, error)) {
        const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
        gcl_log(error == GCL_CU_DEINITIALIZED ? GCL_LOG_DEBUG : GCL_LOG_ERROR,
                "the GPU can't %s: %s (%s)", what, e.text, e.name);
    }
    return false;
}

void gcl_cuda_note(int error) {
    int none = GCL_CU_OK;
    atomic_compare_exchange_strong(&gcl_cuda.error, &none, error);
}

struct gcl_cuda_lane *gcl_cuda_lane_open(int priority) {
    struct gcl_cuda_lane *lane = calloc(1, sizeof *lane);
    gcl_cuda_enter();
    if (lane && gcl_cuda_check(gcl_cuda.driver->stream_create(&lane->stream,
                                                              GCL_CU_STREAM_NON_BLOCKING, priority),
                               "make a stream"))
        return lane;
    free(lane);
    return NULL;
}

void gcl_cuda_lane_close(struct gcl_cuda_lane *lane) {
    if (!lane)
        return;
    gcl_cuda_enter();
    gcl_cuda_check(gcl_cuda.driver->stream_destroy(lane->stream), "end a stream");
    gcl_cuda_ring_close(lane->ring);
    if (lane->barrier)
        gcl_cuda_check(gcl_cuda.driver->memory_free(lane->barrier), "give memory back");
    free(lane);
}

int gcl_cuda_lane_open_barrier(struct gcl_cuda_lane *lane) {
    const size_t size = sizeof(uint32_t);
    if (lane->barrier)
        return GCL_CU_OK;
    int error = gcl_cuda.driver->memory_allocate(&lane->barrier, size);
    if (error == GCL_CU_OK)
        error = gcl_cuda.driver->set(lane->barrier, 0, size, lane->stream);
    return error;
}

struct gcl_cuda_lane *gcl_cuda_lane_take(void) {
    gcl_cuda_enter();
    pthread_mutex_lock(&gcl_cuda.lock);
    struct gcl_cuda_lane *lane = gcl_cuda.spare;
    if (lane)
        gcl_cuda.spare = lane->next;
    pthread_mutex_unlock(&gcl_cuda.lock);
    lane = lane ? lane : gcl_cuda_lane_open(0);
    if (!lane)
        gcl_cuda_check(GCL_CU_NO_MEMORY, "have a stream");
    return lane;
}

void gcl_cuda_lane_give(struct gcl_cuda_lane *lane) {
    pthread_mutex_lock(&gcl_cuda.lock);
    lane->next = gcl_cuda.spare;
    gcl_cuda.spare = lane;
    pthread_mutex_unlock(&gcl_cuda.lock);
}

bool gcl_cuda_lane_wait(const struct gcl_cuda_lane *lane, const char *what) {
    return gcl_cuda_check(gcl_cuda.driver->stream_wait(lane->stream), what);
}
