// RUN: %gcluster-cc -O2 %s -o %t && %t
// Threads that have returned take no part in barriers, counts and votes.
#include "check.h"

__global__ void sum_of_those_left(int *out, int *counted, unsigned *voted, int left) {
    __shared__ int values[128];
    int t = threadIdx.x;
    values[t] = 0;
    if (t >= left)
        return;
    values[t] = t;
    __syncthreads();
    counted[t] = __syncthreads_count(t % 2 == 0);
    voted[t] = __ballot_sync(0xffffffff, t % 3 == 0);
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < left; i++)
            sum += values[i];
        *out = sum;
    }
}

int main() {
    int *out = managed<int>(1), *counted = managed<int>(128);
    unsigned *voted = managed<unsigned>(128);
    for (int left = 1; left <= 128; left += 3) {
        sum_of_those_left<<<1, 128>>>(out, counted, voted, left);
        SYNC();
        CHECK(*out == left * (left - 1) / 2);
        for (int t = 0; t < left; t++) {
            unsigned expected = 0;
            for (int l = t / 32 * 32; l < t / 32 * 32 + 32 && l < left; l++)
                expected |= (l % 3 == 0) << (l % 32);
            CHECK(counted[t] == (left + 1) / 2 && voted[t] == expected);
        }
    }
}
