#!/bin/bash
# Installs gcluster into a temporary folder, moves that away, and uses it in the ways that users
# have: the command, CMake's find_package, pkg-config, as a CUDA toolkit. Arguments: build folder, work folder.
set -euo pipefail
build=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
cp -r "$here" "$work/project"
cd "$work"

echo "== files"
for file in bin/gcluster-cc lib/libgcluster.so lib/libgcluster-clang.so include/gcluster.h \
    include/gcluster/functions.h share/gcluster/cuda/cuda_runtime.h \
    lib/cmake/gcluster/gclusterConfig.cmake lib/pkgconfig/gcluster.pc \
    share/man/man1/gcluster-cc.1 share/man/man7/gcluster.7 bin/nvcc include/cuda_runtime.h \
    include/crt/host_defines.h lib64/libcudart.so lib64/libcudart_static.a lib64/libcuda.so \
    lib64/libcudadevrt.a lib64/libnvToolsExt.so lib64/libnvidia-ml.so lib64/libnvrtc.so \
    lib64/libnppc.so lib64/libnvjpeg_static.a lib64/libnvrtc-builtins.so include/cccl/cuda/atomic \
    version.json; do
    test -e "$prefix/$file" || {
        echo "$file is not installed"
        exit 1
    }
done

echo "== command"
"$prefix/bin/gcluster-cc" -O1 project/saxpy.cu project/check.cpp -o saxpy
./saxpy

echo "== host compilers"
for compiler in "g++ -std=c++11" "g++ -std=c++20" "clang++-19 -std=c++17"; do
    $compiler -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only project/toolkit/headers.cpp
done
for compiler in "g++ -std=c++14" "clang++-19 -std=c++20"; do
    $compiler -Wall -Wextra -Werror -I"$prefix/include" -I"$prefix/include/cccl" -fsyntax-only \
        project/toolkit/libcu.cpp
done
for compiler in "gcc -std=c99" "clang-19 -std=c17"; do
    $compiler -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only project/toolkit/device.c
done

echo "== find_package"
cmake -S project -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >cmake.log
cmake --build cmake >>cmake.log
./cmake/saxpy
touch project/check.h
cmake --build cmake >again.log
grep -q saxpy.cu again.log # the header is among its dependencies

echo "== pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
compiler=$(pkg-config --variable=compiler gcluster)
"$compiler" -c project/saxpy.cu -o saxpy.o
"$compiler" -c project/check.cpp -o check.o
# Sanitized libraries can only be linked by the compiler that they were made with.
if nm -D "$prefix/lib/libgcluster.so" | grep -E ' U __[at]san_init' >/dev/null; then
    "$compiler" saxpy.o check.o -o saxpy_pc
    ./saxpy_pc
    exit
fi
# shellcheck disable=SC2046
g++ saxpy.o check.o -o saxpy_pc $(pkg-config --libs gcluster) -Wl,-rpath,"$prefix/lib"
./saxpy_pc

# Nothing is told where libraries lie but the toolkit's folder, as with CUDA's.
cmake -Dprefix="$prefix" -P "$prefix/share/gcluster/toolkit/layout.cmake" # it has been moved
export CUDA_HOME=$prefix PATH=$prefix/bin:$PATH

echo "== toolkit"
nvcc -dc project/saxpy.cu -o saxpy.o
nvcc -dlink saxpy.o -o linked.o
g++ -I"$CUDA_HOME/include" -c project/check.cpp -o check.o
g++ saxpy.o check.o linked.o -o saxpy_toolkit -L"$CUDA_HOME/lib64" -lcudart
./saxpy_toolkit
gcc -Wall -Werror -I"$CUDA_HOME/include" project/toolkit/device.c -o device -L"$CUDA_HOME/lib64" \
    -lcuda -lnvToolsExt -lcudart_static -lnppc -lnppial -lnppicc -lnppidei -lnppif -lnppig -lnppim \
    -lnppist -lnppisu -lnppitc -lnpps -lnvjpeg -lcufftw -lnvrtc-builtins -lnvJitLink -lcufile
./device
# A library finds those that it uses without the program's help.
cat >solver.c <<'END'
#include <cusolverDn.h>
int main(void) {
    int version;
    return cusolverGetVersion(&version);
}
END
gcc -I"$CUDA_HOME/include" solver.c -o solver -L"$CUDA_HOME/lib64" -lcusolver
./solver
echo 'int nppsCopy(void); int main(void) { return nppsCopy(); }' >calls.c
if gcc calls.c -o calls -L"$CUDA_HOME/lib64" -lnpps -lnppc 2>calls.log; then
    echo "a call of NPP's is linked to nothing"
    exit 1
fi
grep -q 'undefined reference to `nppsCopy' calls.log

echo "== CMake with a toolkit"
cmake -S project/toolkit -B toolkit >toolkit.log
cmake --build toolkit >>toolkit.log
for program in saxpy mixed device; do
    "./toolkit/$program"
done
./toolkit/loads "$(find toolkit -name module.ptx)"
touch project/check.h
cmake --build toolkit >again.log
grep -q saxpy.cu again.log
