#include <cuda_runtime.h>
int counted(void *) { return 0; }
#define cudaFree(p) counted(p)
#include "shared.h"
int main() { return shared(0); }
