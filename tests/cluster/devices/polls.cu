// A kernel that polls memory which the host writes: the first device sees it; for the others there
// is a warning, and what they see is as old as the launch.
#include "check.h"

__global__ void await(volatile int *flag, int *seen, long long ticks) {
    long long begin = clock64();
    while (*flag == 0 && clock64() - begin < ticks)
        ;
    *seen = *flag;
}

int main() {
    int count = device_count();
    for (int i = 0; i < count; i++) {
        int *flag, *seen;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMallocHost(&flag, sizeof *flag));
        CHECK(cudaMalloc(&seen, sizeof *seen));
        *flag = 0;
        await<<<1, 1>>>(flag, seen, i == 0 ? 20000000000 : 1000000);
        if (i == 0)
            *(volatile int *)flag = 1;
        CHECK(cudaDeviceSynchronize());
        REQUIRE(fetch(seen, 1)[0] == (i == 0));
    }
    puts("right");
}
