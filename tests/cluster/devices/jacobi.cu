// A plate's temperatures, cut into bands: a device has each, with the rows next to it, which come
// from its neighbours in each step. By copies between devices; by kernels that read the neighbours'
// memory; and with a host thread for each device, by way of the host.
#include <cmath>
#include <pthread.h>
#include <thread>

#include "check.h"

static const int WIDTH = 300, HEIGHT = 240, STEPS = 20;

__global__ void step(float *out, const float *in, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x > 0 && x < WIDTH - 1 && y <= rows)
        out[y * WIDTH + x] = 0.25f * (in[y * WIDTH + x - 1] + in[y * WIDTH + x + 1] +
                                      in[(y - 1) * WIDTH + x] + in[(y + 1) * WIDTH + x]);
}

// Takes the rows next to a band from the neighbours themselves.
__global__ void pull(float *band, int rows, const float *above, int above_rows,
                     const float *below) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < WIDTH && above)
        band[x] = above[above_rows * WIDTH + x];
    if (x < WIDTH && below)
        band[(rows + 1) * WIDTH + x] = below[WIDTH + x];
}

static std::vector<float> plate() {
    std::vector<float> cells(WIDTH * (HEIGHT + 2));
    for (int y = 0; y < HEIGHT + 2; y++) {
        for (int x = 0; x < WIDTH; x++)
            cells[y * WIDTH + x] = (x * 7 + y * 13) % 101;
    }
    return cells;
}

static std::vector<float> expected() {
    std::vector<float> a = plate(), b = a;
    for (int s = 0; s < STEPS; s++, a.swap(b)) {
        for (int y = 1; y <= HEIGHT; y++) {
            for (int x = 1; x < WIDTH - 1; x++)
                b[y * WIDTH + x] = 0.25f * (a[y * WIDTH + x - 1] + a[y * WIDTH + x + 1] +
                                            a[(y - 1) * WIDTH + x] + a[(y + 1) * WIDTH + x]);
        }
    }
    return a;
}

struct band {
    int device, first, rows; // of the plate, first counted from 1
    float *now, *next;
    cudaStream_t stream;
    cudaEvent_t stepped;
};

static std::vector<band> make_bands(int count) {
    std::vector<band> bands(count);
    std::vector<float> cells = plate();
    for (int i = 0; i < count; i++) {
        band &b = bands[i];
        b.device = i;
        b.first = 1 + HEIGHT * i / count;
        b.rows = 1 + HEIGHT * (i + 1) / count - b.first;
        size_t size = (b.rows + 2) * WIDTH * sizeof(float);
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamCreate(&b.stream));
        CHECK(cudaEventCreateWithFlags(&b.stepped, cudaEventDisableTiming));
        CHECK(cudaMalloc(&b.now, size));
        CHECK(cudaMalloc(&b.next, size));
        CHECK(cudaMemcpy(b.now, &cells[(b.first - 1) * WIDTH], size, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(b.next, b.now, size, cudaMemcpyDeviceToDevice));
    }
    return bands;
}

static void run_step(band &b) {
    step<<<dim3((WIDTH + 31) / 32, (b.rows + 7) / 8), dim3(32, 8), 0, b.stream>>>(b.next, b.now,
                                                                                  b.rows);
    CHECK(cudaGetLastError());
    std::swap(b.now, b.next);
}

static void check(const std::vector<band> &bands) {
    std::vector<float> right = expected();
    for (const band &b : bands) {
        std::vector<float> rows = fetch(b.now + WIDTH, b.rows * WIDTH);
        for (int i = 0; i < b.rows * WIDTH; i++)
            REQUIRE(fabs(rows[i] - right[b.first * WIDTH + i]) < 1e-3);
        CHECK(cudaFree(b.now));
        CHECK(cudaFree(b.next));
        CHECK(cudaStreamDestroy(b.stream));
        CHECK(cudaEventDestroy(b.stepped));
    }
}

