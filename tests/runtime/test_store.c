// What has no room on a device: kept in the host's memory and in a file, and what disks do wrong.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "check.h"
#include "exec/residency/bits.h"
#include "exec/residency/checksum.h"
#include "exec/residency/requests.h"
#include "exec/residency/slots.h"
#include "exec/residency/store.h"

enum { CHUNK = GCL_CHUNK_SIZE, WORDS = CHUNK / sizeof(uint64_t), SKIPPED = 77 };

static char folder[] = "store.XXXXXX"; // beside the tests, which are on a disk

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void fill(void *bytes, uint64_t seed) {
    uint64_t *words = bytes, state = seed * 2 + 1;
    for (size_t i = 0; i < WORDS; i++)
        words[i] = next_random(&state);
}

static bool is_filled(const void *bytes, uint64_t seed) {
    const uint64_t *words = bytes;
    uint64_t state = seed * 2 + 1;
    for (size_t i = 0; i < WORDS; i++) {
        if (words[i] != next_random(&state))
            return false;
    }
    return true;
}

/// `count` chunks for transfers; chunk i is filled with seed + i.
static struct gcl_store_transfer *make_transfers(size_t count, uint64_t seed) {
    struct gcl_store_transfer *transfers = calloc(count, sizeof *transfers);
    char *bytes = aligned_alloc(4096, count * CHUNK);
    for (size_t i = 0; i < count; i++) {
        transfers[i].bytes = bytes + i * CHUNK;
        fill(transfers[i].bytes, seed + i);
    }
    return transfers;
}

static void free_transfers(struct gcl_store_transfer *transfers) {
    free(transfers[0].bytes);
    free(transfers);
}

static void clear(struct gcl_store_transfer *transfers, size_t count) {
    for (size_t i = 0; i < count; i++)
        memset(transfers[i].bytes, 0xa5, CHUNK);
}

static void drop(struct gcl_store *store, struct gcl_store_transfer *transfers, size_t count) {
    for (size_t i = 0; i < count; i++)
        gcl_store_drop(store, &transfers[i].place, 1);
}

static struct gcl_store *create(size_t host_chunks, size_t file_chunks) {
    return gcl_store_create(
        &(struct gcl_store_options){.host_size = host_chunks * CHUNK + CHUNK / 2,
                                    .folder = file_chunks > 0 ? folder : NULL,
                                    .folder_size = file_chunks * CHUNK + CHUNK / 2});
}

/// Whether `count` chunks come back from a store as they were put, more than once.
static bool goes_round(struct gcl_store *store, size_t count, uint64_t seed) {
    struct gcl_store_transfer *transfers = make_transfers(count, seed);
    bool is_right = gcl_store_put(store, transfers, count) == GCL_OK;
    for (int round = 0; is_right && round < 2; round++) {
        clear(transfers, count);
        is_right = gcl_store_get(store, transfers, count) == GCL_OK;
        for (size_t i = 0; i < count; i++)
            is_right = is_right && is_filled(transfers[i].bytes, seed + i);
    }
    drop(store, transfers, count);
    free_transfers(transfers);
    return is_right;
}

// What is said on stderr goes to a file meanwhile.
static int real_stderr = -1;

static void listen(void) {
    int file = open("heard", O_CREAT | O_TRUNC | O_RDWR, 0600);
    real_stderr = dup(2);
    dup2(file, 2);
    close(file);
}

static bool has_heard(const char *text) {
    char heard[4096];
    ssize_t size = pread(2, heard, sizeof heard - 1, 0);
    dup2(real_stderr, 2);
    close(real_stderr);
    unlink("heard");
    heard[size > 0 ? size : 0] = 0;
    if (!strstr(heard, text))
        print_message("wanted: %s\nheard: %s\n", text, heard);
    return strstr(heard, text) != NULL;
}

