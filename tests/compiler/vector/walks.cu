// Threads that each walk through memory of their own run one by one.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s --implicit-check-not="{{[0-9](multiply|backwards|amongst.*region1)}}{{.*}}.{{full|masked}}("
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck %s --implicit-check-not="{{[0-9](multiply|backwards|amongst.*region1)}}{{.*}}.{{full|masked}}("
// RUN: %gcluster-cc -Rgcluster=vector -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SAYS %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: env GCL_CPU_LEVEL=v4 %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v2 %t
// RUN: %gcluster-cc -O2 --cpu=scalar %s -o %t
// RUN: %t
#include <math.h>

#include "../device/check.h"

enum { ROWS = 1000, LONGEST = 70 };

struct matrix {
    const int *begin, *column;
    const float *value;
};

struct element {
    int column, value;
};

// CHECK-DAG: call i32 @_Z8multiplyPf6matrixPKfi.region0.lane(
__global__ void multiply(float *y, matrix a, const float *x, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        // SAYS: walks.cu:[[@LINE+1]]: remark: _Z8multiplyPf6matrixPKfi: lane by lane: a loop through memory of each thread's own, and all around it
        for (int k = a.begin[row]; k < a.begin[row + 1]; k++)
            sum += a.value[k] * x[a.column[k]];
        y[row] = sum;
    }
}

// Structures, by a pointer, from the end.
// CHECK-DAG: call i32 @_Z9backwardsPiPKiPK7elementS1_i.region0.lane(
__global__ void backwards(int *y, const int *begin, const element *elements, const int *x,
                          int rows) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    row = row * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int sum = 0;
    for (const element *e = elements + begin[row + 1]; e-- > elements + begin[row];)
        sum = 3 * sum + e->value * x[e->column];
    y[row] = sum;
}

// One region of a kernel, between others: locals are kept over both barriers.
// CHECK-DAG: define internal i32 @_Z7amongstPfS_6matrixPKf.region0.{{.*}}.full(
// CHECK-DAG: call i32 @_Z7amongstPfS_6matrixPKf.region1.lane{{.*}}(
// CHECK-DAG: define internal i32 @_Z7amongstPfS_6matrixPKf.region2.{{.*}}.full(
__global__ void amongst(float *y, float *z, matrix a, const float *x) {
    __shared__ float sums[128];
    int t = threadIdx.x, row = blockIdx.x * 128 + t;
    float mine = x[row] / 3;
    sums[t] = mine;
    __syncthreads();
    float sum = sums[127 - t];
    for (int k = a.begin[row]; k < a.begin[row + 1]; k++)
        sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
    __syncthreads();
    z[row] = sum * mine + y[blockIdx.x * 128 + 127 - t];
}

// A vector sums up faster than a thread, which waits for each addition, where only one element of
// each lane lies far from the others.
// CHECK-DAG: define internal i32 @_Z4onceP{{.*}}.full(
__global__ void once(float *y, const int *begin, const float *value) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++)
        sum += value[k];
    y[row] = sum;
}

// Rows of one length.
// CHECK-DAG: define internal i32 @_Z4evenP{{.*}}.full(
__global__ void even(float *y, matrix a, const float *x, int length) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += a.value[row * length + k] * x[a.column[row * length + k]];
    y[row] = sum;
}

// Much to do with each element, or what a processor does best in vectors.
// CHECK-DAG: define internal i32 @_Z4muchP{{.*}}.full(
__global__ void much(int *y, const int *begin, const element *elements, const int *x) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++) {
        int v = x[elements[k].column] * elements[k].value;
        v ^= v << 13, v ^= v >> 17, v ^= v << 5, v *= 77;
        sum = 3 * sum + v;
    }
    y[row] = sum;
}

// CHECK-DAG: define internal i32 @_Z7dividesP{{.*}}.full(
__global__ void divides(float *y, matrix a, const float *x) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = a.begin[row]; k < a.begin[row + 1]; k++)
        sum += a.value[k] / x[a.column[k]];
    y[row] = sum;
}

