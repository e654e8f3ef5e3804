#!/bin/bash
# Programs under gcluster-run: what they see, what they return, and what is left when a node dies.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
export FRUIT=pear
"$bin/gcluster-cc" -O1 "$here/program.cu" -o program

for count in 1 2 4; do
    status=0
    echo line | timeout 60 "$bin/gcluster-run" -n $count ./program 3 >out 2>err || status=$?
    [ $status = 3 ] || fail "$count nodes: exit status $status"
    echo "sum 128, 2 words, in $PWD, FRUIT=pear, job unset, read line" | cmp - out ||
        fail "$count nodes: other output"
done

echo "== over before it has begun"
echo 'int main() {}' >nothing.cu
"$bin/gcluster-cc" nothing.cu -o nothing
for _ in {1..12}; do
    timeout 60 "$bin/gcluster-run" -n 5 ./nothing >out 2>err || fail "a program that does nothing"
    [ ! -s err ] || fail "something is said of a program that does nothing"
done

echo "== census"
GCL_LOG=info timeout 60 "$bin/gcluster-run" -n 3 ./program </dev/null >out 2>err
grep -q '^3 nodes' err || fail "no census"
[ "$(grep -c posix/memory err)" = 3 ] || fail "not all links use shared memory"

echo "== launches on one node"
"$bin/gcluster-cc" -O1 "$here/alone.cu" -o alone
GCL_LOG=info timeout 60 "$bin/gcluster-run" -n 2 ./alone >out 2>err
grep -q 'store_same runs on node 0 alone: .*GCL209' err || fail "no word of blocks that are the same"
grep -q 'store_together runs on node 0 alone: .*GCL205' err || fail "no word of a cooperative launch"
! grep -q 'store_one' err || fail "one block can't be cut"

echo "== a kernel that waits for another stream's"
"$bin/gcluster-cc" -O1 "$here/awaits.cu" -o awaits
GCL_THREADS=1 timeout 60 ./awaits >out 2>err || fail "one node doesn't run both"
grep -q '^cudaSuccess, 7$' out || fail "one node waits for something else"
timeout 60 "$bin/gcluster-run" -n 2 ./awaits >out 2>err || fail "two nodes wait for ever"
line=$(grep -n '// waits' "$here/awaits.cu" | cut -d : -f 1)
grep -q '^cudaErrorLaunchTimeout, ' out || fail "nothing has failed"
grep -q "waits in a loop on line $line .*kernel await, " err || fail "it isn't said what waits, and where"

echo "== links that fell back"
status=0
UCX_TLS=tcp,self timeout 60 "$bin/gcluster-run" -n 2 ./program </dev/null >out 2>err || status=$?
[ $status = 1 ] || fail "TCP by UCX: exit status $status"
grep -q 'error: UCX_TLS=tcp,self .* GCL_TRUSTED_NETWORK=1' err || fail "nothing is said of UCX's TCP"
export GCL_TRUSTED_NETWORK=1
UCX_TLS=tcp,self timeout 60 "$bin/gcluster-run" -n 2 ./program </dev/null >out 2>err
grep -q 'warning: nodes 0 and 1 .* use tcp' err || fail "no warning"
status=0
GCL_STRICT=1 UCX_TLS=tcp,self timeout 60 "$bin/gcluster-run" -n 2 ./program </dev/null >out 2>err ||
    status=$?
[ $status = 1 ] || fail "strict: exit status $status"
unset GCL_TRUSTED_NETWORK

# Starts three nodes, kills one, and checks that all have ended in time.
kill_node() {
    local node=$1 expected=$2 launcher victim begin status=0
    timeout 60 "$bin/gcluster-run" -n 3 ./program 0 40 </dev/null >killed.out 2>err &
    launcher=$!
    for _ in $(seq 400); do
        grep -qs sum killed.out && break
        sleep 0.05
    done
    victim=$(pgrep -x program -P "$(pgrep -P $launcher)" | sort -n | sed -n "$((node + 1))p")
    [ -n "$victim" ] || fail "node $node isn't there"
    begin=$(date +%s%N)
    kill -9 $victim
    wait $launcher || status=$?
    [ $status = "$expected" ] || fail "node $node killed: exit status $status"
    [ $((($(date +%s%N) - begin) / 1000000)) -lt 5000 ] || fail "node $node killed: it took too long"
    rm -f killed.out
}
echo "== nodes that die"
kill_node 2 7
kill_node 0 137