/// Runs a test in a process of its own; 0: all is well.
static int in_child(int (*body)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(body());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// The descriptor of the store's file, which has no name.
static int find_file(void) {
    char path[300], target[512];
    int found = -1;
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(all));) {
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        ssize_t size = readlink(path, target, sizeof target - 1);
        target[size > 0 ? size : 0] = 0;
        if (strstr(target, folder + 1) && strstr(target, "(deleted)"))
            found = atoi(entry->d_name);
    }
    closedir(all);
    return found;
}

static bool is_folder_empty(void) {
    int count = 0;
    DIR *all = opendir(folder);
    while (readdir(all))
        count++;
    closedir(all);
    return count == 2; // itself and its parent
}

static void checksums(void **state) {
    static uint64_t words[WORDS];
    (void)state;
    fill(words, 1);
    const uint64_t right = gcl_checksum(words, GCL_CHUNK_SIZE);
    assert_true(gcl_checksum(words, GCL_CHUNK_SIZE) == right);
    for (size_t i = 0; i < WORDS; i += 7) {
        for (unsigned bit = 0; bit < 64; bit += 9) {
            words[i] ^= UINT64_C(1) << bit;
            assert_true(gcl_checksum(words, GCL_CHUNK_SIZE) != right);
            words[i] ^= UINT64_C(1) << bit;
        }
    }
    // A sector that was lost, and two that were exchanged.
    memset(words + 64, 0, 512);
    assert_true(gcl_checksum(words, GCL_CHUNK_SIZE) != right);
    fill(words, 1);
    for (size_t i = 0; i < 64; i++) {
        uint64_t word = words[i];
        words[i] = words[128 + i];
        words[128 + i] = word;
    }
    assert_true(gcl_checksum(words, GCL_CHUNK_SIZE) != right);
    memset(words, 0, sizeof words);
    const uint64_t zeros = gcl_checksum(words, GCL_CHUNK_SIZE);
    memset(words, 255, sizeof words);
    assert_true(gcl_checksum(words, GCL_CHUNK_SIZE) != zeros);
}

static void bits(void **state) {
    static const uint64_t counts[] = {1, 63, 64, 65, 4096, 4097, 300000};
    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct gcl_bits set;
        uint64_t count = counts[c], random = 1;
        bool *has = calloc(count, sizeof *has);
        assert_true(gcl_bits_init(&set, count));
        for (int step = 0; step < 300; step++) {
            uint64_t number = next_random(&random) % count, smallest = 0;
            uint64_t end = next_random(&random) % count + 1, largest = end;
            has[number] = next_random(&random) % 3 != 0;
            (has[number] ? gcl_bits_add : gcl_bits_remove)(&set, number);
            assert_int_equal(gcl_bits_has(&set, number), has[number]);
            while (smallest < count && !has[smallest])
                smallest++;
            assert_int_equal(gcl_bits_smallest(&set), smallest < count ? smallest : GCL_BITS_NONE);
            while (largest > 0 && !has[largest - 1])
                largest--;
            assert_int_equal(gcl_bits_largest(&set, end), largest - 1);
        }
        gcl_bits_finish(&set);
        free(has);
    }
}

// What is behind slots, as a test sees it.
struct backing {
    bool has[10];
    int obtained, most;
};

static bool obtain(void *owner, uint64_t begin, uint64_t end) {
    struct backing *backing = owner;
    if (backing->obtained == backing->most)
        return false;
    for (uint64_t i = begin; i < end; i++) {
        assert_false(backing->has[i]);
        backing->has[i] = true;
    }
    backing->obtained++;
    return true;
}

static void give_back(void *owner, uint64_t begin, uint64_t end) {
    struct backing *backing = owner;
    for (uint64_t i = begin; i < end; i++) {
        assert_true(backing->has[i]);
        backing->has[i] = false;
    }
    backing->obtained--;
}

