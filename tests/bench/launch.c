// Time of a launch: of an empty kernel with synchronisation, of each of 1000 launches queued one
// after the other, and of a block among very many. Medians of many runs, one line each.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "kernels.h"

enum { RUNS = 2001, QUEUE = 1000, QUEUE_RUNS = 101, BLOCKS = 1 << 20, BLOCK_RUNS = 21 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof values[0], compare);
    return values[count / 2];
}

static void launch(unsigned grid, unsigned block) {
    gclError_t error =
        gclLaunchKernel(&test_empty, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, NULL, 0, NULL);
    if (error) {
        fprintf(stderr, "launch: %s\n", gclGetErrorString(error));
        exit(1);
    }
}

static double time_launch(unsigned grid, unsigned block, int runs) {
    static double us[RUNS];
    for (int i = 0; i < runs; i++) {
        uint64_t begin = gcl_clock_ns();
        launch(grid, block);
        gclDeviceSynchronize();
        us[i] = (double)(gcl_clock_ns() - begin) / 1e3;
    }
    return median(us, (size_t)runs);
}

// Processor time, so that it is the same for any number of workers.
static double time_block(unsigned block) {
    clock_t begin = clock();
    for (int i = 0; i < BLOCK_RUNS; i++) {
        launch(BLOCKS, block);
        gclDeviceSynchronize();
    }
    return (double)(clock() - begin) * 1e9 / CLOCKS_PER_SEC / (double)BLOCK_RUNS / (double)BLOCKS;
}

static double time_queue(void) {
    static double us[QUEUE_RUNS];
    for (int i = 0; i < QUEUE_RUNS; i++) {
        uint64_t begin = gcl_clock_ns();
        for (int j = 0; j < QUEUE; j++)
            launch(1, 1);
        gclDeviceSynchronize();
        us[i] = (double)(gcl_clock_ns() - begin) / 1e3 / (double)QUEUE;
    }
    return median(us, QUEUE_RUNS);
}

static double time_copy(size_t size) {
    static double us[RUNS];
    void *host = malloc(size), *device;
    if (!host || gclMalloc(&device, size))
        exit(1);
    for (int i = 0; i < RUNS; i++) {
        uint64_t begin = gcl_clock_ns();
        gclMemcpy(device, host, size, gclMemcpyHostToDevice);
        us[i] = (double)(gcl_clock_ns() - begin) / 1e3;
    }
    gclFree(device);
    free(host);
    return median(us, RUNS);
}

int main(void) {
    launch(1, 1);
    printf("launch + synchronise, 1 x 1          %8.2f us\n", time_launch(1, 1, RUNS));
    printf("launch + synchronise, 64 x 64        %8.2f us\n", time_launch(64, 64, RUNS));
    printf("launch + synchronise, 1024 x 256     %8.2f us\n", time_launch(1024, 256, RUNS));
    printf("queued launch, 1 x 1 (1000 of them)  %8.2f us\n", time_queue());
    printf("a block of 32 among 2^20             %8.2f ns\n", time_block(32));
    printf("cudaMemcpy of 4 KiB to the device    %8.2f us\n", time_copy(4096));
    return 0;
}
