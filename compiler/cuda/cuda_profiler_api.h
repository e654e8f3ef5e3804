// cudaProfilerStart() and cudaProfilerStop() come with the runtime's functions.
#include "cuda_runtime_api.h"

#ifndef GCLUSTER_CUDA_PROFILER_API_H
#define GCLUSTER_CUDA_PROFILER_API_H
typedef enum gclOutputMode { cudaKeyValuePair = 0, cudaCSV = 1 } cudaOutputMode_t;
#endif
