find_package(gcluster REQUIRED)
FIND_PACKAGE ( gcluster)
find_package(CUDAToolkit REQUIRED)
gcluster_add_executable(app main.cu
    other.cu)
gcluster_add_library(lib STATIC x.cu)
