#!/bin/bash
# Jobs whose nodes compute with different devices, GPUs of the test driver and CPUs, print what one
# node on the CPU prints.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
export LD_LIBRARY_PATH=$2 GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
rm -rf "$3"
mkdir -p "$3"
cd "$3"

# The device of each node, by its number.
cat >node.sh <<'END'
#!/bin/bash
read -ra devices <<<"$DEVICES"
export GCL_DEVICE=${devices[$GCL_NODE]}
exec "$@"
END
chmod +x node.sh

for source in "$here"/../../examples/{vector_add,matmul,spmv}.cu \
    "$here"/../cluster/same/{fields,move,read,repeat}.cu; do
    name=$(basename "$source" .cu)
    "$build/bin/gcluster-cc" -O2 "$source" -o "$name"
    GCL_DEVICE=cpu "./$name" >one
    for DEVICES in "cuda cpu" "cpu cuda" "cuda cpu cuda cpu" "cpu cuda cuda"; do
        export DEVICES
        count=$(wc -w <<<"$DEVICES")
        timeout 100 "$build/bin/gcluster-run" -n "$count" ./node.sh "./$name" >several 2>err || {
            echo "$name on $DEVICES: exit status $?"
            cat several err
            exit 1
        }
        cmp one several || {
            echo "$name on $DEVICES prints something else"
            diff one several
            exit 1
        }
    done
done