static void slots(void **state) {
    static const struct gcl_slots_kind kind = {
        .stretch = 4, .idle_most = 1, .obtain = obtain, .give_back = give_back};
    struct backing backing = {.most = 3};
    struct gcl_slots slots;
    (void)state;
    assert_true(gcl_slots_init(&slots, &kind, &backing, 10));
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(gcl_slots_take(&slots), i);
    assert_true(gcl_slots_take(&slots) == GCL_SLOT_NONE);
    // The last stretch has two slots; one empty stretch stays, the second goes.
    for (uint64_t i = 4; i < 10; i++)
        gcl_slots_drop(&slots, i);
    assert_true(backing.has[3] && backing.has[4] && !backing.has[8] && !backing.has[9]);
    assert_int_equal(backing.obtained, 2);
    // What there is gets used before more is asked for, which can't be had now.
    backing.most = 2;
    for (uint64_t i = 4; i < 8; i++)
        assert_int_equal(gcl_slots_take(&slots), i);
    assert_true(gcl_slots_take(&slots) == GCL_SLOT_NONE);
    assert_int_equal(slots.taken, 8);
    gcl_slots_drop(&slots, 2);
    assert_int_equal(gcl_slots_take(&slots), 2);
    backing.most = 3;
    assert_int_equal(gcl_slots_take(&slots), 8);
    gcl_slots_finish(&slots);
    assert_true(gcl_slots_init(&slots, &kind, &backing, 0));
    assert_true(gcl_slots_take(&slots) == GCL_SLOT_NONE);
    gcl_slots_finish(&slots);
}

static void answers(void **state) {
    struct gcl_request request = {.done = 0};
    (void)state;
    assert_true(gcl_request_advance(&request, -EINTR, 4096));
    assert_true(gcl_request_advance(&request, -EAGAIN, 4096));
    assert_true(gcl_request_advance(&request, 5000, 4096));
    assert_int_equal(request.done, 4096);
    assert_false(gcl_request_advance(&request, CHUNK - 4096, 4096));
    assert_true(request.done == CHUNK && request.error == 0);
    request = (struct gcl_request){.done = 0};
    assert_true(gcl_request_advance(&request, 5000, 1));
    assert_int_equal(request.done, 5000);
    assert_false(gcl_request_advance(&request, 0, 1));
    assert_int_equal(request.error, EIO);
    request = (struct gcl_request){.done = 4096};
    assert_false(gcl_request_advance(&request, 17, 4096));
    assert_int_equal(request.error, EIO);
    request = (struct gcl_request){.done = 4096};
    assert_false(gcl_request_advance(&request, -ENOSPC, 4096));
    assert_int_equal(request.error, ENOSPC);
}

static void round_trips(void **state) {
    static const struct {
        size_t host, file, count;
    } cases[] = {{1, 0, 1}, {40, 0, 40}, {0, 1, 1}, {0, 300, 300}, {10, 200, 210}, {64, 64, 3}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct gcl_store *store = create(cases[c].host, cases[c].file);
        assert_non_null(store);
        assert_int_equal(gcl_store_size(store), (cases[c].host + cases[c].file) * CHUNK);
        assert_true(goes_round(store, cases[c].count, 100 * c));
        assert_true(goes_round(store, cases[c].count, 100 * c + 1));
        assert_int_equal(gcl_store_used(store), 0);
        gcl_store_destroy(store);
    }
    gcl_store_destroy(NULL);
}

