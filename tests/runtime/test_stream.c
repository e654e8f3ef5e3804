// Order within streams, overlap between them, default streams, events, host functions.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"

#define SLEEP 30 // ms

enum { LOG = 256 };

static int *make_log(void) {
    int *log;
    check_success(gclMallocManaged((void **)&log, LOG * sizeof *log, gclMemAttachGlobal));
    return log;
}

static void append(int *log, int value, gclStream_t stream) {
    check_success(TEST_LAUNCH(test_append, 1, 1, stream, &log, &value));
}

static void delay(int ms, gclStream_t stream) {
    check_success(TEST_LAUNCH(test_sleep, 1, 1, stream, &ms));
}

static gclStream_t make_stream(unsigned flags) {
    gclStream_t stream;
    check_success(gclStreamCreateWithFlags(&stream, flags));
    return stream;
}

static void streams_run_in_order(void **state) {
    int *log = make_log();
    gclStream_t stream = make_stream(gclStreamNonBlocking);
    (void)state;
    for (int i = 1; i <= 100; i++) {
        if (i % 10 == 0)
            delay(1, stream);
        append(log, i, stream);
    }
    check_success(gclStreamSynchronize(stream));
    for (int i = 1; i <= 100; i++)
        assert_int_equal(log[i], i);
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(log));
}

