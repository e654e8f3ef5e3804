// What may stand between <<< and >>>.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --dump=unit %s | FileCheck --check-prefix=UNIT %s
#define N 4
#define DIM(a, b) dim3(a, b)
#define BOTH N, N
#define TAIL 32, 0
#define LB <<<
#define RB >>>
__global__ void k(int) {
}
template <int A, int B> int f() {
    return A + B;
}
template <int A> struct value {
    static constexpr int is = A;
};
int main() {
    cudaStream_t s = nullptr;
    int n = 1024;
    k<<<1, 2, 3>>>(1);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 3, 0, 1);
    k<<<1, 2, 3, s>>>(2);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 3, s, 2);
    k<<<dim3{1, 2}, dim3{2}, sizeof(int[2])>>>(3);
    // CHECK: {{ *}}gclLaunch(k, (dim3{1, 2}), dim3{2}, sizeof(int[2]), 0, 3);
    k<<<N, DIM(1, 2)>>>(4);
    // CHECK: {{ *}}gclLaunch(k, N, DIM(1, 2), 0, 0, 4);
    k<<<f<1, 2>(), f<2, 3>(), (f<1, 2>())>>>(5);
    // CHECK: {{ *}}gclLaunch(k, (f<1, 2>()), (f<2, 3>()), (f<1, 2>()), 0, 5);
    k<<<n >> 5, 1 << 5>>>(6);
    // CHECK: {{ *}}gclLaunch(k, n >> 5, 1 << 5, 0, 0, 6);
    k<<<n > 5 ? 1 : 2, n < 7, value<3>::is>>>(7);
    // CHECK: {{ *}}gclLaunch(k, n > 5 ? 1 : 2, n < 7, value<3>::is, 0, 7);
    k<<<[] { return dim3(1, 2); }(), [](int a, int b) { return a + b; }(1, 2)>>>(8);
    // CHECK: {{ *}}gclLaunch(k, [] { return dim3(1, 2); }(), [](int a, int b) { return a + b; }(1, 2), 0, 0, 8);
    k<<<[&n] { int a = 1, b = n; return a + b; }(), 1>>>(9);
    // CHECK: {{ *}}gclLaunch(k, ([&n] { int a = 1, b = n; return a + b; }()), 1, 0, 0, 9);
    k<<<(n + 255) / 256, 256, n * sizeof(float), 0>>>(10);
    // CHECK: {{ *}}gclLaunch(k, (n + 255) / 256, 256, n * sizeof(float), 0, 10);

    // Commas that come out of macros: the text doesn't show how many arguments there are.
    k<<<BOTH>>>(11);
    // CHECK: {{ *}}k<<<BOTH>>>(11);
    // UNIT: launch [[# @LINE - 2]]:6 {{.*}} kept: number of configuration arguments
    k<<<1, TAIL>>>(12);
    // CHECK: {{ *}}k<<<1, TAIL>>>(12);
    // UNIT: launch [[# @LINE - 2]]:6 {{.*}} kept: number of configuration arguments
    k LB 1, 2 RB(13);
    // CHECK: {{ *}}k LB 1, 2 RB(13);
}
