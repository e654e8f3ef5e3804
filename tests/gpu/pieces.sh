#!/bin/bash
# What GPUs of different machines have for each other goes in pieces: while one is on its way
# between nodes, the next one comes from the one GPU and the last one goes to the other. Here nodes
# of one machine can't read each other's memory.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
cc -shared -fPIC -O2 "$here/../cluster/apart.c" -o apart.so
"$build/bin/gcluster-cc" -O2 "$here/pieces.cu" -o pieces
GCL_DEVICE=cpu ./pieces >expected

cat >node.sh <<'END'
#!/bin/bash
read -ra devices <<<"$DEVICES"
GCL_DEVICE=${devices[$GCL_NODE]} LD_PRELOAD=$PWD/apart.so exec "$@"
END
chmod +x node.sh
run() { # the device of each node
    rm -f log
    export DEVICES=$*
    ASAN_OPTIONS=verify_asan_link_order=0 GCL_LOG=error GCL_TEST_DRIVER_LOG=log timeout 60 \
        "$build/bin/gcluster-run" -n $# ./node.sh ./pieces >out 2>err || fail "$*: exit status $?"
    cmp expected out || fail "$*: other results"
}

run cuda cpu
run cpu cuda
run cuda cuda cuda cuda

# Copies between GPUs and slots, as they follow each other: c from the one, C to the other. Of a
# transfer in one piece all c would come before the first C. As each copy takes long, that doesn't
# depend on which of the two nodes is the first to be ready.
export GCL_TEST_DRIVER_COPY_MS=10
for _ in 1 2 3 4; do
    run cuda cuda
    sender=$(awk '/copy device pinned/ {print $1; exit}' log)
    copies=$(awk -v sender="$sender" '$2 == "copy" && $1 == sender && $3 $4 == "devicepinned" {printf "c"}
                                      $2 == "copy" && $1 != sender && $3 $4 == "pinneddevice" {printf "C"}' log)
    case $copies in *C*c*) exit 0 ;; esac
done
fail "pieces don't overlap: $copies"
