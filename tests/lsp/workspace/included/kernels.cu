static __device__ float later(const Cell &cell) { return 2 * cell.now - cell.before; }

__global__ void advance(Cell *cells) {
    int i = blockIdx.x * WIDTH + threadIdx.x;
    cells[i].now = later(cells[i]);
}
