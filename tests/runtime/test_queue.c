// A device with queues of its own (exec/engine/queue.h): one whose queues are threads that dawdle
// at random. Random programs of launches, copies, host functions, events and streams keep every
// order that CUDA promises; what fails, is timed or piles up shows.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check.h"
#include "exec/engine/engine.h"
#include "exec/watch/listener.h"

enum { STREAMS = 4, EVENTS = 6, STEPS = 3000, ROUNDS = 6, FLOOD = 20000 };

// The device.

/// A place in a queue.
struct mark {
    struct gcl_device_mark common;
    unsigned uses; ///< queues that are still to come to it, and the engine
    bool is_reached, has_failed;
    uint64_t at_ns;
};

struct item {
    enum { WORK, MARK, FOLLOW } kind;
    int number; ///< of a step
    struct mark *mark;
    struct item *next;
};

struct queue {
    pthread_t thread;
    struct item *first, *last;
    bool is_closing, has_failed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< of all queues and marks
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open_queues, live_marks, most_marks;
static int failing; ///< the step at which a queue fails; 0: none does
static unsigned dawdling;

/// When each step began and ended, as numbers that grow.
static _Atomic uint64_t moment, begins[STEPS], ends[STEPS];

static void do_step(int number) {
    begins[number] = ++moment;
    for (unsigned i = dawdling ? (unsigned)rand() % dawdling : 0; i > 0; i--)
        sched_yield();
    ends[number] = ++moment;
}

static struct item *take(struct queue *queue) {
    while (!queue->first && !queue->is_closing)
        pthread_cond_wait(&changed, &lock);
    struct item *item = queue->first;
    if (item)
        queue->first = item->next;
    return item;
}

static void drop(struct mark *mark) {
    if (--mark->uses == 0)
        free(mark);
}

static void work_off(struct queue *queue, const struct item *item) {
    while (item->kind == FOLLOW && !item->mark->is_reached)
        pthread_cond_wait(&changed, &lock);
    if (item->kind == MARK) {
        item->mark->has_failed = queue->has_failed;
        item->mark->at_ns = gcl_clock_ns();
        item->mark->is_reached = true;
        pthread_cond_broadcast(&changed);
    }
    if (item->kind != WORK) {
        drop(item->mark);
        return;
    }
    queue->has_failed |= failing && item->number == failing;
    pthread_mutex_unlock(&lock);
    if (!queue->has_failed)
        do_step(item->number);
    pthread_mutex_lock(&lock);
}

static void *run_queue(void *argument) {
    struct queue *queue = argument;
    pthread_mutex_lock(&lock);
    for (struct item *item; (item = take(queue)) != NULL; free(item))
        work_off(queue, item);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void append(struct queue *queue, struct item item) {
    struct item *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    *copy = item;
    copy->next = NULL;
    pthread_mutex_lock(&lock);
    *(queue->first ? &queue->last->next : &queue->first) = copy;
    queue->last = copy;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *open_queue(const struct gcl_device *device, int priority) {
    struct queue *queue = calloc(1, sizeof *queue);
    (void)device, (void)priority;
    assert_int_equal(pthread_create(&queue->thread, NULL, run_queue, queue), 0);
    open_queues++;
    return queue;
}

static void close_queue(const struct gcl_device *device, void *argument) {
    struct queue *queue = argument;
    (void)device;
    pthread_mutex_lock(&lock);
    queue->is_closing = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(queue->thread, NULL);
    free(queue);
    open_queues--;
}

/// A copy has its step's number as its value; those of odd height are from memory that the device
/// doesn't reach.
static bool takes_copy(const struct gcl_device *device, const struct gcl_box_copy *copy) {
    (void)device;
    return copy->height % 2 == 0;
}

static void put_copy(const struct gcl_device *device, void *queue,
                     const struct gcl_box_copy *copy) {
    (void)device;
    append(queue, (struct item){.kind = WORK, .number = copy->value});
}

static void put_run(const struct gcl_device *device, void *queue, struct gcl_run *run) {
    int number;
    (void)device;
    memcpy(&number, run->arguments, sizeof number);
    append(queue, (struct item){.kind = WORK, .number = number});
}

static struct gcl_device_mark *set_mark(const struct gcl_device *device, void *queue) {
    struct mark *mark = calloc(1, sizeof *mark);
    (void)device;
    mark->uses = 2;
    append(queue, (struct item){.kind = MARK, .mark = mark});
    live_marks++;
    most_marks = live_marks > most_marks ? live_marks : most_marks;
    return &mark->common;
}

static void forget_mark(const struct gcl_device *device, struct gcl_device_mark *mark) {
    (void)device;
    pthread_mutex_lock(&lock);
    drop((struct mark *)mark);
    pthread_mutex_unlock(&lock);
    live_marks--;
}

static void follow(const struct gcl_device *device, void *queue, struct gcl_device_mark *mark) {
    (void)device;
    pthread_mutex_lock(&lock);
    ((struct mark *)mark)->uses++;
    pthread_mutex_unlock(&lock);
    append(queue, (struct item){.kind = FOLLOW, .mark = (struct mark *)mark});
}

static enum gcl_device_reach reach_of(const struct mark *mark) {
    if (!mark->is_reached)
        return GCL_NOT_REACHED;
    return mark->has_failed ? GCL_REACH_FAILED : GCL_REACHED;
}

static enum gcl_device_reach look(const struct gcl_device *device, struct gcl_device_mark *mark) {
    (void)device;
    pthread_mutex_lock(&lock);
    enum gcl_device_reach reach = reach_of((struct mark *)mark);
    pthread_mutex_unlock(&lock);
    return reach;
}

static enum gcl_device_reach await(const struct gcl_device *device, struct gcl_device_mark *mark) {
    (void)device;
    pthread_mutex_lock(&lock);
    while (!((struct mark *)mark)->is_reached)
        pthread_cond_wait(&changed, &lock);
    enum gcl_device_reach reach = reach_of((struct mark *)mark);
    pthread_mutex_unlock(&lock);
    return reach;
}

static uint64_t time_of(const struct gcl_device *device, struct gcl_device_mark *mark) {
    (void)device;
    return ((struct mark *)mark)->at_ns;
}

static uint32_t blamed_others;

static void blame(const struct gcl_device *device, struct gcl_run *run, uint32_t others) {
    (void)device;
    blamed_others = others;
    atomic_store(&run->fault.kind, GCL_FAULT_TRAP);
    snprintf(run->fault.text, sizeof run->fault.text, "a launch fails, as it should");
}

static const struct gcl_device_queue_ops queues = {.open = open_queue,
                                                   .close = close_queue,
                                                   .takes_copy = takes_copy,
                                                   .put_run = put_run,
                                                   .put_copy = put_copy,
                                                   .mark = set_mark,
                                                   .forget_mark = forget_mark,
                                                   .follow = follow,
                                                   .look = look,
                                                   .await = await,
                                                   .time = time_of,
                                                   .blame = blame};

static struct gcl_device_units cut_run(const struct gcl_device *device, struct gcl_run *run) {
    (void)device;
    run->block_count = run->blocks_per_unit = 7;
    return (struct gcl_device_units){.count = 1};
}

static struct gcl_device_units cut_copy(const struct gcl_device *device,
                                        struct gcl_box_copy *copy) {
    (void)device, (void)copy;
    return (struct gcl_device_units){.count = 1, .is_small = true};
}

static void copy_units(const struct gcl_device *device, const struct gcl_box_copy *copy,
                       uint32_t begin, uint32_t end) {
    (void)device, (void)begin, (void)end;
    do_step(copy->value);
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

static const struct gcl_device_unit_ops units = {.cut_run = cut_run,
                                                 .cut_copy = cut_copy,
                                                 .copy_units = copy_units,
                                                 .enter_thread = enter_thread,
                                                 .open_scratch = open_scratch,
                                                 .close_scratch = close_scratch};
static const struct gcl_device device = {
    .units = &units, .queues = &queues, .pages = &gcl_pages_host};

// Programs.

static const struct gcl_kernel kernel = {.name = "k", .argument_size = sizeof(int)};
static struct gcl_engine *engine, *engines[4]; ///< live as long as the process
static struct gcl_run_cost cost;

static void create_engine(const struct gcl_listeners *listeners) {
    static const struct gcl_listeners nobody;
    engine = gcl_engine_create(
        &(struct gcl_engine_options){.device = &device,
                                     .worker_count = 2,
                                     .core_count = 2,
                                     .device_count = 1,
                                     .listeners = listeners ? listeners : &nobody});
    assert_non_null(engine);
    static int count;
    engines[count++] = engine;
}

static struct gcl_command *launch_of(int number) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_RUN);
    assert_non_null(command);
    assert_true(gcl_engine_make_room(command, sizeof number));
    memcpy(command->run.arguments, &number, sizeof number);
    command->run.launch.kernel = &kernel;
    command->run.cost = &cost;
    return command;
}

static struct gcl_command *copy_of(int number, size_t height) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_COPY);
    assert_non_null(command);
    command->copy =
        (struct gcl_box_copy){.value = number, .width = 1, .height = height, .depth = 1};
    return command;
}

