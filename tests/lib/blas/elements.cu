// Rotations, and where the largest and the least element are.
#include "blas.h"

static cublasHandle_t handle;

// (x, y) becomes (c x + s y, c y - conj(s) x).
template <class T, class C, class S, class Call> static void rotate(const Call &call) {
    int n = 1000, step = 2;
    shared<T> x((size_t)n * step), y(n);
    shared<C> c(1);
    shared<S> s(1);
    assign(c.host[0], 3);
    assign(s.host[0], {2, 1});
    c.give();
    s.give();
    CHECK(call(n, x.device, step, y.device, -1, c.device, s.device));
    for (int i = 0; i < n; i++) {
        T &a = x.host[(size_t)i * step], &b = y.host[n - 1 - i];
        number u = value(a), v = value(b), sine = value(s.host[0]), cosine = value(c.host[0]);
        assign(a, cosine * u + sine * v);
        assign(b, cosine * v - std::conj(sine) * u);
    }
    EXPECT(agree(x) && agree(y));
}

template <class T, class Call> static void modified(const Call &call) {
    shared<T> x(50), y(50), parameters(5);
    const double flags[] = {-1, 2, 3, -4, 5}; // H = (2 -4; 3 5)
    for (int i = 0; i < 5; i++)
        parameters.host[i] = flags[i];
    parameters.give();
    CHECK(call(50, x.device, 1, y.device, 1, parameters.device));
    for (int i = 0; i < 50; i++) {
        T u = x.host[i], v = y.host[i];
        x.host[i] = 2 * u - 4 * v;
        y.host[i] = 3 * u + 5 * v;
    }
    EXPECT(agree(x) && agree(y));
}

// Of what rotg finds, the rotation makes b zero.
template <class T, class R, class Call>
static void make(bool on_device, double error, const Call &call) {
    shared<T> ab(2), s(1);
    shared<R> c(1);
    assign(ab.host[0], {3, 1});
    assign(ab.host[1], {4, -2});
    ab.give();
    number a = ab.at(0), b = ab.at(1);
    if (on_device) {
        CHECK(call(ab.device, ab.device + 1, c.device, s.device));
        ab.host = ab.take();
        c.host = c.take();
        s.host = s.take();
    } else {
        CHECK(call(&ab.host[0], &ab.host[1], &c.host[0], &s.host[0]));
    }
    EXPECT(is_close(value(c.host[0]) * a + s.at(0) * b, ab.at(0), error));
    EXPECT(is_close(value(c.host[0]) * b - std::conj(s.at(0)) * a, 0, error));
}

static double size(number z) {
    return std::abs(z.real()) + std::abs(z.imag());
}

template <class T, class Largest, class Least>
static void find(bool on_device, const Largest &largest, const Least &least) {
    for (int step : {1, 3}) {
        int n = 700;
        shared<T> x((size_t)n * step);
        shared<int> results(2);
        int *at = on_device ? results.device : results.host.data(), best[2] = {0, 0};
        CHECK(largest(n, x.device, step, at));
        CHECK(least(n, x.device, step, at + 1));
        for (int i = 1; i < n; i++) {
            double is = size(x.at((size_t)i * step));
            best[0] = is > size(x.at((size_t)best[0] * step)) ? i : best[0];
            best[1] = is < size(x.at((size_t)best[1] * step)) ? i : best[1];
        }
        if (on_device)
            results.host = results.take();
        EXPECT(results.host[0] == best[0] + 1 && results.host[1] == best[1] + 1);
        CHECK(largest(0, x.device, step, at));
        EXPECT((on_device ? results.take()[0] : *at) == 0);
    }
}

#define CALL(function) [](auto... arguments) { return function(handle, arguments...); }

int main() {
    CHECK(cublasCreate(&handle));
    for (bool on_device : {true, false}) {
        cublasSetPointerMode(handle,
                             on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
        make<float, float>(on_device, 1e-5, CALL(cublasSrotg));
        make<double, double>(on_device, 1e-12, CALL(cublasDrotg));
        make<cuComplex, float>(on_device, 1e-5, CALL(cublasCrotg));
        make<cuDoubleComplex, double>(on_device, 1e-12, CALL(cublasZrotg));
        find<float>(on_device, CALL(cublasIsamax), CALL(cublasIsamin));
        find<double>(on_device, CALL(cublasIdamax), CALL(cublasIdamin));
        find<cuComplex>(on_device, CALL(cublasIcamax), CALL(cublasIcamin));
        find<cuDoubleComplex>(on_device, CALL(cublasIzamax), CALL(cublasIzamin));
    }
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    rotate<float, float, float>(CALL(cublasSrot));
    rotate<double, double, double>(CALL(cublasDrot));
    rotate<cuComplex, float, cuComplex>(CALL(cublasCrot));
    rotate<cuDoubleComplex, double, cuDoubleComplex>(CALL(cublasZrot));
    rotate<cuComplex, float, float>(CALL(cublasCsrot));
    rotate<cuDoubleComplex, double, double>(CALL(cublasZdrot));
    modified<float>(CALL(cublasSrotm));
    modified<double>(CALL(cublasDrotm));
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    shared<double> x(3), y(3);
    const double parameters[] = {-2, 9, 9, 9, 9}; // H is the identity
    CHECK(cublasDrotm(handle, 3, x.device, 1, y.device, 1, parameters));
    EXPECT(agree(x) && agree(y));
    double d1 = 2, d2 = 3, x1 = 4, y1 = 5, made[5];
    CHECK(cublasDrotmg(handle, &d1, &d2, &x1, &y1, made));
    EXPECT(made[0] == 1 || made[0] == 0 || made[0] == -1);
    EXPECT(cublasIsamax(handle, 1, nullptr, 1, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasDestroy(handle));
    return 0;
}
