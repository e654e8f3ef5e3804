// More memory than a GPU has: pieces of it are filled, added up and copied, by kernels and by the
// host, until none is given any more; one goes and another comes in its place. Argument: how many
// pieces are to be given. Prints "right" and what cudaMemGetInfo says there is, in MiB.
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ints: 5 MiB. Of each STEP of them kernels touch one.
static const int MOST = 100, PIECE = 5 << 18, STEP = 32, THREADS = PIECE / STEP;

__global__ void fill(int *piece, int first) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP;
    piece[i] += first + i;
}

__global__ void add(int *sum, const int *piece) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP;
    sum[i] += piece[i];
}

static void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    puts(cudaGetErrorName(error));
    exit(1);
}

static int *obtain() {
    int *piece = nullptr;
    cudaError_t error = cudaMalloc(&piece, PIECE * sizeof(int));
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return nullptr;
    }
    check(error);
    check(cudaMemset(piece, 0, PIECE * sizeof(int)));
    return piece;
}

int main(int argc, char **argv) {
    int wanted = argc > 1 ? atoi(argv[1]) : 0;
    std::vector<int *> pieces;
    std::vector<int> sum(PIECE);
    size_t left, all;
    check(cudaMemGetInfo(&left, &all));
    while (int *piece = (int)pieces.size() < MOST ? obtain() : nullptr) {
        fill<<<THREADS / 256, 256>>>(piece, (int)pieces.size());
        pieces.push_back(piece);
    }
    int count = (int)pieces.size();
    if (count != wanted) {
        printf("%d pieces were given\n", count);
        return 1;
    }
    // The first one goes, and what comes in its place is zero.
    check(cudaFree(pieces[0]));
    pieces[0] = obtain();
    check(cudaMemcpy(sum.data(), pieces[0], PIECE * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < PIECE; i++) {
        if (sum[i] != 0) {
            printf("element %d isn't zero\n", i);
            return 1;
        }
    }
    for (int piece = 1; piece < count; piece++)
        add<<<THREADS / 256, 256>>>(pieces[0], pieces[piece]);
    check(cudaMemcpy(pieces[count - 1], pieces[0], PIECE * sizeof(int), cudaMemcpyDeviceToDevice));
    check(cudaMemcpy(sum.data(), pieces[count - 1], PIECE * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < PIECE; i++) {
        if (sum[i] != (i % STEP ? 0 : count * (count - 1) / 2 + (count - 1) * i)) {
            printf("element %d is wrong\n", i);
            return 1;
        }
    }
    printf("right %zu\n", all >> 20);
}
