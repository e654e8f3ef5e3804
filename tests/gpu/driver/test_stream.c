// Streams run as late and as early as CUDA allows, so that a wait that is missing shows: each case
// says what must hold with any seed, or what a missing wait looks like with one.
#include <signal.h>

#include "check.h"

enum { SIZE = 64 };

static const char *const any_seed[] = {"SEED=0", "SEED=1", "SEED=2", "SEED=3", "SEED=4", "SEED=5"};

static void is_fine_whatever_the_seed(void (*function)(void)) {
    for (size_t i = 0; i < sizeof any_seed / sizeof *any_seed; i++)
        is_fine(any_seed[i], function);
}

static unsigned char *pinned(void) {
    void *memory;
    works(cuMemHostAlloc(&memory, SIZE, CARD_HOST_PORTABLE));
    return memset(memory, 0, SIZE);
}

// What holds.

static void in_order(void) {
    open_device(0);
    uint64_t address = allocate(SIZE);
    unsigned char *out = pinned();
    void *stream = open_stream();
    for (int i = 0; i < 100; i++)
        works(cuMemsetD8Async(address, (unsigned char)i, SIZE, stream));
    works(cuMemcpyDtoHAsync_v2(out, address, SIZE, stream));
    works(cuStreamSynchronize(stream));
    require(out[SIZE - 1] == 99);
    works(cuMemFree_v2(address));
    works(cuMemFreeHost(out));
    works(cuStreamDestroy_v2(stream));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void after_event(void) {
    open_device(0);
    uint64_t address = allocate(SIZE);
    unsigned char *out = pinned();
    void *first = open_stream(), *second = open_stream(), *event = open_event();
    for (int i = 1; i < 20; i++) {
        works(cuMemsetD8Async(address, (unsigned char)i, SIZE, first));
        works(cuEventRecord(event, first));
        works(cuStreamWaitEvent(second, event, 0));
        works(cuMemcpyDtoHAsync_v2(out, address, SIZE, second));
        works(cuStreamSynchronize(second));
        require(out[0] == i);
    }
    // A wait alone is work, too.
    works(cuMemsetD8Async((uint64_t)out, 77, SIZE, first));
    works(cuEventRecord(event, first));
    works(cuStreamWaitEvent(second, event, 0));
    works(cuEventDestroy_v2(event));
    works(cuStreamDestroy_v2(first));
    works(cuStreamSynchronize(second));
    require(out[0] == 77);
}

static void legacy_stream(void) {
    open_device(0);
    uint64_t address = allocate(SIZE);
    unsigned char out[SIZE];
    void *stream;
    works(cuStreamCreate(&stream, 0));
    for (int i = 1; i < 20; i++) {
        works(cuMemsetD8Async(address, 0, SIZE, NULL));
        works(cuMemsetD8Async(address, (unsigned char)i, SIZE, stream));
        works(cuMemcpyDtoH_v2(out, address, SIZE));
        require(out[0] == i);
    }
}

static void ask_until_done(void) {
    open_device(0);
    uint64_t address = allocate(SIZE);
    void *stream = open_stream(), *event = open_event();
    works(cuEventQuery(event)); // never recorded
    works(cuMemsetD8Async(address, 0, SIZE, stream));
    works(cuEventRecord(event, stream));
    int result = CUDA_ERROR_NOT_READY;
    for (int i = 0; i < 1000 && result == CUDA_ERROR_NOT_READY; i++, usleep(100))
        result = cuEventQuery(event);
    works(result);
}

static volatile int called;

static void note_call(void *context) {
    called += *(int *)context;
}

static void host_function(void) {
    static int one = 1;
    open_device(0);
    void *stream = open_stream();
    works(cuLaunchHostFunc(stream, note_call, &one));
    while (!called)
        usleep(100); // without a call: all work is done in the end
}

static void times(void) {
    float milliseconds = -1;
    void *untimed;
    open_device(0);
    void *begin = open_event(), *end = open_event();
    gives(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&milliseconds, begin, end));
    works(cuEventRecord(begin, NULL));
    works(cuEventRecord(end, NULL));
    works(cuEventSynchronize(end));
    works(cuEventElapsedTime(&milliseconds, begin, end));
    require(milliseconds >= 0);
    works(cuEventCreate(&untimed, CARD_EVENT_NO_TIMING));
    works(cuEventRecord(untimed, NULL));
    gives(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&milliseconds, begin, untimed));
}

