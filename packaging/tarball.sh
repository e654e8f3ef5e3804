#!/bin/bash
# Writes the tarball of a release: what is committed, under gcluster-<version>, and nothing else is
# needed to build it but the packages of tests/setup.sh.
#
#     packaging/tarball.sh FOLDER      leaves FOLDER/gcluster-<version>.tar.xz
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(gcluster VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
git archive --prefix="gcluster-$version/" HEAD | xz -T0 >"$folder/gcluster-$version.tar.xz"
echo "$folder/gcluster-$version.tar.xz"
