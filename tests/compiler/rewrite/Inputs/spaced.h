__global__ void k(int) {
}
inline int from_header() {
    k << <1, 2 >> >(7);
    return 0;
}
