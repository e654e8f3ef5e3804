#!/bin/bash
# Programs that call MPI: ranks are processes with devices of their own. Arguments: folder of
# gcluster-run, work folder. Exit status 77: there is no MPI.
set -euo pipefail
. "$(dirname "$0")/job.sh"
command -v mpicxx >/dev/null || skip "there is no mpicxx"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# shellcheck disable=SC2046
"$bin/gcluster-cc" -O1 "$here/mpi.cu" -o mpi $(mpicxx --showme:compile) $(mpicxx --showme:link)

expect() {
    local line=$1 status=0
    shift
    timeout 60 "$@" >out 2>err </dev/null || status=$?
    [ $status = 0 ] || fail "$*: exit status $status"
    [ "$(cat out)" = "$line" ] || fail "$*: other output"
}
expect "3 ranks: 96" mpirun --oversubscribe -n 3 ./mpi
expect "1 ranks: 32" "$bin/gcluster-run" -n 2 ./mpi

# Ranks of a host divide its memory.
export SHOW_MEMORY=1
memory() {
    sed -n 's/^memory //p' err
}
expect "1 ranks: 32" ./mpi
all=$(memory)
expect "2 ranks: 64" mpirun --oversubscribe -n 2 ./mpi
[ $((2 * $(memory))) -le "$all" ] && [ "$(memory)" -gt 0 ] || fail "ranks have all memory each"

status=0
GCL_RANKS=nodes timeout 60 mpirun --oversubscribe -n 2 ./mpi >out 2>err </dev/null || status=$?
[ $status != 0 ] && [ $status != 124 ] || fail "ranks as nodes: exit status $status"
grep -q "error: GCL_RANKS=nodes: this program calls MPI" err || fail "ranks as nodes: nothing is said"