static void call_step(void *number) {
    do_step((int)(intptr_t)number);
}

static struct gcl_command *call_of(int number) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_CALL);
    assert_non_null(command);
    command->call.function = call_step;
    command->call.data = (void *)(intptr_t)number;
    return command;
}

/// Steps that one has to come after, at most one of each stream: those before that are, too.
struct promise {
    int after[STREAMS];
};

struct program {
    struct gcl_stream *streams[STREAMS];
    struct gcl_event *events[EVENTS];
    struct promise now[STREAMS];     ///< what the next step of each stream comes after
    struct promise recorded[EVENTS]; ///< what an event's latest record comes after
    struct promise promises[STEPS];
};

static void join(struct promise *promise, const struct promise *other) {
    for (int s = 0; s < STREAMS; s++)
        promise->after[s] =
            promise->after[s] < other->after[s] ? other->after[s] : promise->after[s];
}

static void add_step(struct program *p, int number) {
    int s = rand() % STREAMS;
    struct gcl_command *command;
    switch (rand() % 8) {
    case 0:
        command = call_of(number);
        break;
    case 1:
        command = copy_of(number, 1);
        break;
    case 2:
        command = copy_of(number, 2);
        break;
    default:
        command = launch_of(number);
    }
    // Stream 0 is the legacy stream.
    for (int other = 0; other < STREAMS && s == 0; other++)
        join(&p->now[0], &p->now[other]);
    if (s > 0)
        join(&p->now[s], &p->now[0]);
    p->promises[number] = p->now[s];
    p->now[s].after[s] = number;
    gcl_engine_submit(engine, p->streams[s], command);
}

