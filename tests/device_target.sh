#!/bin/sh
# Compiles the device code of all examples and tests for a processor: device_target.sh <gcluster-cc>
# <triple>. Nothing is run. What can't be compiled, or not without a word from LLVM, is listed.
compiler=$1 triple=$2
root=$(cd "$(dirname "$0")/.." && pwd)
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failed=0
for file in "$root"/examples/*.cu "$root"/examples/*/*.cu "$root"/tests/compiler/cuda/*.cu \
    "$root"/tests/compiler/device/*.cu; do
    messages=$("$compiler" --device-target="$triple" -w -DWORLD_SIZE=64 "$file" -o "$output" 2>&1)
    if [ $? -ne 0 ] || [ -n "$messages" ]; then
        printf '%s\n%s\n' "failed: $file" "$messages"
        failed=1
    fi
done
exit $failed
