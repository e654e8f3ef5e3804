#!/bin/bash
# Jobs whose nodes compute with different devices, GPUs of the test driver and CPUs, print what one
# node on the CPU prints.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0

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

# The test driver, which interprets what CPUs run, is slower by orders of magnitude: most blocks move
# to the node on the CPU, and none of them changes the result.
"$build/bin/gcluster-cc" -O2 "$here/../cluster/steps.cu" -o steps
GCL_DEVICE=cpu ./steps 60 >one 2>/dev/null
DEVICES="cuda cpu" GCL_LOG=info timeout 100 "$build/bin/gcluster-run" -n 2 ./node.sh ./steps 60 \
    >several 2>err || {
    echo "steps: exit status $?"
    cat several err
    exit 1
}
cmp one several
part=$(sed -n 's/.*nodes get other parts .*: \([0-9]*\)\.[0-9]* %, .*/\1/p' err | tail -n 1)
[ -n "$part" ] && [ "$part" -lt 30 ] || {
    echo "the GPU's node has ${part:-an even part} % of all blocks"
    cat err
    exit 1
}
