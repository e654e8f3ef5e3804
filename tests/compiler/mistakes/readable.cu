// What device code may read of the program's own variables, or doesn't read.
// RUN: %gcluster-cc -c %s -o %t.o 2> %t.log && count 0 < %t.log
texture<float> line;
texture<float, 2> lines[2];
surface<void, cudaSurfaceType2D> drawing;
constexpr int width = 3, widths[] = {1, 2};
const int height = 4;
int limit = 4;

__global__ void kernel(float *p) {
    p[0] = tex1Dfetch(line, 1) + width + widths[1] + height + sizeof limit;
    surf2Dwrite(p[0], drawing, 0, 0);
#ifndef __CUDA_ARCH__
    limit++;
#endif
}
