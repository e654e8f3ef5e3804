// RUN: %gcluster-cc -O1 %s -o %t && %t
// What a loop has chosen last between the lanes' places and something else is read behind it.
#include "../device/check.h"

__global__ void choose(const int *from, int *to, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, kept = 0, others = 0;
    for (int z = 0; z < n; z++) {
        others += kept * z;
        kept = from[z * width + i] > 3 ? i : 7;
    }
    to[i] = kept + others;
}

int main() {
    const int width = 512, n = 5;
    int *from = managed<int>(width * n), *to = managed<int>(width);
    for (int i = 0; i < width * n; i++)
        from[i] = i * 7 % 10;
    choose<<<width / 128, 128>>>(from, to, n, width);
    SYNC();
    for (int i = 0; i < width; i++) {
        int kept = 0, others = 0;
        for (int z = 0; z < n; z++) {
            others += kept * z;
            kept = from[z * width + i] > 3 ? i : 7;
        }
        CHECK(to[i] == kept + others);
    }
}
