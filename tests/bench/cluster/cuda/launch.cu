// What a launch costs the thread that makes it, when it is known and nothing has to move: rounds of
// launches, each followed by a wait that isn't counted. Prints the best round's microseconds.
//
//     launch [--quick]
#include "host.h"

#include <algorithm>

__global__ void count(unsigned *numbers) {
    numbers[blockIdx.x * blockDim.x + threadIdx.x]++;
}

int main(int argc, char **argv) {
    enum { ROUNDS = 50, LAUNCHES = 200, COUNT = 1 << 16 };
    unsigned *numbers = allocate<unsigned>(COUNT);
    double best = 1e30;
    check(cudaMemset(numbers, 0, COUNT * sizeof(unsigned)));
    for (int round = 0; round < ROUNDS; round++) {
        double begin = finished();
        for (int i = 0; i < LAUNCHES; i++)
            count<<<COUNT / 64, 64>>>(numbers);
        best = std::min(best, (now() - begin) / LAUNCHES);
    }
    std::vector<unsigned> result = host_copy(numbers, COUNT);
    bool is_right = true;
    for (unsigned number : result)
        is_right = is_right && number == ROUNDS * LAUNCHES;
    return report(best * 1e6, is_right);
}
