#!/bin/bash
# A node that is short of memory: the program hears of it, or the job ends with a message that names
# the node, its host, the allocation and the bytes. Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
options=allocator_may_return_null=1:detect_stack_use_after_return=0
export ASAN_OPTIONS=${ASAN_OPTIONS-}:$options GCL_THREADS=1
"$bin/gcluster-cc" -O1 "$here/short.cu" -o short

# Runs a job whose node `node` is short; its exit status and what it prints.
run() {
    local node=$1 expected=$2 printed=$3 status=0
    shift 3
    what="node $node, $*"
    SHORT_NODE=$node timeout 60 "$bin/gcluster-run" -n 3 "$@" >out 2>err || status=$?
    [ $status = "$expected" ] || fail "$what: exit status $status"
    [ "$(cat out)" = "$printed" ] || fail "$what: other output"
}

# Runs a job that ends because of a node; if the program takes long to notice, it is made to end.
run_lost() {
    local node=$1 status=0
    shift
    what="node $node, $*"
    SHORT_NODE=$node timeout 60 "$bin/gcluster-run" -n 3 "$@" >out 2>err || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "$what: exit status $status"
    ! grep -v cudaErrorNodeLost out || fail "$what: other output"
}

# Fails unless it is said once why a node ends the job.
expect() {
    [ "$(grep -c "error: node $1 on $(hostname) (process [0-9]*) is lost: $2" err)" = 1 ] ||
        fail "$what: not once: $2"
    ! grep "killed by signal" err || fail "$what: that is a signal"
}

# What is never used costs nothing, so that others may have no memory for it.
run 3 0 cudaSuccess ./short 4000
run 0 0 cudaErrorMemoryAllocation ./short 4000
run_lost 2 ./short 4000
expect 2 'it has no memory for an allocation of 4194304000 bytes at 0x'
grep -q 'gcluster: node 2: error: no memory for 4194304000 bytes at 0x.*: Cannot allocate' err ||
    fail "$what: no cause is given"

# Others wait for what the node would have done.
run 0 1 cudaErrorMemoryAllocation ./short 350 scatter
expect 0 'it has no memory to fetch 367001600 bytes for scatter, of 367001600 bytes at 0x'
run_lost 1 --stats ./short 350 scatter
expect 1 'it has no memory to fetch 367001600 bytes for scatter, of 367001600 bytes at 0x'

# The system kills a node that its control group has no memory for.
group=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/gcl-short.$$
if mkdir "$group" 2>/dev/null && echo $((256 << 20)) >"$group/memory.limit_in_bytes"; then
    trap 'rmdir "$group"; rm -rf "$TMPDIR"' EXIT
    status=0
    GROUP=$group GCL_MEMORY=2G timeout 60 "$bin/gcluster-run" -n 3 sh -c '
        [ "$GCL_NODE" != 1 ] || echo $$ >"$GROUP/cgroup.procs"
        exec ./short 600 scatter' >out 2>err || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "a small control group: exit status $status"
    grep -q 'run: node 1 was killed by signal 9 .*, probably by the system, which had no memory' err ||
        fail "a small control group: nothing is said"
else
    echo "no control groups can be made here: nodes that the system kills for memory aren't tried"
fi

# A job also needs room for what its processes share; it needs no temporary files.
mount_small() {
    unshare -m sh -c 'mount -t tmpfs -o size=$1 none $2 && shift 2 && exec "$@"' - "$@"
}
mkdir tiny
if mount_small 1m tiny true 2>/dev/null; then
    TMPDIR=tiny mount_small 1m tiny timeout 60 "$bin/gcluster-run" -n 2 ./short 10 >out 2>err ||
        fail "a small TMPDIR: exit status $?"
    status=0
    mount_small 256k /dev/shm timeout 60 "$bin/gcluster-run" -n 2 ./short 10 >out 2>err || status=$?
    [ $status = 1 ] || fail "a small /dev/shm: exit status $status"
    grep -q "error: UCX can't be started: .*; 256 KiB are free in /dev/shm" err ||
        fail "/dev/shm: nothing is said"
else
    echo "no file systems can be mounted here: jobs without room for what they share aren't tried"
fi
