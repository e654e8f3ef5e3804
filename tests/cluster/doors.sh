#!/bin/bash
# What a job leaves open to others, which is nothing, and a launcher that has little or is
# interrupted: it ends, in time. Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$TMPDIR"' EXIT
"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
unset GCL_CACHE # of gcluster-cc alone; what a node knows is counted

# Starts a job, does something to it with its launcher's and nodes' processes as arguments, and
# waits for its end.
during() {
    local expected=$1 launcher members status=0
    shift
    rm -f err
    "$bin/gcluster-run" -n 3 ./steps 100000000 >out 2>err </dev/null &
    launcher=$!
    await_line $launcher started err
    members=$(nodes_of $launcher steps)
    [ "$(echo "$members" | wc -w)" = 3 ] || fail "three nodes aren't there"
    "$@" $launcher $members
    wait $launcher 2>wait.err || status=$?
    [ $status = "$expected" ] || fail "$what: exit status $status"
    check_gone $launcher $members
}

# The sockets of processes that the network can reach: inodes of /proc/net that are among theirs.
network_sockets() {
    local pid
    cat /proc/net/{tcp,tcp6,udp,udp6,raw,raw6} 2>/dev/null | awk '$10 ~ /^[1-9][0-9]*$/ { print $10 }' |
        sort -u >inodes
    for pid in "$@"; do
        find "/proc/$pid/fd" -lname 'socket:*' -printf '%l\n'
    done | tr -dc '0-9\n' | sort -u | join - inodes
}

what="a listening socket is seen"
python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(flush=True); time.sleep(60)' >listening &
listener=$!
until [ -s listening ]; do sleep 0.02; done
[ -n "$(network_sockets $listener)" ] || fail "$what: it isn't"
kill $listener

look() {
    [ -z "$(network_sockets "$@")" ] || fail "$what: a socket of the network is open"
    for pid in "${@:2}"; do # a secret is no word and no variable
        [ "$(tr '\0' '\n' <"/proc/$pid/environ" | grep -c '^GCL_\(JOB\|NODE\|SPLIT\)=')" = 3 ] &&
            [ "$(tr '\0' '\n' <"/proc/$pid/environ" | grep -c '^GCL_')" = 3 ] ||
            fail "$what: other variables"
        [ "$(tr '\0' ' ' <"/proc/$pid/cmdline")" = "./steps 100000000 " ] || fail "$what: other words"
    done
    kill "$1"
}
what="a job on one machine"
during 143 look

# A program that takes no notice of signals is killed at the second one.
stop_and_interrupt() {
    kill -STOP "$2"
    await_line "$2" '^State:.T' "/proc/$2/status"
    kill "$1"
    await_line "$2" '^ShdPnd:.*[4-7c-f]...$' "/proc/$2/status" # SIGTERM, which waits for node 0
    kill "$1"
}
what="a node 0 that is stopped"
during 137 stop_and_interrupt

# Runs a job with a limit; it may work or not, but it ends, and says why not.
limited() {
    local status=0
    what="ulimit $*"
    (ulimit "$@" && exec timeout 60 "$bin/gcluster-run" -n 8 ./steps 100) >out 2>err || status=$?
    [ $status != 124 ] || fail "$what: it doesn't end"
    [ $status = 0 ] || grep -q 'gcluster' err || fail "$what: exit status $status, and nothing is said"
}
limited -n 16
limited -n 10
if (ulimit -v 200000 && "$bin/gcluster-run" --version) >out 2>&1; then
    limited -v 200000
else
    echo "sanitizers need more addresses than that: a limit of them isn't tried"
fi

# A socket that another user has made isn't the launcher's.
if [ "$(id -u)" = 0 ]; then
    what="another user's socket"
    status=0
    python3 -c 'import os, socket, sys
os.setresuid(65534, 65534, 0)
ours, theirs = socket.socketpair()
os.setresuid(0, 0, 0)
theirs.set_inheritable(True)
os.environ.update(GCL_JOB=str(theirs.fileno()), GCL_NODE="0")
os.execv("./steps", ["./steps", "1"])' >out 2>err || status=$?
    [ $status != 0 ] && grep -q "can't join the job: GCL_JOB names another user's socket" err ||
        fail "$what: exit status $status"
fi
