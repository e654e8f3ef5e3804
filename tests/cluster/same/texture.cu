// Textures: their objects and texels are memory that kernels find by following addresses.
#include <cstdio>
#include <vector>

__global__ void sample(cudaTextureObject_t image, cudaTextureObject_t line, float *out, int width,
                       int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(image, x * 0.75f + 0.3f, y * 1.2f) +
                             tex1Dfetch<float>(line, (x * 7 + y) % width);
}

__global__ void change(float *line, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        line[i] = line[i] * 0.5f + i;
}

int main() {
    const int width = 200, height = 150;
    std::vector<float> texels(width * height), values(width), result(width * height);
    for (int i = 0; i < width * height; i++)
        texels[i] = i % 251;
    for (int i = 0; i < width; i++)
        values[i] = i * 3 % 17;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height,
                        cudaMemcpyHostToDevice);
    float *line, *out;
    cudaMalloc(&line, width * 4);
    cudaMalloc(&out, width * height * 4);
    cudaMemcpy(line, values.data(), width * 4, cudaMemcpyHostToDevice);

    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t image, row;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    description.addressMode[0] = cudaAddressModeClamp;
    description.addressMode[1] = cudaAddressModeWrap;
    description.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&image, &resource, &description, nullptr);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = width * 4;
    description.filterMode = cudaFilterModePoint;
    cudaCreateTextureObject(&row, &resource, &description, nullptr);

    for (int i = 0; i < 3; i++) {
        change<<<(width + 31) / 32, 32>>>(line, width);
        sample<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, row, out,
                                                                             width, height);
        cudaMemcpy(result.data(), out, width * height * 4, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int j = 0; j < width * height; j++)
            sum += result[j] * (j % 7 + 1);
        printf("%.3f\n", sum);
        for (float &t : texels)
            t += 2;
        cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height,
                            cudaMemcpyHostToDevice);
    }
    return cudaDeviceSynchronize();
}
