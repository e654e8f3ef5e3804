// What is given up of device memory since the next use overwrites it, and what of it is kept; that
// threads go on which have stopped at a chunk that is moving; and that pages come back as they
// went. All of it with chunks in the host's memory, and once more in a file.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "exec/memory/guard.h"
#include "exec/residency/residency.h"
#include "exec/residency/store.h"
#include "exec/residency/use.h"

enum {

    CHUNKS = 24,
    OTHERS = 10,
    HOLE = 100,
    PAGE = GCL_CHUNK_SIZE / GCL_CHUNK_PAGES,
    BLOCK = 2 << 20
};

static const char *folder; ///< of the file that chunks go to; NULL: they go to the host's memory
static size_t unit = GCL_CHUNK_SIZE; ///< what counts as a chunk here: one, or a block
static unsigned capacity = 8;
static unsigned char *memory;
static _Atomic enum gcl_status failure;
static bool knows_all;
static pthread_t writer;         ///< of a chunk that is coming,
static _Atomic uintptr_t wanted; ///< its address; 0: none is wanted
static atomic_bool has_stopped;

static void failed(void *context, enum gcl_status status) {
    (void)context;
    failure = status;
}

static bool tell_knows_all(void *context) {
    (void)context;
    return knows_all;
}

static void came(void *context, const struct gcl_residency_came *told) {
    (void)context, (void)told;
}

static bool stopped(void *context, pid_t thread, uintptr_t page, const void **owner) {
    (void)context, (void)thread, (void)page, (void)owner;
    has_stopped = true;
    return false;
}

static void *write_byte(void *byte) {
    *(volatile unsigned char *)byte = 5;
    return NULL;
}

/// A chunk's bytes have come, and whoever stops at it until that is noted has to wait.
static void went_on(void *context, uintptr_t begin, uintptr_t end) {
    (void)context;
    if (wanted < begin || wanted >= end)
        return;
    has_stopped = false;
    assert_int_equal(pthread_create(&writer, NULL, write_byte, (void *)wanted), 0);
    wanted = 0;
    while (!has_stopped)
        usleep(1000);
    usleep(20000); // it is told before it waits
}

static uintptr_t chunk_at(unsigned chunk) {
    return (uintptr_t)memory + (size_t)chunk * unit;
}

static struct gcl_use *submit(struct gcl_use *use) {
    assert_true(gcl_use_settle(use));
    gcl_use_submit(use);
    return use;
}

static void begin(struct gcl_use *use) {
    for (uint32_t part = 0; part < gcl_use_parts(use); part++)
        gcl_use_bring(use, part);
}

static struct gcl_use *create(void) {
    struct gcl_use *use = gcl_use_create(gcl_residency_get(), 1, NULL);
    assert_non_null(use);
    return use;
}

/// Has chunks come for a command that reads them, or writes some of them.
static void use(unsigned first, unsigned end, bool is_written) {
    struct gcl_use *use = create();
    assert_true(gcl_use_add(use, chunk_at(first), chunk_at(end), is_written));
    begin(submit(use));
    for (unsigned chunk = first; is_written && chunk < end; chunk++)
        memset((void *)chunk_at(chunk), (int)chunk + 1, unit);
    gcl_use_end(use);
}

/// Submits commands that have all others come in turns, and write them: nothing of these goes for
/// nothing.
static void submit_others(struct gcl_use *others[OTHERS]) {
    for (unsigned i = 0; i < OTHERS; i++) {
        others[i] = create();
        assert_true(gcl_use_add(others[i], chunk_at(4 + 2 * i), chunk_at(6 + 2 * i), true));
        submit(others[i]);
    }
}

/// Runs them: what can go, goes.
static void run_others(struct gcl_use *others[OTHERS]) {
    for (unsigned i = 0; i < OTHERS; i++) {
        begin(others[i]);
        gcl_use_end(others[i]);
    }
}

static struct gcl_residency_counts counts(void) {
    return gcl_residency_counts(gcl_residency_get());
}

/// Overwrites chunk 0 but for its first and last bytes.
static struct gcl_use *overwrite(void) {
    struct gcl_use *use = create();
    assert_true(gcl_use_add_overwritten(use, chunk_at(0) + HOLE, chunk_at(0) + 3000));
    assert_true(gcl_use_add_overwritten(use, chunk_at(0) + 3000, chunk_at(1) - HOLE));
    return submit(use);
}

