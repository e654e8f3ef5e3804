// Moments of the distributions, the four numbers of Philox at once, and the jump polynomials.
#include <cstdio>
#include <curand_kernel.h>

// The table of jumps squares row by row modulo the characteristic polynomial, and that polynomial
// in the generator is zero.
int check_jump_table() {
    int wrong = 0;
    for (int row = 0; row + 1 < 131; row++) {
        unsigned square[10] = {};
        for (int i = 0; i < 160; i++)
            if (__gcl_xorwow_powers[row][i / 32] >> i % 32 & 1)
                square[2 * i / 32] ^= 1u << 2 * i % 32;
        for (int i = 319; i >= 160; i--) {
            if (!(square[i / 32] >> i % 32 & 1))
                continue;
            for (int k = 0; k < 160; k++)
                if (__gcl_xorwow_modulus[k / 32] >> k % 32 & 1)
                    square[(i - 160 + k) / 32] ^= 1u << (i - 160 + k) % 32;
        }
        for (int k = 0; k < 5; k++)
            wrong += square[k] != __gcl_xorwow_powers[row + 1][k];
    }
    unsigned words[165] = {1, 20, 300, 4000, 50000}, sum = 0;
    for (int i = 5; i < 165; i++)
        words[i] = __gcl_xorwow_next(words[i - 5], words[i - 1]);
    for (int i = 0; i < 160; i++)
        sum ^= __gcl_xorwow_modulus[i / 32] >> i % 32 & 1 ? words[i] : 0;
    return wrong + (sum != words[160]) + (__gcl_xorwow_powers[0][0] != 2);
}

enum { UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, LOG_NORMAL, POISSON_3, POISSON_200, COUNT };

template <typename S> __global__ void sum_moments(double (*sums)[2], int draws) {
    S state;
    curand_init(4711, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    double local[COUNT][2] = {};
    for (int i = 0; i < draws; i++) {
        double x[COUNT] = {curand_uniform(&state),
                           curand_uniform_double(&state),
                           curand_normal(&state),
                           curand_normal_double(&state),
                           curand_log_normal(&state, 0.0f, 0.5f),
                           (double)curand_poisson(&state, 3.0),
                           (double)curand_poisson(&state, 200.0)};
        for (int k = 0; k < COUNT; k++) {
            local[k][0] += x[k];
            local[k][1] += x[k] * x[k];
        }
    }
    for (int k = 0; k < COUNT; k++) {
        atomicAdd(&sums[k][0], local[k][0]);
        atomicAdd(&sums[k][1], local[k][1]);
    }
}

template <typename S> int check_moments(const char *name) {
    const double mean[COUNT] = {0.5, 0.5, 0, 0, 1.1331485, 3, 200};
    const double variance[COUNT] = {1.0 / 12, 1.0 / 12, 1, 1, 0.3646959, 3, 200};
    const int threads = 512, draws = 100;
    double(*sums)[2], count = (double)threads * draws;
    cudaMallocManaged(&sums, COUNT * sizeof(*sums));
    for (int k = 0; k < COUNT; k++)
        sums[k][0] = sums[k][1] = 0;
    sum_moments<S><<<4, threads / 4>>>(sums, draws);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    int wrong = 0;
    for (int k = 0; k < COUNT; k++) {
        double m = sums[k][0] / count, v = sums[k][1] / count - m * m;
        bool good = fabs(m - mean[k]) < 4 * sqrt(variance[k] / count) &&
                    fabs(v - variance[k]) < 0.04 * variance[k];
        if (!good)
            printf("%s, distribution %d: mean %g, variance %g\n", name, k, m, v);
        wrong += !good;
    }
    return wrong;
}

// Four at once are the next four one by one, wherever they begin.
__global__ void check_four(int *wrong) {
    int bad = 0;
    for (int skipped = 0; skipped < 6; skipped++) {
        curandStatePhilox4_32_10_t one, four;
        curand_init(7, 3, skipped, &one);
        curand_init(7, 3, skipped, &four);
        for (int i = 0; i < 3; i++) {
            uint4 x = curand4(&four);
            bad += x.x != curand(&one);
            bad += x.y != curand(&one);
            bad += x.z != curand(&one);
            bad += x.w != curand(&one);
        }
        float4 u = curand_uniform4(&four);
        bad += u.x != curand_uniform(&one) || u.y != curand_uniform(&one);
        curand(&one);
        curand(&one);
        float4 n = curand_normal4(&four);
        bad += n.x != curand_normal(&one) || n.y != curand_normal(&one);
        bad += n.z != curand_normal(&one) || n.w != curand_normal(&one);
        double2 d = curand_normal2_double(&four);
        bad += d.x != curand_normal_double(&one) || d.y != curand_normal_double(&one);
    }
    *wrong = bad;
}

int main() {
    int *wrong, total = check_jump_table();
    cudaMallocManaged(&wrong, sizeof(int));
    check_four<<<1, 1>>>(wrong);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("table %d, four %d\n", total, *wrong);
    total += *wrong + check_moments<curandState>("xorwow");
    total += check_moments<curandStatePhilox4_32_10_t>("philox");
    total += check_moments<curandStateMRG32k3a_t>("mrg32k3a");
    return total != 0;
}
