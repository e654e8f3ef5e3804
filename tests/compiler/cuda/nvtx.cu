// Ranges and marks: accepted and without effect, unless a trace is recorded; then in that.
// RUN: %gcluster-cc %s -pthread -o %t && %t && %t
// RUN: env GCL_TRACE=%t.json %t && %python %S/Inputs/nvtx.py %t.json 1
// RUN: env LSAN_OPTIONS=detect_leaks=0 GCL_TRACE=%t.json GCL_SPLIT=always %gcluster-run -n 3 %t
// RUN: %python %S/Inputs/nvtx.py %t.json 3
#include "../device/check.h"
#include <cstdlib>
#include <cuda.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

__global__ void fill(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

struct solver {
    static constexpr char const *name = "solver";
};
struct sweep {
    static constexpr char const *name = "sweep";
    static constexpr uint32_t id = 7;
};
struct residual {
    static constexpr char const *message = "residual";
};

static void function() {
    NVTX3_FUNC_RANGE_IN(solver);
    nvtx3::mark_in<solver>(nvtx3::registered_string_in<solver>::get<residual>(),
                           nvtx3::payload{0.25}, nvtx3::named_category_in<solver>::get<sweep>());
}

static nvtxEventAttributes_t event(const char *name) {
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = name;
    return event;
}

// What is pushed in the default domain needn't be popped in the order of other domains.
static void nest(bool is_recorded) {
    nvtxEventAttributes_t colored = event("colored \"name\"");
    colored.colorType = NVTX_COLOR_ARGB;
    colored.color = 0xff00ff80;
    colored.payloadType = NVTX_PAYLOAD_TYPE_INT64;
    colored.payload.llValue = -5;
    colored.category = 3;
    nvtxDomainHandle_t domain = nvtxDomainCreateA("input");
    CHECK((domain != nullptr) == is_recorded && nvtxDomainCreateW(L"input") == domain);
    CHECK(nvtxRangePushA("outer") == (is_recorded ? 0 : NVTX_NO_PUSH_POP_TRACKING));
    CHECK(nvtxRangePushEx(&colored) == (is_recorded ? 1 : NVTX_NO_PUSH_POP_TRACKING));
    CHECK(!is_recorded || nvtxDomainRangePushEx(domain, &colored) == 0);
    CHECK(nvtxRangePop() == (is_recorded ? 1 : NVTX_NO_PUSH_POP_TRACKING));
    CHECK(nvtxRangePop() == (is_recorded ? 0 : NVTX_NO_PUSH_POP_TRACKING));
    CHECK(!is_recorded || nvtxDomainRangePop(domain) == 0);
    CHECK(nvtxRangePop() < 0); // nothing is left
    nvtxDomainDestroy(domain);
}

// Under the names of wide characters, of domains and of the driver API.
static void name(cudaStream_t stream) {
    nvtxInitialize(nullptr);
    nvtxDomainHandle_t domain = nvtxDomainCreateA("output");
    nvtxStringHandle_t text = nvtxDomainRegisterStringA(domain, "registered");
    CHECK(nvtxDomainRegisterStringW(domain, L"registered") == text);
    nvtxDomainNameCategoryA(domain, 1, "files");
    nvtxDomainNameCategoryW(domain, 2, L"pipes");
    nvtxNameCategoryW(4, L"calls");
    nvtxNameOsThreadW((uint32_t)getpid(), L"conductor");
    const nvtxEventAttributes_t write = event("write");
    nvtxDomainMarkEx(domain, &write);
    nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &write));
    nvtxNameCudaDeviceW(0, L"device");
    nvtxNameCudaStreamW(stream, L"pipeline");
    nvtxNameCudaEventW(nullptr, L"event");
    nvtxNameCuDeviceA(0, "device");
    nvtxNameCuContextA(nullptr, "context");
    nvtxNameCuStreamA(stream, "pipeline");
    nvtxNameCuEventA(nullptr, "event");
}

int main() {
    const bool is_recorded = getenv("GCL_TRACE") != nullptr;
    nvtxNameCategoryA(3, "io");
    nest(is_recorded);
    nvtxNameOsThreadA((uint32_t)getpid(), "conductor");

    nvtxRangeId_t range = nvtxRangeStartA("overlapping");
    nvtxRangeId_t other = nvtxRangeStartW(L"überlappend \U0001F600");
    std::thread([&] {
        nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "helper");
        nvtxRangePushA("in helper");
        nvtxRangeEnd(range);
        nvtxRangePop();
    }).join();
    nvtxRangeEnd(other);
    nvtxRangeEnd(12345); // there is none
    const nvtxEventAttributes_t again = event("again");
    nvtxRangeEnd(nvtxRangeStartEx(&again));
    nvtxMarkEx(&again);
    nvtxRangePushW(L"last");
    nvtxRangePop();
    nvtxMarkW(L"wide");
    nvtxMarkA("not UTF-8: \xe9");

    cudaStream_t stream;
    int *memory, host[4096];
    CHECK(cudaStreamCreate(&stream) == cudaSuccess &&
          cudaMalloc(&memory, sizeof host) == cudaSuccess);
    nvtxNameCudaStreamA(stream, "pipeline");
    nvtxNameCudaDeviceA(0, "device");
    nvtxNameCudaEventA(nullptr, "event");
    name(stream);
    {
        nvtx3::scoped_range scope{"scope", nvtx3::rgb{1, 2, 3}};
        nvtx3::unique_range_in<solver> unique{"unique"};
        fill<<<32, 128, 0, stream>>>(memory);
        CHECK(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    }
    CHECK(host[0] == 1 && host[4095] == 1);
    function();
    nvtxRangePushA("never popped");
    return 0;
}
