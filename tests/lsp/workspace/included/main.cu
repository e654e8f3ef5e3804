#include <cstdio>
// #include "not_this.cu"
#define WIDTH 256
struct Cell {
    float now, before;
};

#ifndef WITHOUT_KERNELS
#include "kernels.cu"
#endif

int main() {
#include "block.cu"
    Cell *cells;
    cudaMalloc(&cells, WIDTH * sizeof(Cell));
    advance<<<1, WIDTH>>>(cells);
    return count != 3;
}