static void add_moment(struct program *p) {
    int s = 1 + rand() % (STREAMS - 1), e = rand() % EVENTS;
    switch (rand() % 4) {
    case 0:
        join(&p->now[s], &p->now[0]);
        p->recorded[e] = p->now[s];
        assert_int_equal(gcl_event_record(engine, p->events[e], p->streams[s]), GCL_OK);
        break;
    case 1:
        join(&p->now[s], &p->recorded[e]);
        assert_int_equal(gcl_event_hold(engine, p->events[e], p->streams[s]), GCL_OK);
        break;
    case 2:
        if (rand() % 10 == 0) {
            struct gcl_fence fence = gcl_event_fence(engine, p->events[e]);
            assert_int_equal(gcl_engine_wait(engine, fence), GCL_OK);
            for (int other = 0; other < STREAMS; other++)
                assert_true(ends[p->recorded[e].after[other]] > 0);
        }
        break;
    default: {
        struct gcl_fence fence = gcl_stream_fence(engine, p->streams[s]);
        if (gcl_engine_is_reached(engine, fence))
            assert_true(ends[p->now[s].after[s]] > 0);
    }
    }
}

static void check_order(const struct program *p) {
    for (int number = 1; number < STEPS; number++) {
        assert_true(ends[number] > begins[number] && begins[number] > 0);
        for (int s = 0; s < STREAMS; s++)
            assert_true(ends[p->promises[number].after[s]] < begins[number]);
    }
}

static void run_program(unsigned seed) {
    static struct program p;
    memset(&p, 0, sizeof p);
    memset((void *)begins, 0, sizeof begins);
    memset((void *)ends, 0, sizeof ends);
    moment = 0;
    ends[0] = ++moment; // step 0 is none
    srand(seed);
    p.streams[0] = gcl_stream_legacy(engine);
    for (int s = 1; s < STREAMS; s++)
        p.streams[s] = gcl_stream_create(engine, GCL_STREAM_BLOCKING, 0, 0);
    for (int e = 0; e < EVENTS; e++)
        p.events[e] = gcl_event_create(engine, 0, 0);
    for (int number = 1; number < STEPS; number++) {
        add_step(&p, number);
        add_moment(&p);
    }
    assert_int_equal(gcl_engine_wait_all(engine), GCL_OK);
    check_order(&p);
    for (int s = 1; s < STREAMS; s++)
        gcl_stream_destroy(engine, p.streams[s]);
    for (int e = 0; e < EVENTS; e++)
        gcl_event_destroy(engine, p.events[e]);
}

static void promises_are_kept(void **state) {
    static const unsigned much[] = {0, 1, 4, 16};
    (void)state;
    create_engine(NULL);
    for (unsigned i = 0; i < ROUNDS; i++) {
        dawdling = much[i % (sizeof much / sizeof much[0])];
        run_program(i + 1);
        assert_int_equal(live_marks, 0);
    }
    gcl_engine_close(engine);
    assert_int_equal(open_queues, 0);
    assert_true(cost.blocks > 0 && cost.blocks % 7 == 0);
}

// Events have the device's times, and what a listener hears of a launch lies between them.

static _Atomic uint64_t heard_begin_ns, heard_end_ns;

