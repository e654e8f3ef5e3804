// What capturing streams may be given, and what makes a capture invalid.
#include <pthread.h>

#include "check.h"
#include "kernels.h"

static gclStream_t make_stream(unsigned flags) {
    gclStream_t stream;
    check_success(gclStreamCreateWithFlags(&stream, flags));
    return stream;
}

static gclEvent_t make_event(void) {
    gclEvent_t event;
    check_success(gclEventCreateWithFlags(&event, gclEventDisableTiming));
    return event;
}

static gclStream_t begin(unsigned flags, enum gclStreamCaptureMode mode) {
    gclStream_t stream = make_stream(flags);
    check_success(gclStreamBeginCapture(stream, mode));
    return stream;
}

/// Ends a capture that is invalid, after which the stream is as before.
static void end_invalid(gclStream_t stream) {
    gclGraph_t graph = (gclGraph_t)&graph;
    enum gclStreamCaptureStatus status;
    check_success(gclStreamIsCapturing(stream, &status));
    assert_int_equal(status, gclStreamCaptureStatusInvalidated);
    check_error(TEST_LAUNCH(test_empty, 1, 1, stream, NULL), gclErrorStreamCaptureInvalidated);
    check_error(gclStreamEndCapture(stream, &graph), gclErrorStreamCaptureInvalidated);
    assert_null(graph);
    check_success(TEST_LAUNCH(test_empty, 1, 1, stream, NULL));
    check_success(gclStreamSynchronize(stream));
    check_success(gclStreamDestroy(stream));
}

static void nothing_runs_while_it_is_captured(void **state) {
    gclStream_t stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    enum gclStreamCaptureStatus status;
    unsigned long long id = 0;
    const gclGraphNode_t *before;
    gclGraphExec_t execution;
    gclGraph_t graph;
    int *out, value = 7, result = 0;
    size_t count;
    (void)state;
    check_success(gclMalloc((void **)&out, sizeof *out)); // relaxed
    check_success(gclMemcpy(out, &result, sizeof result, gclMemcpyHostToDevice));
    check_success(TEST_LAUNCH(test_store, 1, 1, stream, &out, &value));
    check_success(gclStreamGetCaptureInfo(stream, &status, &id, &graph, &before, &count));
    assert_int_equal(status, gclStreamCaptureStatusActive);
    assert_int_equal(count, 1);
    assert_true(id > 0);
    check_success(gclStreamEndCapture(stream, &graph));
    value = 8; // the node has a copy
    check_success(gclDeviceSynchronize());
    check_success(gclMemcpy(&result, out, sizeof result, gclMemcpyDeviceToHost));
    assert_int_equal(result, 0);
    check_success(gclGraphInstantiate(&execution, graph, 0));
    check_success(gclGraphDestroy(graph));
    check_success(gclGraphLaunch(execution, stream));
    check_success(gclGraphExecDestroy(execution)); // what it launched still runs
    check_success(gclStreamSynchronize(stream));
    check_success(gclMemcpy(&result, out, sizeof result, gclMemcpyDeviceToHost));
    assert_int_equal(result, 7);
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(out));
}

static void captures_begin_and_end_on_one_stream(void **state) {
    gclStream_t stream = make_stream(0), other = make_stream(0);
    gclEvent_t event = make_event();
    gclGraph_t graph;
    (void)state;
    check_error(gclStreamBeginCapture(NULL, gclStreamCaptureModeGlobal),
                gclErrorStreamCaptureUnsupported);
    check_error(gclStreamBeginCapture(stream, 3), gclErrorInvalidValue);
    check_error(gclStreamEndCapture(stream, &graph), gclErrorIllegalState);
    check_success(gclStreamBeginCapture(stream, gclStreamCaptureModeGlobal));
    check_error(gclStreamBeginCapture(stream, gclStreamCaptureModeGlobal), gclErrorIllegalState);
    check_success(gclEventRecord(event, stream));
    check_success(gclStreamWaitEvent(other, event, 0));
    check_error(gclStreamEndCapture(other, &graph), gclErrorStreamCaptureUnmatched);
    end_invalid(stream);
    check_success(gclEventDestroy(event));
    check_success(gclStreamDestroy(other));
}

