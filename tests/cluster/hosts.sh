#!/bin/bash
# Jobs over several hosts, which are made here: each has network, process, memory and host name
# namespaces of its own, and cables to a switch. gcluster-run runs on a further one, the head, that
# shares the machine's processes, as it has to enter the others. Nothing of it is seen from outside.
# Arguments: folder of gcluster-run, work folder. Exit status 77: that can't be done here.
#
#     hosts.sh --enter HOST COMMAND...    what gcluster-run has for ssh
set -euo pipefail

enter() {
    local host=$1
    shift
    exec nsenter --all --wd="$PWD" --target "$(cat "$HOSTS_FOLDER/$host.process")" -- sh -c "$*"
}
if [ "${1-}" = --enter ]; then
    shift
    enter "$@"
fi

. "$(dirname "$0")/job.sh"
hosts="a b c"
[ "$(id -u)" = 0 ] || skip "only root can make hosts"
for program in ip ss tc nsenter unshare; do
    command -v $program >/dev/null || skip "there is no $program"
done
ip netns add gcl$$-switch 2>/dev/null || skip "no namespaces can be made here"
export HOSTS_FOLDER=$PWD/hosts
mkdir "$HOSTS_FOLDER"

# A cable from a host to the switch.
connect() {
    local host=$1 address=$2
    ip netns add gcl$$-"$host"
    ip -n gcl$$-"$host" link add eth0 type veth peer name port-"$host" netns gcl$$-switch
    ip -n gcl$$-"$host" address add "$address/24" dev eth0
    ip -n gcl$$-"$host" link set lo up
    ip -n gcl$$-"$host" link set eth0 up
    ip -n gcl$$-switch link set port-"$host" master switch up
    echo "$address $host" >>"$HOSTS_FOLDER/names"
}

start_host() {
    local host=$1
    # shellcheck disable=SC2016 # the host's shell expands it
    ip netns exec gcl$$-"$host" unshare --uts --ipc --mount --pid --fork --kill-child --mount-proc \
        sh -c 'hostname "$1" && mount --bind "$2/names" /etc/hosts && mount -t tmpfs shm /dev/shm &&
            touch "$2/$1.ready" && exec sleep infinity' sh "$host" "$HOSTS_FOLDER" 2>>hosts.err &
    local outer=$!
    until [ -e "$HOSTS_FOLDER/$host.ready" ]; do
        is_alive $outer || fail "host $host doesn't start"
        sleep 0.02
    done
    pgrep -P $outer >"$HOSTS_FOLDER/$host.process"
}

stop_host() {
    kill -9 "$(cat "$HOSTS_FOLDER/$1.process")" 2>/dev/null || true
}

take_down() {
    local host
    for host in $hosts; do
        stop_host $host
    done
    for host in switch head $hosts; do
        ip netns del gcl$$-$host 2>/dev/null || true
    done
    rm -rf "$TMPDIR"
}
trap take_down EXIT

on_head() {
    # shellcheck disable=SC2016
    timeout 100 ip netns exec gcl$$-head unshare --uts --mount sh -c \
        'hostname head && mount --bind "$HOSTS_FOLDER/names" /etc/hosts && exec "$@"' sh "$@"
}

# The processes of the program on a host.
members_of() {
    nsenter --all --target "$(cat "$HOSTS_FOLDER/$1.process")" -- ps -C steps -o stat= -o pid= |
        grep -v '^Z' || true
}

# Fails unless the hosts' processes end and leave no shared memory.
check_hosts() {
    local host
    for host in "$@"; do
        for _ in $(seq 300); do
            [ -n "$(members_of "$host")" ] || break
            sleep 0.1
        done
        [ -z "$(members_of "$host")" ] || fail "$what: something is left on host $host"
        [ -z "$(nsenter --all --target "$(cat "$HOSTS_FOLDER/$host.process")" -- ls /dev/shm)" ] ||
            fail "$what: shared memory is left on host $host"
    done
}

# gcluster-run on the head, with its arguments.
run_away() {
    on_head "$bin/gcluster-run" --rsh "$here/hosts.sh --enter" --hosts "${hosts// /,}" "$@"
}

run_on() {
    local count=$1 status=0
    shift
    run_away -n "$count" "$@" >out 2>err </dev/null || status=$?
    [ $status = 0 ] || fail "$what: exit status $status"
}

