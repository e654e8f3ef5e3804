// What may stand before <<<.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
__global__ void k(int *p, int n = 3) {
}
__global__ void f(int *p) {
}
template <class T> __global__ void deduced(T *p, T v) {
}
template <class A, class B> __global__ void partly(B *p, A v) {
}
template <class T> struct box {
    T value;
};
template <class T> __global__ void nested(T) {
}
__global__ void overloaded(int *) {
}
__global__ void overloaded(float *) {
}
namespace ns {
template <class T, int N> __global__ void k(T *p) {
}
} // namespace ns
typedef void (*kernel)(int *);
struct table {
    kernel f;
    kernel row[2];
};
struct policy {
    static void launch(int *p) {
        f<<<1, 1>>>(p);
        // CHECK: {{ *}}gclLaunch(f, 1, 1, 0, 0, p);
    }
};
template <void (*K)(int *)> void parameter(int *p) {
    K<<<1, 1>>>(p);
    // CHECK: {{ *}}gclLaunch(K, 1, 1, 0, 0, p);
}
struct traits {
    static constexpr kernel run = f;
};
template <class T> void dependent(T t, int *p) {
    T::run<<<1, 1>>>(p);
    // CHECK: {{ *}}gclLaunch(T::run, 1, 1, 0, 0, p);
    ns::k<typename box<T>::type, 2><<<1, 1>>>(p);
    // CHECK: {{ *}}gclLaunch((ns::k<typename box<T>::type, 2>), 1, 1, 0, 0, p);
    t.template member<int>()<<<1, 1>>>(p);
    // CHECK: {{ *}}gclLaunch(t.template member<int>(), 1, 1, 0, 0, p);
}
template <class... A> void pack(A... a) {
    partly<float><<<1, 1>>>(a...);
    // CHECK: {{ *}}gclLaunch(partly<float>, 1, 1, 0, 0, a...);
}
int main() {
    int *p = nullptr;
    float *q = nullptr;
    table t = {f, {f, f}}, *b = &t;
    bool c = p != nullptr;
    k<<<1, 2>>>(p, 3);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, p, 3);
    k<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, p);
    ::k<<<1, 2>>>(0, 3);
    // CHECK: {{ *}}gclLaunch(::k, 1, 2, 0, 0, 0, 3);
    k<<<1, 2>>>(NULL, 0);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, NULL, 0);
    ns::k<int, 2><<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch((ns::k<int, 2>), 1, 2, 0, 0, p);
    ns::k /* a */ <int, 2> /* b */ <<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch((ns::k /* a */ <int, 2>), /* b */ 1, 2, 0, 0, p);
    (f)<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch((f), 1, 2, 0, 0, p);
    b->row[1]<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch(b->row[1], 1, 2, 0, 0, p);
    b->f<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch(b->f, 1, 2, 0, 0, p);
    (c ? t.f : f)<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch((c ? t.f : f), 1, 2, 0, 0, p);
    nested<box<box<int>>><<<1, 2>>>({});
    // CHECK: {{ *}}gclLaunch(nested<box<box<int>>>, 1, 2, 0, 0, {});
    deduced<<<1, 2>>>(p, 2);
    // CHECK: {{ *}}gclLaunch(deduced, 1, 2, 0, 0, p, 2);
    partly<float><<<1, 2>>>(p, 2);
    // CHECK: {{ *}}gclLaunch(partly<float>, 1, 2, 0, 0, p, 2);
    partly<float, int><<<1, 2>>>(p, 2);
    // CHECK: {{ *}}gclLaunch((partly<float, int>), 1, 2, 0, 0, p, 2);
    overloaded<<<1, 2>>>(q);
    // CHECK: {{ *}}gclLaunch(overloaded, 1, 2, 0, 0, q);
    policy::launch(p);
    parameter<f>(p);
    pack(p, 1);
    if (c)
        k<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, p);
    else
        k<<<1, 3>>>(p);
    // CHECK: {{ *}}gclLaunch(k, 1, 3, 0, 0, p);
}
