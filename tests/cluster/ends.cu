// Loops whose end depends on data that nodes can't look up before: the last iteration has a value
// that those before it don't have.
#include <cstdio>
#include <vector>

enum { ROWS = 8192, LONGEST = 32, BLOCK = 128, TABLE = 1024 };

__global__ void mark(int *marks, const int *data) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, k = 0, bit;
    do {
        bit = data[row * LONGEST + k] & 1;
        marks[(row * LONGEST + k) * 2 + bit] = k + 1;
        k++;
    } while (bit && k < LONGEST);
}

__global__ void fill(int *table, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = i + 1;
}

__global__ void add(int *sums, const int *data, const int *table) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, k = 0, c, sum = 0;
    do {
        c = data[row * LONGEST + k] % TABLE;
        sum += table[k * TABLE + c];
        k++;
    } while (c != 0 && k < LONGEST);
    sums[row] = sum;
}

int main() {
    int *data, *marks, *table, *sums, wrong = 0;
    cudaMallocHost(&data, ROWS * LONGEST * sizeof *data);
    cudaMalloc(&marks, 2 * ROWS * LONGEST * sizeof *marks);
    cudaMalloc(&table, LONGEST * TABLE * sizeof *table);
    cudaMalloc(&sums, ROWS * sizeof *sums);
    for (int i = 0; i < ROWS * LONGEST; i++)
        data[i] = i % LONGEST == i / LONGEST * 7 % LONGEST ? 0 : 1 + i * 30 % (TABLE - 2);
    cudaMemset(marks, 0, 2 * ROWS * LONGEST * sizeof *marks);
    mark<<<ROWS / BLOCK, BLOCK>>>(marks, data);
    fill<<<LONGEST * TABLE / BLOCK, BLOCK>>>(table, LONGEST * TABLE);
    add<<<ROWS / BLOCK, BLOCK>>>(sums, data, table);
    std::vector<int> marked(2 * ROWS * LONGEST), added(ROWS);
    cudaMemcpy(marked.data(), marks, marked.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(added.data(), sums, added.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int row = 0; row < ROWS; row++) {
        bool ends = false;
        for (int k = 0; k < LONGEST; k++) {
            int bit = data[row * LONGEST + k] & 1;
            wrong += marked[(row * LONGEST + k) * 2 + bit] != (ends ? 0 : k + 1);
            wrong += marked[(row * LONGEST + k) * 2 + !bit] != 0;
            ends |= !bit;
        }
        int k = 0, c;
        do {
            c = data[row * LONGEST + k] % TABLE;
            added[row] -= k * TABLE + c + 1;
            k++;
        } while (c != 0 && k < LONGEST);
        wrong += added[row] != 0;
    }
    printf("%d\n", wrong);
    return cudaDeviceSynchronize();
}