static void tiers_in_order(void **state) {
    struct gcl_store *store = create(3, 5);
    struct gcl_store_transfer *transfers = make_transfers(9, 1);
    (void)state;
    assert_int_equal(gcl_store_put(store, transfers, 2), GCL_OK);
    assert_int_equal(gcl_store_put(store, transfers + 2, 2), GCL_OK);
    struct gcl_store_use use = gcl_store_use(store);
    assert_true(use.host == 3 * CHUNK && use.host_size == 3 * CHUNK);
    assert_true(use.file == CHUNK && use.file_size == 5 * CHUNK);
    assert_true(use.file_written == CHUNK && use.file_read == 0);
    // More than there is room for: what has room is kept.
    listen();
    assert_int_equal(gcl_store_put(store, transfers + 4, 5), GCL_NO_MEMORY);
    assert_true(has_heard("GCL_SPILL"));
    assert_true(transfers[7].status == GCL_OK && transfers[7].place != 0);
    assert_true(transfers[8].status == GCL_NO_MEMORY && transfers[8].place == 0);
    assert_int_equal(gcl_store_used(store), gcl_store_size(store));
    // A place that is given up is taken again, and the others keep what they have.
    gcl_store_drop(store, &transfers[1].place, 1);
    gcl_store_drop(store, &transfers[5].place, 1);
    assert_int_equal(gcl_store_used(store), 6 * CHUNK);
    assert_int_equal(gcl_store_put(store, &transfers[8], 1), GCL_OK);
    assert_int_equal(gcl_store_use(store).host, 3 * CHUNK);
    fill(transfers[1].bytes, 77);
    assert_int_equal(gcl_store_put(store, &transfers[1], 1), GCL_OK);
    transfers[5] = transfers[8];
    clear(transfers, 8);
    assert_int_equal(gcl_store_get(store, transfers, 8), GCL_OK);
    for (size_t i = 0; i < 8; i++)
        assert_true(is_filled(transfers[i].bytes, i == 1 ? 77 : i == 5 ? 9 : i + 1));
    gcl_store_destroy(store);
    free_transfers(transfers);
}

/// Bytes of memory that mappings of `size` bytes take.
static size_t resident(size_t size) {
    char line[512];
    unsigned long begin = 0, end = 0, kib;
    size_t sum = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    while (fgets(line, sizeof line, file)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            begin = from, end = to;
        else if (end - begin == size && sscanf(line, "Rss: %lu kB", &kib) == 1)
            sum += kib << 10;
    }
    fclose(file);
    return sum;
}

// Of 128 MiB 64 stay for what comes next.
/// Chunks in the host's memory are seen where they lie, whatever comes and goes beside them.
static void looks(void **state) {
    struct gcl_store *store = create(3, 4);
    struct gcl_store_transfer *transfers = make_transfers(7, 500);
    const void *seen[7];
    (void)state;
    assert_int_equal(gcl_store_put(store, transfers, 5), GCL_OK);
    clear(transfers, 5);
    for (size_t i = 0; i < 5; i++) {
        seen[i] = gcl_store_look(store, transfers[i].place);
        assert_true(i < 3 ? is_filled(seen[i], 500 + i) : !seen[i]);
    }
    // What comes and goes beside them leaves them where they are.
    drop(store, transfers + 1, 1);
    assert_int_equal(gcl_store_put(store, transfers + 5, 2), GCL_OK);
    seen[5] = gcl_store_look(store, transfers[5].place);
    assert_true(is_filled(seen[5], 505));
    for (size_t i = 0; i < 3; i += 2) {
        assert_ptr_equal(gcl_store_look(store, transfers[i].place), seen[i]);
        assert_true(is_filled(seen[i], 500 + i));
    }
    free_transfers(transfers);
    gcl_store_destroy(store);
}

static void memory_goes_back(void **state) {
    enum { BATCHES = 32, BATCH = 64 };
    static gcl_store_place places[BATCHES * BATCH];
    struct gcl_store *store = create(BATCHES * BATCH, 0);
    struct gcl_store_transfer *transfers = make_transfers(BATCH, 1);
    (void)state;
    for (size_t i = 0; i < BATCHES; i++) {
        assert_int_equal(gcl_store_put(store, transfers, BATCH), GCL_OK);
        for (size_t j = 0; j < BATCH; j++)
            places[i * BATCH + j] = transfers[j].place;
    }
    assert_int_equal(resident(gcl_store_size(store)), 128 << 20);
    gcl_store_drop(store, places, BATCHES * BATCH);
    assert_int_equal(resident(gcl_store_size(store)), 64 << 20);
    gcl_store_destroy(store);
    free_transfers(transfers);
}

