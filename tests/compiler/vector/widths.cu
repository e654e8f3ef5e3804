// Blocks of several rows have vectors twice as wide where rows share what they read, and only there.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck --check-prefix=NARROW %s

// CHECK-LABEL: define internal i32 @_Z5leavePiiff.region0.lane{{.*}}.full(
// CHECK: fcmp {{[a-z]+}} <64 x float>
// CHECK-NOT: <128 x
// NARROW-LABEL: define internal i32 @_Z5leavePiiff.region0.lane{{.*}}.full(
// NARROW: fcmp {{[a-z]+}} <32 x float>
__global__ void leave(int *count, int limit, float left, float step) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float x0 = left + step * column, y0 = left + step * row, x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4) {
        float next = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = next;
        steps++;
    }
    count[row * 64 + column] = steps;
}

// CHECK-LABEL: define internal i32 @_Z6smoothPfPKfi.region0.lane{{.*}}.full(
// CHECK: fadd <128 x float>
// NARROW-LABEL: define internal i32 @_Z6smoothPfPKfi.region0.lane{{.*}}.full(
// NARROW: fadd <32 x float>
__global__ void smooth(float *to, const float *from, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += from[(row + k) * 64 + column];
    to[row * 64 + column] = sum;
}

int main() {
    leave<<<dim3(4, 4), dim3(16, 16)>>>(nullptr, 0, 0, 0);
    smooth<<<dim3(4, 4), dim3(16, 16)>>>(nullptr, nullptr, 0);
}
