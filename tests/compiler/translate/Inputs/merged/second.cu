#define COUNT
#define KERNELS
#include "shared.h"
int main() { launch(); return shared(0); }
