// RUN: %gcluster-cc -O2 %s -o %t && %t
// Loops that are left by break or continue behind a barrier; locals and arrays live across it.
#include "check.h"

__global__ void until_done(int *out, int limit) {
    __shared__ int turn;
    int sum = 0, history[4] = {0, 0, 0, 0};
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    while (true) {
        sum += turn;
        history[turn & 3] += threadIdx.x;
        if (!__syncthreads_or(turn < limit))
            break;
        if (threadIdx.x == 0)
            turn++;
        __syncthreads();
        if (turn == 3)
            continue;
        history[0]++;
    }
    out[threadIdx.x] = sum + 1000 * history[0] + 1000000 * __syncthreads_and(history[1] >= 0);
}

int main() {
    int *out = managed<int>(64);
    const int limit = 10;
    until_done<<<1, 64>>>(out, limit);
    SYNC();
    for (int t = 0; t < 64; t++) {
        int sum = 0, history = 0;
        for (int turn = 0; turn <= limit; turn++) {
            sum += turn;
            history += turn % 4 == 0 ? t : 0;
            history += turn > 0 && turn != 3 ? 1 : 0;
        }
        CHECK(out[t] == sum + 1000 * history + 1000000);
    }
}
