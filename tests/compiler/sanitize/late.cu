// A library that checks itself comes when addresses are in device memory already, of which the
// program, which doesn't, has noted none.
// RUN: %gcluster-cc --sanitize=footprint --shared -Xcompiler -fPIC %S/Inputs/follow.cu -o %t.so
// RUN: %gcluster-cc %s -o %t -ldl
// RUN: %t %t.so 2>&1 | FileCheck --implicit-check-not=footprint %s
// CHECK: 6
#include <cstdio>
#include <dlfcn.h>

struct link {
    const link *next;
    int value;
};

int main(int, char **arguments) {
    const link *before = nullptr, **head;
    int *sum, result = 0;
    for (int value = 1; value <= 3; value++) {
        link *next, filled = {before, value};
        cudaMalloc(&next, sizeof(link));
        cudaMemcpy(next, &filled, sizeof(link), cudaMemcpyHostToDevice);
        before = next;
    }
    cudaMalloc(&head, sizeof *head);
    cudaMemcpy(head, &before, sizeof *head, cudaMemcpyHostToDevice);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library)
        return puts(dlerror()), 1;
    auto add = (void (*)(const link **, int *))dlsym(library, "add_all");
    add(head, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
}
