#!/bin/bash
# What somebody tries who has installed gcluster, as an ordinary user without a network, in a copy of
# this repository's examples: clean_machine.py runs it. Leaves ./vector_add.
set -euxo pipefail

gcluster-cc --version
gcluster-cc -O2 examples/vector_add.cu -o vector_add
./vector_add
gcluster-cc -O2 examples/nbody.cu -o nbody
GCL_SPLIT=always gcluster-run -n 3 ./nbody
gcluster-translate --query cudaMemcpy2DAsync | grep cudaMemcpy2DAsync
gcluster-doctor
! readelf -d vector_add | grep -E 'RPATH|RUNPATH' # the system's folders

# A project that looks for CUDA: Make, CMake's language, other linkers.
export CUDA_HOME=/usr/lib/gcluster/cuda PATH=/usr/lib/gcluster/cuda/bin:$PATH
nvcc --version | grep 'release 12'
nvcc -O2 -c tests/install/saxpy.cu -o saxpy.o
g++ -I$CUDA_HOME/include tests/install/check.cpp saxpy.o -o saxpy -L$CUDA_HOME/lib64 -lcudart
./saxpy
make -C examples/multi_file NVCC=nvcc
cmake -S tests/install/toolkit -B toolkit
cmake --build toolkit
./toolkit/saxpy
./toolkit/mixed
./toolkit/device
cmake -S examples/cmake_project -B life
cmake --build life

# The language server, where its package is.
if command -v gcluster-lsp; then
    gcluster-lsp --version
fi
