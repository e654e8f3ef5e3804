#include "../problem/fft.h"

// Real and imaginary parts apart, so that neighbours are lanes.
struct numbers {
    float real[LENGTH], imaginary[LENGTH];
};

// For each stage but the first: the factors of the second, third and fourth input, by butterfly.
struct factors {
    numbers stage[STAGES];

    explicit factors(const float *twiddles) {
        for (int s = 1, stride = 4; s < STAGES; s++, stride *= 4) {
            for (int i = 0; i < 3 * stride; i++) {
                int angle = (i / stride + 1) * (i % stride) * (LENGTH / (4 * stride));
                stage[s].real[i] = twiddles[2 * angle];
                stage[s].imaginary[i] = twiddles[2 * angle + 1];
            }
        }
    }
};

// Reads inputs i, i + LENGTH/4 …, and writes outputs to, to + stride …
template <int STRIDE>
static inline void butterfly(const numbers &in, numbers &out, const numbers &w, int i, int j,
                             int to) {
    float x[4], y[4];
    for (int r = 0; r < 4; r++) {
        float re = in.real[i + r * (LENGTH / 4)], im = in.imaginary[i + r * (LENGTH / 4)];
        if (STRIDE == 1 || r == 0) {
            x[r] = re;
            y[r] = im;
        } else {
            float wre = w.real[(r - 1) * STRIDE + j], wim = w.imaginary[(r - 1) * STRIDE + j];
            x[r] = re * wre - im * wim;
            y[r] = re * wim + im * wre;
        }
    }
    float ax = x[0] + x[2], ay = y[0] + y[2], bx = x[0] - x[2], by = y[0] - y[2];
    float cx = x[1] + x[3], cy = y[1] + y[3], dx = x[1] - x[3], dy = y[1] - y[3];
    out.real[to] = ax + cx;
    out.imaginary[to] = ay + cy;
    out.real[to + STRIDE] = bx + dy;
    out.imaginary[to + STRIDE] = by - dx;
    out.real[to + 2 * STRIDE] = ax - cx;
    out.imaginary[to + 2 * STRIDE] = ay - cy;
    out.real[to + 3 * STRIDE] = bx - dy;
    out.imaginary[to + 3 * STRIDE] = by + dx;
}

template <int STRIDE> static void run_stage(const numbers &in, numbers &out, const numbers &w) {
    for (int group = 0; group < LENGTH / 4; group += STRIDE) {
#pragma omp simd
        for (int j = 0; j < STRIDE; j++)
            butterfly<STRIDE>(in, out, w, group + j, j, group * 4 + j);
    }
}

template <> void run_stage<1>(const numbers &in, numbers &out, const numbers &w) {
#pragma omp simd
    for (int i = 0; i < LENGTH / 4; i++)
        butterfly<1>(in, out, w, i, 0, 4 * i);
}

static void transform(const float *in, float *out, const factors &w) {
    numbers a, b;
    for (int i = 0; i < LENGTH; i++) {
        a.real[i] = in[2 * i];
        a.imaginary[i] = in[2 * i + 1];
    }
    run_stage<1>(a, b, w.stage[0]);
    run_stage<4>(b, a, w.stage[1]);
    run_stage<16>(a, b, w.stage[2]);
    run_stage<64>(b, a, w.stage[3]);
    run_stage<256>(a, b, w.stage[4]);
    for (int i = 0; i < LENGTH; i++) {
        out[2 * i] = b.real[i];
        out[2 * i + 1] = b.imaginary[i];
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const factors w(p.twiddles.data());
    bench::measure([&] {
#pragma omp parallel for schedule(static)
        for (int t = 0; t < p.batch; t++)
            transform(&p.in[(size_t)t * LENGTH * 2], &p.out[(size_t)t * LENGTH * 2], w);
    });
    return bench::report(p);
}
