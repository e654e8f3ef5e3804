#!/bin/bash
# From a clone to a picture: installs what is missing on Debian 12, builds gcluster, compiles a CUDA
# program with it and runs that program on this machine's CPU: in one process, then on four nodes,
# which have to draw the same picture. What is done already is skipped.
#
#     examples/demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."

build=build
log=$build/configure.log

tests/setup.sh build

echo "== Building gcluster in $build (a minute, the first time)"
if [ ! -e $build/build.ninja ]; then
    mkdir -p $build
    cmake --preset default -DBUILD_TESTING=OFF >$log 2>&1 || {
        cat $log
        exit 1
    }
fi
cmake --build $build --target gcluster-cc gcluster gcluster-run
echo "   built after $SECONDS s"

show_and_run() {
    echo "   \$ $*"
    "$@"
}

echo "== Compiling a CUDA program: a hotplate, the two-dimensional heat equation"
show_and_run $build/bin/gcluster-cc -O2 examples/heat2d.cu -o $build/heat2d -lpng

echo "== Running it"
show_and_run $build/heat2d 512 1000 heat2d.png

echo "== The same program on four nodes, though they share this machine's cores, and what moved"
show_and_run env GCL_SPLIT=always $build/bin/gcluster-run -n 4 --stats $build/heat2d 512 1000 $build/four_nodes.png
show_and_run cmp heat2d.png $build/four_nodes.png
echo "   both pictures are the same, byte for byte"

echo "== Done after $SECONDS s. The picture: $PWD/heat2d.png"
