// A launch of a kernel that another file defines, and that no header declares.
extern __global__ void fill(int *out);

void launch(int *out, int threads) {
    fill<<<1, threads>>>(out);
}
