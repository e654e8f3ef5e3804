// Indices that are kept within bounds: most vectors don't touch them.
#include <limits.h>

#include "each.h"

struct Clamped {
    const int *in;
    int low, high;
    BODY int operator()(int t) const {
        int left = max(t - 3, low), right = min(t + 5, high), both = min(max(t + 1, low), high);
        return in[left] - 2 * in[right] + 3 * in[both] + 5 * in[min(right, left + 4)];
    }
};

struct Unsigned {
    const int *in;
    unsigned begin, high;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + begin;
        return in[min(i, high)] - 3 * in[min(max(i, 7u), high)] + 5 * in[min(high, i * 2) / 2];
    }
};

struct Periodic {
    const int *in;
    int size;
    BODY int operator()(int t) const {
        int x = t % 1024, next = x + 1, previous = x - 1;
        if (next >= size)
            next = 0;
        if (previous < 0)
            previous = size - 1;
        return in[x] + 3 * in[next] - 5 * in[previous] + (next > previous ? in[next] : 1);
    }
};

struct Mirrored {
    const int *in;
    int size;
    BODY int operator()(int t) const {
        int i = t - 10;
        i = i < 0 ? -i : i;
        i = i >= size ? 2 * size - 1 - i : i;
        return in[i & 2047] * 3 + in[abs(t - 20) % 2000];
    }
};

struct Sometimes {
    const int *in;
    BODY int operator()(int t) const {
        int i = t % 3 ? t + 1 : t + 2, j = in[t] > 1000 ? t : 5;
        if (t % 5 > 1)
            return in[i] + in[j] * 7 + in[max(i, j)];
        return in[min(i, 100)];
    }
};

// In blocks of two and three dimensions, at the edges of an array.
__global__ void blur(int *out, const int *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int left = x > 0 ? x - 1 : width - 1, right = x < width - 1 ? x + 1 : 0;
    int above = max(y - 1, 0), below = min(y + 1, height - 1);
    out[y * width + x] = in[y * width + left] + 2 * in[y * width + right] +
                         3 * in[above * width + x] + 4 * in[below * width + x] +
                         5 * in[above * width + right];
}

__global__ void push(int *out, const int *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int to = y < height - 1 ? y + 1 : 0;
    if (x < width && y < height)
        out[to * width + (x + 1 < width ? x + 1 : 0)] = in[y * width + x];
}

static void check_blur(const int *in, int width, int height) {
    int *out = managed<int>(width * height), *pushed = managed<int>(width * height);
    for (dim3 block : {dim3(16, 4), dim3(32, 8), dim3(64, 2), dim3(7, 5), dim3(128)}) {
        dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
        blur<<<grid, block>>>(out, in, width, height);
        push<<<grid, block>>>(pushed, in, width, height);
        SYNC();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int left = (x + width - 1) % width, right = (x + 1) % width;
                int above = y ? y - 1 : 0, below = y + 1 < height ? y + 1 : y;
                CHECK(out[y * width + x] ==
                      in[y * width + left] + 2 * in[y * width + right] + 3 * in[above * width + x] +
                          4 * in[below * width + x] + 5 * in[above * width + right]);
                CHECK(pushed[(y + 1) % height * width + right] == in[y * width + x]);
            }
        }
    }
}

static __global__ void fixed(int *out, const int *in) {
    int x = threadIdx.x, y = threadIdx.y;
    int right = x + 1 > 15 ? 0 : x + 1, below = y + 1 > 3 ? 0 : y + 1;
    out[y * 16 + x] = in[below * 16 + right] + in[max(y - 1, 0) * 16 + x] * 3;
}

int main() {
    int *in = managed<int>(10000);
    for (int i = 0; i < 10000; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 8);
    for (int high : {0, 5, 63, 64, 500, 999, 5000}) {
        CHECK_EACH(Clamped{in, 0, high});
        CHECK_EACH(Clamped{in, high, 6000});
        CHECK_EACH(Unsigned{in, 0, (unsigned)high});
        CHECK_EACH(Unsigned{in, UINT_MAX - 400, (unsigned)high});
    }
    for (int size : {1, 64, 100, 1000, 1024}) {
        CHECK_EACH(Periodic{in, size}, size);
        CHECK_EACH(Mirrored{in, size});
    }
    CHECK_EACH(Sometimes{in});
    check_blur(in, 100, 33);
    check_blur(in, 64, 16);
    check_blur(in, 1, 5);
    int *out = managed<int>(64);
    fixed<<<1, dim3(16, 4)>>>(out, in);
    SYNC();
    for (int i = 0; i < 64; i++) {
        int x = i % 16, y = i / 16;
        CHECK(out[i] == in[(y + 1) % 4 * 16 + (x + 1) % 16] + in[(y ? y - 1 : 0) * 16 + x] * 3);
    }
}
