// Training of a network with two layers: sixteen launches a step, most of some microseconds.
#include "pays.h"

constexpr int batch = 64, inputs = 64, hidden = 128, outputs = 16;

// c = a b, or with a or b transposed; row-major.
__global__ void multiply(const float *a, const float *b, float *c, int rows, int columns, int inner,
                         bool a_transposed, bool b_transposed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    float sum = 0;
    for (int k = 0; k < inner; k++)
        sum += (a_transposed ? a[k * rows + y] : a[y * inner + k]) *
               (b_transposed ? b[x * inner + k] : b[k * columns + x]);
    c[y * columns + x] = sum;
}

__global__ void add_bias(float *a, const float *bias, int columns, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        a[i] += bias[i % columns];
}

__global__ void relu(const float *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = fmaxf(in[i], 0.0f);
}

__global__ void relu_back(const float *in, float *gradient, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && in[i] <= 0)
        gradient[i] = 0;
}

__global__ void difference(const float *a, const float *b, float *gradient, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        gradient[i] = (a[i] - b[i]) / batch;
}

__global__ void sum_columns(const float *a, float *sums, int rows, int columns) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= columns)
        return;
    float sum = 0;
    for (int y = 0; y < rows; y++)
        sum += a[y * columns + x];
    sums[x] = sum;
}

__global__ void descend(float *weights, const float *gradient, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        weights[i] -= 0.01f * gradient[i];
}

static void product(const float *a, const float *b, float *c, int rows, int columns, int inner,
                    bool a_transposed = false, bool b_transposed = false) {
    multiply<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(
        a, b, c, rows, columns, inner, a_transposed, b_transposed);
}

template <class Kernel, class... Arguments>
static void each(Kernel kernel, int count, Arguments... arguments) {
    kernel<<<(count + 127) / 128, 128>>>(arguments..., count);
}

int main(int argc, char **argv) {
    const int steps = by_size(argc, argv, 12, 70, 250);
    const std::vector<float> data = uniforms(batch * inputs), wanted = uniforms(batch * outputs);
    start_clock();
    float *x = copy_of(data), *y = copy_of(wanted);
    float *w1 = copy_of(uniforms(inputs * hidden)), *b1 = zeros<float>(hidden);
    float *w2 = copy_of(uniforms(hidden * outputs)), *b2 = zeros<float>(outputs);
    float *z1 = allocate<float>(batch * hidden), *h = allocate<float>(batch * hidden);
    float *z2 = allocate<float>(batch * outputs), *dz2 = allocate<float>(batch * outputs);
    float *dz1 = allocate<float>(batch * hidden), *dw1 = allocate<float>(inputs * hidden);
    float *dw2 = allocate<float>(hidden * outputs), *db1 = allocate<float>(hidden);
    float *db2 = allocate<float>(outputs);
    for (int step = 0; step < steps; step++) {
        product(x, w1, z1, batch, hidden, inputs);
        each(add_bias, batch * hidden, z1, b1, hidden);
        each(relu, batch * hidden, z1, h);
        product(h, w2, z2, batch, outputs, hidden);
        each(add_bias, batch * outputs, z2, b2, outputs);
        each(difference, batch * outputs, z2, y, dz2);
        product(h, dz2, dw2, hidden, outputs, batch, true);
        sum_columns<<<1, outputs>>>(dz2, db2, batch, outputs);
        product(dz2, w2, dz1, batch, hidden, outputs, false, true);
        each(relu_back, batch * hidden, z1, dz1);
        product(x, dz1, dw1, inputs, hidden, batch, true);
        sum_columns<<<1, hidden>>>(dz1, db1, batch, hidden);
        each(descend, inputs * hidden, w1, dw1);
        each(descend, hidden * outputs, w2, dw2);
        each(descend, hidden, b1, db1);
        each(descend, outputs, b2, db2);
    }
    return report(w1, inputs * hidden);
}
