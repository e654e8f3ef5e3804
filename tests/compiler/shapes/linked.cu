// Which sizes launches have is gathered from all files of a program that is linked.
// RUN: %gcluster-cc -dc %s -o %t.o && %gcluster-cc -dc %S/Inputs/launch.cu -o %t.launch.o
// RUN: grep -a -x "fill 256 1 1" %t.o && not grep -a -x "fill any" %t.o
// RUN: grep -a -x "fill any" %t.launch.o
// RUN: %gcluster-cc %t.o %t.launch.o -o %t && %t
__global__ void fill(int *out) {
    out[threadIdx.x] = threadIdx.x * 3;
}

void launch(int *out, int threads);

int main() {
    int *out;
    cudaMallocManaged(&out, 512 * sizeof *out);
    fill<<<1, 256>>>(out);
    launch(out, 300);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 300; i++) {
        if (out[i] != i * 3)
            return 1;
    }
}