# Starts a job that doesn't end, does something to it, and waits for its end on the hosts that
# remain, and for the launcher's.
disturb() {
    local outer status=0 remaining=$1
    shift
    rm -f err
    run_away ./steps 100000000 >out 2>err </dev/null &
    outer=$!
    await_line $outer started err
    "$@"
    check_hosts $remaining
    for _ in $(seq 300); do
        is_alive $outer || break
        sleep 0.1
    done
    ! is_alive $outer || fail "$what: the launcher is left"
    wait $outer || status=$?
    [ $status != 0 ] || fail "$what: the job ends well"
}

# The only port that a node has is node 0's, for lifelines.
check_ports() {
    local host process node=0
    for host in $hosts; do
        process=$(nsenter --all --target "$(cat "$HOSTS_FOLDER/$host.process")" -- pgrep -x steps)
        nsenter --all --target "$(cat "$HOSTS_FOLDER/$host.process")" -- \
            ss --no-header --listening --tcp --udp --numeric --processes >ports
        [ "$(grep -c "pid=$process," ports)" = $((node == 0)) ] || fail "$what: $(cat ports)"
        node=$((node + 1))
    done
}

expect() {
    [ "$(grep -c -- "$1" err)" = 1 ] || fail "$what: not one line with: $1"
}

ip -n gcl$$-switch link add switch type bridge
ip -n gcl$$-switch link set switch up
echo 127.0.0.1 localhost >"$HOSTS_FOLDER/names"
number=1
for host in head $hosts; do
    connect $host 10.99.0.$((number++))
done
for host in $hosts; do
    start_host $host
done
"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
./steps 100 >expected 2>/dev/null

what="three hosts"
GCL_LOG=info run_on 3 ./steps 100
cmp out expected || fail "$what: another result"
[ "$(grep -cE ' k?tls/eth0 ' err)" = 3 ] || fail "$what: links aren't encrypted"
check_hosts $hosts

what="the program's input, output and exit status"
"$bin/gcluster-cc" -O1 "$here/program.cu" -o program
status=0
echo line | FRUIT=pear run_away -n 3 ./program 3 >out 2>err || status=$?
[ $status = 3 ] || fail "$what: exit status $status"
echo "sum 128, 2 words, in $PWD, FRUIT=pear, job unset, read line" | cmp - out ||
    fail "$what: other output"

what="a network that is trusted"
GCL_TRUSTED_NETWORK=1 GCL_LOG=info run_on 3 ./steps 100
cmp out expected || fail "$what: another result"
[ "$(grep -c ' tcp/eth0 ' err)" = 3 ] || fail "$what: links don't use UCX's TCP"

what="two nodes on each host"
GCL_STRICT=1 run_on 6 --show-binding ./steps 100 # links on a host have to use its memory
[ "$(grep -cE '^  [0-5] +[abc] +cpu +[0-9,-]+ +[0-9,-]+ +eth0$' err)" = 6 ] ||
    fail "$what: no table of bindings"
cmp out expected || fail "$what: another result"

# Sanitizers make planning and blocks so slow beside other work that all nodes may never pay.
is_sanitized() {
    grep -q __asan_init "$bin/gcluster-run"
}
tries="1 2 3 4 5 6"
! is_sanitized || tries=1

# Hosts that have a core each gain from each other in the program's first phase, and lose in its
# second one. What is seen of that depends on what else the machine does.
what="nodes that rest"
"$bin/gcluster-cc" -O1 "$here/phases.cu" -o phases
./phases 300 300 >phases.expected 2>/dev/null
for _ in $tries; do
    GCL_SPLIT=auto GCL_THREADS=1 GCL_LOG=info run_on 2 --stats=stats.json ./phases 300 300
    cmp out phases.expected || fail "$what: another result"
    ! grep -q 'all nodes take part from here on' err || ! grep -q 'node 0 goes on alone' err || break
done
grep -q 'a message to b takes [0-9.]* us, and bytes [0-9.]* GB/s' err ||
    fail "$what: the link isn't measured"
if ! is_sanitized; then
    grep -q 'all nodes take part from here on' err || fail "$what: they don't wake up"
    grep -q 'node 0 goes on alone' err || fail "$what: they don't lie down"
    grep -q '  heavy: .* us a block: .* ms on node 0, on 2 nodes' err || fail "$what: no figures"
