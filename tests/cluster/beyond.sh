#!/bin/bash
# Programs that allocate more than the device holds: the same results, from the host's memory and
# from files, on one node and on several; errors where nothing holds it, and no file that is left.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
export GCL_SPLIT=always
"$bin/gcluster-cc" -O1 "$here/beyond.cu" -o beyond
timeout 60 ./beyond >all

# What the program prints with so much memory on so many nodes.
same() {
    local count=$1
    shift
    env "$@" timeout 100 "$bin/gcluster-run" -n "$count" ./beyond >out 2>err ||
        fail "$* on $count nodes: exit status $?"
    cmp all out || fail "$* on $count nodes: other output"
    # The scatter and what each block does with all bytes have most of it come again and again.
    grep -v 'threads have stopped' err && fail "$* on $count nodes: messages"
    return 0
}

mkdir -p files
for count in 1 3; do
    same $count GCL_MEMORY=2M
    same $count GCL_MEMORY=3M GCL_HOST_MEMORY=2M GCL_SPILL="$PWD/files:64M"
done
[ -z "$(ls -A files)" ] || fail "files are left"

# Some of it is on the disk when the process is killed.
mkfifo in
WAITS=1 GCL_MEMORY=2M GCL_HOST_MEMORY=0 GCL_SPILL="$PWD/files" ./beyond >out 2>err <in &
program=$!
exec 9>in
for ((i = 0; i < 600; i++)); do
    grep -q waits out && break
    sleep 0.1
done
grep -q waits out || fail "it doesn't come to its end"
[ -n "$(ls -l /proc/$program/fd | grep "$PWD/files/" || true)" ] || fail "there is no file"
kill -9 $program
wait $program 2>/dev/null || true
exec 9>&-
[ -z "$(ls -A files)" ] || fail "a file is left after kill -9"

# All tiers together hold less than the program asks for: it is told, and goes on.
GCL_MEMORY=4M GCL_HOST_MEMORY=12M timeout 60 ./beyond 17 >out 2>err || fail "exit status $?"
sed -i '/cudaErrorMemoryAllocation/d' out
cmp all out || fail "other output after a refusal"
GCL_MEMORY=4M GCL_HOST_MEMORY=4M timeout 60 ./beyond >out 2>err && fail "everything is allocated"
grep -q '^c: cudaErrorMemoryAllocation' out || fail "another error: $(cat out)"

# Blocks that each go through all of an array go through it together: it comes a few times, not for
# each of the 64.
GCL_THREADS=2 GCL_MEMORY=3M timeout 60 "$bin/gcluster-run" -n 1 --stats=stats.json ./beyond >out 2>err ||
    fail "stats: exit status $?"
cmp all out || fail "stats: other output"
touched=$(python3 -c 'import json
print(*(k["touched"] for k in json.load(open("stats.json"))["kernels"] if k["name"] == "count"))')
[ "${touched:-0}" -gt 0 ] && [ "$touched" -lt 300000000 ] || fail "count has ${touched:-no} bytes come"

# How a launch was cut by what memory says counts for those after it, until that changes.
"$bin/gcluster-cc" -O1 "$here/again.cu" -o again
GCL_LOG=trace GCL_MEMORY=2M timeout 60 ./again >out 2>err || fail "again: exit status $?"
[ "$(sort -u out)" = 0 ] || fail "again: so many numbers are wrong: $(cat out)"
again=$(grep -c 'put.* ranges, as before' err || true)
[ "$again" -ge 1 ] && [ "$again" -le 4 ] || fail "$again launches of 8 were cut as before"

# What has to be whole runs, and it is said that this is slow.
TURNS=1 timeout 60 ./beyond >all.turns
TURNS=1 GCL_MEMORY=4M timeout 60 ./beyond >out 2>err || fail "whole: exit status $?"
cmp all.turns out || fail "whole: other output"
[ "$(grep -c 'all blocks of turns.* where the device holds 4 MiB' err)" = 1 ] || fail "no warning"

# Files that can't be had.
GCL_MEMORY=2M GCL_SPILL=/nowhere ./beyond >out 2>err && fail "a folder that isn't there"
grep -q "/nowhere" err || fail "no word of the folder"

# At the edges: as much as all tiers hold, with few threads and many, and with files.
"$bin/gcluster-cc" -O1 "$here/brim.cu" -o brim
for settings in "GCL_THREADS=1 GCL_MEMORY=1M GCL_HOST_MEMORY=15M" \
    "GCL_THREADS=2 GCL_MEMORY=2M GCL_HOST_MEMORY=0 GCL_SPILL=$PWD/files:14M" \
    "GCL_THREADS=4 GCL_MEMORY=4M GCL_HOST_MEMORY=12M"; do
    env $settings timeout 100 ./brim >out 2>err || fail "$settings: exit status $?"
    [ "$(cat out)" = "0 0 0 0 0 0 0 0" ] || fail "$settings: so many elements are wrong: $(cat out)"
done

# Nodes have parts of different sizes: who is full has what others can spare, near and far.
cc -shared -fPIC -O2 "$here/apart.c" -o apart.so
for preload in "" "$PWD/apart.so"; do
    ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$preload GCL_THREADS=1 GCL_MEMORY=1M \
        GCL_HOST_MEMORY=3M timeout 100 "$bin/gcluster-run" -n 3 ./brim >out 2>err ||
        fail "neighbours: exit status $?"
    [ "$(cat out)" = "0 0 0 0 0 0 0 0" ] || fail "neighbours: $(cat out)"
done
