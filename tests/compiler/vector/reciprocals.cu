// Where the divider is what a loop waits for, reciprocals are left to other units; of a root it is
// known before the root itself whether that gives the same, and each part of a vector has its root
// right before its steps.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck --check-prefix=DIVIDES %s

// CHECK-LABEL: define internal i32 @_Z5rootsPfPKfi.region0.lane{{.*}}.full(
// CHECK: sub <64 x i32> %{{[0-9]+}}, <i32 1, i32 1,
// CHECK-COUNT-3: call <16 x i32> @llvm.umax.v16i32(
// CHECK: icmp uge <16 x i32> %{{[0-9]+}}, <i32 2139095039,
// CHECK: br i1
// CHECK: call <16 x float> @llvm.sqrt.v16f32(
// CHECK: call <16 x float> @llvm.x86.avx512.rcp14.ps.512(
// CHECK: call <16 x float> @llvm.sqrt.v16f32(
// CHECK: call <16 x float> @llvm.x86.avx512.rcp14.ps.512(
// CHECK: ret i32
// DIVIDES-NOT: rcp
__global__ void roots(float *out, const float *in, int n) {
    float mine = in[blockIdx.x * 256 + threadIdx.x], sum = 0;
    for (int i = 0; i < n; i++)
        sum += 1 / sqrtf(mine + in[i]);
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Roots that something else asks for as well are there anyway.
// CHECK-LABEL: define internal i32 @_Z4bothPfPKfi.region0.lane{{.*}}.full(
// CHECK: call <64 x float> @llvm.sqrt.v64f32(
// CHECK: sub <64 x i32> %{{[0-9]+}}, <i32 8388608,
// CHECK: icmp uge <16 x i32> %{{[0-9]+}}, <i32 2113929216,
// CHECK: br i1
// CHECK-NOT: sqrt
// CHECK: ret i32
__global__ void both(float *out, const float *in, int n) {
    float mine = in[blockIdx.x * 256 + threadIdx.x], sum = 0;
    for (int i = 0; i < n; i++) {
        float root = sqrtf(mine + in[i]);
        sum += 1 / root + root;
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

int main() {
    roots<<<1, 256>>>(nullptr, nullptr, 0);
    both<<<1, 256>>>(nullptr, nullptr, 0);
}
