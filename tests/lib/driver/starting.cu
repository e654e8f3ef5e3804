// Libraries that the runtime uses may call functions of CUDA while it starts: they are told that
// there is nothing yet, and nobody waits for the other.
// RUN: %gcluster-cc %s -o %t
// RUN: %t
#include <cuda.h>
#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdio>

static bool is_armed;
static int calls;
static CUresult driver_result;
static cudaError_t runtime_result;

// The runtime asks for AT_SECURE as it starts.
extern "C" unsigned long getauxval(unsigned long type) noexcept {
    static unsigned long (*next)(unsigned long);
    int count;
    if (is_armed && type == AT_SECURE) {
        is_armed = false;
        calls++;
        driver_result = cuDeviceGetCount(&count);
        runtime_result = cudaGetDeviceCount(&count);
    }
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "getauxval");
    return next(type);
}

int main() {
    int count = 0;
    is_armed = true;
    CUresult result = cuDeviceGetCount(&count);
    if (calls == 1 && driver_result == CUDA_ERROR_NOT_INITIALIZED &&
        runtime_result == cudaErrorInitializationError && result == CUDA_SUCCESS && count > 0)
        return 0;
    printf("%d calls: %d %d, then %d with %d devices\n", calls, driver_result, runtime_result,
           result, count);
    return 1;
}
