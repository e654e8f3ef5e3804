// Sums in elements of shared memory side by side: a lane adds to several of them at once, in the
// order of threads, so that sums of floats are what threads make of them one after the other.
// RUN: %gcluster-cc -O2 -march=x86-64-v4 -c %s -o %t.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.o | FileCheck %s
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v4 %t
#include <string.h>

#include "../device/check.h"

enum { ROWS = 13, MOST = 512 };

struct Input {
    const int *rows;
    const float *values; // of each thread, one column after the other
};

// The first `threads` threads add to elements First, First + Step … of a row of `Width`.
// CHECK-LABEL: <void add<float, 4, 0, 1, 4>({{.*}} (.x86-64-v4)>:
// CHECK: vaddps (%r{{.*}}), %xmm
template <typename Element, int Width, int First, int Step, int Count>
__global__ void add(Element *out, const int *rows, const float *values, int threads) {
    __shared__ Element sums[ROWS * Width];
    int t = threadIdx.x;
    for (int i = t; i < ROWS * Width; i += blockDim.x)
        sums[i] = 0;
    __syncthreads();
    if (t < threads) {
        int row = rows[t];
        for (int c = 0; c < Count; c++)
            atomicAdd(&sums[row * Width + First + c * Step], (Element)values[c * MOST + t]);
    }
    __syncthreads();
    for (int i = t; i < ROWS * Width; i += blockDim.x)
        out[i] = sums[i];
}

// Members of structures, and a count behind them.
struct Cell {
    float x, y, z;
    int count;
};
__global__ void add_cells(Cell *out, const int *rows, const float *values) {
    __shared__ Cell cells[ROWS];
    int t = threadIdx.x;
    if (t < ROWS)
        cells[t] = {0, 0, 0, 0};
    __syncthreads();
    Cell *cell = &cells[rows[t]];
    atomicAdd(&cell->x, values[t]);
    atomicAdd(&cell->y, values[MOST + t]);
    atomicAdd(&cell->z, values[2 * MOST + t]);
    atomicAdd(&cell->count, 1);
    __syncthreads();
    if (t < ROWS)
        out[t] = cells[t];
}

static Input make_input() {
    static int *rows = managed<int>(MOST);
    static float *values = managed<float>(4 * MOST);
    for (int t = 0; t < MOST; t++)
        rows[t] = (int)(t * 2654435761u >> 20) % ROWS;
    for (int i = 0; i < 4 * MOST; i++)
        values[i] = (float)(i * 2246822519u >> 12) / 1000;
    return {rows, values};
}

template <typename Element, int Width, int First, int Step, int Count>
static void check_add(int size, int threads) {
    static Element *out = managed<Element>(ROWS * Width);
    Element expected[ROWS * Width] = {};
    Input in = make_input();
    for (int t = 0; t < size && t < threads; t++) {
        for (int c = 0; c < Count; c++)
            expected[in.rows[t] * Width + First + c * Step] += (Element)in.values[c * MOST + t];
    }
    if (size == 256)
        add<Element, Width, First, Step, Count><<<1, 256>>>(out, in.rows, in.values, threads);
    else
        add<Element, Width, First, Step, Count><<<1, size>>>(out, in.rows, in.values, threads);
    SYNC();
    CHECK(memcmp(out, expected, sizeof expected) == 0);
}

static void check_cells(int size) {
    Cell *out = managed<Cell>(ROWS), expected[ROWS] = {};
    Input in = make_input();
    for (int t = 0; t < size; t++) {
        Cell *cell = &expected[in.rows[t]];
        cell->x += in.values[t];
        cell->y += in.values[MOST + t];
        cell->z += in.values[2 * MOST + t];
        cell->count++;
    }
    add_cells<<<1, size>>>(out, in.rows, in.values);
    SYNC();
    CHECK(memcmp(out, expected, sizeof expected) == 0);
    cudaFree(out);
}

template <typename Element> static void check_all() {
    for (int size : {64, 100, 256, 512}) {
        for (int threads : {size, size - 30}) {
            check_add<Element, 4, 0, 1, 4>(size, threads);
            check_add<Element, 4, 1, 1, 3>(size, threads);
            check_add<Element, 4, 1, 1, 2>(size, threads);
            check_add<Element, 8, 3, 1, 4>(size, threads);
            check_add<Element, 8, 0, 2, 4>(size, threads);
            check_add<Element, 8, 5, -1, 3>(size, threads);
            check_add<Element, 3, 0, 1, 3>(size, threads);
            check_add<Element, 4, 2, 0, 4>(size, threads);
        }
    }
}

int main() {
    check_all<float>();
    check_all<int>();
    check_all<double>();
    for (int size : {64, 100, 256, 512})
        check_cells(size);
}
