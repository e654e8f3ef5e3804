// Blocks whose places memory says, launched again and again, between which that changes or doesn't:
// prints how many numbers are wrong at the end of each launch.
#include <cstdio>
#include <vector>

enum { ROW = 1024, ROWS = 1024, HALF = ROWS / 2 };

__global__ void put(float *rows, const int *place, float value) {
    rows[place[blockIdx.x] * ROW + threadIdx.x] = value + blockIdx.x;
}

static int count_wrong(const float *device, const std::vector<float> &wanted) {
    std::vector<float> rows(wanted.size());
    int wrong = 0;
    cudaMemcpy(rows.data(), device, rows.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < rows.size(); i++)
        wrong += rows[i] != wanted[i];
    return wrong;
}

int main() {
    static const int begins[] = {0, 0, 0, HALF, HALF, HALF / 2, 0, 0};
    std::vector<float> wanted((size_t)ROWS * ROW);
    std::vector<int> place(HALF);
    float *rows;
    int *device;
    if (cudaMalloc(&rows, wanted.size() * sizeof(float)) ||
        cudaMalloc(&device, HALF * sizeof(int)))
        return 1;
    cudaMemset(rows, 0, wanted.size() * sizeof(float));
    for (int begin : begins) {
        for (int i = 0; i < HALF; i++)
            place[i] = begin + i;
        cudaMemcpy(device, place.data(), HALF * sizeof(int), cudaMemcpyHostToDevice);
        put<<<HALF, ROW>>>(rows, device, 1);
        for (int i = 0; i < HALF * ROW; i++)
            wanted[(size_t)begin * ROW + i] = 1.0f + i / ROW;
        printf("%d\n", count_wrong(rows, wanted));
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
