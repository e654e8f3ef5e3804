#!/bin/bash
# What nodes are bound to: the table that gcluster-run shows, on machines that hwloc is told of, and
# within masks of this one.
# Arguments: folder of gcluster-run, work folder, a machine for hwloc, folder of the test driver.
set -euo pipefail
machine=$(realpath "$3") driver=$4
. "$(dirname "$0")/job.sh"
cat >one.cu <<'EOF'
__global__ void set(int *p) { *p = 7; }
int main() {
    int *p, value = 0;
    cudaMalloc(&p, sizeof *p);
    set<<<1, 1>>>(p);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault);
    return value != 7;
}
EOF
"$bin/gcluster-cc" -O1 one.cu -o one

# Runs so many nodes, by a program if `wrapper` names one, and compares the table, but for the host,
# with the given lines.
expect() {
    local count=$1 status=0
    shift
    timeout 60 "$bin/gcluster-run" -n "$count" --show-binding ${wrapper:+"$wrapper"} ./one \
        >out 2>err || status=$?
    [ $status = 0 ] || fail "$count nodes: exit status $status"
    awk '/^  [0-9]/ { $2 = ""; $1 = $1; print }' err | tr -s ' ' >table
    printf '%s\n' "$@" | diff - table || fail "$count nodes: another table"
}

echo "== cores"
HWLOC_SYNTHETIC="pack:2 [numa] core:4 pu:2" expect 4 \
    "0 cpu 0-3 0 -" "1 cpu 4-7 0 -" "2 cpu 8-11 1 -" "3 cpu 12-15 1 -"
HWLOC_SYNTHETIC="core:2 pu:1" expect 3 "0 cpu 0-1 0 -" "1 cpu 0-1 0 -" "2 cpu 0-1 0 -"
HWLOC_SYNTHETIC="core:4 pu:1" expect 1 "0 cpu 0-3 0 -"
timeout 60 "$bin/gcluster-run" -n 2 ./one >out 2>err
[ ! -s err ] || fail "a table that nobody has asked for"

# They link X11 and GPUs' drivers, and take longer to load than all else.
LD_DEBUG=files timeout 60 ./one 2>err || fail "exit status $?"
! grep -q 'hwloc_[a-z_]*\.so' err || fail "plugins of hwloc are loaded"

echo "== GPUs"
export HWLOC_XMLFILE=$machine GCL_TEST_DRIVER_DEVICES=3 GCL_MEMORY=1G LD_LIBRARY_PATH=$driver
expect 4 "0 cuda:0 at 0000:01:00.0 0 0 mlx5_0:1" "1 cuda:1 at 0000:02:00.0 1 0 mlx5_0:1" \
    "2 cuda:2 at 0000:03:00.0 4-7 1 mlx5_1:1" "3 cuda:0 at 0000:01:00.0 2 0 mlx5_0:1"
CUDA_VISIBLE_DEVICES=2,1 expect 2 "0 cuda:0 at 0000:03:00.0 4-7 1 mlx5_1:1" \
    "1 cuda:1 at 0000:02:00.0 0-3 0 mlx5_0:1"
GCL_DEVICE=cuda:1 expect 2 "0 cuda:1 at 0000:02:00.0 0-1 0 mlx5_0:1" \
    "1 cuda:1 at 0000:02:00.0 2-3 0 mlx5_0:1"
GCL_DEVICE=cpu expect 2 "0 cpu 0-3 0 -" "1 cpu 4-7 1 -"

echo "== a GPU for each node by its environment, as srun has it"
cat >each.sh <<'EOF'
#!/bin/bash
export CUDA_VISIBLE_DEVICES=$((2 * GCL_NODE))
exec "$@"
EOF
chmod +x each.sh
wrapper=./each.sh expect 2 "0 cuda:0 at 0000:01:00.0 0-3 0 mlx5_0:1" \
    "1 cuda:0 at 0000:03:00.0 4-7 1 mlx5_1:1"
GCL_LOG=info timeout 60 "$bin/gcluster-run" -n 2 ./each.sh ./one >out 2>err
! grep -q "shares it" err || fail "GPUs that nodes have alone count as shared"
unset LD_LIBRARY_PATH HWLOC_XMLFILE GCL_MEMORY

echo "== masks"
mapfile -t allowed < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
    awk -F- '{ for (i = $1; i <= $NF; i++) print i }')
first=${allowed[0]} last=${allowed[-1]}
cat >masked.sh <<EOF
#!/bin/bash
masks=($first $last)
exec taskset -c \${masks[\$GCL_NODE]} "\$@"
EOF
chmod +x masked.sh
wrapper=./masked.sh expect 2 "0 cpu $first 0 -" "1 cpu $last 0 -"
wrapper=./masked.sh GCL_LOG=info expect 1 "0 cpu $first 0 -"
grep -q '^gcluster: 1 worker' err || fail "a mask of one core has more workers"
