// Calls that are put off while they would have to wait: the worker does something else meanwhile,
// the thread of the call's track waits if there is nothing else, and streams keep their order.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "check.h"
#include "exec/engine/engine.h"
#include "exec/watch/listener.h"

enum { WORKERS = 2, STREAMS = 4, STEPS = 300 };

/// What a test has kernels do, by the number of their blocks.
static void (*kernel)(uint32_t number);

static struct gcl_device_units cut_run(const struct gcl_device *device, struct gcl_run *run) {
    (void)device;
    run->block_count = run->blocks_per_unit = run->launch.geometry.grid[0];
    return (struct gcl_device_units){.count = 1, .is_small = true};
}

static struct gcl_device_units cut_copy(const struct gcl_device *device,
                                        struct gcl_box_copy *copy) {
    (void)device, (void)copy;
    return (struct gcl_device_units){.count = 0};
}

static void run_units(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                      uint32_t begin, uint32_t end) {
    (void)device, (void)scratch, (void)begin, (void)end;
    kernel(run->launch.geometry.grid[0]);
}

static void copy_units(const struct gcl_device *device, const struct gcl_box_copy *copy,
                       uint32_t begin, uint32_t end) {
    (void)device, (void)copy, (void)begin, (void)end;
}

static void leave_run(const struct gcl_device *device, const struct gcl_run *run) {
    (void)device, (void)run;
}

static void enter_thread(const struct gcl_device *device) {
    (void)device;
}

static void *open_scratch(const struct gcl_device *device) {
    (void)device;
    return malloc(1);
}

static void close_scratch(const struct gcl_device *device, void *scratch) {
    (void)device;
    free(scratch);
}

static const struct gcl_device_unit_ops ops = {.cut_run = cut_run,
                                               .cut_copy = cut_copy,
                                               .run_units = run_units,
                                               .copy_units = copy_units,
                                               .leave_run = leave_run,
                                               .enter_thread = enter_thread,
                                               .open_scratch = open_scratch,
                                               .close_scratch = close_scratch};
static const struct gcl_device device = {.units = &ops, .pages = &gcl_pages_host};
static const struct gcl_listeners nobody;

static struct gcl_engine *create(unsigned workers) {
    static struct gcl_engine *all[3]; // engines live as long as the process
    static size_t count;
    struct gcl_engine *engine = all[count++] =
        gcl_engine_create(&(struct gcl_engine_options){.device = &device,
                                                       .worker_count = workers,
                                                       .core_count = workers,
                                                       .has_nodes = true,
                                                       .device_count = 1,
                                                       .listeners = &nobody});
    assert_non_null(engine);
    return engine;
}

static struct gcl_stream *add_stream(struct gcl_engine *engine) {
    struct gcl_stream *stream = gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, 0);
    assert_non_null(stream);
    return stream;
}

static struct gcl_fence launch(struct gcl_engine *engine, struct gcl_stream *stream,
                               uint32_t number) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_RUN);
    assert_non_null(command);
    command->run.launch.geometry.grid[0] = number;
    return gcl_engine_submit(engine, stream, command);
}

static struct gcl_fence call(struct gcl_engine *engine, struct gcl_stream *stream,
                             struct gcl_host_call host_call) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_CALL);
    assert_non_null(command);
    command->call = host_call;
    command->call.name = "fetch";
    command->call.leaves_workers = true;
    return gcl_engine_submit(engine, stream, command);
}

/// Waits without helping, as gcl_engine_wait would.
static void reach(struct gcl_engine *engine, struct gcl_fence fence) {
    while (!gcl_engine_is_reached(engine, fence))
        sched_yield();
}

// One worker, and a call that has to wait for a kernel behind it.

static atomic_bool may_begin, has_come;
static _Atomic int attempts, calls;
static pthread_t worker, caller;

static void gate_or_come(uint32_t number) {
    worker = pthread_self();
    while (number == 1 && !may_begin)
        sched_yield();
    if (number == 2)
        has_come = true;
}

static bool attempt_once_come(void *data) {
    (void)data;
    attempts++;
    return has_come;
}

static void note_call(void *data) {
    (void)data;
    caller = pthread_self();
    calls++;
}

static void worker_goes_on(void **state) {
    (void)state;
    struct gcl_engine *engine = create(1);
    struct gcl_stream *a = add_stream(engine), *b = add_stream(engine);
    kernel = gate_or_come;
    launch(engine, add_stream(engine), 1); // until all of it is there
    struct gcl_fence fence = call(
        engine, a, (struct gcl_host_call){.function = note_call, .attempt = attempt_once_come});
    launch(engine, b, 2);
    may_begin = true;
    reach(engine, fence);
    assert_int_equal(attempts, 2); // before the kernel, and after it
    assert_int_equal(calls, 0);
    gcl_engine_close(engine);
}

static void track_waits(void **state) {
    (void)state;
    struct gcl_engine *engine = create(1);
    struct gcl_stream *stream = add_stream(engine);
    attempts = calls = 0;
    has_come = false;
    launch(engine, stream, 3);
    struct gcl_fence fence =
        call(engine, stream,
             (struct gcl_host_call){.function = note_call, .attempt = attempt_once_come});
    reach(engine, fence);
    assert_true(attempts > 0);
    assert_int_equal(calls, 1);
    assert_false(pthread_equal(worker, caller));
    gcl_engine_close(engine);
}

// Many, each of which is put off some times, between kernels of its stream.

static uint32_t steps[STREAMS]; ///< done by each stream: its commands alone change that
static _Atomic int wrong;

struct wait {
    uint32_t stream, step;
    int left; ///< attempts in vain
};

static void do_step(uint32_t stream, uint32_t step) {
    wrong += steps[stream] != step;
    steps[stream]++;
}

static void run_step(uint32_t number) {
    do_step(number % STREAMS, number / STREAMS);
}

static void end_wait(void *data) {
    struct wait *wait = data;
    do_step(wait->stream, wait->step);
    free(wait);
}

static bool attempt_wait(void *data) {
    struct wait *wait = data;
    if (wait->left-- > 0)
        return false;
    end_wait(data);
    return true;
}

static void streams_keep_their_order(void **state) {
    (void)state;
    struct gcl_engine *engine = create(WORKERS);
    struct gcl_stream *streams[STREAMS];
    for (uint32_t i = 0; i < STREAMS; i++)
        streams[i] = add_stream(engine);
    kernel = run_step;
    srand(5);
    for (uint32_t i = 4; i < 4 * STEPS; i++) {
        uint32_t stream = i % STREAMS, step = i / STREAMS - 1;
        struct wait *wait = malloc(sizeof *wait);
        assert_non_null(wait);
        *wait = (struct wait){stream, 2 * step, rand() % 8 ? rand() % 4 : 1 << 30};
        call(engine, streams[stream],
             (struct gcl_host_call){.function = end_wait,
                                    .attempt = attempt_wait,
                                    .data = wait,
                                    .track = (enum gcl_track)stream});
        launch(engine, streams[stream], (2 * step + 1) * STREAMS + stream);
        if (i % 100 == 0)
            assert_int_equal(gcl_engine_wait(engine, gcl_stream_fence(engine, streams[stream])),
                             GCL_OK);
    }
    assert_int_equal(gcl_engine_wait_all(engine), GCL_OK);
    assert_int_equal(wrong, 0);
    for (uint32_t i = 0; i < STREAMS; i++)
        assert_int_equal(steps[i], 2 * (STEPS - 1));
    gcl_engine_close(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worker_goes_on),
        cmocka_unit_test(track_waits),
        cmocka_unit_test(streams_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
