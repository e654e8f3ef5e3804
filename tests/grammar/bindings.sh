#!/bin/bash
# The grammar as packages of Python's and Node's: both are built, Python's parses with libtree-sitter
# through the pointer that it gives, and Node's gives one.
set -eu

grammar=$1
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$grammar"/{bindings,src,setup.py,pyproject.toml} "$work"
cd "$work"
python3 setup.py -q build_ext --inplace --build-temp objects
PYTHONPATH=bindings/python python3 "$here/bindings.py"

# Debian has Node's headers in a package of their own, which needs nothing else here.
command -v node >/dev/null || exit 0
include=$(node -p 'require("path").join(process.execPath, "../../include/node")')
[ -e "$include/node_api.h" ] || exit 0
mkdir -p build/Release
cc -shared -fPIC -o build/Release/tree_sitter_cuda_binding.node "-I$include" bindings/node/binding.c \
    $(find objects -name parser.o -o -name scanner.o)
node -e '
    const assert = require("node:assert");
    const binding = require("./build/Release/tree_sitter_cuda_binding.node");
    assert.equal(binding.name, "cuda");
    assert(require("node:util").types.isExternal(binding.language));'
