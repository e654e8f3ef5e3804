// --explain in words: one line a kernel, then accesses and reasons.
// RUN: %gcluster-cc --explain %s > %t
// RUN: FileCheck %s --input-file %t
#include <cuda_runtime.h>

__global__ void stencil(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y > 0 && y < height - 1)
        out[y * width + x] = in[(y - 1) * width + x] + in[(y + 1) * width + x];
}
// CHECK: text.cu:6: stencil: splits along blockIdx.y; in: rows y-1 … y+1 (halo 1 row); out: row y, written exactly once.
// CHECK-NEXT: {{^}}    reads in[{{.*}}]   text.cu:9:30
// CHECK-NEXT: {{^}}    reads in[{{.*}}]   text.cu:9:56
// CHECK-NEXT: {{^}}    writes out[x + y*width]   text.cu:9:28
// CHECK-NOT: GCL

// Arguments in their order, fields by name, what is read and written of one array.
struct body {
    float *place, *speed;
    struct {
        int begin, count;
    } part;
};
__global__ void move(float *time, body b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= b.part.count)
        return;
    i += b.part.begin;
    b.place[3 * i] += b.speed[3 * i];
    b.place[3 * i + 1] += b.speed[3 * i + 1];
    b.place[3 * i + 2] += b.speed[3 * i + 2];
    time[i] += 1;
}
// CHECK: move: splits along blockIdx.x; time: element x, read and written exactly once; b.place: 3 elements from 3*x, read and written exactly once; b.speed: 3 elements from 3*x.
// CHECK-NEXT: reads time[b.part.begin + x]

__global__ void smooth(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 5; k++)
        out[i] += in[i + k - 2];
}
// CHECK: smooth: splits along blockIdx.x; in: elements x-2 … x+2 (halo 2 elements); out: element x, read and written exactly once.
// CHECK-NEXT: reads in[x - 2], … (5 places)
// CHECK-NOT: GCL

__global__ void update(float *a, int n) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        a[y * n + k] -= a[k];
}
// CHECK: update: splits along blockIdx.x; a: the same for all blocks and row x, read; row x, written exactly once.

__global__ void gather(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}
// CHECK: gather: splits along blockIdx.x; index: element x; in: inspected at launch; out: element x, written exactly once.
// CHECK-NEXT: reads index[x]   text.cu:55:17
// CHECK-NEXT: reads in[index[x]]   text.cu:55:14
// CHECK-NEXT: writes out[x]   text.cu:55:12
// CHECK-NEXT: {{^}}    GCL226 text.cu:55:14: in: what is touched is looked up before the launch, because the place comes from memory that the kernel only reads
// CHECK-NEXT: {{^}}      help: fine if

__global__ void total(const int *in, int *sum, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(sum, in[i]);
}
// CHECK: total: splits along blockIdx.x; in: element x and on in steps of the grid; sum: the same for all blocks, combined over all blocks: sum.

template <int N> __global__ void fill(float **rows) {
    rows[blockIdx.x][threadIdx.x] = N;
}
template __global__ void fill<7>(float **rows);
// CHECK: fill<7>: splits along blockIdx.x; rows: element blockIdx.x; rows[blockIdx.x]: written.
// CHECK: writes rows[blockIdx.x][threadIdx.x]
// CHECK-NEXT: GCL226
// CHECK-NOT: GCL

__global__ void multiply(const int *row, const int *column, const float *value, const float *x,
                         float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}
// CHECK: multiply: splits along blockIdx.x; row: elements x … x+1 (halo 1 element); column: inspected at launch; value: inspected at launch; x: inspected at launch; y: element x, written exactly once.

// What the kernel changes can't be looked up before; what all threads share is like an argument.
struct extent {
    int begin, count;
};
__global__ void turn(int *order, const extent *part, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= part->count)
        return;
    out[order[i]] = in[i];
    order[i] = -1;
}
// CHECK: turn: splits along blockIdx.x; order: element x, read and written{{.*}}; part: the same for all blocks; in: element x; out: all of it, data decides where, written by several blocks.
// CHECK: GCL211 {{.*}}: out: the whole allocation counts as touched
// CHECK: GCL221 {{.*}}: out: what each node writes is merged