echo "== addresses that are taken"
cc -O1 -D_GNU_SOURCE -shared -fPIC "$here/occupied.c" -o occupied.so
run_occupied() { # what is taken: see occupied.c
    status=0
    OCCUPIED=$1 LD_PRELOAD=$work/occupied.so ASAN_OPTIONS=verify_asan_link_order=0 GCL_LOG=info \
        timeout 60 "$bin/gcluster-run" -n 3 ./program </dev/null >out 2>err || status=$?
}
# What is taken, the node that is named, and where device memory is instead.
while IFS=, read -r taken named begin; do
    run_occupied "$taken"
    [ $status = 0 ] && grep -q sum out || fail "$taken is taken: exit status $status"
    grep -q "have device memory at addresses $begin to .*: node $named on .* can't have .* is mapped at" err ||
        fail "$taken is taken: node $named isn't named, or memory isn't at $begin"
    [ "$(grep -c 'device memory at addresses' err)" = 1 ] || fail "$taken: it is said more than once"
done <<'END'
0:17,0,0x300010000000
1:17,1,0x300010000000
0:17 1:17 2:17,0,0x300010000000
0:17 1:49 2:33,1,0x400010000000
END
# Where libraries are mapped upwards, as with an unlimited stack, they may be among these addresses.
timeout 60 setarch -L "$bin/gcluster-run" -n 3 ./program </dev/null >out 2>err ||
    fail "libraries are mapped upwards"
grep -q sum out && [ ! -s err ] || fail "libraries are mapped upwards: something is said"
for node in 0 1 2; do
    run_occupied $node
    [ $status != 0 ] && [ $status != 124 ] || fail "no addresses: exit status $status"
    grep -q "error: there are no addresses .* that all nodes can have: node $node on .*ulimit -v" err ||
        fail "node $node isn't named"
    [ "$(grep -c 'error: there are no addresses' err)" = 1 ] || fail "it is said more than once"
done

"$bin/gcluster-cc" -O1 -Xlinker --export-dynamic "$here/leave.cu" -o leave
echo "== another program on one node"
status=0
timeout 60 "$bin/gcluster-run" -n 3 bash -c 'exec $( ((GCL_NODE == 2)) && echo ./leave || echo ./program)' \
    </dev/null >out 2>err || status=$?
[ $status != 0 ] && [ $status != 124 ] || fail "another program: exit status $status"
grep -q "error: node 2's program .* has other device code than node 0's .*same binary" err ||
    fail "node 2's program isn't named"

echo "== nodes that leave while they wait"
status=0
timeout 60 "$bin/gcluster-run" -n 3 ./leave >out 2>err || status=$?
[ $status = 3 ] && [ "$(cat out)" = leaving ] && ! [ -s err ] || fail "leaving: exit status $status"

echo "== what is no program for jobs"
status=0
timeout 60 "$bin/gcluster-run" -n 2 ./missing >out 2>err || status=$?
[ $status = 127 ] || fail "a missing program: exit status $status"
timeout 60 "$bin/gcluster-run" -n 2 true >out 2>err && fail "true is taken for a program of ours"
timeout 60 "$bin/gcluster-run" ./program >out 2>err && fail "-n isn't required"

echo "== hosts' names"
"$bin/gcluster-run" --hosts a,me@b -n 4 --rsh "'my ssh' -p 1" --dry-run ./program x >out 2>err
grep -qxF "'my ssh' '-p' '1' 'me@b' 'exec '\\''$bin/gcluster-run'\\'' --part'" out ||
    fail "no command for hosts"
for names in a,,b a,a '-oProxyCommand=x' 'a b' ''; do
    status=0
    "$bin/gcluster-run" --hosts "$names" --dry-run ./program >out 2>err || status=$?
    [ $status = 2 ] && grep -q -- '--hosts=.*name' err || fail "hosts '$names': exit status $status"
done
status=0
timeout 60 "$bin/gcluster-run" --hosts a,b --rsh false ./program >out 2>err || status=$?
[ $status = 1 ] && grep -q "can't start nodes on host [ab]: false has ended with exit status 1" err ||
    fail "a host that can't be reached: exit status $status"
