__device__ float twice(const float *p, int i) {
    return 2 * p[i];
}