// CHECK-DAG: define internal i32 @_Z5tellsP{{.*}}.full(
__global__ void tells(int *y, int *count, const int *begin, const element *elements, const int *x) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++)
        sum = 3 * sum + elements[k].value * x[elements[k].column];
    y[row] = sum;
    atomicAdd(count, 1);
}

struct problem {
    int *begin = managed<int>(ROWS + 129), *column = managed<int>(ROWS * LONGEST);
    float *value = managed<float>(ROWS * LONGEST), *x = managed<float>(ROWS + 128);
    element *elements = managed<element>(ROWS * LONGEST);
    int *whole = managed<int>(ROWS + 128);

    explicit problem(unsigned seed) {
        for (int row = 0; row < ROWS; row++) {
            seed = seed * 1664525 + 1013904223;
            begin[row + 1] = begin[row] + (seed >> 28 < 5 ? 0 : (int)((seed >> 8) % LONGEST));
        }
        for (int row = ROWS; row < ROWS + 128; row++)
            begin[row + 1] = begin[row];
        for (int k = 0; k < begin[ROWS]; k++) {
            seed = seed * 1664525 + 1013904223;
            column[k] = (int)((seed >> 8) % ROWS);
            value[k] = (float)(seed >> 12) / 99;
            elements[k] = {column[k], (int)seed};
        }
        for (int i = 0; i < ROWS + 128; i++)
            x[i] = 1 / (float)(i + 1), whole[i] = 7 * i - 99;
    }
    matrix a() const {
        return {begin, column, value};
    }
    float row(int row, float sum) const {
        for (int k = begin[row]; k < begin[row + 1]; k++)
            sum = fmaf(value[k], x[column[k]], sum);
        return sum;
    }
    int backwards(int row) const {
        int sum = 0;
        for (int k = begin[row + 1]; k-- > begin[row];)
            sum = (int)(3u * sum + (unsigned)elements[k].value * whole[elements[k].column]);
        return sum;
    }
};

static bool near(float a, float b) {
    return fabsf(a - b) <= 1e-5f * fabsf(b); // processors without fma round twice
}

static void check_multiply(const problem &p, int threads) {
    float *y = managed<float>(ROWS);
    multiply<<<(ROWS + threads - 1) / threads, threads>>>(y, p.a(), p.x, ROWS);
    SYNC();
    for (int row = 0; row < ROWS; row++)
        CHECK(near(y[row], p.row(row, 0)));
}

static void check_backwards(const problem &p, dim3 block) {
    int *y = managed<int>(ROWS);
    dim3 grid(2, (ROWS / 2 + block.x * block.y - 1) / (block.x * block.y));
    backwards<<<grid, block>>>(y, p.begin, p.elements, p.whole, ROWS);
    SYNC();
    for (int row = 0; row < ROWS; row++)
        CHECK(y[row] == p.backwards(row));
}

static void check_amongst(const problem &p) {
    enum { BLOCKS = (ROWS + 127) / 128 };
    float *y = managed<float>(BLOCKS * 128), *z = managed<float>(BLOCKS * 128);
    amongst<<<BLOCKS, 128>>>(y, z, p.a(), p.x);
    SYNC();
    for (int row = 0; row < BLOCKS * 128; row++) {
        int other = row / 128 * 128 + 127 - row % 128;
        CHECK(near(y[row], p.row(row, p.x[other] / 3)));
        CHECK(near(z[row], fmaf(y[row], p.x[row] / 3, y[other])));
    }
}

int main() {
    for (unsigned seed = 1; seed <= 3; seed++) {
        problem p(seed);
        check_multiply(p, 256);
        check_multiply(p, 100);
        check_multiply(p, 3);
        check_backwards(p, dim3(16, 4));
        check_backwards(p, dim3(7, 3));
        check_amongst(p);
    }
}