// 48 MiB, of which 32 may stay.
static void disk_space_goes_back(void **state) {
    enum { BATCHES = 12, BATCH = 64 };
    static gcl_store_place places[BATCHES * BATCH];
    struct gcl_store *store = create(0, BATCHES * BATCH);
    struct gcl_store_transfer *transfers = make_transfers(BATCH, 1);
    struct stat full, empty;
    (void)state;
    for (size_t i = 0; i < BATCHES; i++) {
        assert_int_equal(gcl_store_put(store, transfers, BATCH), GCL_OK);
        for (size_t j = 0; j < BATCH; j++)
            places[i * BATCH + j] = transfers[j].place;
    }
    int file = find_file();
    assert_int_equal(fstat(file, &full), 0);
    gcl_store_drop(store, places, BATCHES * BATCH);
    assert_int_equal(fstat(file, &empty), 0);
    assert_in_range(full.st_blocks * 512, 48 << 20, 49 << 20);
    assert_in_range(empty.st_blocks * 512, 1 << 20, 33 << 20);
    assert_true(goes_round(store, BATCHES * BATCH, 5));
    gcl_store_destroy(store);
    free_transfers(transfers);
}

enum { THREADS = 6, ROUNDS = 40, MOST = 20 };

static struct gcl_store *shared;

static void *come_and_go(void *argument) {
    uint64_t seed = (uint64_t)(uintptr_t)argument, random = seed + 1;
    bool is_right = true;
    for (uint64_t round = 0; is_right && round < ROUNDS; round++)
        is_right = goes_round(shared, next_random(&random) % MOST + 1, seed << 32 | round << 8);
    return is_right ? NULL : argument;
}