static void check_bytes(size_t begin, size_t end, unsigned char wanted) {
    for (size_t i = begin; i < end; i++)
        assert_int_equal(memory[i], wanted);
}

static bool is_here(unsigned chunk) {
    unsigned char page;
    assert_int_equal(mincore((void *)chunk_at(chunk), 1, &page), 0);
    return page & 1;
}

/// Has this thread stop at a byte of a chunk that isn't here, which it returns.
static int stop_at(unsigned chunk, unsigned byte) {
    return ((volatile unsigned char *)chunk_at(chunk))[byte];
}

static void given_up(void **state) {
    struct gcl_use *others[OTHERS];
    (void)state;
    knows_all = true;
    use(0, 1, true);
    submit_others(others);
    struct gcl_use *next = overwrite();
    uint64_t dropped = counts().dropped;
    run_others(others);
    assert_int_equal(counts().dropped, dropped + unit);
    // What is left of it anybody may use.
    assert_false(is_here(0));
    assert_int_equal(stop_at(0, 0), 1);
    assert_int_equal(failure, GCL_OK);
    begin(next);
    memset(memory + HOLE, 77, unit - 2 * HOLE);
    gcl_use_end(next);
    submit_others(others);
    run_others(others);
    assert_int_equal(counts().dropped, dropped + unit);
    check_bytes(0, HOLE, 1);
    check_bytes(HOLE, unit - HOLE, 77);
    check_bytes(unit - HOLE, unit, 1);
    assert_int_equal(failure, GCL_OK);
}

/// Has chunk 0 written, others come, and at last chunk 0 overwritten, but checks it before.
static void check_kept(bool is_read, bool is_turned) {
    struct gcl_use *others[OTHERS], *reader = NULL, *next = NULL;
    use(0, 1, true);
    if (is_turned)
        next = overwrite();
    submit_others(others);
    if (is_read) {
        reader = create();
        assert_true(gcl_use_add(reader, chunk_at(0), chunk_at(1), false));
        submit(reader);
    }
    next = next ? next : overwrite();
    uint64_t dropped = counts().dropped;
    run_others(others);
    assert_int_equal(counts().dropped, dropped);
    if (reader)
        begin(reader);
    check_bytes(0, unit, 1);
    if (reader)
        gcl_use_end(reader);
    begin(next);
    gcl_use_end(next);
    assert_int_equal(failure, GCL_OK);
}

/// All is kept where something runs of which nobody knows what it touches, where another use reads
/// it before, and where uses begin in another order than they were submitted in.
static void kept(void **state) {
    (void)state;
    knows_all = false;
    check_kept(false, false);
    knows_all = true;
    check_kept(true, false);
    check_kept(false, true);
}

/// Nobody gets zeros for what was given up.
static void told(void **state) {
    struct gcl_use *others[OTHERS];
    (void)state;
    for (unsigned chunk = 1; chunk < 4; chunk++)
        stop_at(chunk, 0); // where threads have stopped before, chunks stay for a while
    knows_all = true;
    use(0, 1, true);
    submit_others(others);
    struct gcl_use *next = overwrite();
    run_others(others);
    failure = GCL_OK;
    stop_at(0, (unsigned)(unit / 2));
    assert_int_equal(failure, GCL_SYSTEM);
    failure = GCL_OK;
    gcl_use_end(next);
}

// A thread that writes stops at a chunk that is there to be read, while that still counts as one
// that comes. What comes from the host's memory may be open at once.
static void woken(void **state) {
    struct gcl_use *others[OTHERS];
    struct timespec end = gcl_clock_in(UINT64_C(10000000000));
    (void)state;
    if (!folder)
        skip();
    knows_all = false;
    submit_others(others);
    run_others(others);
    unsigned chunk = 4;
    while (is_here(chunk))
        chunk++;
    assert_true(chunk < CHUNKS);
    wanted = chunk_at(chunk);
    use(chunk, chunk + 1, false);
    assert_int_equal(wanted, 0);
    assert_int_equal(pthread_timedjoin_np(writer, NULL, &end), 0);
    assert_int_equal(*(unsigned char *)chunk_at(chunk), 5);
    assert_int_equal(failure, GCL_OK);
}

/// Other chunks take all the room there is; more than once, since a chunk stays for a while at
/// which a thread has stopped.
static void send_away(unsigned chunk) {
    for (int round = 0; round < 100 && is_here(chunk); round++)
        use(4, 4 + capacity, true);
    assert_false(is_here(chunk));
}

