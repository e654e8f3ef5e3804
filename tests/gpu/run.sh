#!/bin/bash
# Runs the programs of a folder that pack.sh made on this machine's GPU, on 1, 2 and 4 nodes that
# share it, and compares what they print with what they print on the CPU. Prints a table, writes
# results.csv, and leaves in `failed` what programs printed that failed. "no code": the compiler
# makes no GPU code of one of the program's kernels, and says so. Exit status: 0 all are the same, 1
# some aren't, 77 there is no GPU that can be used.
# GPU_NODES="1 2" are other numbers of nodes, GPU_JOBS=8 as many programs at a time: each takes up to
# four nodes' GCL_MEMORY.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
export LD_LIBRARY_PATH="$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export UCX_MODULE_DIR="$PWD/lib/ucx" GCL_TIMEOUT=60 GCL_MEMORY="${GCL_MEMORY:-2G}" GCL_SPLIT=always
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nodes=${GPU_NODES:-1 2 4}
rm -rf failed

# Where there is no GPU a program that insists on one says why.
first=$(ls programs | head -1)
(cd "$work" && GCL_DEVICE=cuda timeout 60 "$OLDPWD/programs/$first" >out 2>err)
if grep -q "GCL_DEVICE=cuda:" "$work/err"; then
    echo "skipped: $(cat "$work/err")"
    exit 77
fi

# What takes time takes another time each time, and sums depend on their order: how near the result
# is each program checks itself.
plain() {
    sed -E 's/[0-9.]+ (ns|us|ms|s)\b/a time/g; s/[0-9.]+ G[A-Za-z]+\/s/a rate/g
            s/largest error [0-9.e+-]+/largest error/'
}

run() { # device, nodes, program
    local start=() program=$PWD/programs/$3 arguments=()
    [ ! -f "programs/$3.arguments" ] || read -ra arguments <"programs/$3.arguments"
    [ "$2" -eq 1 ] || start=("$PWD/bin/gcluster-run" -n "$2")
    (cd "$work/$3" && GCL_DEVICE=$1 timeout 100 ${start[@]+"${start[@]}"} "$program" \
        ${arguments[@]+"${arguments[@]}"} </dev/null 2>err)
}

# Leaves the program's row of the table and its lines of the CSV in its folder.
check() { # program
    local own=$work/$1 notes="" count begin status seconds result
    mkdir "$own"
    run cpu 1 "$1" | plain >"$own/cpu"
    {
        printf '%-32s' "$1"
        for count in $nodes; do
            begin=$(date +%s%N)
            run cuda "$count" "$1" >"$own/out"
            status=$?
            seconds=$(awk "BEGIN {printf \"%.2f\", ($(date +%s%N) - $begin) / 1e9}")
            result=same
            plain <"$own/out" | cmp -s - "$own/cpu" || result=differs
            [ $status -eq 0 ] || result="status $status"
            [ "$result" = same ] || ! grep -q "no GPU code of" "$own/err" || result="no code"
            case $result in
            same) printf ' %8s' "$seconds" ;;
            "no code") printf ' %8s' "$result" ;;
            *)
                printf ' %8s' "$result"
                notes+=$(printf '\n  %s nodes: ' "$count")$(tail -n 3 "$own/err" | cut -c1-300)
                touch "$own/failed"
                mkdir -p failed
                cp "$own/out" "failed/$1.$count.out"
                cp "$own/err" "failed/$1.$count.err"
                ;;
            esac
            echo "$1,$count,$seconds,$result" >>"$own/csv"
        done
        echo "$notes"
    } >"$own/row.part"
    mv "$own/row.part" "$own/row"
}

mapfile -t programs < <(ls programs | grep -v '\.')
for program in "${programs[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "${GPU_JOBS:-1}" ]; do wait -n; done
    check "$program" &
done &
printf '%-32s' program
for count in $nodes; do printf ' %8s' "$count"; done
echo
echo "program,nodes,seconds,result" >results.csv
failed=0
for program in "${programs[@]}"; do
    while [ ! -s "$work/$program/row" ]; do sleep 0.1; done
    cat "$work/$program/row"
    cat "$work/$program/csv" >>results.csv
    [ ! -f "$work/$program/failed" ] || failed=1
done
exit $failed
