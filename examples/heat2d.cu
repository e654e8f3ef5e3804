// A hotplate: a coil of wire warms a square plate whose rim is kept cold. The two-dimensional heat
// equation, one kernel launch a time step, checked against the same steps on the host. Needs -lpng.
//
//     heat2d [size [steps [picture]]]        for example: heat2d 512 4000 heat2d.png
#include "common/check.h"
#include "common/picture.h"

#include <utility>
#include <vector>

// Part of the difference to its neighbours that a cell takes over in one step. The scheme blows up
// above 1/4.
constexpr float diffusion = 0.2f;

__host__ __device__ inline float next_temperature(const float *now, const float *heating, int cell,
                                                  int size) {
    float neighbours = now[cell - 1] + now[cell + 1] + now[cell - size] + now[cell + size];
    return now[cell] + diffusion * (neighbours - 4 * now[cell]) + heating[cell];
}

__global__ void step(const float *now, const float *heating, float *next, int size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= size - 1 || y >= size - 1)
        return; // the rim keeps its temperature
    next[y * size + x] = next_temperature(now, heating, y * size + x, size);
}

static std::vector<float> solve_on_host(const std::vector<float> &heating, int size, int steps) {
    std::vector<float> now(heating.size()), next(heating.size());
    for (int i = 0; i < steps; i++) {
        for (int y = 1; y < size - 1; y++)
            for (int x = 1; x < size - 1; x++)
                next[y * size + x] =
                    next_temperature(now.data(), heating.data(), y * size + x, size);
        std::swap(now, next);
    }
    return now;
}

static std::vector<float> solve_on_device(const std::vector<float> &heating, int size, int steps) {
    size_t bytes = heating.size() * sizeof(float);
    float *now, *next, *device_heating;
    CHECK(cudaMalloc(&now, bytes));
    CHECK(cudaMalloc(&next, bytes));
    CHECK(cudaMalloc(&device_heating, bytes));
    CHECK(cudaMemset(now, 0, bytes));
    CHECK(cudaMemset(next, 0, bytes));
    CHECK(cudaMemcpy(device_heating, heating.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    dim3 block(32, 8);
    dim3 grid((size + block.x - 1) / block.x, (size + block.y - 1) / block.y);
    for (int i = 0; i < steps; i++) {
        step<<<grid, block>>>(now, device_heating, next, size);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    printf("%d steps of %d x %d cells in %.2f s\n", steps, size, size, milliseconds / 1e3);

    std::vector<float> temperature(heating.size());
    CHECK(cudaMemcpy(temperature.data(), now, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    CHECK(cudaFree(device_heating));
    return temperature;
}

// Heat that the wire gives in one step: it runs as a spiral of evenly spaced turns and fades out
// over its own thickness.
static std::vector<float> coil(int size) {
    const float pi = 3.14159265f;
    const float turns = 4.5f, spacing = 0.095f, thickness = 0.02f; // parts of the plate's side
    std::vector<float> heating((size_t)size * size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            float dx = (x + 0.5f) / size - 0.5f, dy = (y + 0.5f) / size - 0.5f;
            float radius = std::sqrt(dx * dx + dy * dy) / spacing;
            float angle = std::atan2(dy, dx) / (2 * pi) + 0.5f;
            float turn = std::fmax(std::round(radius - angle), 0.0f) + angle;
            float distance = (radius - turn) * spacing / thickness;
            if (turn >= 0.5f && turn <= turns)
                heating[y * size + x] = 0.01f * std::exp(-4 * distance * distance);
        }
    return heating;
}

static bool draw(const char *path, const std::vector<float> &temperature, int size) {
    float hottest = 1e-30f;
    for (float t : temperature)
        hottest = std::fmax(hottest, t);
    std::vector<unsigned char> pixels(temperature.size());
    for (size_t i = 0; i < pixels.size(); i++)
        pixels[i] = (unsigned char)(255 * temperature[i] / hottest + 0.5f);
    // Brightness only rises along the colours, so that the picture reads well in grey, too.
    return write_png(path, pixels, size, size,
                     palette_through({{4, 4, 18},
                                      {38, 12, 80},
                                      {105, 20, 110},
                                      {170, 40, 90},
                                      {225, 80, 50},
                                      {250, 145, 20},
                                      {252, 205, 70},
                                      {255, 250, 200}}));
}

int main(int argument_count, char **arguments) {
    int size = argument_count > 1 ? atoi(arguments[1]) : 512;
    int steps = argument_count > 2 ? atoi(arguments[2]) : 1000;
    const char *path = argument_count > 3 ? arguments[3] : "heat2d.png";
    if (size < 3 || size > 16384 || steps < 0) {
        fprintf(stderr, "usage: %s [size 3..16384 [steps [picture]]]\n", arguments[0]);
        return 2;
    }

    std::vector<float> heating = coil(size);
    std::vector<float> temperature = solve_on_device(heating, size, steps);
    if (!draw(path, temperature, size))
        return 2;
    printf("the plate is drawn in %s\n", path);

    std::vector<float> reference = solve_on_host(heating, size, steps);
    return verdict("heat2d", largest_error(temperature.data(), reference.data(), reference.size()),
                   1e-5);
}
