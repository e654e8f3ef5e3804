// Reads a word, does what node 0 does alone, says so, and reads another word: home.sh stops the
// other nodes meanwhile.
#include <cstdio>

__global__ void store(int *out, int value) {
    out[threadIdx.x] += value;
}

static bool check(const int *device, int expected) {
    int last = 0;
    cudaDeviceSynchronize();
    cudaMemcpy(&last, device + 31, sizeof last, cudaMemcpyDeviceToHost);
    return last == expected;
}

int main() {
    int *device, host[32], word;
    for (int i = 0; i < 32; i++)
        host[i] = i;
    if (cudaMalloc(&device, sizeof host) != cudaSuccess)
        return 1;
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    store<<<1, 32>>>(device, 1);
    bool is_right = check(device, 32);
    fprintf(stderr, "started\n");
    if (scanf("%d", &word) != 1)
        return 1;
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    is_right = check(device, 31) && is_right;
    store<<<1, 32>>>(device, word);
    is_right = check(device, 31 + word) && is_right;
    printf("%s\n", is_right ? "right" : "wrong");
    fflush(stdout);
    return scanf("%d", &word) == 1 && is_right ? 0 : 1;
}
