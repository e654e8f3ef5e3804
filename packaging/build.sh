#!/bin/bash
# From a source tree to Debian packages, on Debian 12: installs what that takes where it is missing,
# builds in a folder of its own, and leaves the packages in FOLDER.
#
#     packaging/build.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
tests/setup.sh package
build=build-package
cmake --preset default -B $build -DBUILD_TESTING=OFF
cmake --build $build
cpack --config $build/CPackConfig.cmake -B $build/packages
mv $build/packages/*.deb "$folder"
