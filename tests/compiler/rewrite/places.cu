// Everywhere a launch may stand.
// RUN: %gcluster-cc --check-rewrite -Xcompiler -fopenmp %s
// RUN: %gcluster-cc --emit=source -Xcompiler -fopenmp %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
__global__ void k(int) {
}
template <class T> __global__ void kt(T) {
}
void in_function(int i) {
    return k<<<1, 2>>>(i);
    // CHECK: {{ *}}return gclLaunch(k, 1, 2, 0, 0, i);
}
template <class T> void never_instantiated(T t) {
    kt<T><<<1, 2>>>(t);
    // CHECK: {{ *}}gclLaunch(kt<T>, 1, 2, 0, 0, t);
    if constexpr (sizeof(T) > 4)
        kt<<<1, 2>>>(t.value);
    // CHECK: {{ *}}gclLaunch(kt, 1, 2, 0, 0, t.value);
    else
        kt<<<1, 2>>>(t.other);
    // CHECK: {{ *}}gclLaunch(kt, 1, 2, 0, 0, t.other);
}
template <class T> struct runner {
    T value;
    runner() : value() {
        kt<T><<<1, 2>>>(value);
        // CHECK: {{ *}}gclLaunch(kt<T>, 1, 2, 0, 0, value);
    }
    template <class U> void run(U u);
    ~runner();
};
template <class T> template <class U> void runner<T>::run(U u) {
    kt<U><<<1, 2>>>(u);
    // CHECK: {{ *}}gclLaunch(kt<U>, 1, 2, 0, 0, u);
}
template <class T> runner<T>::~runner() {
    kt<<<1, 2>>>(value);
    // CHECK: {{ *}}gclLaunch(kt, 1, 2, 0, 0, value);
}
template struct runner<int>;
template <class F> void call(F f) {
    f(1);
}
int main() {
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        k<<<1, 2>>>(i);
        // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, i);
        cudaDeviceSynchronize();
        // CHECK: {{ *}}gclDeviceSynchronize();
    }
    auto lambda = [] { k<<<1, 2>>>(0); };
    // CHECK: {{ *}}auto lambda = [] { gclLaunch(k, 1, 2, 0, 0, 0); };
    auto generic = [](auto x) { kt<<<1, 2>>>(x); };
    // CHECK: {{ *}}auto generic = [](auto x) { gclLaunch(kt, 1, 2, 0, 0, x); };
    call([=](auto x) { kt<decltype(x)><<<1, 2>>>(x), lambda(); });
    // CHECK: {{ *}}call([=](auto x) { gclLaunch(kt<decltype(x)>, 1, 2, 0, 0, x), lambda(); });
    generic(1);
    for (int i = 0; i < 2; k<<<1, 2>>>(i), i++)
        // CHECK: {{ *}}for (int i = 0; i < 2; gclLaunch(k, 1, 2, 0, 0, i), i++)
        ;
    int c = 1;
    c ? k<<<1, 2>>>(1) : k<<<3, 4>>>(2);
    // CHECK: {{ *}}c ? gclLaunch(k, 1, 2, 0, 0, 1) : gclLaunch(k, 3, 4, 0, 0, 2);
    c &&(k<<<1, 2>>>(1), true);
    // CHECK: {{ *}}c &&(gclLaunch(k, 1, 2, 0, 0, 1), true);
    switch (c) {
    case 1:
        k<<<1, 2>>>(1);
        // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, 1);
    default:
        k<<<1, 2>>>(2);
        // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, 2);
    }
    // A launch among the arguments of a launch.
    kt<<<1, 2>>>([] { k<<<3, 4>>>(5); return 1; }());
    // CHECK: {{ *}}gclLaunch(kt, 1, 2, 0, 0, [] { gclLaunch(k, 3, 4, 0, 0, 5); return 1; }());
}
