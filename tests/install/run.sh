#!/bin/bash
# Installs gcluster into a temporary folder, moves that away, and uses it in the three ways that
# users have: the command, CMake's find_package, pkg-config. Arguments: build folder, work folder.
set -euo pipefail
build=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
cd "$work"

echo "== files"
for file in bin/gcluster-cc lib/libgcluster.so include/gcluster.h include/gcluster/functions.h \
    share/gcluster/cuda/cuda_runtime.h lib/cmake/gcluster/gclusterConfig.cmake \
    lib/pkgconfig/gcluster.pc share/man/man1/gcluster-cc.1 share/man/man7/gcluster.7; do
    test -e "$prefix/$file" || {
        echo "$file is not installed"
        exit 1
    }
done

echo "== command"
"$prefix/bin/gcluster-cc" -O1 "$here/saxpy.cu" "$here/check.cpp" -o saxpy
./saxpy

echo "== find_package"
cmake -S "$here" -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >cmake.log
cmake --build cmake >>cmake.log
./cmake/saxpy
touch "$here/check.h"
cmake --build cmake | grep -q saxpy.cu # the header is among its dependencies

echo "== pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
compiler=$(pkg-config --variable=compiler gcluster)
"$compiler" -c "$here/saxpy.cu" -o saxpy.o
"$compiler" -c "$here/check.cpp" -o check.o
# Sanitized libraries can only be linked by the compiler that they were made with.
if nm -D "$prefix/lib/libgcluster.so" | grep -qE ' U __(a|t)san_init'; then
    "$compiler" saxpy.o check.o -o saxpy_pc
else
    # shellcheck disable=SC2046
    g++ saxpy.o check.o -o saxpy_pc $(pkg-config --libs gcluster) -Wl,-rpath,"$prefix/lib"
fi
./saxpy_pc
