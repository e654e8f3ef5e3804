#include <cstring>

#include "../problem/bitonic.h"

// A thread's share, small enough for the second cache, and what is merged without recursion.
enum { CHUNK = 1 << 15, SMALL = 256, LANES = 16 };

typedef unsigned lanes __attribute__((vector_size(LANES * sizeof(unsigned))));

// One step between elements that are at least a vector apart.
static inline void step(unsigned *low, unsigned *high, unsigned count, bool up) {
    unsigned *smaller = up ? low : high, *larger = up ? high : low;
#pragma omp simd
    for (unsigned i = 0; i < count; i++) {
        unsigned a = smaller[i], b = larger[i];
        smaller[i] = a < b ? a : b;
        larger[i] = a < b ? b : a;
    }
}

// One step within a vector; `up` is all ones in lanes that are sorted upwards.
template <int J> static inline lanes step(lanes value, lanes up) {
    const lanes lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lanes other = __builtin_shufflevector(value, value, 0 ^ J, 1 ^ J, 2 ^ J, 3 ^ J, 4 ^ J, 5 ^ J,
                                          6 ^ J, 7 ^ J, 8 ^ J, 9 ^ J, 10 ^ J, 11 ^ J, 12 ^ J,
                                          13 ^ J, 14 ^ J, 15 ^ J);
    lanes keeps_smaller = (lanes)((lane & J) == 0) ^ ~up;
    lanes smaller = __builtin_elementwise_min(value, other);
    lanes larger = __builtin_elementwise_max(value, other);
    return (smaller & keeps_smaller) | (larger & ~keeps_smaller);
}

// Steps j = LANES/2 … 1.
static inline lanes finish(lanes value, lanes up) {
    return step<1>(step<2>(step<4>(step<8>(value, up), up), up), up);
}

// All steps of a stage within `count` elements. Halves are merged one after the other, so that each
// stays in the cache that it fits.
static void merge(unsigned *data, unsigned count, bool up) {
    if (count > SMALL) {
        step(data, data + count / 2, count / 2, up);
        merge(data, count / 2, up);
        merge(data + count / 2, count / 2, up);
        return;
    }
    for (unsigned j = count / 2; j >= LANES; j /= 2)
        for (unsigned i = 0; i < count; i += 2 * j)
            step(data + i, data + i + j, j, up);
    for (unsigned i = 0; i < count; i += LANES) {
        lanes value;
        memcpy(&value, data + i, sizeof value);
        value = finish(value, (lanes){} - up);
        memcpy(data + i, &value, sizeof value);
    }
}

// All stages within `count` elements.
static void sort_chunk(unsigned *data, unsigned count, bool up) {
    if (count > LANES) {
        sort_chunk(data, count / 2, true);
        sort_chunk(data + count / 2, count / 2, false);
        merge(data, count, up);
        return;
    }
    const lanes lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lanes value;
    memcpy(&value, data, sizeof value);
    lanes up2 = (lanes)((lane & 2) == 0), up4 = (lanes)((lane & 4) == 0);
    lanes up8 = (lanes)((lane & 8) == 0);
    value = step<1>(value, up2);
    value = step<1>(step<2>(value, up4), up4);
    value = step<1>(step<2>(step<4>(value, up8), up8), up8);
    value = finish(value, (lanes){} - up);
    memcpy(data, &value, sizeof value);
}

static void sort(unsigned *data, unsigned n) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (unsigned begin = 0; begin < n; begin += CHUNK)
            sort_chunk(data + begin, CHUNK, (begin & CHUNK) == 0);
        for (unsigned k = 2 * CHUNK; k <= n; k *= 2) {
            for (unsigned j = k / 2; j >= CHUNK; j /= 2) {
#pragma omp for schedule(static)
                for (unsigned pair = 0; pair < n / 2; pair += CHUNK / 2) {
                    unsigned i = 2 * pair - (pair & (j - 1));
                    step(data + i, data + i + j, CHUNK / 2, (i & k) == 0);
                }
            }
#pragma omp for schedule(static)
            for (unsigned begin = 0; begin < n; begin += CHUNK)
                merge(data + begin, CHUNK, (begin & k) == 0);
        }
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    bench::measure([&] { sort(p.data.data(), p.n); }, [&] { p.reset(); });
    return bench::report(p);
}