static void set_flag(int *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

// All of it is accepted while the first kernel can't end.
static void launches_return_at_once(void **state) {
    gclStream_t stream = make_stream(gclStreamNonBlocking);
    int *flag = make_log();
    (void)state;
    for (int i = 0; i < 100; i++)
        check_success(TEST_LAUNCH(test_await, 1, 1, stream, &flag));
    check_success(gclMemsetAsync(flag + 1, 0, 4, stream));
    check_error(gclStreamQuery(stream), gclErrorNotReady);
    set_flag(flag);
    check_success(gclStreamSynchronize(stream));
    check_success(gclStreamQuery(stream));
    check_success(gclStreamDestroy(stream));
    check_error(gclStreamQuery(stream), gclErrorInvalidResourceHandle);
    check_success(gclFree(flag));
}

static void work_starts_without_waiting(void **state) {
    int *log = make_log();
    (void)state;
    append(log, 1, NULL);
    for (int i = 0; i < 10000 && __atomic_load_n(log, __ATOMIC_ACQUIRE) != 1; i++)
        pause_ms(1);
    assert_int_equal(__atomic_load_n(log, __ATOMIC_ACQUIRE), 1);
    check_success(gclFree(log));
}

// Kernels on all workers don't keep copies of other streams back.
static void copies_overlap_kernels(void **state) {
    gclStream_t running = make_stream(gclStreamNonBlocking);
    gclStream_t copying = make_stream(gclStreamNonBlocking);
    int *flag = make_log(), *device, *host;
    (void)state;
    check_success(gclMalloc((void **)&device, sizeof *device));
    check_success(gclMallocHost((void **)&host, sizeof *host));
    check_success(TEST_LAUNCH(test_await, 256, 64, running, &flag));
    for (int i = 0; i < 20; i++) {
        pause_ms(i % 3);
        check_success(gclMemcpyAsync(device, host, sizeof *host, gclMemcpyHostToDevice, copying));
        check_success(gclStreamSynchronize(copying));
    }
    check_error(gclStreamQuery(running), gclErrorNotReady);
    set_flag(flag);
    check_success(gclStreamSynchronize(running));
    check_success(gclStreamDestroy(running));
    check_success(gclStreamDestroy(copying));
    check_success(gclFree(device));
    check_success(gclFree(flag));
    check_success(gclFreeHost(host));
}

// Kernels of two streams run at the same time if there are two workers.
static void streams_overlap(void **state) {
    struct gclDeviceProp properties;
    gclStream_t a = make_stream(gclStreamNonBlocking), b = make_stream(gclStreamNonBlocking);
    int *flag = make_log();
    (void)state;
    check_success(gclGetDeviceProperties(&properties, 0));
    if (properties.multiProcessorCount < 2 || getenv("GCL_THREADS"))
        skip();
    for (int i = 0; i < 20; i++) {
        __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
        check_success(TEST_LAUNCH(test_await, 1, 1, a, &flag));
        check_success(TEST_LAUNCH(test_empty, 1, 1, b, NULL));
        pause_ms(i % 3);
        check_success(gclStreamSynchronize(b));
        check_error(gclStreamQuery(a), gclErrorNotReady);
        set_flag(flag);
        check_success(gclStreamSynchronize(a));
    }
    check_success(gclStreamDestroy(a));
    check_success(gclStreamDestroy(b));
    check_success(gclFree(flag));
}

// The legacy stream waits for blocking streams and holds them up; non-blocking ones don't care.
static void legacy_stream_orders(void **state) {
    int *log = make_log();
    gclStream_t a = make_stream(gclStreamDefault), b = make_stream(gclStreamDefault);
    (void)state;
    delay(SLEEP, a);
    append(log, 1, a);
    append(log, 2, NULL);
    append(log, 3, b);
    delay(SLEEP, b);
    append(log, 4, b);
    append(log, 5, gclStreamLegacy);
    append(log, 6, a);
    check_success(gclDeviceSynchronize());
    for (int i = 1; i <= 6; i++)
        assert_int_equal(log[i], i);
    check_success(gclStreamDestroy(a));
    check_success(gclStreamDestroy(b));
    check_success(gclFree(log));
}

static void non_blocking_streams_are_free(void **state) {
    int *log = make_log();
    gclStream_t free_stream = make_stream(gclStreamNonBlocking);
    (void)state;
    delay(SLEEP, NULL);
    append(log, 2, NULL);
    append(log, 1, free_stream);
    check_success(gclStreamSynchronize(free_stream));
    assert_int_equal(log[1], 1);
    check_error(gclStreamQuery(NULL), gclErrorNotReady);
    check_success(gclDeviceSynchronize());
    check_success(gclStreamDestroy(free_stream));
    check_success(gclFree(log));
}

static void *use_thread_stream(void *log) {
    delay(SLEEP, gclStreamPerThread);
    append(log, 1, gclStreamPerThread);
    check_success(gclStreamSynchronize(gclStreamPerThread));
    return NULL;
}

static void thread_streams_are_apart(void **state) {
    int *log = make_log(), value = 2;
    pthread_t threads[2];
    (void)state;
    uint64_t begin = gcl_clock_ns();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use_thread_stream, log);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_true(ms_since(begin) >= SLEEP);
    assert_int_equal(log[0], 2);
    check_success(gclLaunchKernel_ptsz(&test_append, (dim3){1, 1, 1}, (dim3){1, 1, 1},
                                       (void *[]){&log, &value}, 0, NULL));
    check_success(gclStreamSynchronize(gclStreamPerThread));
    assert_int_equal(log[3], 2);
    check_success(gclFree(log));
}

static void events_order_streams(void **state) {
    int *log = make_log();
    gclStream_t a = make_stream(gclStreamNonBlocking), b = make_stream(gclStreamNonBlocking);
    gclEvent_t event;
    (void)state;
    check_success(gclEventCreate(&event));
    check_success(gclStreamWaitEvent(b, event, 0)); // not recorded: nothing to wait for
    delay(SLEEP, a);
    append(log, 1, a);
    check_success(gclEventRecord(event, a));
    check_success(gclStreamWaitEvent(b, event, 0));
    append(log, 2, b);
    check_error(gclEventQuery(event), gclErrorNotReady);
    check_success(gclEventDestroy(event)); // before it is reached
    check_error(gclEventQuery(event), gclErrorInvalidResourceHandle);
    check_success(gclStreamDestroy(a));
    check_success(gclStreamSynchronize(b));
    assert_int_equal(log[1], 1);
    assert_int_equal(log[2], 2);
    check_success(gclStreamDestroy(b));
    check_success(gclFree(log));
}

