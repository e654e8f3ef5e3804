// Worker threads: where they run, and that they rest when there is nothing to do. Each setting has
// a process of its own, since workers start once.
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "kernels.h"

#define PATIENCE_MS 10000.0
#define LIMIT_MS 30.0 // of 300 idle ones

enum { MOST = 1024, IDLE_MS = 300 };

#define require(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static cpu_set_t own_set(void) {
    cpu_set_t set;
    require(sched_getaffinity(0, sizeof set, &set) == 0);
    return set;
}

static bool is_worker(const char *task) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", task);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const char *line = fgets(name, sizeof name, file);
    fclose(file);
    return line && strncmp(line, "gcl-worker-", 11) == 0;
}

// Where workers may run, of those that have begun; returns how many that are.
static int find_workers(cpu_set_t sets[MOST]) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; tasks && count < MOST && (entry = readdir(tasks));) {
        if (is_worker(entry->d_name))
            count += sched_getaffinity(atoi(entry->d_name), sizeof sets[0], &sets[count]) == 0;
    }
    if (tasks)
        closedir(tasks);
    return count;
}

static int core_count(void) {
    int count;
    require(gclDeviceGetAttribute(&count, gclDevAttrMultiProcessorCount, 0) == gclSuccess);
    return count;
}

// Starts the workers and waits until `count` of them have begun.
static void start_workers(cpu_set_t sets[MOST], int count) {
    cpu_set_t before = own_set();
    require(TEST_LAUNCH(test_empty, 1, 1, NULL, NULL) == gclSuccess);
    require(gclDeviceSynchronize() == gclSuccess);
    uint64_t begin_ns = gcl_clock_ns();
    while (find_workers(sets) < count && ms_since(begin_ns) < PATIENCE_MS)
        pause_ms(1);
    require(find_workers(sets) == count);
    cpu_set_t after = own_set();
    require(CPU_EQUAL(&before, &after));
}

static bool is_inside(const cpu_set_t *part, const cpu_set_t *whole) {
    cpu_set_t both;
    CPU_AND(&both, part, whole);
    return CPU_EQUAL(&both, part);
}

static cpu_set_t sets[MOST];

static void have_a_core_each(void) {
    int count = core_count();
    cpu_set_t own = own_set(), taken, both;
    start_workers(sets, count);
    CPU_ZERO(&taken);
    for (int i = 0; i < count; i++) {
        require(CPU_COUNT(&sets[i]) > 0);
        require(is_inside(&sets[i], &own));
        CPU_AND(&both, &sets[i], &taken);
        require(CPU_COUNT(&both) == 0);
        CPU_OR(&taken, &taken, &sets[i]);
    }
}

static void run_anywhere(void) {
    const char *threads = getenv("GCL_THREADS");
    int count = threads ? atoi(threads) : core_count();
    cpu_set_t own = own_set();
    start_workers(sets, count);
    for (int i = 0; i < count; i++)
        require(CPU_EQUAL(&sets[i], &own));
}

static void not_pinned(void) {
    setenv("GCL_PIN", "0", 1);
    run_anywhere();
}

static void too_many_to_pin(void) {
    char threads[16];
    cpu_set_t own = own_set();
    snprintf(threads, sizeof threads, "%d", CPU_COUNT(&own) + 1);
    setenv("GCL_THREADS", threads, 1);
    setenv("GCL_PIN", "1", 1);
    run_anywhere();
}

static void fewer_than_cores(void) {
    setenv("GCL_THREADS", "1", 1);
    run_anywhere();
}

static void fewer_but_pinned(void) {
    setenv("GCL_THREADS", "1", 1);
    setenv("GCL_PIN", "1", 1);
    cpu_set_t own = own_set();
    start_workers(sets, 1);
    require(is_inside(&sets[0], &own));
    require(core_count() == 1 || CPU_COUNT(&sets[0]) < CPU_COUNT(&own));
}

// As under taskset: all threads of the process, sanitizers' too.
static void restricted(void) {
    cpu_set_t own = own_set(), last;
    CPU_ZERO(&last);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &own))
            continue;
        CPU_ZERO(&last);
        CPU_SET(i, &last);
    }
    require(sched_setaffinity(0, sizeof last, &last) == 0);
    execl("/proc/self/exe", "test_workers", "restricted", NULL);
    require(false);
}

static int run_restricted(void) {
    cpu_set_t own = own_set();
    require(CPU_COUNT(&own) == 1);
    require(core_count() == 1);
    start_workers(sets, 1);
    require(CPU_EQUAL(&sets[0], &own));
    return 0;
}

static double busy_ms(void) {
    struct rusage usage;
    require(getrusage(RUSAGE_SELF, &usage) == 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

// Nobody spins: neither workers after launches, nor a thread that waits for one.
static void rest_when_idle(void) {
    int ms = IDLE_MS;
    for (int i = 0; i < 100; i++)
        require(TEST_LAUNCH(test_empty, 64, 64, NULL, NULL) == gclSuccess);
    require(gclDeviceSynchronize() == gclSuccess);
    double begin_ms = busy_ms();
    pause_ms(IDLE_MS);
    require(busy_ms() - begin_ms < LIMIT_MS);
    require(TEST_LAUNCH(test_sleep, 1, 1, NULL, &ms) == gclSuccess);
    require(gclDeviceSynchronize() == gclSuccess);
    require(busy_ms() - begin_ms < 2 * LIMIT_MS);
}

static long sleeps(void) {
    struct rusage usage;
    require(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_nvcsw;
}

// The thread that waits runs them, or the worker that happens to watch.
static void small_launches_wake_nobody(void) {
    enum { LAUNCHES = 4000 };
    if (core_count() == 1)
        return; // where nobody watches
    require(TEST_LAUNCH(test_empty, 4, 32, NULL, NULL) == gclSuccess);
    require(gclDeviceSynchronize() == gclSuccess);
    long before = sleeps();
    for (int i = 0; i < LAUNCHES; i++) {
        require(TEST_LAUNCH(test_empty, 4, 32, NULL, NULL) == gclSuccess);
        require(gclDeviceSynchronize() == gclSuccess);
    }
    require(sleeps() - before < LAUNCHES / 2);
}

static void run(void **state) {
    void (*body)(void) = *(void (**)(void))*state;
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        unsetenv("GCL_THREADS");
        unsetenv("GCL_PIN");
        body();
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(body)                                                                                 \
    {                                                                                              \
        #body, run, NULL, NULL, &(void (*)(void)) {                                                \
            body                                                                                   \
        }                                                                                          \
    }

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "restricted") == 0)
        return run_restricted();
    const struct CMUnitTest tests[] = {
        TEST(have_a_core_each), TEST(not_pinned),
        TEST(too_many_to_pin),  TEST(fewer_than_cores),
        TEST(fewer_but_pinned), TEST(restricted),
        TEST(rest_when_idle),   TEST(small_launches_wake_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
