// For LD_PRELOAD: the clocks of a job's nodes are as those of machines that were started at
// different times and run at different rates.
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AHEAD_SECONDS = 1000, PARTS_PER_MILLION = 300 };

static int rank;

// The runtime hides the variable from the program.
__attribute__((constructor)) static void read_rank(void) {
    const char *text = getenv("GCL_NODE");
    rank = text ? atoi(text) : 0;
}

int clock_gettime(clockid_t id, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, id, time);
    if (id == CLOCK_MONOTONIC) {
        long long ns = time->tv_sec * 1000000000LL + time->tv_nsec;
        ns += rank * (AHEAD_SECONDS * 1000000000LL + ns / 1000000 * PARTS_PER_MILLION);
        time->tv_sec = (time_t)(ns / 1000000000);
        time->tv_nsec = (long)(ns % 1000000000);
    }
    return (int)result;
}