static void events_tell_time(void **state) {
    gclEvent_t begin, end, untimed;
    float ms = -1;
    (void)state;
    check_success(gclEventCreate(&begin));
    check_success(gclEventCreateWithFlags(&end, gclEventBlockingSync));
    check_success(gclEventCreateWithFlags(&untimed, gclEventDisableTiming));
    check_error(gclEventElapsedTime(&ms, begin, end), gclErrorInvalidResourceHandle);
    check_success(gclEventRecord(begin, NULL));
    delay(SLEEP, NULL);
    check_success(gclEventRecord(end, NULL));
    check_error(gclEventElapsedTime(&ms, begin, end), gclErrorNotReady);
    check_success(gclEventSynchronize(end));
    check_success(gclEventElapsedTime(&ms, begin, end));
    assert_true(ms >= SLEEP && ms < 20 * SLEEP);
    check_success(gclEventRecord(untimed, NULL));
    check_success(gclEventSynchronize(untimed));
    check_error(gclEventElapsedTime(&ms, begin, untimed), gclErrorInvalidResourceHandle);
    check_error(gclEventElapsedTime(&ms, begin, NULL), gclErrorInvalidResourceHandle);
    check_error(gclEventCreateWithFlags(&end, 0x80), gclErrorInvalidValue);
    check_success(gclEventDestroy(begin));
    check_success(gclEventDestroy(end));
    check_success(gclEventDestroy(untimed));
    while (gclGetLastError())
        ;
}

struct call {
    int *log;
    int value;
    gclError_t inside;
};

static void call(void *data) {
    struct call *c = data;
    pause_ms(2);
    c->log[++c->log[0]] = c->value;
    c->inside = gclDeviceSynchronize();
}

static void call_back(gclStream_t stream, gclError_t status, void *data) {
    struct call *c = data;
    (void)stream;
    c->inside = status;
    c->log[++c->log[0]] = c->value;
}

static void host_functions_run_in_order(void **state) {
    int *log = make_log();
    gclStream_t stream = make_stream(gclStreamDefault);
    struct call first = {.log = log, .value = 2}, second = {.log = log, .value = 4};
    (void)state;
    append(log, 1, stream);
    check_success(gclLaunchHostFunc(stream, call, &first));
    append(log, 3, stream);
    check_success(gclStreamAddCallback(stream, call_back, &second, 0));
    check_success(gclStreamSynchronize(stream));
    for (int i = 1; i <= 4; i++)
        assert_int_equal(log[i], i);
    check_error(first.inside, gclErrorNotPermitted);
    check_success(second.inside);
    check_error(gclLaunchHostFunc(stream, NULL, NULL), gclErrorInvalidValue);
    check_error(gclStreamAddCallback(stream, call_back, NULL, 1), gclErrorInvalidValue);
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(log));
}

static void handles_are_checked(void **state) {
    gclStream_t stream = NULL;
    long long garbage[4] = {0};
    int value;
    unsigned flags;
    (void)state;
    check_error(gclStreamCreateWithFlags(&stream, 2), gclErrorInvalidValue);
    check_error(gclStreamCreate(NULL), gclErrorInvalidValue);
    check_error(gclStreamDestroy(NULL), gclErrorInvalidResourceHandle);
    check_error(gclStreamSynchronize((gclStream_t)(void *)garbage), gclErrorInvalidResourceHandle);
    check_error(gclEventRecord(NULL, NULL), gclErrorInvalidResourceHandle);
    check_error(gclEventRecord((gclEvent_t)(void *)garbage, NULL), gclErrorInvalidResourceHandle);
    check_success(gclStreamCreateWithPriority(&stream, gclStreamNonBlocking, -100));
    check_success(gclStreamGetPriority(stream, &value));
    assert_int_equal(value, -5);
    check_success(gclStreamGetFlags(stream, &flags));
    assert_int_equal(flags, gclStreamNonBlocking);
    check_success(gclStreamDestroy(stream));
    check_error(gclStreamDestroy(stream), gclErrorInvalidResourceHandle);
    check_error(gclGetLastError(), gclErrorInvalidResourceHandle);
}

