// Who may use whose memory, and copies between devices.
#include "check.h"

__global__ void shift(int *out, const int *in, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + by;
}

__global__ void chase(int *out, int **in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += in[i % 2][i];
}

static const int n = 100000, blocks = (n + 255) / 256;

static void rules(int count) {
    int can = -1;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            CHECK(cudaDeviceCanAccessPeer(&can, i, k));
            REQUIRE(can == (i != k));
        }
    }
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, count), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice); // itself
    EXPECT(cudaDeviceEnablePeerAccess(count, 0), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceDisablePeerAccess(count), cudaErrorInvalidDevice);
    EXPECT(cudaMemcpyPeer(NULL, count, NULL, 0, 0), cudaErrorInvalidDevice);
    if (count > 1) {
        int value = -1;
        EXPECT(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
        EXPECT(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
        CHECK(cudaDeviceEnablePeerAccess(1, 0));
        EXPECT(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
        CHECK(cudaDeviceDisablePeerAccess(1));
        CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
        REQUIRE(value == 1);
        CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
        REQUIRE(value == 0);
    }
    cudaGetLastError();
}

// Around a ring, by copies, without that any device may use another one's memory.
static void copies(const std::vector<int *> &memory) {
    int count = (int)memory.size();
    std::vector<int> host(n);
    for (int i = 0; i < n; i++)
        host[i] = 3 * i;
    CHECK(cudaMemcpy(memory[0], host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (int i = 0; i < 2 * count; i++) {
        int from = i % count, to = (i + 1) % count;
        CHECK(cudaSetDevice(from));
        shift<<<blocks, 256>>>(memory[from], memory[from], n, 1);
        if (i % 2)
            CHECK(cudaMemcpyPeerAsync(memory[to], to, memory[from], from, n * sizeof(int)));
        else
            CHECK(cudaMemcpy(memory[to], memory[from], n * sizeof(int), cudaMemcpyDefault));
        CHECK(cudaDeviceSynchronize());
    }
    host = fetch(memory[0], n);
    for (int i = 0; i < n; i++)
        REQUIRE(host[i] == 3 * i + 2 * count);
    // Rows of another pitch, and within one device.
    for (int d = 0; d < count; d++) {
        int *to = memory[d], *from = memory[(d + 1) % count];
        CHECK(cudaMemset(from, 0, n * sizeof(int)));
        CHECK(cudaSetDevice((d + 1) % count));
        shift<<<blocks, 256>>>(from, from, n, 9);
        CHECK(cudaMemset(to, 0, 4000 * sizeof(int)));
        CHECK(cudaMemcpy2D(to + 5, 40, from + 8, 400, 20, 50, cudaMemcpyDeviceToDevice));
        host = fetch(to, 600);
        for (int i = 0; i < 505; i++)
            REQUIRE(host[i] == (i >= 5 && (i - 5) % 10 < 5 ? 9 : 0) || count == 1);
    }
}

static void kernels(const std::vector<int *> &memory) {
    int count = (int)memory.size();
    CHECK(cudaMemset(memory[0], 0, n * sizeof(int)));
    for (int i = 1; i < count; i++) { // each reads what the one before it has
        CHECK(cudaSetDevice(i));
        CHECK(cudaDeviceEnablePeerAccess(i - 1, 0));
        shift<<<blocks, 256>>>(memory[i], memory[i - 1], n, i);
    }
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaDeviceSynchronize());
    int sum = count * (count - 1) / 2;
    REQUIRE(fetch(memory[count - 1], n)[n - 1] == sum);
    if (count == 1)
        return;
    // The last one writes into the memory of the one before it, and follows pointers there.
    int **pointers, *list[2] = {memory[count - 2], memory[count - 1]};
    shift<<<blocks, 256>>>(memory[count - 2], memory[count - 1], n, 1000);
    CHECK(cudaMalloc(&pointers, sizeof list));
    CHECK(cudaMemcpy(pointers, list, sizeof list, cudaMemcpyHostToDevice));
    chase<<<blocks, 256>>>(memory[count - 1], pointers, n);
    std::vector<int> host = fetch(memory[count - 1], n);
    REQUIRE(host[10] == 2 * sum + 1000 && host[11] == 2 * sum);
    // That device sees what was written there.
    CHECK(cudaSetDevice(count - 2));
    shift<<<blocks, 256>>>(memory[count - 2], memory[count - 2], n, 1);
    REQUIRE(fetch(memory[count - 2], n)[n - 1] == sum + 1001);
    CHECK(cudaFree(pointers));
}

// A kernel that uses what it mustn't does nothing, and the program hears of it.
static void refusal(const std::vector<int *> &memory) {
    int count = (int)memory.size();
    if (count == 1)
        return;
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceDisablePeerAccess(0));
    fprintf(stderr, "expected next: a refusal\n");
    shift<<<blocks, 256>>>(memory[1], memory[0], n, 1);
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError(), cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset());
    int *fresh;
    CHECK(cudaMalloc(&fresh, n * sizeof(int)));
    shift<<<blocks, 256>>>(fresh, fresh, n, 1);
    REQUIRE(fetch(fresh, n)[n - 1] == 1);
}

int main() {
    int count = device_count();
    std::vector<int *> memory(count);
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&memory[i], n * sizeof(int)));
    }
    CHECK(cudaSetDevice(0));
    rules(count);
    copies(memory);
    kernels(memory);
    refusal(memory);
    puts("right");
}
