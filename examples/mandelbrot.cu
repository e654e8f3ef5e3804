// The Mandelbrot set: neighbouring threads loop for very different numbers of rounds. Checked by
// what mathematics says: points whose fate is known, mirror symmetry, the area. Needs -lpng.
//
//     mandelbrot [picture]
#include "common/check.h"
#include "common/picture.h"

#include <vector>

constexpr int width = 900, height = 720, limit = 1000;
constexpr double left = -2.25, pixel = 1.0 / 300; // the picture spans [-2.25, 0.75] x [-1.2, 1.2]

// The number of rounds of z -> z*z + c from 0 until |z| > 2; `limit` if that never happened.
__device__ int rounds_until_escape(double real, double imaginary) {
    double x = 0, y = 0;
    for (int round = 0; round < limit; round++) {
        if (x * x + y * y > 4)
            return round;
        double next_x = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next_x;
    }
    return limit;
}

__global__ void draw_set(int *rounds) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    // Measured from the middle, so that a row and its mirror image get exactly opposite numbers.
    double imaginary = (height - 1 - 2 * row) * 0.5 * pixel;
    rounds[row * width + column] = rounds_until_escape(left + (column + 0.5) * pixel, imaginary);
}

__global__ void try_points(const double2 *points, int *rounds, int count) {
    int i = threadIdx.x;
    if (i < count)
        rounds[i] = rounds_until_escape(points[i].x, points[i].y);
}

// These orbits consist of numbers that a double holds exactly, so their lengths are exact, too.
static bool known_points_are_right() {
    const std::vector<double2> points = {{0, 0}, {-1, 0}, {-2, 0}, {0, 1}, {1, 0}, {2, 0}, {-2, 1}};
    const std::vector<int> expected = {limit, limit, limit, limit, 3, 2, 1};
    const int count = (int)points.size();
    std::vector<int> rounds(count);
    double2 *device_points;
    int *device_rounds;
    CHECK(cudaMalloc(&device_points, count * sizeof(double2)));
    CHECK(cudaMalloc(&device_rounds, count * sizeof(int)));
    CHECK(
        cudaMemcpy(device_points, points.data(), count * sizeof(double2), cudaMemcpyHostToDevice));
    try_points<<<1, 32>>>(device_points, device_rounds, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(rounds.data(), device_rounds, count * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_points));
    CHECK(cudaFree(device_rounds));

    for (int i = 0; i < count; i++)
        if (rounds[i] != expected[i])
            printf("c = %g%+gi: %d rounds instead of %d\n", points[i].x, points[i].y, rounds[i],
                   expected[i]);
    return rounds == expected;
}

static bool is_symmetric(const std::vector<int> &rounds) {
    for (int row = 0; row < height / 2; row++)
        for (int column = 0; column < width; column++)
            if (rounds[row * width + column] != rounds[(height - 1 - row) * width + column]) {
                printf("row %d, column %d differs from its mirror image\n", row, column);
                return false;
            }
    return true;
}

static double area(const std::vector<int> &rounds) {
    size_t inside = 0;
    for (int r : rounds)
        inside += r == limit;
    return inside * pixel * pixel;
}

static bool draw(const char *path, const std::vector<int> &rounds) {
    std::vector<unsigned char> pixels(rounds.size());
    for (size_t i = 0; i < pixels.size(); i++) // inside black; outside by the logarithm of rounds
        pixels[i] = rounds[i] == limit ? 0
                                       : (unsigned char)(1 + 254 * std::log1p((double)rounds[i]) /
                                                                 std::log1p((double)limit));
    palette colours = palette_through({{12, 20, 60},
                                       {25, 60, 130},
                                       {60, 130, 190},
                                       {190, 225, 235},
                                       {255, 235, 150},
                                       {245, 150, 30},
                                       {150, 40, 20},
                                       {60, 10, 30}});
    colours[0] = {0, 0, 0};
    return write_png(path, pixels, width, height, colours);
}

int main(int argument_count, char **arguments) {
    const char *path = argument_count > 1 ? arguments[1] : "mandelbrot.png";

    std::vector<int> rounds(width * height);
    int *device_rounds;
    CHECK(cudaMalloc(&device_rounds, rounds.size() * sizeof(int)));
    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    draw_set<<<grid, block>>>(device_rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(rounds.data(), device_rounds, rounds.size() * sizeof(int),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_rounds));

    if (!draw(path, rounds))
        return 2;
    printf("the set is drawn in %s\n", path);
    if (!known_points_are_right() || !is_symmetric(rounds))
        return EXIT_FAILURE;
    const double known_area = 1.5066; // counted by many, on far finer grids
    double counted_area = area(rounds);
    return verdict("mandelbrot area", largest_error(&counted_area, &known_area, 1), 0.01);
}
