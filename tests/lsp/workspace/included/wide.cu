#define WIDTH 1024
struct Cell {
    double now, before;
};
#include "kernels.cu"