static void threads(void **state) {
    pthread_t all[THREADS];
    (void)state;
    shared = create(THREADS * MOST / 4, THREADS * MOST);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&all[i], NULL, come_and_go, (void *)(i + 1));
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(all[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(gcl_store_used(shared), 0);
    gcl_store_destroy(shared);
}

static void ignore(int number) {
    (void)number;
}

static void interruptions(void **state) {
    struct sigaction action = {.sa_handler = ignore}; // calls end with EINTR
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct gcl_store *store = create(0, 200);
    (void)state;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    bool is_right = true;
    for (uint64_t round = 0; round < 5; round++)
        is_right = is_right && goes_round(store, 200, round << 8);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_true(is_right);
    gcl_store_destroy(store);
}

/// Has the system refuse a call from now on, if the bits are set in its third argument.
static bool refuse(long number, unsigned bits, unsigned error) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | (bits ? BPF_JSET : BPF_JGE) | BPF_K, bits, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int go_round(void) {
    struct gcl_store *store = create(5, 200);
    int result = store && goes_round(store, 205, 1) && goes_round(store, 3, 9) ? 0 : 1;
    gcl_store_destroy(store);
    return result;
}

static int without_ring(void) {
    return refuse(__NR_io_uring_setup, 0, EPERM) ? go_round() : SKIPPED;
}

static int without_ring_in_old_systems(void) {
    return refuse(__NR_io_uring_setup, 0, ENOSYS) ? go_round() : SKIPPED;
}

static int with_dead_ring(void) {
    return refuse(__NR_io_uring_enter, 0, EPERM) ? go_round() : SKIPPED;
}

static void no_ring(void **state) {
    (void)state;
    gcl_log_set(GCL_LOG_DEBUG);
    listen();
    int results[] = {in_child(without_ring), in_child(without_ring_in_old_systems),
                     in_child(with_dead_ring)};
    bool is_said = has_heard("io_uring (Operation not permitted)");
    gcl_log_set(GCL_LOG_WARN);
    if (results[0] == SKIPPED)
        skip();
    assert_true(is_said);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        assert_int_equal(results[i], 0);
}

static int with_named_file(void) {
    struct stat status;
    if (!refuse(__NR_openat, O_TMPFILE & ~O_DIRECTORY, EOPNOTSUPP))
        return SKIPPED;
    struct gcl_store *store = create(0, 20);
    bool is_right = store && goes_round(store, 20, 1) && is_folder_empty() &&
                    fstat(find_file(), &status) == 0 && status.st_nlink == 0 &&
                    (status.st_mode & 0777) == 0600;
    gcl_store_destroy(store);
    return is_right ? 0 : 1;
}

static int with_nameless_file(void) {
    struct stat status;
    struct gcl_store *store = create(0, 20);
    int file = find_file();
    bool is_right = store && is_folder_empty() && fstat(file, &status) == 0 &&
                    status.st_nlink == 0 && (status.st_mode & 0777) == 0600 &&
                    (fcntl(file, F_GETFD) & FD_CLOEXEC);
    // Nobody gives it a name.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    is_right = is_right && linkat(AT_FDCWD, path, AT_FDCWD, "stolen", AT_SYMLINK_FOLLOW) != 0;
    gcl_store_destroy(store);
    return is_right ? 0 : 1;
}

static void files_without_names(void **state) {
    (void)state;
    umask(0);
    assert_int_equal(in_child(with_nameless_file), 0);
    int result = in_child(with_named_file);
    umask(022);
    if (result == SKIPPED)
        skip();
    assert_int_equal(result, 0);
}

static int be_killed(void) {
    struct gcl_store *store = create(0, 50);
    struct gcl_store_transfer *transfers = make_transfers(50, 1);
    if (gcl_store_put(store, transfers, 50) != GCL_OK || find_file() < 0)
        return 1;
    raise(SIGKILL);
    return 2;
}

static void killed(void **state) {
    (void)state;
    assert_int_equal(in_child(be_killed), 1000 + SIGKILL);
    assert_true(is_folder_empty());
}

static void broken_disk(void **state) {
    enum { COUNT = 20 };
    char path[64], byte;
    struct gcl_store *store = create(0, COUNT);
    struct gcl_store_transfer *transfers = make_transfers(COUNT, 1);
    (void)state;
    assert_int_equal(gcl_store_put(store, transfers, COUNT), GCL_OK);
    snprintf(path, sizeof path, "/proc/self/fd/%d", find_file());
    int file = open(path, O_RDWR);
    assert_true(file >= 0);
    off_t at = 7 * CHUNK + 12345;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= 4;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    assert_int_equal(fsync(file), 0);
    clear(transfers, COUNT);
    listen();
    assert_int_equal(gcl_store_get(store, transfers, COUNT), GCL_SYSTEM);
    assert_true(has_heard("at offset 458752 of the file there aren't what was written (checksum)"));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(transfers[i].status, i == 7 ? GCL_SYSTEM : GCL_OK);
        assert_int_equal(is_filled(transfers[i].bytes, 1 + i), i != 7);
    }
    // A file that is shorter than what was written.
    assert_int_equal(ftruncate(file, 10 * CHUNK + 8192), 0);
    listen();
    assert_int_equal(gcl_store_get(store, transfers + 8, COUNT - 8), GCL_SYSTEM);
    assert_true(has_heard("can't be read (Input/output error)"));
    for (size_t i = 8; i < COUNT; i++)
        assert_int_equal(transfers[i].status, i < 10 ? GCL_OK : GCL_SYSTEM);
    close(file);
    gcl_store_destroy(store);
    free_transfers(transfers);
}

static bool write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    bool is_done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return is_done;
}

/// Has mounts of this process and its children be their own, which users may that aren't root, too.
static bool leave_mounts(void) {
    char user[64], group[64];
    snprintf(user, sizeof user, "0 %u 1", (unsigned)getuid());
    snprintf(group, sizeof group, "0 %u 1", (unsigned)getgid());
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0 && write_text("/proc/self/uid_map", user) &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", group);
}

/// A file system of 8 MiB in the folder.
static bool mount_small(void) {
    return leave_mounts() && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("store", folder, "tmpfs", 0, "size=8M") == 0;
}

