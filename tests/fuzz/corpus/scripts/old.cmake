find_package(CUDA 9.0 REQUIRED)
FIND_PACKAGE ( CUDA QUIET )
find_package(CUDAToolkit REQUIRED)
cuda_add_executable(app main.cu
    other.cu)
cuda_add_library(lib STATIC x.cu)
