// Space, comments and line ends at every joint; lines keep their numbers.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines --strict-whitespace %s
__global__ void e() {
}
__global__ void k(int, int) {
}
// A continuation at each joint of a launch in a macro:
#define RUN(n)                                                                                     \
    k                                                                                              \
        <<<n,                                                                                      \
           n>>>                                                                                    \
        (n,                                                                                        \
         n)
// CHECK:    gclLaunch(k,                                                                                              {{\\}}
// CHECK-NEXT:        n,                                                                                      {{\\}}
// CHECK-NEXT:           n, 0, 0,                                                                                    {{\\}}
// CHECK-NEXT:        n,                                                                                        {{\\}}
// CHECK-NEXT:         n)
int main() {
    e<<<1, 2>>>();
// CHECK:    gclLaunch(e, 1, 2, 0, 0);
    e <<< 1 , 2 >>> ( );
// CHECK:    gclLaunch(e, 1 , 2, 0, 0);
    e<<<1, 2>>>(/* none */);
// CHECK:    gclLaunch(e, 1, 2, 0, 0/* none */);
    k
        <<<1, 2>>>
        (1,
         2);
// CHECK:    gclLaunch(k,
// CHECK-NEXT:        1, 2, 0, 0,
// CHECK-NEXT:        1,
// CHECK-NEXT:         2);
    k /* a */ <<< /* b */ 1 /* c */, /* d */ 2 /* e */ >>> /* f */ ( /* g */ 3 /* h */, /* i */ 4 /* j */ );
// CHECK:    gclLaunch(k, /* a */  /* b */ 1 /* c */, /* d */ 2, 0, 0, /* e */  /* f */  /* g */ 3 /* h */, /* i */ 4 /* j */ );
    k // to the line's end
        <<<1, // grid
           2  // block
           >>>(1, 2);
// CHECK:    gclLaunch(k, // to the line's end
// CHECK-NEXT:        1, // grid
// CHECK-NEXT:           2, 0, 0,  // block
// CHECK-NEXT:           1, 2);
    k<<<1, 2>>>(1, 2), k<<<3, 4>>>(5, 6);
// CHECK:    gclLaunch(k, 1, 2, 0, 0, 1, 2), gclLaunch(k, 3, 4, 0, 0, 5, 6);
    RUN(1);
}