/// Others fill the disk behind the store's back, and make room again.
static int fill_disk(void) {
    enum { COUNT = 100 };
    char path[64];
    if (!mount_small())
        return SKIPPED;
    // 16 MiB are asked for, of which there are 8.
    struct gcl_store *store = create(2, 256);
    if (!store || gcl_store_size(store) > 10 << 20 || gcl_store_size(store) < 7 << 20)
        return 1;
    snprintf(path, sizeof path, "%s/other", folder);
    int other = open(path, O_CREAT | O_RDWR, 0600);
    if (fallocate(other, 0, 0, 6 << 20) != 0)
        return 2;
    struct gcl_store_transfer *transfers = make_transfers(COUNT, 1);
    if (gcl_store_put(store, transfers, COUNT) != GCL_NO_MEMORY)
        return 3;
    for (size_t i = 0; i < COUNT; i++) {
        if ((transfers[i].status == GCL_OK) != (transfers[i].place != 0))
            return 4;
        if (transfers[i].status != (i < 2 ? GCL_OK : GCL_NO_MEMORY))
            return 5;
    }
    if (gcl_store_used(store) != 2 * CHUNK || ftruncate(other, 0) != 0)
        return 6;
    if (gcl_store_put(store, transfers + 2, COUNT - 2) != GCL_OK)
        return 7;
    clear(transfers, COUNT);
    if (gcl_store_get(store, transfers, COUNT) != GCL_OK)
        return 8;
    for (size_t i = 0; i < COUNT; i++) {
        if (!is_filled(transfers[i].bytes, i + 1))
            return 9;
    }
    gcl_store_destroy(store);
    free_transfers(transfers);
    return 0;
}

static void full_disk(void **state) {
    (void)state;
    listen();
    int result = in_child(fill_disk);
    bool is_said = has_heard("(No space left on device)");
    if (result == SKIPPED)
        skip();
    assert_int_equal(result, 0);
    assert_true(is_said);
}

/// A process that may write small files only isn't killed by SIGXFSZ.
static int be_limited(void) {
    struct rlimit limit = {20 * CHUNK, 20 * CHUNK};
    setrlimit(RLIMIT_FSIZE, &limit);
    struct gcl_store *store = create(0, 30);
    int result = gcl_store_size(store) == 20 * CHUNK && goes_round(store, 20, 1) ? 0 : 1;
    gcl_store_destroy(store);
    return result;
}

static void limited_files(void **state) {
    (void)state;
    listen();
    int result = in_child(be_limited);
    assert_true(has_heard("of the 1.9 MiB asked for there are 1.2 MiB"));
    assert_int_equal(result, 0);
}

static void folders(void **state) {
    char file[64];
    struct gcl_store_options options = {.folder = "/nowhere/at/all", .folder_size = SIZE_MAX};
    (void)state;
    listen();
    assert_null(gcl_store_create(&options));
    assert_true(has_heard("GCL_SPILL=/nowhere/at/all: no file can be written there (No such"));
    snprintf(file, sizeof file, "%s/file", folder);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    options.folder = file;
    listen();
    assert_null(gcl_store_create(&options));
    assert_true(has_heard("Not a directory"));
    unlink(file);
    options.folder = "/proc";
    listen();
    assert_null(gcl_store_create(&options));
    assert_true(has_heard("GCL_SPILL=/proc"));
    if (access("/dev/shm", W_OK) == 0) {
        options.folder = "/dev/shm";
        listen();
        gcl_store_destroy(gcl_store_create(&options));
        assert_true(has_heard("a folder in memory"));
    }
    options = (struct gcl_store_options){.folder = folder, .folder_size = SIZE_MAX};
    struct gcl_store *store = gcl_store_create(&options);
    assert_in_range(gcl_store_size(store), 1 << 20, SIZE_MAX);
    gcl_store_destroy(store);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); // which nothing may be left in
}

// Another node, of which nothing is there but its memory.
struct neighbour {
    struct gcl_store *store;
    unsigned char *chunks[4 * GCL_STORE_GRANT];
    size_t granted;
};

