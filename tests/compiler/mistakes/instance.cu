// An error in a template of a library is told once, where the program asks for the instance.
// RUN: not %gcluster-cc -c %s -o %t.o 2> %t.log
// RUN: FileCheck --implicit-check-not=error: %s < %t.log
#include <algorithm>
struct incomparable {};
template <class T> void sort_all(T *p) {
    std::sort(p, p + 3);
    // CHECK: instance.cu:[[# @LINE - 1]]:10: error: {{.*}}, in std::sort<incomparable *> ({{[a-z_]+}}.h:{{[0-9]+}})
}
int main() {
    incomparable a[3];
    sort_all(a);
    // CHECK: instance.cu:[[# @LINE - 1]]:5: note: in instantiation of function template specialization 'sort_all<incomparable>' requested here
}