static bool wants_times(void *context) {
    (void)context;
    return true;
}

static void ran_command(void *context, const struct gcl_heard *heard) {
    (void)context;
    if (heard->kind != GCL_HEARD_RUN)
        return;
    assert_int_equal(heard->amount, 7);
    heard_begin_ns = heard->begin_ns;
    heard_end_ns = heard->end_ns;
}

static _Atomic uint64_t heard_blocks;

static void ran_units(void *context, const struct gcl_heard *heard) {
    (void)context;
    heard_blocks += heard->kind == GCL_HEARD_RUN ? heard->amount : 0;
}

static void times_are_the_devices(void **state) {
    static struct gcl_listeners listeners;
    uint64_t before_ns, after_ns;
    (void)state;
    gcl_listeners_add(&listeners, &(struct gcl_listener){.wants_times = wants_times,
                                                         .ran_units = ran_units,
                                                         .ran_command = ran_command});
    create_engine(&listeners);
    dawdling = 16;
    struct gcl_stream *stream = gcl_stream_legacy(engine);
    struct gcl_event *before = gcl_event_create(engine, 0, 0);
    struct gcl_event *after = gcl_event_create(engine, 0, 0);
    for (int i = 1; i < 100; i++) {
        assert_int_equal(gcl_event_record(engine, before, stream), GCL_OK);
        gcl_engine_submit(engine, stream, launch_of(i));
        assert_int_equal(gcl_event_record(engine, after, stream), GCL_OK);
        assert_int_equal(gcl_engine_wait(engine, gcl_event_fence(engine, after)), GCL_OK);
        assert_int_equal(gcl_event_time(engine, before, &before_ns), GCL_OK);
        assert_int_equal(gcl_event_time(engine, after, &after_ns), GCL_OK);
        assert_true(before_ns <= heard_begin_ns && heard_begin_ns <= heard_end_ns &&
                    heard_end_ns <= after_ns);
        assert_int_equal(heard_blocks, 7 * i);
    }
    gcl_engine_close(engine);
}

// Launches that nobody waits for don't pile up: marks are few, and commands are used again.
static void launches_do_not_pile_up(void **state) {
    (void)state;
    create_engine(NULL);
    dawdling = 0;
    most_marks = 0;
    cost = (struct gcl_run_cost){.blocks = 0};
    for (int i = 0; i < FLOOD; i++) {
        struct gcl_command *command = launch_of(1 + i % (STEPS - 1));
        command->run.cost = NULL;
        gcl_engine_submit(engine, gcl_stream_legacy(engine), command);
    }
    assert_int_equal(gcl_engine_wait_all(engine), GCL_OK);
    assert_in_range(most_marks, 1, FLOOD / 64 + 1);
    assert_int_equal(live_marks, 0);
    gcl_engine_close(engine);
}

// A launch fails: the first one that isn't known to be done is blamed, nothing after it runs, and
// nobody waits for ever.
static void failure_is_told(void **state) {
    enum { BEFORE = 5, BEHIND = 3 };
    (void)state;
    create_engine(NULL);
    dawdling = 0;
    struct gcl_stream *stream = gcl_stream_create(engine, GCL_STREAM_BLOCKING, 0, 0);
    struct gcl_stream *other = gcl_stream_create(engine, GCL_STREAM_BLOCKING, 0, 0);
    memset((void *)ends, 0, sizeof ends);
    for (int i = 1; i <= BEFORE; i++)
        gcl_engine_submit(engine, stream, launch_of(i));
    assert_int_equal(gcl_engine_wait_all(engine), GCL_OK);
    failing = BEFORE + 1;
    for (int i = 0; i <= BEHIND; i++) {
        struct gcl_command *command = launch_of(failing + i);
        command->run.cost = NULL;
        gcl_engine_submit(engine, stream, command);
    }
    assert_int_equal(gcl_stream_follow(engine, other, stream), GCL_OK);
    gcl_engine_submit(engine, other, call_of(STEPS - 1));
    assert_int_equal(gcl_engine_wait_all(engine), GCL_TRAP);
    assert_int_equal(blamed_others, BEHIND);
    assert_true(ends[BEFORE] > 0 && ends[failing] == 0 && ends[failing + BEHIND] == 0);
    gcl_engine_submit(engine, stream, launch_of(STEPS - 2));
    assert_int_equal(gcl_engine_wait_all(engine), GCL_TRAP);
    assert_int_equal(ends[STEPS - 2], 0);
    failing = 0;
    assert_int_equal(live_marks, 0);
    gcl_engine_close(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_are_kept),
        cmocka_unit_test(times_are_the_devices),
        cmocka_unit_test(launches_do_not_pile_up),
        cmocka_unit_test(failure_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