// Many threads, many streams, many events: what each stream logs is in order.
enum { STORM_THREADS = 4, STORM_STEPS = 150 };

static void *storm(void *argument) {
    gclStream_t streams[2] = {make_stream(gclStreamNonBlocking), make_stream(gclStreamDefault)};
    gclEvent_t event;
    int *log = make_log();
    (void)argument;
    check_success(gclEventCreate(&event));
    for (int i = 1; i <= STORM_STEPS; i++) {
        append(log, i, streams[i % 2]);
        check_success(gclEventRecord(event, streams[i % 2]));
        check_success(gclStreamWaitEvent(streams[(i + 1) % 2], event, 0));
        if (i % 37 == 0)
            check_success(gclStreamSynchronize(streams[i % 2]));
        if (i % 50 == 0)
            check_success(gclDeviceSynchronize());
    }
    check_success(gclEventSynchronize(event));
    for (int i = 1; i <= STORM_STEPS; i++)
        assert_int_equal(log[i], i);
    check_success(gclEventDestroy(event));
    for (int i = 0; i < 2; i++)
        check_success(gclStreamDestroy(streams[i]));
    check_success(gclFree(log));
    return NULL;
}

enum { WAITERS = 3, ROUNDS = 200, BLOCKS = 1000 };

static void *launch_and_wait(void *stream) {
    int *counts;
    check_success(gclMallocManaged((void **)&counts, BLOCKS * sizeof *counts, gclMemAttachGlobal));
    for (int round = 1; round <= ROUNDS; round++) {
        check_success(TEST_LAUNCH(test_count, BLOCKS, 32, stream, &counts));
        check_success(gclStreamSynchronize(stream));
        for (int i = 0; i < BLOCKS; i++)
            assert_int_equal(counts[i], round);
    }
    check_success(gclFree(counts));
    return NULL;
}

// Threads that wait for the same large launches have a share in them, and leave them unfinished.
static void waiting_threads_help(void **state) {
    gclStream_t stream = make_stream(gclStreamNonBlocking);
    pthread_t threads[WAITERS];
    (void)state;
    for (int i = 0; i < WAITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_and_wait, stream), 0);
    for (int i = 0; i < WAITERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    check_success(gclStreamDestroy(stream));
}

static void threads_share_the_device(void **state) {
    pthread_t threads[STORM_THREADS];
    (void)state;
    for (int i = 0; i < STORM_THREADS; i++)
        pthread_create(&threads[i], NULL, storm, NULL);
    for (int i = 0; i < STORM_THREADS; i++)
        pthread_join(threads[i], NULL);
}

// Last, since it holds for the rest of the program.
static void null_is_thread_stream(void **state) {
    int *flag = make_log();
    (void)state;
    __gcl_use_thread_streams();
    check_success(TEST_LAUNCH(test_await, 1, 1, NULL, &flag));
    check_error(gclStreamQuery(gclStreamLegacy), gclErrorNotReady); // it stands for blocking ones
    check_error(gclStreamQuery(gclStreamPerThread), gclErrorNotReady);
    check_error(gclStreamQuery(NULL), gclErrorNotReady);
    set_flag(flag);
    check_success(gclStreamSynchronize(NULL));
    check_success(gclFree(flag));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_run_in_order),
        cmocka_unit_test(launches_return_at_once),
        cmocka_unit_test(work_starts_without_waiting),
        cmocka_unit_test(copies_overlap_kernels),
        cmocka_unit_test(streams_overlap),
        cmocka_unit_test(legacy_stream_orders),
        cmocka_unit_test(non_blocking_streams_are_free),
        cmocka_unit_test(thread_streams_are_apart),
        cmocka_unit_test(events_order_streams),
        cmocka_unit_test(events_tell_time),
        cmocka_unit_test(host_functions_run_in_order),
        cmocka_unit_test(handles_are_checked),
        cmocka_unit_test(waiting_threads_help),
        cmocka_unit_test(threads_share_the_device),
        cmocka_unit_test(null_is_thread_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
