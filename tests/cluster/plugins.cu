// Loads libraries, has them work on the same values, and unloads them. Arguments: their paths; "-"
// before one removes it once it is loaded. Variables are new each time.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv) {
    enum { COUNT = 10000 };
    int *values, *last = new int;
    cudaMalloc(&values, COUNT * sizeof *values);
    cudaMemset(values, 0, COUNT * sizeof *values);
    for (int i = 1; i < argc; i++) {
        bool is_removed = strcmp(argv[i], "-") == 0;
        i += is_removed;
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return puts(dlerror()), 1;
        if (is_removed)
            unlink(argv[i]);
        int calls = ((int (*)(int *, int))dlsym(library, "run"))(values, COUNT);
        if (cudaMemcpy(last, values + COUNT - 1, sizeof *last, cudaMemcpyDeviceToHost) !=
            cudaSuccess)
            return 1;
        printf("%d after %d\n", *last, calls);
        dlclose(library);
    }
    delete last;
}
