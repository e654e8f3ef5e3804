#ifndef SHARED_H
#define SHARED_H
__global__ void shared_kernel(int *p);
inline void run(int *p) {
#ifdef WIDE
    cudaMemset(p, 0, 8);
    shared_kernel<<<2, 2>>>(p);
#else
    cudaFree(p);
    shared_kernel<<<1, 1>>>(p);
#endif
}
#endif
