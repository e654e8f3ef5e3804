// Compiled alone, with plain flags, and linked to every form.
#include "bench.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace bench {

static bool is_quick, is_large;
static size_t footprint;
static std::vector<double> times;

void start(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        is_quick |= !strcmp(argv[i], "--quick");
        is_large |= !strcmp(argv[i], "--large");
    }
}

size_t size(size_t full, size_t quick, size_t large) {
    if (is_quick)
        return quick;
    return is_large && large ? large : full;
}

bool near(double value, double right, double distance) {
    return fabs(value - right) <= distance;
}

void *allocate(size_t size) {
    const size_t page = 2 << 20;
    void *data = aligned_alloc(page, (size + page - 1) / page * page);
    if (!data) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(2);
    }
    madvise(data, size, MADV_HUGEPAGE);
    footprint += size;
    return data;
}

void release(void *data) {
    free(data);
}

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

bool add_time(double seconds) {
    const double enough = is_quick ? 0 : 0.3;
    const size_t most = is_large ? 101 : 15;
    static double sum;
    times.push_back(seconds);
    sum += seconds;
    return sum < enough && times.size() < most;
}

int report(bool right, double bytes, double flops) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    printf("seconds %.9f bytes %.0f flops %.0f footprint %zu %s\n", times[times.size() / 2], bytes,
           flops, footprint, right ? "right" : "wrong");
    return right ? 0 : 1;
}

} // namespace bench
