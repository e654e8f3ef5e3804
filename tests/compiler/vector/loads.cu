// Loads of elements that lie apart, by blocks of sizes that the compiler knows.
#include "each.h"

struct Point {
    float x, y, z, w;
};

struct Pair {
    double re, im;
};

struct Odd {
    int a, b, c;
};

struct Pixel {
    unsigned char r, g, b, a;
};

struct Sample {
    short left, right;
};

struct Far {
    int value, rest[4];
};

// One more than is read: the last lane's neighbours are nobody's.
struct Data {
    Point *points;
    Pair *pairs;
    Odd *odds;
    Pixel *pixels;
    Sample *samples;
    Far *fars;
    unsigned char *bytes;
    unsigned shift;
};

BODY int read(const Data &d, int i) {
    double sum = d.points[i].x + 2 * d.points[i].y + 3 * d.points[i].z + 4 * d.points[i].w;
    sum += d.pairs[i].re - d.pairs[i].im;
    sum += d.odds[i].a + 5 * d.odds[i].b + 7 * d.odds[i].c;
    sum += d.pixels[i].r + 2 * d.pixels[i].g + 3 * d.pixels[i].b + 5 * d.pixels[i].a;
    sum += d.samples[i].left - 3 * d.samples[i].right;
    sum += d.fars[i].value + d.bytes[3 * i] + d.bytes[4 * i + 1] + d.bytes[2 * i];
    return (int)sum;
}

BODY int read_wrapping(const Data &d, unsigned i) {
    unsigned at = (i + d.shift) * 4; // may wrap between lanes, and comes back to small numbers
    return d.bytes[at + 2] + ((const int *)d.points)[(i + d.shift) * 2] % 1000;
}

BODY int read_some(const Data &d, int i) {
    int sum = 0;
    for (int k = 0; k < i % 4; k++)
        sum += d.pixels[i].g + (int)d.points[i].z + (i % 3 ? d.samples[i].right : d.odds[i].b);
    return sum;
}

BODY int value(const Data &d, int i) {
    return read(d, i) + read_wrapping(d, i) * 3 + read_some(d, i) * 7;
}

__device__ void load(const Data &d, int n, int *out) {
    __shared__ int shared[1024];
    int in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + in_block;
    shared[in_block] = i < n ? value(d, i) : 0;
    __syncthreads();
    if (i < n)
        out[i] = shared[in_block] + (in_block > 0 ? shared[in_block - 1] : 0);
}

// A few sizes of each are known.
__global__ void load_large(Data d, int n, int *out) {
    load(d, n, out);
}

__global__ void load_small(Data d, int n, int *out) {
    load(d, n, out);
}

__global__ void load_any(Data d, int n, int *out) {
    load(d, n, out);
}

template <class T> static T *filled(int n) {
    T *data = managed<T>(n);
    for (size_t i = 0; i < n * sizeof(T); i++)
        ((unsigned char *)data)[i] = (unsigned char)(i * 37 + i / 251);
    return data;
}

static void check(const Data &d, int n, int size, int *out) {
    SYNC();
    for (int i = 0; i < n; i++) {
        int expected = value(d, i) + (i % size ? value(d, i - 1) : 0);
        if (out[i] != expected) {
            fprintf(stderr, "thread %d of blocks of %d: %d instead of %d\n", i, size, out[i],
                    expected);
            exit(1);
        }
        out[i] = -1;
    }
}

int main() {
    const int n = 1000;
    Data d = {managed<Point>(n),
              managed<Pair>(n),
              filled<Odd>(n),
              filled<Pixel>(n),
              filled<Sample>(n),
              filled<Far>(n),
              filled<unsigned char>(4 * n + 4),
              0};
    int *out = managed<int>(n);
    for (int i = 0; i < n; i++) {
        d.points[i] = {(float)i, i * 2.5f, (float)(i % 7), i * -1.5f};
        d.pairs[i] = {i * 0.5, i * 3.0};
        d.odds[i] = {i, i * i % 100, -i};
        d.fars[i].value = i * 3;
    }
    load_large<<<4, 256>>>(d, n, out);
    check(d, n, 256, out);
    load_large<<<32, 32>>>(d, n, out);
    check(d, n, 32, out);
    load_large<<<16, dim3(8, 8)>>>(d, n, out);
    check(d, n, 64, out);
    load_large<<<63, dim3(4, 4)>>>(d, n, out);
    check(d, n, 16, out);
    load_small<<<1000, 1>>>(d, n, out);
    check(d, n, 1, out);
    load_small<<<500, 2>>>(d, n, out);
    check(d, n, 2, out);
    load_small<<<200, 5>>>(d, n, out);
    check(d, n, 5, out);
    load_small<<<250, dim3(2, 2)>>>(d, n, out);
    check(d, n, 4, out);
    d.shift = 0x80000000u; // times 4 and times 2 that is nothing
    for (int size : {1, 2, 3, 4, 5, 8, 16, 100, 1024}) {
        load_any<<<(n + size - 1) / size, size>>>(d, n, out);
        check(d, n, size, out);
    }
    return 0;
}