static void by_copies(int count) {
    std::vector<band> bands = make_bands(count);
    const size_t row = WIDTH * sizeof(float);
    for (int s = 0; s < STEPS; s++) {
        for (band &b : bands) {
            CHECK(cudaSetDevice(b.device));
            run_step(b);
            CHECK(cudaEventRecord(b.stepped, b.stream));
        }
        for (int i = 0; i + 1 < count; i++) {
            band &a = bands[i], &b = bands[i + 1];
            CHECK(cudaStreamWaitEvent(a.stream, b.stepped));
            CHECK(cudaStreamWaitEvent(b.stream, a.stepped));
            CHECK(cudaMemcpyPeerAsync(b.now, b.device, a.now + a.rows * WIDTH, a.device, row,
                                      b.stream));
            CHECK(cudaMemcpyPeerAsync(a.now + (a.rows + 1) * WIDTH, a.device, b.now + WIDTH,
                                      b.device, row, a.stream));
        }
        for (band &b : bands)
            CHECK(cudaStreamSynchronize(b.stream));
    }
    check(bands);
}

static void by_peers(int count) {
    std::vector<band> bands = make_bands(count);
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        if (i > 0)
            CHECK(cudaDeviceEnablePeerAccess(i - 1, 0));
        if (i + 1 < count)
            CHECK(cudaDeviceEnablePeerAccess(i + 1, 0));
    }
    for (int s = 0; s < STEPS; s++) {
        for (band &b : bands) {
            CHECK(cudaSetDevice(b.device));
            run_step(b);
            CHECK(cudaDeviceSynchronize());
        }
        for (int i = 0; i < count; i++) {
            const band *above = i > 0 ? &bands[i - 1] : NULL;
            const band *below = i + 1 < count ? &bands[i + 1] : NULL;
            CHECK(cudaSetDevice(i));
            pull<<<(WIDTH + 255) / 256, 256, 0, bands[i].stream>>>(
                bands[i].now, bands[i].rows, above ? above->now : NULL, above ? above->rows : 0,
                below ? below->now : NULL);
        }
        for (int i = 0; i < count; i++) {
            CHECK(cudaSetDevice(i));
            CHECK(cudaDeviceSynchronize());
        }
    }
    check(bands);
}

static void by_threads(int count) {
    std::vector<band> bands = make_bands(count);
    std::vector<float> borders(2 * count * WIDTH);
    pthread_barrier_t together;
    pthread_barrier_init(&together, NULL, count);
    std::vector<std::thread> threads;
    const size_t row = WIDTH * sizeof(float);
    for (int i = 0; i < count; i++) {
        threads.emplace_back([&, i] {
            band &b = bands[i];
            CHECK(cudaSetDevice(i));
            for (int s = 0; s < STEPS; s++) {
                run_step(b);
                CHECK(cudaStreamSynchronize(b.stream));
                CHECK(cudaMemcpy(&borders[2 * i * WIDTH], b.now + WIDTH, row,
                                 cudaMemcpyDeviceToHost));
                CHECK(cudaMemcpy(&borders[(2 * i + 1) * WIDTH], b.now + b.rows * WIDTH, row,
                                 cudaMemcpyDeviceToHost));
                pthread_barrier_wait(&together);
                if (i > 0)
                    CHECK(cudaMemcpy(b.now, &borders[(2 * i - 1) * WIDTH], row,
                                     cudaMemcpyHostToDevice));
                if (i + 1 < count)
                    CHECK(cudaMemcpy(b.now + (b.rows + 1) * WIDTH, &borders[2 * (i + 1) * WIDTH],
                                     row, cudaMemcpyHostToDevice));
                pthread_barrier_wait(&together);
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    pthread_barrier_destroy(&together);
    check(bands);
}

int main() {
    int count = device_count();
    by_copies(count);
    by_peers(count);
    by_threads(count);
    puts("right");
}
