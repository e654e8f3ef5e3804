// Shifts by the width or more give 0, or the sign, as GPUs have it: masks of all bits are made so.
#include <cstdio>

enum { COUNT = 256, KINDS = 6 };

// What is shifted, and by how much, differs from thread to thread, or is the same for all.
__global__ void shift(unsigned long long *out, const unsigned long long *in, const int *by,
                      int all) {
    int t = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int n = k == 0 ? by[t] : all;
        unsigned long long *o = out + (t * 2 + k) * KINDS;
        o[0] = (unsigned)in[t] << n;
        o[1] = (unsigned)in[t] >> n;
        o[2] = (unsigned long long)((int)in[t] >> n);
        o[3] = in[t] << n;
        o[4] = in[t] >> n;
        o[5] = (unsigned long long)((long long)in[t] >> n);
    }
}

static unsigned long long expected(int kind, unsigned long long in, int n) {
    int width = kind < 3 ? 32 : 64, least = n < width ? n : width - 1;
    unsigned low = (unsigned)in;
    switch (kind) {
    case 0:
        return n < 32 ? low << n : 0;
    case 1:
        return n < 32 ? low >> n : 0;
    case 2:
        return (unsigned long long)((int)low >> least);
    case 3:
        return n < 64 ? in << n : 0;
    case 4:
        return n < 64 ? in >> n : 0;
    default:
        return (unsigned long long)((long long)in >> least);
    }
}

int main() {
    unsigned long long *in, *out;
    int *by, wrong = 0;
    cudaMallocManaged(&in, COUNT * sizeof *in);
    cudaMallocManaged(&by, COUNT * sizeof *by);
    cudaMallocManaged(&out, 2 * COUNT * KINDS * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        in[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
        by[i] = i % 71;
    }
    for (int all : {0, 5, 31, 32, 33, 63, 64, 200}) {
        shift<<<1, COUNT>>>(out, in, by, all);
        cudaDeviceSynchronize();
        for (int i = 0; i < COUNT * 2 * KINDS; i++) {
            int t = i / KINDS / 2, n = i / KINDS % 2 ? all : by[t];
            wrong += out[i] != expected(i % KINDS, in[t], n);
        }
    }
    if (wrong)
        printf("%d are wrong\n", wrong);
    return wrong != 0;
}
