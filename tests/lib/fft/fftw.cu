// FFTW's names, on memory of the host and of the device, against sums in double.
#include <cufftw.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "../check.h"

typedef std::complex<double> complex;

enum { ROWS = 6, COLUMNS = 10, HALF = COLUMNS / 2 + 1 };

static double number(int i) {
    return std::sin(0.7 * (i * i % 53));
}

/// Element (r, c) of the transform of what `at` says of each element.
template <class At>
static complex transformed(At at, int r, int c, int rows, int columns, int sign) {
    complex sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += at(i, j) * std::polar(1.0, sign * 2 * M_PI *
                                                  (double(i) * r / rows + double(j) * c / columns));
    return sum;
}

static bool is_near(const double (&x)[2], complex wanted) {
    return std::abs(complex(x[0], x[1]) - wanted) < 1e-9;
}

static void planes() {
    fftw_complex *in = (fftw_complex *)fftw_malloc(ROWS * COLUMNS * sizeof *in);
    fftw_complex *out = (fftw_complex *)fftw_malloc(ROWS * COLUMNS * sizeof *out);
    fftw_plan plan = fftw_plan_dft_2d(ROWS, COLUMNS, in, out, FFTW_BACKWARD, FFTW_MEASURE);
    auto at = [](int i, int j) { return complex(number(i * COLUMNS + j), number(i + 3 * j)); };
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        in[i][0] = at(i / COLUMNS, i % COLUMNS).real();
        in[i][1] = at(i / COLUMNS, i % COLUMNS).imag();
    }
    fftw_execute(plan);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        EXPECT(is_near(out[i], transformed(at, i / COLUMNS, i % COLUMNS, ROWS, COLUMNS, 1)));

    fftw_complex *there; // the same on the device
    cudaMalloc(&there, ROWS * COLUMNS * sizeof *there);
    cudaMemcpy(there, in, ROWS * COLUMNS * sizeof *there, cudaMemcpyHostToDevice);
    fftw_plan on_device =
        fftw_plan_dft_2d(ROWS, COLUMNS, there, there, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftw_execute(on_device);
    cudaMemcpy(in, there, ROWS * COLUMNS * sizeof *there, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        EXPECT(std::fabs(in[i][0] - out[i][0]) < 1e-12 && std::fabs(in[i][1] - out[i][1]) < 1e-12);
    fftw_destroy_plan(on_device);
    fftw_destroy_plan(plan);
    fftw_free(in);
    fftw_free(out);
    cudaFree(there);
}

// Rows of real numbers, in place, where each has room for its half spectrum; there and back.
static void real_in_place() {
    const int n[] = {ROWS, COLUMNS};
    std::vector<double> x(ROWS * 2 * HALF, 7);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        x[i / COLUMNS * 2 * HALF + i % COLUMNS] = number(i);
    fftw_complex *spectrum = (fftw_complex *)x.data();
    fftw_plan forward = fftw_plan_dft_r2c(2, n, x.data(), spectrum, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft_c2r(2, n, spectrum, x.data(), FFTW_ESTIMATE);
    fftw_execute(forward);
    auto at = [](int i, int j) { return complex(number(i * COLUMNS + j)); };
    for (int i = 0; i < ROWS * HALF; i++)
        EXPECT(is_near(spectrum[i], transformed(at, i / HALF, i % HALF, ROWS, COLUMNS, -1)));
    fftw_execute(back);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        EXPECT(std::fabs(x[i / COLUMNS * 2 * HALF + i % COLUMNS] / (ROWS * COLUMNS) - number(i)) <
               1e-12);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(back);
}

// Columns of a matrix, to another matrix' rows; what lies between them stays. In float.
static void columns() {
    const int n[] = {ROWS}, batch = COLUMNS - 1;
    std::vector<float> in(ROWS * COLUMNS), other(in);
    std::vector<float> out(2 * batch * (ROWS + 1), 7);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i] = (float)number(i);
    fftwf_complex *to = (fftwf_complex *)out.data();
    fftwf_plan plan = fftwf_plan_many_dft_r2c(1, n, batch, other.data(), nullptr, COLUMNS, 1, to,
                                              nullptr, 1, ROWS + 1, FFTW_ESTIMATE);
    fftwf_execute_dft_r2c(plan, in.data(), to);
    for (int b = 0; b < batch; b++) {
        auto at = [=](int, int j) { return complex(number(j * COLUMNS + b)); };
        for (int k = 0; k < ROWS / 2 + 1; k++) {
            complex wanted = transformed(at, 0, k, 1, ROWS, -1);
            const float *found = to[b * (ROWS + 1) + k];
            EXPECT(std::abs(complex(found[0], found[1]) - wanted) < 1e-5);
        }
        for (int k = ROWS / 2 + 1; k < ROWS + 1; k++)
            EXPECT(to[b * (ROWS + 1) + k][0] == 7);
    }
    fftwf_destroy_plan(plan);
}

static void refusals() {
    const int n[] = {2, 2, 2, 2};
    fftw_iodim dimension = {4, 1, 1};
    fftw_complex x[16];
    EXPECT(fftw_plan_dft(4, n, x, x, FFTW_FORWARD, 0) == nullptr);
    EXPECT(fftw_plan_guru_dft(1, &dimension, 0, nullptr, x, x, FFTW_FORWARD, 0) == nullptr);
    fftw_destroy_plan(nullptr);
    fftw_cleanup();
}

int main() {
    planes();
    real_in_place();
    columns();
    refusals();
    return 0;
}