static void stage_pageable(void) {
    unsigned char in[SIZE], out[SIZE];
    open_device(0);
    uint64_t address = allocate(SIZE);
    void *stream = open_stream();
    memset(in, 5, SIZE);
    works(cuMemcpyHtoDAsync_v2(address, in, SIZE, stream));
    memset(in, 6, SIZE); // it was staged
    works(cuMemcpyDtoHAsync_v2(out, address, SIZE, stream));
    require(out[0] == 5); // to pageable memory the call waits
}

static void copy_rows(void) {
    unsigned char in[6 * 8], out[6 * 8] = {0};
    open_device(0);
    uint64_t address = allocate(4 * 16);
    void *stream = open_stream();
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)i;
    struct card_copy_2d copy = {
        .source = {.x = 2, .y = 1, .type = CARD_MEMORY_HOST, .host = in, .pitch = 8},
        .target = {.type = CARD_MEMORY_DEVICE, .device = address, .pitch = 16},
        .width = 5,
        .height = 4};
    works(cuMemcpy2DAsync_v2(&copy, stream));
    copy = (struct card_copy_2d){
        .source = {.type = CARD_MEMORY_UNIFIED, .device = address, .pitch = 16},
        .target = {.type = CARD_MEMORY_HOST, .host = out, .pitch = 8},
        .width = 5,
        .height = 4};
    works(cuMemcpy2DAsync_v2(&copy, stream));
    for (size_t y = 0; y < 4; y++) {
        for (size_t x = 0; x < 8; x++)
            require(out[8 * y + x] == (x < 5 ? in[8 * (y + 1) + x + 2] : 0));
    }
    copy.source.pitch = 4;
    gives(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync_v2(&copy, stream));
}

static void test_what_holds(void **state) {
    (void)state;
    is_fine_whatever_the_seed(in_order);
    is_fine_whatever_the_seed(after_event);
    is_fine_whatever_the_seed(legacy_stream);
    is_fine_whatever_the_seed(ask_until_done);
    is_fine_whatever_the_seed(host_function);
    is_fine_whatever_the_seed(times);
    is_fine_whatever_the_seed(stage_pageable);
    is_fine_whatever_the_seed(copy_rows);
}

// What shows.

static void read_too_early(void) {
    open_device(0);
    unsigned char *out = pinned();
    void *stream = open_stream();
    works(cuMemsetD8Async((uint64_t)out, 1, SIZE, stream));
    printf("%d", out[0]);
}

static void change_too_early(void) {
    unsigned char out[SIZE];
    open_device(0);
    uint64_t address = allocate(SIZE);
    unsigned char *in = pinned();
    void *stream = open_stream();
    works(cuMemcpyHtoDAsync_v2(address, in, SIZE, stream));
    in[0] = 9;
    works(cuMemcpyDtoHAsync_v2(out, address, SIZE, stream));
    printf("%d", out[0]);
}

static void other_stream_too_early(void) {
    unsigned char out[SIZE];
    open_device(0);
    uint64_t address = allocate(SIZE);
    works(cuMemsetD8_v2(address, 0, SIZE));
    works(cuCtxSynchronize());
    works(cuMemsetD8Async(address, 1, SIZE, open_stream()));
    works(cuMemcpyDtoHAsync_v2(out, address, SIZE, open_stream()));
    printf("%d", out[0]);
}

static void test_what_shows(void **state) {
    (void)state;
    assert_string_equal(is_fine("SEED=0", read_too_early).printed, "1");
    assert_string_equal(is_fine("SEED=1", read_too_early).printed, "0");
    assert_string_equal(is_fine("SEED=0", change_too_early).printed, "0");
    assert_string_equal(is_fine("SEED=1", change_too_early).printed, "9");
    assert_string_equal(is_fine("SEED=0", other_stream_too_early).printed, "1");
    assert_string_equal(is_fine("SEED=1", other_stream_too_early).printed, "0");
}

// Misuse.

