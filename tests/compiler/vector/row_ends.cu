// Numbers that are taken apart where rows end, and where code for part of the lanes takes over from
// that for shorter vectors: there, too, vectors begin at multiples of their lanes.
#include "../device/check.h"

// `first` lets an index wrap between the lanes, which whole vectors aren't made for.
#define KERNEL(name)                                                                               \
    __global__ void name(int *out, const int *in, unsigned first, int wanted) {                    \
        int x = threadIdx.x, t = x + blockDim.x * threadIdx.y;                                     \
        int sum = in_row(in, x, t - first);                                                        \
        if ((x & 15) == wanted || (x & 7) == wanted)                                               \
            sum = -sum;                                                                            \
        out[t] = sum;                                                                              \
    }

__host__ __device__ inline int in_row(const int *in, int x, unsigned i) {
    int places = (x & 7) + 10 * (x & 15) + 1000 * (x >> 3) + 10000 * (x / 16);
    return i < 100 ? in[i] + places : places;
}

// A launch with a shape that is known has code of its own, of which a kernel has few.
KERNEL(five)
KERNEL(twelve)
KERNEL(twenty)
KERNEL(twenty_four)
KERNEL(seventy_two)

static void check(const int *out, const int *in, int width, int height, unsigned first,
                  int wanted) {
    SYNC();
    for (int t = 0; t < width * height; t++) {
        int x = t % width, sum = in_row(in, x, t - first);
        CHECK(out[t] == (x % 16 == wanted || x % 8 == wanted ? -sum : sum));
    }
}

int main() {
    int *in = managed<int>(100), *out = managed<int>(1024);
    for (int i = 0; i < 100; i++)
        in[i] = 100000 * (i % 10);
    for (int wanted = 0; wanted < 16; wanted += 3) {
        for (unsigned first : {0u, 3u, 10u, 17u}) {
            five<<<1, dim3(5, 3)>>>(out, in, first, wanted);
            check(out, in, 5, 3, first, wanted);
            twelve<<<1, dim3(12, 2)>>>(out, in, first, wanted);
            check(out, in, 12, 2, first, wanted);
            twenty<<<1, dim3(20, 2)>>>(out, in, first, wanted);
            check(out, in, 20, 2, first, wanted);
            twenty_four<<<1, dim3(24, 3)>>>(out, in, first, wanted);
            check(out, in, 24, 3, first, wanted);
            seventy_two<<<1, dim3(72, 2)>>>(out, in, first, wanted);
            check(out, in, 72, 2, first, wanted);
        }
    }
}
