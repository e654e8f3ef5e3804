#if defined(__CUDACC__) && 1
#define PASTE(a, b) a##b
#define TEXT(x) #x
#else
it's dead: k<<<1, 2 >>>( "unclosed
#endif
const char *raw = R"x(k<<<1, 2>>>(3); cudaFree(0))x";
const char *text = "cudaMalloc" TEXT(cudaFree) u8"\u00e4" "\"//";
__global__ void k(int a, int b = 1'000) { /* <<< */
    (void)a, (void)b;
}
template <typename T> struct box {};
template <typename T> __global__ void g(T) {}
int main() {
    PASTE(k, ) << <1, 2 >> >(3);
    k<<<1,
#ifdef WIDE
        64
#else
        32
#endif
        >>>(1, 2);
    g<box<box<int>>><<<1, 1>>>({});
    k // comment \
      that goes on
        <<<1, 1>>>(1);
    int x = 1 << 2 >> 1, y = x<2>>(x > 1);
    return PASTE(cuda, DeviceSynchronize)() + y;
}
