// Loops that march through volumes: vectors of blocks side by side leave them after a few
// iterations and go on later, with all that lives on. Results are those of one thread after the
// other, whatever is kept and however often the loop runs.
// RUN: %gcluster-cc -O2 -w --dump=vector %s -o %t.o -c | FileCheck %s
// RUN: %gcluster-cc -O2 -w %s -o %t
// RUN: %gcluster-cc -O2 -w --cpu=scalar %s -o %t.scalar
// RUN: env GCL_CPU_LEVEL=v4 %t.scalar > %t.bits && env GCL_CPU_LEVEL=v4 %t | diff %t.bits -
// RUN: env GCL_CPU_LEVEL=v3 %t.scalar > %t.bits && env GCL_CPU_LEVEL=v3 %t | diff %t.bits -
// RUN: env GCL_CPU_LEVEL=v2 %t.scalar > %t.bits && env GCL_CPU_LEVEL=v2 %t | diff %t.bits -
// CHECK-DAG: define internal i32 @masks.region0{{.*}}v4.full
// CHECK: %paused =
// CHECK-DAG: define internal i32 @breaks.region0{{.*}}v4.full
// CHECK: %paused =
// CHECK-DAG: define internal i32 @guards.region0{{.*}}v4.full
// CHECK: %paused =
// CHECK-DAG: define internal i32 @offsets.region0{{.*}}v4.full
// CHECK: %paused =
#include <cstdio>

__device__ float sum(const float *from, int i, int plane) {
    float at_once = from[i] + from[i + 1] + from[i + 2] + from[i + 3];
    return at_once + from[i + plane] + from[i + plane + 1] + from[i + plane + 2] +
           from[i + plane + 3];
}

// Who leaves early, and who goes which way, before the loop, within and behind it.
extern "C" __global__ void masks(const float *from, float *to, int nx, int plane, int n,
                                 int *after) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int cell = (blockIdx.y * blockDim.y + threadIdx.y) * nx + x, i = cell, steps = 0;
    if (x % 5 == 3) {
        after[i] = -7;
        return;
    }
    bool is_left = x < 40;
    float all = 1;
    for (int z = 0; z < n; z++, i += plane) {
        float here = sum(from, i, plane);
        if (is_left && here > 30) {
            all += here;
            to[i] = all;
        } else if (is_left) {
            to[i] = -all;
        } else {
            steps++;
            to[i] = here - z;
        }
    }
    after[cell] = is_left ? (int)all : steps;
}

// Ways out of the middle and of the end, numbers of 16 bits, an end that comes from memory.
extern "C" __global__ void breaks(const float *from, float *to, int nx, int plane, const int *n,
                                  int last, int *after) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int cell = (blockIdx.y * blockDim.y + threadIdx.y) * nx + x, i = cell, z = 0;
    float here = 0;
    unsigned short hash = 3;
    do {
        if (z == last)
            break;
        here = sum(from, i, plane) + here * 0.5f;
        hash = hash * 7 + z;
        to[i] = here;
        i += plane;
        z++;
    } while (z < *n);
    after[cell] = z * 100000 + hash;
    if (here > 3)
        to[cell] = here;
}

// A loop that no block comes to, and values from before that are wanted behind it.
extern "C" __global__ void guards(const float *from, float *to, int nx, int plane, int n, int mode,
                                  int *after) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int cell = (blockIdx.y * blockDim.y + threadIdx.y) * nx + x, i = cell, factor = after[cell];
    if (mode > 0) {
        for (int z = 0; z < n; z++, i += plane)
            to[i] = sum(from, i, plane) * factor;
        factor += i;
    } else {
        factor = -1;
    }
    after[cell] = factor + x;
}

// Lanes two apart, an offset that grows every other time.
extern "C" __global__ void offsets(const float *from, float *to, int nx, int plane, int n,
                                   int *after) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y, offset = 2 * x + y * nx;
    for (int z = 0; z < n; z++) {
        to[y * nx + x + z * plane] = sum(from, offset + z * plane, plane);
        offset += z & 1;
    }
    after[y * nx + x] = offset;
}

enum { NX = 160, NY = 48, NZ = 14, PLANE = 2 * NX * NY, ALL = PLANE * NZ + 4096 };

static float *from, *to;
static int *after, *count;

static unsigned hash(const void *bytes, size_t size) {
    unsigned h = 7;
    for (size_t i = 0; i < size; i++)
        h = h * 31 + ((const unsigned char *)bytes)[i];
    return h;
}

static void show(const char *name, int n) {
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d: %s %08x %08x\n", name, n, cudaGetErrorName(error), hash(to, ALL * sizeof *to),
           hash(after, PLANE * sizeof *after));
}

// Sizes of blocks as the source says them have code of their own.
static void run(int n) {
    for (int i = 0; i < ALL; i++) {
        from[i] = (i * 37 % 101) * 0.125f;
        to[i] = i;
    }
    for (int i = 0; i < PLANE; i++)
        after[i] = i % 9;
    *count = n;
    masks<<<dim3(5, 6), dim3(32, 8)>>>(from, to, NX, PLANE, n, after);
    show("masks", n);
    masks<<<dim3(20, 3), dim3(8, 16)>>>(from, to, NX, PLANE, n, after);
    show("narrow masks", n);
    breaks<<<dim3(5, 6), dim3(32, 8)>>>(from, to, NX, PLANE, count, 6, after);
    show("breaks", n);
    breaks<<<dim3(5, 3), dim3(32, 16)>>>(from, to, NX, PLANE, count, 100, after);
    show("late breaks", n);
    guards<<<dim3(5, 6), dim3(32, 8)>>>(from, to, NX, PLANE, n, 1, after);
    show("guards", n);
    guards<<<dim3(5, 6), dim3(32, 8)>>>(from, to, NX, PLANE, n, 0, after);
    show("closed guards", n);
    offsets<<<dim3(5, 6), dim3(32, 8)>>>(from, to, NX, PLANE, n, after);
    show("offsets", n);
}

int main() {
    if (cudaMallocManaged(&from, ALL * sizeof *from) || cudaMallocManaged(&to, ALL * sizeof *to) ||
        cudaMallocManaged(&after, PLANE * sizeof *after) ||
        cudaMallocManaged(&count, sizeof *count))
        return 2;
    for (int n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 13})
        run(n);
    return 0;
}
