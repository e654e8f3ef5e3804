#!/bin/sh
# With the recipe as its settings, Helix finds gcluster-lsp for CUDA: helix.sh hx helix.toml
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/helix"
cp "$2" "$folder/helix/languages.toml"
XDG_CONFIG_HOME=$folder "$1" --health cuda | tee "$folder/health"
grep -q "gcluster-lsp" "$folder/health"
