#!/bin/bash
# Runs the programs of a folder that pack.sh made on this machine's GPU, on 1, 2 and 4 nodes that
# share it, and compares what they print with what they print on the CPU. Prints a table and writes
# results.csv. "no code": the compiler makes no GPU code of one of the program's kernels, and says
# so. Exit status: 0 all are the same, 1 some aren't, 77 there is no GPU that can be used.
# GPU_NODES="1 2" are other numbers of nodes, GPU_LEAVE="same_overlap" programs that are left out.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
export LD_LIBRARY_PATH="$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export UCX_MODULE_DIR="$PWD/lib/ucx" GCL_TIMEOUT=60 GCL_MEMORY="${GCL_MEMORY:-2G}" GCL_SPLIT=always
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nodes=${GPU_NODES:-1 2 4}

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
    (cd "$work" && GCL_DEVICE=$1 timeout 100 ${start[@]+"${start[@]}"} "$program" \
        ${arguments[@]+"${arguments[@]}"} </dev/null 2>err)
}

echo "program,nodes,seconds,result" >results.csv
failed=0
printf '%-32s' program
for count in $nodes; do printf ' %8s' "$count"; done
echo
for program in $(ls programs | grep -v '\.'); do
    case " ${GPU_LEAVE:-} " in *" $program "*) continue ;; esac
    run cpu 1 "$program" | plain >"$work/cpu"
    printf '%-32s' "$program"
    notes=
    for count in $nodes; do
        begin=$(date +%s%N)
        run cuda "$count" "$program" >"$work/out"
        status=$?
        seconds=$(awk "BEGIN {printf \"%.2f\", ($(date +%s%N) - $begin) / 1e9}")
        result=same
        plain <"$work/out" | cmp -s - "$work/cpu" || result=differs
        [ $status -eq 0 ] || result="status $status"
        [ "$result" = same ] || ! grep -q "no GPU code of" "$work/err" || result="no code"
        case $result in
        same) printf ' %8s' "$seconds" ;;
        *) printf ' %8s' "$result" ;;
        esac
        case $result in
        same | "no code") ;;
        *)
            failed=1
            notes="$notes$(printf '\n  %s nodes: ' "$count")$(tail -n 3 "$work/err" | cut -c1-300)"
            ;;
        esac
        echo "$program,$count,$seconds,$result" >>results.csv
    done
    echo "$notes"
done
exit $failed