static void branches_have_to_be_joined(void **state) {
    gclStream_t stream = begin(0, gclStreamCaptureModeGlobal), other = make_stream(0);
    gclEvent_t event = make_event();
    gclGraph_t graph;
    (void)state;
    check_success(gclEventRecord(event, stream));
    check_success(gclStreamWaitEvent(other, event, 0));
    check_success(TEST_LAUNCH(test_empty, 1, 1, other, NULL));
    check_error(gclStreamEndCapture(stream, &graph), gclErrorStreamCaptureUnjoined);
    assert_null(graph);
    check_success(gclStreamSynchronize(other)); // it is out of the capture as well
    check_error(gclEventSynchronize(event), gclErrorCapturedEvent);
    check_success(gclEventRecord(event, stream));
    check_success(gclEventSynchronize(event));
    check_success(gclEventDestroy(event));
    check_success(gclStreamDestroy(stream));
    check_success(gclStreamDestroy(other));
}

static void waiting_for_what_is_captured_fails(void **state) {
    gclStream_t stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    (void)state;
    check_error(gclStreamSynchronize(stream), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    check_error(gclStreamQuery(stream), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    check_error(gclDeviceSynchronize(), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    gclEvent_t event = make_event();
    stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    check_success(gclEventRecord(event, stream));
    check_error(gclEventQuery(event), gclErrorCapturedEvent);
    end_invalid(stream);
    check_success(gclEventDestroy(event));
}

static void the_legacy_stream_depends_on_blocking_streams(void **state) {
    gclStream_t stream = begin(gclStreamDefault, gclStreamCaptureModeRelaxed);
    int *out, value = 1;
    (void)state;
    check_success(gclMalloc((void **)&out, sizeof *out));
    check_error(TEST_LAUNCH(test_store, 1, 1, NULL, &out, &value), gclErrorStreamCaptureImplicit);
    end_invalid(stream);
    stream = begin(gclStreamDefault, gclStreamCaptureModeRelaxed);
    check_error(gclMemcpy(out, &value, sizeof value, gclMemcpyHostToDevice),
                gclErrorStreamCaptureImplicit);
    end_invalid(stream);
    stream = begin(gclStreamNonBlocking, gclStreamCaptureModeRelaxed);
    check_success(TEST_LAUNCH(test_store, 1, 1, NULL, &out, &value));
    check_success(gclStreamSynchronize(NULL));
    gclGraph_t graph;
    check_success(gclStreamEndCapture(stream, &graph));
    check_success(gclGraphDestroy(graph));
    check_success(gclStreamDestroy(stream));
    check_success(gclFree(out));
}

static void *allocate(void *data) {
    void *memory;
    (void)data;
    gclError_t error = gclMalloc(&memory, 4);
    if (!error)
        gclFree(memory);
    return (void *)(uintptr_t)error;
}

static gclError_t allocate_elsewhere(void) {
    pthread_t thread;
    void *error;
    assert_int_equal(pthread_create(&thread, NULL, allocate, NULL), 0);
    assert_int_equal(pthread_join(thread, &error), 0);
    return (gclError_t)(uintptr_t)error;
}

static void modes_say_which_threads_may_do_what_is_unsafe(void **state) {
    gclStream_t stream = begin(0, gclStreamCaptureModeGlobal);
    void *memory;
    (void)state;
    check_error(allocate_elsewhere(), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    stream = begin(0, gclStreamCaptureModeThreadLocal);
    check_success(allocate_elsewhere());
    check_error(gclMalloc(&memory, 4), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    enum gclStreamCaptureMode mode = gclStreamCaptureModeRelaxed;
    check_success(gclThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, gclStreamCaptureModeGlobal);
    stream = begin(0, gclStreamCaptureModeGlobal);
    check_success(gclMalloc(&memory, 4));
    check_success(gclThreadExchangeStreamCaptureMode(&mode));
    check_error(gclFree(memory), gclErrorStreamCaptureUnsupported);
    end_invalid(stream);
    check_success(gclFree(memory));
}

static void *end_capture(void *stream) {
    gclGraph_t graph;
    return (void *)(uintptr_t)gclStreamEndCapture(stream, &graph);
}

static void the_thread_that_began_ends(void **state) {
    gclStream_t stream = begin(0, gclStreamCaptureModeThreadLocal);
    pthread_t thread;
    void *error;
    gclGraph_t graph;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, end_capture, stream), 0);
    assert_int_equal(pthread_join(thread, &error), 0);
    assert_int_equal((uintptr_t)error, gclErrorStreamCaptureWrongThread);
    check_success(gclStreamEndCapture(stream, &graph));
    check_success(gclGraphDestroy(graph));
    check_success(gclStreamDestroy(stream));
}

static void captures_stay_apart(void **state) {
    gclStream_t one = begin(0, gclStreamCaptureModeRelaxed);
    gclStream_t two = begin(0, gclStreamCaptureModeRelaxed);
    gclEvent_t event = make_event(), outside = make_event();
    (void)state;
    check_success(gclEventRecord(event, one));
    check_error(gclStreamWaitEvent(two, event, 0), gclErrorStreamCaptureMerge);
    end_invalid(one);
    end_invalid(two);
    one = begin(0, gclStreamCaptureModeRelaxed);
    check_error(gclStreamWaitEvent(one, outside, 0), gclErrorStreamCaptureIsolation);
    end_invalid(one);
    check_success(gclEventDestroy(event));
    check_success(gclEventDestroy(outside));
}

static void external_events_are_nodes(void **state) {
    gclStream_t stream = begin(0, gclStreamCaptureModeRelaxed), other = make_stream(0);
    gclEvent_t before = make_event(), after = make_event();
    int *flag, *out, value = 5, result = 0;
    gclGraphExec_t execution;
    gclGraph_t graph;
    (void)state;
    check_success(gclMallocManaged((void **)&flag, 2 * sizeof *flag, gclMemAttachGlobal));
    out = flag + 1;
    check_success(gclStreamWaitEvent(stream, before, gclEventWaitExternal));
    check_success(TEST_LAUNCH(test_store, 1, 1, stream, &out, &value));
    check_success(gclEventRecordWithFlags(after, stream, gclEventRecordExternal));
    check_success(gclStreamEndCapture(stream, &graph));
    check_success(gclGraphInstantiate(&execution, graph, 0));
    *flag = 0;
    *out = 0;
    check_success(TEST_LAUNCH(test_await, 1, 1, other, &flag));
    check_success(gclEventRecord(before, other));
    check_success(gclGraphLaunch(execution, stream));
    check_error(gclEventQuery(after), gclErrorNotReady);
    result = __atomic_load_n(out, __ATOMIC_ACQUIRE);
    assert_int_equal(result, 0);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    check_success(gclEventSynchronize(after));
    assert_int_equal(*out, 5);
    check_success(gclGraphExecDestroy(execution));
    check_success(gclGraphDestroy(graph));
    check_success(gclEventDestroy(before));
    check_success(gclEventDestroy(after));
    check_success(gclStreamDestroy(stream));
    check_success(gclStreamDestroy(other));
    check_success(gclFree(flag));
}

static void destroyed_streams_end_their_capture(void **state) {
    gclStream_t stream = begin(0, gclStreamCaptureModeGlobal);
    void *memory;
    (void)state;
    check_success(TEST_LAUNCH(test_empty, 1, 1, stream, NULL));
    check_success(gclStreamDestroy(stream));
    check_success(gclMalloc(&memory, 4));
    check_success(gclFree(memory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_runs_while_it_is_captured),
        cmocka_unit_test(captures_begin_and_end_on_one_stream),
        cmocka_unit_test(branches_have_to_be_joined),
        cmocka_unit_test(waiting_for_what_is_captured_fails),
        cmocka_unit_test(the_legacy_stream_depends_on_blocking_streams),
        cmocka_unit_test(modes_say_which_threads_may_do_what_is_unsafe),
        cmocka_unit_test(the_thread_that_began_ends),
        cmocka_unit_test(captures_stay_apart),
        cmocka_unit_test(external_events_are_nodes),
        cmocka_unit_test(destroyed_streams_end_their_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