fi
python3 - <<'EOF' || fail "$what: other statistics"
import json
stats = json.load(open("stats.json"))
judgements, kernels = stats["judgements"], stats["kernels"]
assert all(j["at_ns"] <= k["at_ns"] and j["to"] == k["from"]
           for j, k in zip(judgements, judgements[1:])), judgements
assert judgements[0]["from"] == "node 0" and judgements[-1]["why"] == "end", judgements
# Blocks that are under way when that is decided are done, and measured, when it is told.
assert all(j["alone_ns"] - j["all_ns"] > 0.9 * j["needed_ns"]
           for j in judgements if j["why"] == "faster"), judgements
# What was foreseen of kernels makes up what was foreseen of the program; copies move besides. After
# planning took too long nothing is foreseen any more.
by_node_0 = [j for j in judgements if j["from"] == "node 0" and "alone_ns" in j]
assert by_node_0 and by_node_0[0] is judgements[0], judgements
foreseen = [kernel["foreseen"] for kernel in kernels if "foreseen" in kernel]
def agrees(one, other):
    return abs(one - other) <= 1000 + 0.001 * abs(one)
assert agrees(sum(k["alone_ns"] for k in foreseen), sum(j["alone_ns"] for j in by_node_0)), stats
assert agrees(sum(k["all_ns"] for k in foreseen),
              sum(j["all_ns"] - j["moving_ns"] for j in by_node_0)), stats
assert sum(k["moved"] for k in foreseen) <= sum(j["moved"] for j in by_node_0), stats
assert all(k["foreseen"]["launches"] <= k["launches"] for k in kernels if "foreseen" in k), stats
EOF
check_hosts $hosts

# What was measured while a link was slow is measured again. What is seen of that depends on what
# else the machine does, too.
what="a link that gets faster"
for _ in $tries; do
    ip netns exec gcl$$-a tc qdisc add dev eth0 root tbf rate 60mbit burst 4kb latency 500ms
    rm -f err
    GCL_SPLIT=auto GCL_THREADS=1 GCL_LOG=info run_on 2 ./phases 600 0 &
    outer=$!
    await_line $outer 'a message to b' err
    ip netns exec gcl$$-a tc qdisc del dev eth0 root
    wait $outer || fail "$what: exit status"
    measured=$(sed '/all nodes take part from here on/q' err | grep -c 'a message to b')
    [ "$measured" = 1 ] || ! grep -q 'all nodes take part from here on' err || break
done
if ! is_sanitized; then
    [ "$measured" -gt 1 ] || fail "$what: it isn't measured again"
    grep -q 'all nodes take part from here on' err || fail "$what: they don't wake up"
fi

# Most of a launch is done by all, though nothing is known of it when it begins.
what="one long launch"
"$bin/gcluster-cc" -O1 "$here/long.cu" -o long
GCL_THREADS=1 ./long >long.expected
for _ in $tries; do
    GCL_SPLIT=auto GCL_THREADS=1 run_on 2 --stats=stats.json ./long
    cmp out long.expected || fail "$what: another result"
    ! grep -q '"x": 1' stats.json || break
done
python3 -c '
import json
kernel, = json.load(open("stats.json"))["kernels"]
assert kernel["launches"] == 1 and kernel["split"]["x"] == 1, kernel
assert all(time > 0 for time in kernel["time_ns"]), kernel
' || is_sanitized || fail "$what: it isn't spread"

what="a slow link"
ip netns exec gcl$$-b tc qdisc add dev eth0 root tbf rate 20mbit burst 64kb latency 50ms
run_on 3 ./steps 20 100000 all
cmp out <(./steps 20 100000 all 2>/dev/null) || fail "$what: another result"
ip netns exec gcl$$-b tc qdisc del dev eth0 root

what="a link that is cut"
disturb "$hosts" ip -n gcl$$-switch link set port-c down
expect "error: node 2 on c .* is lost: its host doesn't answer any more; [1-9][0-9]* bytes of 2 alloc"
ip -n gcl$$-switch link set port-c up
for host in $hosts; do # what was found unreachable isn't any more
    ip -n gcl$$-"$host" neighbour flush dev eth0
done

what="a job that is interrupted"
interrupt() {
    pkill -TERM -x timeout -P "$outer" # which hands it on
}
disturb "$hosts" interrupt

what="a host that is killed"
check_ports_and_stop() {
    check_ports
    stop_host "$1"
}
disturb "a c" check_ports_and_stop b
expect 'error: node 1 on b .* is lost: its process has ended; [1-9][0-9]* bytes of 2 allocations'
