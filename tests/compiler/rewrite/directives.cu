// Directives inside a launch: nothing is edited that another configuration would need otherwise.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --check-rewrite -DWIDE %s
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --emit=source -DWIDE %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --dump=unit %s | FileCheck --check-prefix=UNIT %s
__global__ void k(int, int) {
}
int main() {
    k<<<1, 32
#ifdef WIDE
      , 64
#endif
      >>>(1, 2);
    // CHECK: {{ *}}k<<<1, 32
    // CHECK: {{ *}}>>>(1, 2);
    // UNIT: launch [[# @LINE - 7]]:6 {{.*}} kept: directive inside the launch
    k<<<1, 32>>>(
#ifdef WIDE
        1,
#else
        3,
#endif
        2);
    // CHECK: {{ *}}gclLaunch(k, 1, 32, 0, 0,
    // CHECK: {{ *}}2);
#ifdef WIDE
    k
#else
    k
#endif
        <<<1, 2>>>(5, 6);
    // CHECK: {{ *}}<<<1, 2>>>(5, 6);
    k<<<1, 32>>>(4, [] {
        int sum = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            sum += i;
        return sum;
    }());
    // CHECK: {{ *}}k<<<1, 32>>>(4, [] {
#if 0
    k<<<1, 32>>>(7, 8);
    // CHECK: {{ *}}gclLaunch(k, 1, 32, 0, 0, 7, 8);
    cudaFree(0) <<< unbalanced ( and it's prose
    // CHECK: {{ *}}gclFree(0) <<< unbalanced ( and it's prose
#endif
}