/// Pages go and come that another process has as well, as long as nobody writes them.
static void forked(void **state) {
    (void)state;
    knows_all = false;
    use(0, 2, true);
    pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    send_away(0);
    send_away(1);
    check_bytes(0, unit, 1);
    check_bytes(unit, 2 * unit, 2);
    kill(other, SIGKILL);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(failure, GCL_OK);
}

/// More of a chunk is allocated while it is away, and has zeros.
static void grown(void **state) {
    unsigned char *chunk = (unsigned char *)chunk_at(CHUNKS);
    (void)state;
    knows_all = false;
    assert_true(gcl_residency_pages()->commit((uintptr_t)chunk, PAGE));
    for (unsigned page = 0; page < 3; page++) {
        chunk[page * PAGE] = (unsigned char)(page + 1);
        send_away(CHUNKS);
        assert_true(gcl_residency_pages()->commit((uintptr_t)chunk + (page + 1) * PAGE, PAGE));
        for (unsigned i = 0; i < (page + 2) * PAGE; i++)
            assert_int_equal(chunk[i], i % PAGE == 0 && i < (page + 1) * PAGE ? i / PAGE + 1 : 0);
    }
    // What was there before is nobody's.
    send_away(CHUNKS);
    assert_true(gcl_residency_pages()->decommit((uintptr_t)chunk, 4 * PAGE));
    assert_true(gcl_residency_pages()->commit((uintptr_t)chunk, 4 * PAGE));
    send_away(CHUNKS);
    for (unsigned i = 0; i < 4 * PAGE; i++)
        assert_int_equal(chunk[i], 0);
    assert_int_equal(failure, GCL_OK);
}

static bool open_memory(void) {
    size_t size = (size_t)(CHUNKS + 1) * unit + BLOCK, all_chunks = (size_t)(CHUNKS + 1) * unit;
    unsigned char *all =
        mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory = all + -(uintptr_t)all % BLOCK;
    struct gcl_store *store = gcl_store_create(&(struct gcl_store_options){
        .host_size = folder ? 0 : all_chunks, .folder = folder, .folder_size = all_chunks});
    return all != MAP_FAILED && store &&
           gcl_residency_open(&(struct gcl_residency_options){.capacity = (size_t)capacity * unit,
                                                              .begin = (uintptr_t)memory,
                                                              .end = chunk_at(CHUNKS + 1),
                                                              .store = store,
                                                              .thread_count = 1,
                                                              .is_alone = true,
                                                              .failed = failed,
                                                              .knows_all = tell_knows_all,
                                                              .came = came,
                                                              .stopped = stopped,
                                                              .went_on = went_on}) &&
           gcl_residency_pages()->commit((uintptr_t)memory, (size_t)CHUNKS * unit);
}

/// Blocks are only given up where there is no room for their pages.
static int run(void) {
    const struct CMUnitTest of_chunks[] = {cmocka_unit_test(given_up), cmocka_unit_test(kept),
                                           cmocka_unit_test(woken),    cmocka_unit_test(told),
                                           cmocka_unit_test(forked),   cmocka_unit_test(grown)};
    const struct CMUnitTest of_blocks[] = {cmocka_unit_test(kept), cmocka_unit_test(forked),
                                           cmocka_unit_test(grown)};
    if (!open_memory())
        return 1;
    int result = unit == GCL_CHUNK_SIZE ? cmocka_run_group_tests(of_chunks, NULL, NULL)
                                        : cmocka_run_group_tests(of_blocks, NULL, NULL);
    gcl_residency_close();
    return result;
}

/// Runs tests in a process of its own, since one has one residency.
static bool run_apart(const char *wanted_folder, size_t wanted_unit, unsigned wanted_capacity) {
    int status;
    pid_t other = fork();
    if (other == 0) {
        folder = wanted_folder;
        unit = wanted_unit;
        capacity = wanted_capacity;
        exit(run());
    }
    return waitpid(other, &status, 0) == other && status == 0;
}

int main(void) {
    if (!gcl_guard_is_permitted()) {
        puts("this process may not notice what it touches (userfaultfd)");
        return 77;
    }
    return run_apart(".", unit, capacity) && run_apart(NULL, BLOCK, 2 * capacity) ? run() : 1;
}
