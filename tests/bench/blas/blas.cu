// One side of tests/bench/blas/run, in a process of its own: BLAS' routines by cuBLAS, or by
// OpenBLAS called directly.
//
//   blas cublas|openblas THREADS quick|full    a line a case: name, size, seconds, checksum
//
// The seconds are the median over calls, each to its end: 0.3 s of them, at least 5, at most 200.
// The checksum is the sum of results, every other one negative.
#include <cublas_v2.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include <cblas.h>

extern "C" void openblas_set_num_threads(int count);

static bool is_direct;
static cublasHandle_t handle;

static void check(int status) {
    if (status) {
        fprintf(stderr, "a call fails: %d\n", status);
        exit(1);
    }
}

// Numbers where the side has them: in host memory, or in the device's.
template <class T> struct numbers {
    std::vector<T> host;
    T *at;

    explicit numbers(size_t count) : host(count), at(host.data()) {
        unsigned state = 1;
        for (T &x : host) {
            state = state * 1664525 + 1013904223;
            x = (T)(int)(state >> 24) / 256 - (T)0.5;
        }
        if (is_direct)
            return;
        check(cudaMalloc(&at, count * sizeof(T)));
        check(cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~numbers() {
        if (!is_direct)
            check(cudaFree(at));
    }
    double sum() {
        if (!is_direct)
            check(cudaMemcpy(host.data(), at, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (size_t i = 0; i < host.size(); i++)
            sum += i & 1 ? -host[i] : host[i];
        return sum;
    }
};

static double seconds(const std::function<void()> &call) {
    auto now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
    call();
    std::vector<double> times;
    double begin = now(), end = begin;
    while (times.size() < 5 || (end - begin < 0.3 && times.size() < 200)) {
        double before = now();
        call();
        if (!is_direct)
            check(cudaDeviceSynchronize());
        end = now();
        times.push_back(end - before);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

static void report(const char *name, const char *how, int size, double time, double checksum) {
    printf("%s%s %d %.9g %.9g\n", name, how, size, time, checksum);
    fflush(stdout);
}

// The routines of a type, by its letters in names of both libraries.
#define TYPE(p, P, T)                                                                              \
    static void gemm_##p(int n, bool ta, bool tb) {                                                \
        numbers<T> a((size_t)n *n), b((size_t)n *n), c((size_t)n *n);                              \
        const T one = 1, zero = 0;                                                                 \
        double time = seconds([&] {                                                                \
            if (is_direct)                                                                         \
                cblas_##p##gemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans,                     \
                                tb ? CblasTrans : CblasNoTrans, n, n, n, one, a.at, n, b.at, n,    \
                                zero, c.at, n);                                                    \
            else                                                                                   \
                check(cublas##P##gemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N,                      \
                                      tb ? CUBLAS_OP_T : CUBLAS_OP_N, n, n, n, &one, a.at, n,      \
                                      b.at, n, &zero, c.at, n));                                   \
        });                                                                                        \
        const char *const ways[] = {"gemm_nn", "gemm_tn", "gemm_nt", "gemm_tt"};                   \
        report(#p, ways[ta + 2 * tb], n, time, c.sum());                                           \
    }                                                                                              \
    static void gemv_##p(int n, bool ta) {                                                         \
        numbers<T> a((size_t)n *n), x(n), y(n);                                                    \
        const T one = 1, zero = 0;                                                                 \
        double time = seconds([&] {                                                                \
            if (is_direct)                                                                         \
                cblas_##p##gemv(CblasColMajor, ta ? CblasTrans : CblasNoTrans, n, n, one, a.at, n, \
                                x.at, 1, zero, y.at, 1);                                           \
            else                                                                                   \
                check(cublas##P##gemv(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, n, n, &one, a.at, n, \
                                      x.at, 1, &zero, y.at, 1));                                   \
        });                                                                                        \
        report(#p, ta ? "gemv_t" : "gemv_n", n, time, y.sum());                                    \
    }                                                                                              \
    static void axpy_##p(int n) {                                                                  \
        numbers<T> x(n), y(n);                                                                     \
        T alpha = 1; /* its sign changes, so that y stays */                                       \
        double time = seconds([&] {                                                                \
            if (is_direct)                                                                         \
                cblas_##p##axpy(n, alpha, x.at, 1, y.at, 1);                                       \
            else                                                                                   \
                check(cublas##P##axpy(handle, n, &alpha, x.at, 1, y.at, 1));                       \
            alpha = -alpha;                                                                        \
        });                                                                                        \
        if (alpha < 0) /* as after an even number of calls */                                      \
            (void)(is_direct ? cblas_##p##axpy(n, alpha, x.at, 1, y.at, 1)                         \
                             : check(cublas##P##axpy(handle, n, &alpha, x.at, 1, y.at, 1)));       \
        report(#p, "axpy", n, time, y.sum());                                                      \
    }                                                                                              \
    static void dot_##p(int n) {                                                                   \
        numbers<T> x(n), y(n);                                                                     \
        T result = 0;                                                                              \
        double time = seconds([&] {                                                                \
            if (is_direct)                                                                         \
                result = cblas_##p##dot(n, x.at, 1, y.at, 1);                                      \
            else                                                                                   \
                check(cublas##P##dot(handle, n, x.at, 1, y.at, 1, &result));                       \
        });                                                                                        \
        report(#p, "dot", n, time, result);                                                        \
    }                                                                                              \
    static void all_##p(bool is_quick) {                                                           \
        for (int n : is_quick ? std::vector<int>{96} : std::vector<int>{512, 1024, 2048})          \
            for (int way = 0; way < 4; way++)                                                      \
                gemm_##p(n, way & 1, way / 2);                                                     \
        for (int n : is_quick ? std::vector<int>{96} : std::vector<int>{1024, 4096})               \
            for (bool is_transposed : {false, true})                                               \
                gemv_##p(n, is_transposed);                                                        \
        for (int n : is_quick ? std::vector<int>{1000} : std::vector<int>{1 << 20, 1 << 24}) {     \
            axpy_##p(n);                                                                           \
            dot_##p(n);                                                                            \
        }                                                                                          \
    }
TYPE(s, S, float)
TYPE(d, D, double)

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    is_direct = strcmp(argv[1], "openblas") == 0;
    if (is_direct)
        openblas_set_num_threads(atoi(argv[2])); // libcublas wants one
    else
        check(cublasCreate(&handle));
    bool is_quick = strcmp(argv[3], "quick") == 0;
    all_s(is_quick);
    all_d(is_quick);
    return 0;
}
