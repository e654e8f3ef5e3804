// Ranges and marks for profilers: accepted, and without effect.
// RUN: %gcluster-cc %s -o %t && %t
#include "../device/check.h"
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

int main() {
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "event";
    CHECK(nvtxRangePushA("a") >= 0 && nvtxRangePushW(L"b") >= 0 && nvtxRangePushEx(&event) >= 0);
    nvtxRangePop();
    nvtxRangeEnd(nvtxRangeStartA("c"));
    nvtxRangeEnd(nvtxRangeStartEx(&event));
    nvtxMarkA("d");
    nvtxMarkEx(&event);
    nvtxNameOsThreadA(1, "thread");
    nvtxNameCategoryA(1, "category");
    nvtxNameCudaDeviceA(0, "device");
    nvtxNameCudaStreamA(nullptr, "stream");
    nvtxNameCudaEventA(nullptr, "event");
    nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
    nvtxDomainRangePushEx(domain, &event);
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
    return 0;
}
