// Launches of some rounds each, and a pause of milliseconds after each: the median and the longest
// time of one, in microseconds. Arguments: the pause, how many launches, rounds. Without rounds: how
// many rounds take as many milliseconds as the first argument says.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

__global__ void turn(unsigned *numbers, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = numbers[i] + i;
    for (int k = 0; k < rounds; k++)
        x = x * 1664525u + 1013904223u;
    numbers[i] = x;
}

static double launch(unsigned *numbers, int rounds) {
    auto begin = std::chrono::steady_clock::now();
    turn<<<1024, 256>>>(numbers, rounds);
    cudaDeviceSynchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e6;
}

/// Rounds of one thread that take so many microseconds, with nobody else there.
static int calibrate(unsigned *numbers, double us) {
    double best = 1e9;
    launch(numbers, 1000);
    for (int i = 0; i < 5; i++)
        best = std::min(best, launch(numbers, 10000));
    return (int)(us * 10000 / best) + 1;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int pause = atoi(argv[1]), times = atoi(argv[2]), rounds = argc > 3 ? atoi(argv[3]) : 0;
    unsigned *numbers;
    std::vector<double> taken;
    if (cudaMalloc(&numbers, sizeof *numbers << 18) != cudaSuccess)
        return 1;
    cudaMemset(numbers, 0, sizeof *numbers << 18);
    if (rounds == 0) {
        printf("%d\n", calibrate(numbers, pause * 1000.0));
        return 0;
    }
    for (int i = 0; i < times; i++) {
        taken.push_back(launch(numbers, rounds));
        usleep(pause * 1000);
    }
    std::sort(taken.begin(), taken.end());
    printf("%g %g\n", taken[taken.size() / 2], taken.back());
    return 0;
}
