#!/bin/bash
# Copies of memory that isn't page-locked go through memory that is, piece by piece, and while the
# GPU copies one piece the processor copies another; the program gets the same bytes, alone and in a
# job, also where no memory can be page-locked.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60
export LSAN_OPTIONS=detect_leaks=0
"$build/bin/gcluster-cc" -O1 "$here/staging.cu" -o staging

run() { # settings, and the command
    rm -f log
    env GCL_TEST_DRIVER_LOG=log "$@" >out 2>err && grep -qx right out || fail "$*"
}

run ./staging
awk '$2 == "copy" && $3 $4 ~ /pageable/ && $5 > 65536 {exit 1}' log || fail "the driver stages"
run "$build/bin/gcluster-run" -n 2 ./staging
run GCL_TEST_DRIVER_FAIL=cuMemHostRegister_v2:1,cuMemHostRegister_v2:2 ./staging

# Calls for two and a half pieces: E waits until one slot is free, or its piece has come, S for all
# that was given to the stream; C and c are copies to the GPU and from it.
run ./staging 2600000
calls=$(awk '$2 == "cuEventSynchronize" {printf "E"} $2 == "cuStreamSynchronize" {printf "S"}
             /copy pinned device/ {printf "C"} /copy device pinned/ {printf "c"}' log)
case $calls in
*ECECECS*EcEcEEcEES*) ;;
*) fail "pieces aren't copied side by side: $calls" ;;
esac

# What is page-locked the GPU copies as a whole.
run ./staging 2621440 locked
copies=$(awk '$2 == "copy" {printf "%s %s %s, ", $3, $4, $5}' log)
[ "$copies" = "pinned device 2621440, device pinned 2621440, " ] || fail "page-locked: $copies"
