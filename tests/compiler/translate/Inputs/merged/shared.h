inline int shared(int *p) {
#ifdef COUNT
    *p = cudaFree(p) + cudaDeviceReset();
#else
    *p = cudaFree(p) + cudaGetLastError();
#endif
    return *p == cudaSuccess;
}
#ifdef KERNELS
#define CONFIGURATION 1, 2
__global__ void none() {}
inline void launch() { none<<<1, 2>>>(); }
inline void hidden() { none<<<CONFIGURATION>>>(); }
#endif
