// The C and C++ library in device code: memory, strings, new and delete, clocks, printf's and
// assert's declarations without any include.
__global__ void kernel(int *ok) {
    char a[16], b[16];
    memset(a, 7, sizeof a);
    memcpy(b, a, sizeof b);
    ok[0] = memcmp(a, b, sizeof a) == 0 && b[15] == 7;
    strcpy(a, "device");
    memmove(b, a, strlen(a) + 1);
    strcat(b, "s");
    ok[1] = strcmp(a, b) < 0 && strncmp(a, b, 6) == 0 && strlen(b) == 7;
    int *made = new int[4]{1, 2, 3, 4}, *one = new int(5);
    int *allocated = (int *)malloc(sizeof(int));
    *allocated = made[3] + *one;
    ok[2] = *allocated == 9;
    free(allocated);
    delete one;
    delete[] made;
    char room[sizeof(int)] __attribute__((aligned(4)));
    ok[3] = *new (room) int(6) == 6;
    long long before = clock64();
    clock_t then = clock();
    __nanosleep(100);
    __threadfence_system();
    ok[4] = clock64() >= before && clock() >= then;
    assert(ok[4] && "time goes on");
    __builtin_assume(ok[4] == 1);
    ok[5] = warpSize == 32 && blockDim.x == 1 && gridDim.z == 1;
    dim3 block = blockDim, index = threadIdx;
    uint3 place = blockIdx;
    ok[6] = block.x == 1 && index.y == 0 && place.z == 0;
    if (ok[0] != 1)
        printf("%d %s\n", ok[0], a);
    std::size_t size = sizeof(float4) + alignof(double2);
    ok[7] = size == 32;
}

int main() {
    int *ok;
    if (cudaMallocManaged(&ok, 8 * sizeof *ok) != cudaSuccess)
        return 1;
    kernel<<<1, 1>>>(ok);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 2;
    for (int i = 0; i < 8; i++) {
        if (ok[i] != 1) {
            fprintf(stderr, "check %d failed\n", i);
            return 3;
        }
    }
}