__global__ void tickets(int *next, int *out) {
    out[atomicAdd(next, 1)] = blockIdx.x;
}
// CHECK: tickets: runs on one node; next: changed atomically; out: written.
// CHECK: GCL201 text.cu:[[@LINE-3]]:9: next: the kernel stays on one node, because
// CHECK-NOT: GCL209

__global__ void once(int *a) {
    a[threadIdx.x] = 0;
}
// CHECK: once: runs on one node; a: written.
// CHECK-NEXT: writes a[threadIdx.x]
// CHECK-NEXT: GCL209 text.cu:[[@LINE-5]]: the kernel stays on one node, because

// What happens only while `steps` is small, although it counts the rounds of a loop; the last round
// leaves its condition behind.
__global__ void pyramid(const float *in, float *out, int steps, int n) {
    int own = blockDim.x - 2 * steps, i = own * blockIdx.x + threadIdx.x - steps;
    __shared__ float rows[2][1024];
    bool inside;
    if (i >= 0 && i < n)
        rows[0][threadIdx.x] = in[i];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        inside = false;
        if (threadIdx.x >= k + 1 && threadIdx.x <= blockDim.x - k - 2 && i >= 0 && i < n) {
            inside = true;
            rows[1][threadIdx.x] = rows[0][threadIdx.x - 1] + rows[0][threadIdx.x + 1];
        }
        __syncthreads();
        if (k == steps - 1)
            break;
        if (inside)
            rows[0][threadIdx.x] = rows[1][threadIdx.x];
        __syncthreads();
    }
    if (inside)
        out[i] = rows[1][threadIdx.x];
}
// CHECK: pyramid: splits along blockIdx.x; in: {{.*}}halo{{.*}}; out: {{.*}}written exactly once.
// CHECK-NOT: GCL

// The launch to look at has blocks of the size that the kernel counts on, ...
__global__ void fixed(const float *in, float *out) {
    out[blockIdx.x * 192 + threadIdx.x] = in[blockIdx.x * 192 + threadIdx.x];
}
// CHECK: fixed: splits along blockIdx.x; in: element x; out: element x, written exactly once.

// ... no more of them than have room in what it writes, ...
__global__ void corner(float *out) {
    out[blockIdx.y * 2 * 64 + blockIdx.x * 64 + threadIdx.x % 64] = 1;
}
// CHECK: corner: splits along blockIdx.y; out: {{.*}}, written exactly once.

// ... and no more threads than are told apart.
__global__ void ring(float *out, int n) {
    out[(blockIdx.x * blockDim.x + threadIdx.x) % n] = 1;
}
// CHECK: ring: splits along blockIdx.x; out: element x, written exactly once.
// CHECK-NOT: GCL

// What all blocks write they write in any launch.
__global__ void same(int *own, int *flag) {
    own[blockIdx.x] = flag[threadIdx.x] = blockIdx.x;
}
// CHECK: same: splits along blockIdx.x; own: element blockIdx.x, written exactly once; flag: the same for all blocks, written by several blocks.
// CHECK: GCL221

// A texture is one thing, whatever describes it and however often it is fetched from.
__global__ void sharpen(cudaTextureObject_t image, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = 2 * tex2D<float>(image, x + 0.5f, y + 0.5f) - tex2D<float>(image, x, y);
}
// CHECK: sharpen: splits along blockIdx.y; image: a texture, all of it; out: row y, written exactly once.
// CHECK-NEXT: reads image   text.cu:[[@LINE-3]]:
// CHECK-NEXT: writes out[y*n + x]
// CHECK-NEXT: GCL225 {{.*}}: image: every node gets a copy of all texels
// CHECK-NEXT: help
// CHECK-NOT: GCL

