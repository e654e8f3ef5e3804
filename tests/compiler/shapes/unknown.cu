// Block sizes that may be anything when the launch comes, or that nothing can have.
// RUN: %gcluster-cc --dump=shapes %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
// CHECK: k any
#include <cstdio>
#include <cstdlib>
__global__ void k() {
}
int global = 32;
static dim3 block_of_file(16, 16);
extern int elsewhere;
namespace space {
int named = 64;
}
void set(int &size);
dim3 choose();
struct settings {
    int threads = 32;
    static int common;
};
int settings::common = 32;

void changed(int argc, char **argv) {
    int from_arguments = atoi(argv[1]);
    int assigned = 32, added = 32, counted = 32, addressed = 32, referred = 32, passed = 32;
    int captured = 32, parenthesised = 32, uninitialised;
    dim3 member(16, 16), whole(16, 16), pointed(16, 16);
    assigned = argc;
    added += argc;
    counted++;
    scanf("%d", &addressed);
    int &reference = referred;
    reference = argc;
    set(passed);
    auto change = [&] { captured = argc; };
    change();
    ((parenthesised)) = argc;
    uninitialised = 32;
    member.y = argc;
    whole = dim3(argc);
    dim3 *pointer = &pointed;
    pointer->x = argc;
    k<<<1, from_arguments>>>();
    k<<<1, assigned>>>();
    k<<<1, added>>>();
    k<<<1, counted>>>();
    k<<<1, addressed>>>();
    k<<<1, referred>>>();
    k<<<1, reference>>>();
    k<<<1, passed>>>();
    k<<<1, captured>>>();
    k<<<1, parenthesised>>>();
    k<<<1, uninitialised>>>();
    k<<<1, member>>>();
    k<<<1, whole>>>();
    k<<<1, pointed>>>();
    k<<<1, dim3(8, assigned)>>>();
    for (int threads = 32; threads <= 64; threads *= 2)
        k<<<1, threads>>>();
}

void elsewhere_changed(int parameter, dim3 block, settings s) {
    global = parameter;
    block_of_file.z = 2;
    space::named = parameter;
    settings::common = parameter;
    k<<<1, global>>>();
    k<<<1, block_of_file>>>();
    k<<<1, elsewhere>>>();
    k<<<1, space::named>>>();
    k<<<1, settings::common>>>();
    k<<<1, parameter>>>();
    k<<<1, block>>>();
    k<<<1, choose()>>>();
    k<<<1, s.threads>>>();
    k<<<1, parameter > 2 ? 32 : 64>>>();
}

template <int threads> void depends_on_template(int n) {
    dim3 block(threads, 2);
    k<<<1, threads>>>();
    k<<<1, block>>>();
}

void impossible(void (*kernel)()) {
    k<<<1, 0>>>();
    k<<<1, 1025>>>();
    k<<<1, dim3(32, 64)>>>();
    k<<<1, dim3(1, 1, 65)>>>();
    k<<<1, -1>>>();
    kernel<<<1, 32>>>();
    depends_on_template<32>(1);
}
