// Threads of a vector fetch together from a texture whose texels need no conversion.
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck %s
// CHECK: call <16 x float> @llvm.masked.gather
__global__ void point(cudaTextureObject_t texture, float *out) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x * 0.7f, threadIdx.x * 0.3f);
}
