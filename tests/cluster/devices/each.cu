// What each device is, and what is its own: memory, variables, settings.
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "check.h"

__device__ int counter = 5;
__device__ int untouched;
__constant__ int factor = 2;
__device__ int *pointer = &counter; // to that of the same device

__global__ void add(int *out, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * factor + value;
    if (i == 0) {
        counter += value;
        *pointer += 1;
    }
}

static void identities(int count) {
    std::set<std::string> ids, uuids;
    cudaDeviceProp p;
    for (int i = 0; i < count; i++) {
        char id[20];
        int found = -1, bus = -1, cores = 0;
        CHECK(cudaGetDeviceProperties(&p, i));
        CHECK(cudaDeviceGetPCIBusId(id, sizeof id, i));
        CHECK(cudaDeviceGetByPCIBusId(&found, id));
        CHECK(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, i));
        CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, i));
        REQUIRE(found == i && bus == p.pciBusID && cores == p.multiProcessorCount && cores > 0);
        REQUIRE(p.hostNativeAtomicSupported == (i == 0));
        REQUIRE(strncmp(p.name, "gcluster CPU: ", 14) == 0 && p.name[14]);
        ids.insert(id);
        uuids.insert(std::string(p.uuid.bytes, sizeof p.uuid.bytes));
        CHECK(cudaSetDevice(i));
        size_t free_size, size;
        CHECK(cudaMemGetInfo(&free_size, &size));
        REQUIRE(size == p.totalGlobalMem && free_size <= size);
    }
    REQUIRE((int)ids.size() == count && (int)uuids.size() == count);
    EXPECT(cudaGetDeviceProperties(&p, count), cudaErrorInvalidDevice);
    EXPECT(cudaGetDeviceProperties(&p, -1), cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(count), cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
    int current = -1;
    CHECK(cudaGetDevice(&current));
    REQUIRE(current == count - 1);
    std::thread([] {
        int first = -1;
        CHECK(cudaGetDevice(&first)); // every thread begins with the first
        REQUIRE(first == 0);
    }).join();
    cudaGetLastError();
}

static void memory(int count) {
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        size_t before, after, size;
        void *all, *part, *pinned, *managed;
        cudaPointerAttributes a;
        CHECK(cudaMemGetInfo(&before, &size));
        CHECK(cudaMalloc(&part, 1 << 20));
        CHECK(cudaMemGetInfo(&after, &size));
        REQUIRE(before - after == 1 << 20);
        EXPECT(cudaMalloc(&all, size), cudaErrorMemoryAllocation); // others' memory isn't taken
        cudaGetLastError();
        CHECK(cudaMallocHost(&pinned, 100));
        CHECK(cudaMallocManaged(&managed, 100));
        CHECK(cudaSetDevice(0));
        CHECK(cudaPointerGetAttributes(&a, (char *)part + 1000));
        REQUIRE(a.device == i && a.type == cudaMemoryTypeDevice);
        CHECK(cudaPointerGetAttributes(&a, managed));
        REQUIRE(a.device == i && a.type == cudaMemoryTypeManaged);
        CHECK(cudaPointerGetAttributes(&a, pinned));
        REQUIRE(a.device == i && a.type == cudaMemoryTypeHost);
        CHECK(cudaFree(part)); // whatever device is in use
        CHECK(cudaFree(managed));
        CHECK(cudaFreeHost(pinned));
        CHECK(cudaSetDevice(i));
        CHECK(cudaMemGetInfo(&after, &size));
        REQUIRE(before == after);
    }
}

static void variables(int count) {
    const int n = 10000;
    std::vector<int *> out(count);
    std::set<void *> addresses;
    for (int i = 0; i < count; i++) {
        int scale = i + 3;
        void *address;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&out[i], n * sizeof(int)));
        CHECK(cudaMemcpyToSymbol(factor, &scale, sizeof scale));
        CHECK(cudaGetSymbolAddress(&address, counter));
        addresses.insert(address);
    }
    REQUIRE((int)addresses.size() == count);
    for (int i = count; i-- > 0;) {
        CHECK(cudaSetDevice(i));
        add<<<(n + 255) / 256, 256>>>(out[i], n, 100 * i);
        add<<<(n + 255) / 256, 256>>>(out[i], n, 100 * i);
    }
    for (int i = 0; i < count; i++) {
        int value;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
        REQUIRE(value == 5 + 200 * i + 2);
        CHECK(cudaMemcpyFromSymbol(&value, untouched, sizeof value));
        REQUIRE(value == 0);
        std::vector<int> host = fetch(out[i], n);
        for (int k = 0; k < n; k++)
            REQUIRE(host[k] == k * (i + 3) + 100 * i);
        CHECK(cudaFree(out[i]));
    }
}

// The memory of a device is gone, its variables begin anew; those of others stay.
static void resets(int count) {
    const int last = count - 1;
    int value = 77, *kept;
    CHECK(cudaSetDevice(0));
    if (count > 1) {
        CHECK(cudaMalloc(&kept, sizeof value));
        CHECK(cudaMemcpy(kept, &value, sizeof value, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpyToSymbol(counter, &value, sizeof value));
    }
    size_t free_size, size;
    void *lost;
    CHECK(cudaSetDevice(last));
    CHECK(cudaMalloc(&lost, 1 << 20));
    CHECK(cudaDeviceReset());
    CHECK(cudaMemGetInfo(&free_size, &size));
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, lost));
    REQUIRE(a.type == cudaMemoryTypeUnregistered);
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    REQUIRE(value == 5);
    int *out;
    CHECK(cudaMalloc(&out, 100 * sizeof(int)));
    add<<<1, 100>>>(out, 100, 1);
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    REQUIRE(value == 7 && fetch(out, 100)[99] == 99 * 2 + 1);
    if (count == 1)
        return;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    REQUIRE(value == 77 && fetch(kept, 1)[0] == 77);
}

static void settings(int count) {
    size_t value;
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    REQUIRE(value == (count > 1 ? 1024 : 4096));
    for (int i = 0; i < count; i++) {
        cudaMemPool_t pool, own;
        void *memory;
        cudaPointerAttributes a;
        cudaStream_t stream;
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaSetDevice(0));
        CHECK(cudaMallocAsync(&memory, 1000, stream)); // from the pool of the stream's device
        CHECK(cudaPointerGetAttributes(&a, memory));
        REQUIRE(a.device == i);
        CHECK(cudaFreeAsync(memory, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaDeviceGetDefaultMemPool(&pool, i));
        CHECK(cudaDeviceGetMemPool(&own, i));
        REQUIRE(pool == own);
        CHECK(cudaStreamDestroy(stream));
    }
}

int main() {
    int count = device_count();
    identities(count);
    memory(count);
    variables(count);
    settings(count);
    resets(count);
    puts("right");
}