// Data decides whether, not where; copies of several arrays are told at once.
__global__ void votes(const float *in, const float *low, const float *high, int *count) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > low[0] + high[0])
        atomicAdd(count, 1);
}
// CHECK: votes: {{.*}}; count: the same for all blocks, combined over all blocks: sum.
// CHECK: GCL222 {{.*}}: low, high: every node gets a copy
// CHECK-NOT: GCL222

// A store that LLVM made of two stands where it can be found, and long formulas end in time.
__global__ void edges(float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float value = b[x + n % 123456781 + n % 123456782 + n % 123456783 + n % 123456784 +
                    n % 123456785 + n % 123456786 + n % 123456787 + n % 123456788];
    if (n == 0)
        a[2 * x + 1] = value;
    else
        a[3 * x] = value;
}
// CHECK: edges: splits along blockIdx.x
// CHECK-NEXT: {{^}}    writes a[n == 0 ? 2*x + 1 : 3*x]   text.cu:[[@LINE-2]]
// CHECK-NEXT: {{^}}    reads b[{{.*}}…   text.cu:[[@LINE-9]]:19

// Most blocks write parts of their own, but not all.
__global__ void clear(float *a) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x == 0) {
        for (int i = 0; i < gridDim.x * blockDim.x; i++)
            a[i] = 0;
    }
    a[x] = 1;
}
// CHECK: clear: {{.*}}written by several blocks.
// CHECK: GCL221

// A condition that is given to the launch hides none that data decides; neither does a place that
// is looked up.
__global__ void picked(const int *part, const float *a, const int *order, float *out,
                       float *moved) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < part[0] && a[i] > 0) {
        out[i] = a[i];
        moved[order[i]] = a[i];
    }
}
// CHECK: picked: {{.*}}; out: element x, written where data says so; moved: inspected at launch, written where data says so.
// CHECK-DAG: GCL212 text.cu:[[@LINE-6]]:{{[0-9]+}}: out:
// CHECK-DAG: GCL212 text.cu:[[@LINE-7]]:{{[0-9]+}}: moved:
// CHECK-DAG: GCL226 text.cu:[[@LINE-6]]:{{[0-9]+}}: moved:

// Neighbours of neighbours count, too.
__global__ void ahead(const float *in, float *out) {
    out[blockIdx.x] = in[blockIdx.x] + in[blockIdx.x + 1] + in[blockIdx.x + 2];
}
// CHECK: ahead: splits along blockIdx.x; in: elements blockIdx.x … blockIdx.x+2 (halo 2 elements); out: element blockIdx.x, written exactly once.

// What happens in blocks in front alone.
__global__ void few(const float *in, float *out) {
    if (32 * blockIdx.x + threadIdx.x < 370)
        out[32 * blockIdx.x + threadIdx.x] = in[32 * blockIdx.x + threadIdx.x];
}
// CHECK: few: splits along blockIdx.x; in: element x; out: element x, written exactly once.

// How wide a halo is that an argument or the size of blocks decides about, isn't one number.
__global__ void reach(const float *in, float *out, int radius) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = -radius; k <= radius; k++)
        out[i] += in[i + k];
}
// CHECK: reach: splits along blockIdx.x; in: element x and others (halo depends on radius); out: element x, read and written exactly once.

__global__ void flat(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / n > 0 && i / n < n - 1)
        out[i] = in[i % n + (i / n - 1) * n] + in[i % n + (i / n + 1) * n];
}
// CHECK: flat: splits along blockIdx.x; in: element x and others (halo depends on n);

__global__ void beside(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i + blockDim.x];
}
// CHECK: beside: splits along blockIdx.x; in: element x and others (halo depends on blockDim.x);

// The length of a row that an argument gives is no number to be told.
__global__ void tiles(const float *a, float *sums, int rows, int length) {
    int row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int begin = 0; begin < length; begin += 16)
        sum +=
            row < rows && begin + threadIdx.x < length ? a[row * length + begin + threadIdx.x] : 0;
    if (row < rows && threadIdx.x == 0)
        sums[row] = sum;
}
// CHECK: tiles: splits along blockIdx.y; a: row y;