static bool grow_neighbour(void *context) {
    struct neighbour *neighbour = context;
    if (!gcl_store_spare(neighbour->store, neighbour->chunks + neighbour->granted))
        return false;
    neighbour->granted += GCL_STORE_GRANT;
    return true;
}

static void run_neighbour(void *context, bool is_put, struct gcl_store_transfer *transfers,
                          size_t count) {
    struct neighbour *neighbour = context;
    for (size_t i = 0; i < count; i++) {
        assert_true(transfers[i].place < neighbour->granted);
        unsigned char *chunk = neighbour->chunks[transfers[i].place];
        memcpy(is_put ? chunk : transfers[i].bytes, is_put ? transfers[i].bytes : chunk, CHUNK);
        transfers[i].status = GCL_OK;
    }
}

static void neighbours(void **state) {
    enum { OWN = 2, THEIRS = 2 * GCL_STORE_GRANT, ALL = OWN + THEIRS };
    struct gcl_store *store = create(OWN, 1);
    struct neighbour neighbour = {.store = create(THEIRS + 1, 0)};
    struct gcl_store_transfer *transfers = make_transfers(ALL + 1, 5), own;
    (void)state;
    assert_int_equal(gcl_store_grow(store), 0);
    gcl_store_join(store, &(struct gcl_store_neighbours){
                              .grow = grow_neighbour, .run = run_neighbour, .context = &neighbour});
    assert_false(gcl_store_may_grow(store)); // before the host's memory is full
    assert_int_equal(gcl_store_put(store, transfers, OWN), GCL_OK);
    assert_true(gcl_store_may_grow(store));
    assert_int_equal(gcl_store_grow(store), GCL_STORE_GRANT);
    assert_int_equal(gcl_store_grow(store), GCL_STORE_GRANT);
    assert_int_equal(gcl_store_grow(store), 0); // less than a grant is left
    assert_false(gcl_store_may_grow(store));
    // In others' memory before the file.
    assert_int_equal(gcl_store_put(store, transfers + OWN, THEIRS + 1), GCL_OK);
    struct gcl_store_use use = gcl_store_use(store), theirs = gcl_store_use(neighbour.store);
    assert_true(use.neighbours == THEIRS * CHUNK && use.neighbours_size == THEIRS * CHUNK);
    assert_true(use.host == OWN * CHUNK && use.file == CHUNK);
    assert_true(theirs.host == 0 && theirs.host_size == CHUNK);
    assert_int_equal(gcl_store_used(neighbour.store), 0);
    assert_null(gcl_store_look(store, transfers[OWN].place));
    // What they keep is theirs, and stays while the other node uses its own.
    own = transfers[0];
    assert_int_equal(gcl_store_put(neighbour.store, &own, 1), GCL_OK);
    clear(transfers, ALL + 1);
    assert_int_equal(gcl_store_get(store, transfers, ALL + 1), GCL_OK);
    for (size_t i = 0; i < ALL + 1; i++)
        assert_true(is_filled(transfers[i].bytes, 5 + i));
    // Places are taken again.
    gcl_store_drop(store, &transfers[OWN].place, 1);
    assert_int_equal(gcl_store_use(store).neighbours, (THEIRS - 1) * CHUNK);
    assert_int_equal(gcl_store_put(store, &transfers[OWN], 1), GCL_OK);
    assert_int_equal(gcl_store_use(store).neighbours, THEIRS * CHUNK);
    gcl_store_destroy(store);
    gcl_store_destroy(neighbour.store);
    free_transfers(transfers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums),
        cmocka_unit_test(bits),
        cmocka_unit_test(slots),
        cmocka_unit_test(answers),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(tiers_in_order),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(looks),
        cmocka_unit_test(memory_goes_back),
        cmocka_unit_test(disk_space_goes_back),
        cmocka_unit_test(threads),
        cmocka_unit_test(interruptions),
        cmocka_unit_test(no_ring),
        cmocka_unit_test(files_without_names),
        cmocka_unit_test(killed),
        cmocka_unit_test(broken_disk),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(limited_files),
        cmocka_unit_test(folders),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
