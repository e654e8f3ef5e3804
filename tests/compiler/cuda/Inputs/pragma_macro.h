// As headers of device code name a pragma, which nvcc's preprocessor leaves behind for its parser.
#ifdef __CUDA_ARCH__
#define UNROLL #pragma unroll
#define UNROLL_BY_TWO #pragma unroll 2 // as many as fit
#else
#define UNROLL
#define UNROLL_BY_TWO
#endif