static void free_used(void) {
    open_device(0);
    uint64_t address = allocate(SIZE);
    works(cuMemsetD8Async(address, 0, SIZE, open_stream()));
    cuMemFree_v2(address);
}

static void unmap_used(void) {
    open_device(0);
    uint64_t address = map_memory(CARD_GRANULARITY);
    works(cuMemsetD8Async(address, 0, SIZE, open_stream()));
    cuMemUnmap(address, CARD_GRANULARITY);
}

static void use_destroyed(void) {
    open_device(0);
    void *stream = open_stream();
    works(cuStreamDestroy_v2(stream));
    cuStreamSynchronize(stream);
}

static void use_garbage(void) {
    int number;
    open_device(0);
    cuStreamSynchronize(&number);
}

static void use_event_as_stream(void) {
    open_device(0);
    cuStreamSynchronize(open_event());
}

static void use_without_context(void) {
    uint64_t address;
    open_device(0);
    works(cuCtxSetCurrent(NULL));
    cuMemAlloc_v2(&address, 1);
}

static void use_other_context(void) {
    open_device(0);
    void *stream = open_stream();
    open_device(1);
    cuStreamSynchronize(stream);
}

static void leak_stream(void) {
    open_device(0);
    open_stream();
    cuDevicePrimaryCtxRelease_v2(0);
}

static void leak_work(void) {
    open_device(0);
    void *stream = open_stream();
    works(cuMemsetD8Async((uint64_t)pinned(), 0, SIZE, stream));
    cuDevicePrimaryCtxRelease_v2(0);
}

static void call_from_function(void *context) {
    (void)context;
    cuCtxSynchronize();
}

static void call_inside(void) {
    open_device(0);
    works(cuLaunchHostFunc(NULL, call_from_function, NULL));
    cuCtxSynchronize();
}

static void test_misuse(void **state) {
    (void)state;
    is_misuse("SEED=1", free_used, "cuMemFree_v2: unfinished work of cuMemsetD8Async");
    is_misuse("SEED=1", unmap_used, "cuMemUnmap: unfinished work of cuMemsetD8Async");
    is_misuse(NULL, use_destroyed, "is a stream that is destroyed");
    is_misuse(NULL, use_garbage, "is no stream");
    is_misuse(NULL, use_event_as_stream, "is no stream");
    is_misuse(NULL, use_without_context, "cuMemAlloc_v2: no context is current on this thread");
    is_misuse("DEVICES=2", use_other_context, "the stream is of device 0");
    is_misuse(NULL, leak_stream, "not given back: 1 streams");
    is_misuse("SEED=1", leak_work, "1 tasks of the context aren't done");
    is_misuse(NULL, call_inside, "called by a host function of a stream");
}

// Settings.

static void fail_second(void) {
    uint64_t address;
    open_device(0);
    works(cuMemAlloc_v2(&address, 1));
    gives(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, 1));
    works(cuMemAlloc_v2(&address, 1));
    gives(CUDA_ERROR_ECC_UNCORRECTABLE, cuCtxSynchronize());
    gives(CUDA_ERROR_ECC_UNCORRECTABLE, cuMemAlloc_v2(&address, 1));
}

static void no_device(void) {
    gives(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

static void functions_by_name(void) {
    void *function = NULL;
    int status = -1, version;
    works(cuDriverGetVersion(&version));
    require(version == 12050);
    works(cuGetProcAddress_v2("cuMemAlloc", &function, 12050, 0, &status));
    require(status == 0 && function == (void *)cuMemAlloc_v2);
    works(cuGetProcAddress_v2("cuEventElapsedTime", &function, 12050, 0, &status));
    require(function == (void *)cuEventElapsedTime);
    gives(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("cuNothing", &function, 12050, 0, &status));
    require(status == 1 && !function);
}

static void test_settings(void **state) {
    (void)state;
    is_fine("FAIL=cuMemAlloc_v2:2,cuCtxSynchronize:1:214", fail_second);
    is_fine("DEVICES=0", no_device);
    is_fine(NULL, functions_by_name);
    is_misuse("SEED=abc", no_device, "GCL_TEST_DRIVER_SEED=abc: not a number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_holds),
        cmocka_unit_test(test_what_shows),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
