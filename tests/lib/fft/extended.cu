// cuFFT's extended interface: what cufft.h's functions make of the same numbers, and what is
// refused.
#include <cufftXt.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../check.h"

enum { WIDTH = 24, HEIGHT = 10, BATCH = 3, HALF = WIDTH / 2 + 1 };

static std::vector<double> input(size_t count) {
    std::vector<double> x(count);
    for (size_t i = 0; i < count; i++)
        x[i] = std::sin(0.37 * (double)(i * i % 101));
    return x;
}

template <class Type> static std::vector<Type> fetch(const Type *from, size_t count) {
    std::vector<Type> x(count);
    cudaMemcpy(x.data(), from, count * sizeof(Type), cudaMemcpyDeviceToHost);
    return x;
}

// D2Z in batches, by types of elements.
static void by_types() {
    const size_t count = BATCH * HEIGHT * WIDTH, out_count = BATCH * HEIGHT * HALF;
    std::vector<double> x = input(count);
    int n[] = {HEIGHT, WIDTH};
    long long n64[] = {HEIGHT, WIDTH};
    cufftDoubleReal *in;
    cufftDoubleComplex *out;
    cufftHandle plain, plan;
    size_t size = 1;
    cudaMalloc(&in, count * sizeof *in);
    cudaMalloc(&out, out_count * sizeof *out);
    cudaMemcpy(in, x.data(), count * sizeof *in, cudaMemcpyHostToDevice);
    CHECK(cufftPlanMany(&plain, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, BATCH));
    CHECK(cufftExecD2Z(plain, in, out));
    std::vector<cufftDoubleComplex> wanted = fetch(out, out_count);
    cudaMemset(out, 0, out_count * sizeof *out);

    CHECK(cufftCreate(&plan));
    CHECK(cufftXtGetSizeMany(plan, 2, n64, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0, CUDA_C_64F,
                             BATCH, &size, CUDA_C_64F));
    EXPECT(size == 0);
    CHECK(cufftXtMakePlanMany(plan, 2, n64, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0, CUDA_C_64F,
                              BATCH, &size, CUDA_C_64F));
    CHECK(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, &size));
    CHECK(cufftXtSetWorkArea(plan, nullptr));
    CHECK(cufftXtExec(plan, in, out, CUFFT_INVERSE)); // no choice of directions
    std::vector<cufftDoubleComplex> found = fetch(out, out_count);
    EXPECT(memcmp(found.data(), wanted.data(), out_count * sizeof *out) == 0);
    CHECK(cufftDestroy(plan));
    CHECK(cufftDestroy(plain));
    cudaFree(in);
    cudaFree(out);
}

// There and back again through descriptors, in place and not.
static void complex_descriptors(cufftXtSubFormat to) {
    const size_t count = HEIGHT * WIDTH;
    std::vector<double> x = input(2 * count);
    std::vector<cufftComplex> there(count), back(count);
    for (size_t i = 0; i < count; i++)
        there[i] = make_cuComplex((float)x[2 * i], (float)x[2 * i + 1]);
    bool is_in_place = to == CUFFT_XT_FORMAT_INPLACE;
    cufftHandle plan;
    cudaLibXtDesc *in, *out;
    size_t size;
    int device = 0;
    CHECK(cufftCreate(&plan));
    CHECK(cufftXtSetGPUs(plan, 1, &device));
    CHECK(cufftMakePlan2d(plan, HEIGHT, WIDTH, CUFFT_C2C, &size));
    CHECK(cufftXtMalloc(plan, &in, is_in_place ? to : CUFFT_XT_FORMAT_INPUT));
    CHECK(cufftXtMalloc(plan, &out, to));
    EXPECT(in->descriptor->nGPUs == 1 && in->descriptor->size[0] == count * sizeof(cufftComplex));
    CHECK(cufftXtMemcpy(plan, in, there.data(), CUFFT_COPY_HOST_TO_DEVICE));
    cudaLibXtDesc *middle = is_in_place ? in : out;
    CHECK(cufftXtExecDescriptorC2C(plan, in, middle, CUFFT_FORWARD));
    CHECK(cufftXtExecDescriptor(plan, middle, in, CUFFT_INVERSE));
    CHECK(cufftXtMemcpy(plan, out, in, CUFFT_COPY_DEVICE_TO_DEVICE));
    CHECK(cufftXtMemcpy(plan, back.data(), out, CUFFT_COPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < count; i++)
        EXPECT(std::fabs(back[i].x / count - there[i].x) < 1e-5 &&
               std::fabs(back[i].y / count - there[i].y) < 1e-5);
    EXPECT(cufftXtExecDescriptorZ2Z(plan, in, out, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
    CHECK(cufftXtFree(in));
    CHECK(cufftXtFree(out));
    CHECK(cufftDestroy(plan));
}

// Rows of real numbers are padded in place, and the copies that go in and come out have each side's
// size.
static void real_descriptors() {
    std::vector<double> x = input(WIDTH);
    std::vector<float> real(WIDTH + 2), again(WIDTH + 2, 77.0f);
    std::vector<cufftComplex> spectrum(HALF);
    cufftHandle forward, inverse;
    cudaLibXtDesc *memory, *behind;
    for (int i = 0; i < WIDTH; i++)
        real[i] = (float)x[i];
    CHECK(cufftPlan1d(&forward, WIDTH, CUFFT_R2C, 1));
    CHECK(cufftPlan1d(&inverse, WIDTH, CUFFT_C2R, 1));
    CHECK(cufftXtMalloc(forward, &memory, CUFFT_XT_FORMAT_INPLACE));
    CHECK(cufftXtMalloc(inverse, &behind, CUFFT_XT_FORMAT_OUTPUT));
    EXPECT(memory->descriptor->size[0] == HALF * sizeof(cufftComplex));
    CHECK(cufftXtMemcpy(forward, memory, real.data(), CUFFT_COPY_HOST_TO_DEVICE));
    CHECK(cufftXtExecDescriptorR2C(forward, memory, memory));
    CHECK(cufftXtMemcpy(forward, spectrum.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
    double sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += x[i];
    EXPECT(std::fabs(spectrum[0].x - sum) < 1e-4 && std::fabs(spectrum[HALF - 1].y) < 1e-4);
    CHECK(cufftXtExecDescriptorC2R(inverse, memory, behind));
    CHECK(cufftXtMemcpy(inverse, again.data(), behind, CUFFT_COPY_DEVICE_TO_HOST));
    for (int i = 0; i < WIDTH; i++)
        EXPECT(std::fabs(again[i] / WIDTH - real[i]) < 1e-5);
    EXPECT(again[WIDTH] == 77.0f);
    CHECK(cufftXtFree(memory));
    CHECK(cufftXtFree(behind));
    CHECK(cufftDestroy(forward));
    CHECK(cufftDestroy(inverse));
}

// There and back again in place.
static void double_descriptors() {
    std::vector<double> x = input(WIDTH), padded(WIDTH + 2);
    cufftHandle forward, inverse;
    cudaLibXtDesc *memory;
    std::copy(x.begin(), x.begin() + WIDTH, padded.begin());
    CHECK(cufftPlan1d(&forward, WIDTH, CUFFT_D2Z, 1));
    CHECK(cufftPlan1d(&inverse, WIDTH, CUFFT_Z2D, 1));
    CHECK(cufftXtMalloc(forward, &memory, CUFFT_XT_FORMAT_INPLACE));
    CHECK(cufftXtMemcpy(forward, memory, padded.data(), CUFFT_COPY_HOST_TO_DEVICE));
    CHECK(cufftXtExecDescriptorD2Z(forward, memory, memory));
    CHECK(cufftXtExecDescriptorZ2D(inverse, memory, memory));
    CHECK(cufftXtMemcpy(inverse, padded.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
    for (int i = 0; i < WIDTH; i++)
        EXPECT(std::fabs(padded[i] / WIDTH - x[i]) < 1e-12);
    CHECK(cufftXtFree(memory));
    CHECK(cufftDestroy(forward));
    CHECK(cufftDestroy(inverse));
}

static void refusals() {
    long long n[] = {64};
    int devices[] = {0, 0};
    size_t size;
    cufftHandle plan;
    cudaLibXtDesc *memory;
    CHECK(cufftCreate(&plan));
    EXPECT(cufftXtSetGPUs(plan, 2, devices) == CUFFT_NOT_IMPLEMENTED);
    EXPECT(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1,
                               &size, CUDA_C_16F) == CUFFT_NOT_SUPPORTED);
    EXPECT(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_64F, 1,
                               &size, CUDA_C_64F) == CUFFT_INVALID_TYPE);
    EXPECT(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPUT) == CUFFT_INVALID_PLAN);
    EXPECT(cufftXtExec(plan, n, n, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    EXPECT(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr) ==
           CUFFT_NOT_IMPLEMENTED);
    CHECK(cufftDestroy(plan));
}

int main() {
    by_types();
    complex_descriptors(CUFFT_XT_FORMAT_INPLACE);
    complex_descriptors(CUFFT_XT_FORMAT_OUTPUT);
    real_descriptors();
    double_descriptors();
    refusals();
    return 0;
}
