#!/bin/bash
# Jobs that Slurm starts, with a Slurm of three nodes that is made here: in namespaces of its own,
# so that nothing of it is seen from outside, and all of it ends with this test.
# Arguments: folder of gcluster-run, work folder. Exit status 77: that can't be done here.
set -euo pipefail

skip() {
    echo "skipped: $*"
    exit 77
}
if [ "${3-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || skip "only root can start Slurm's daemons"
    for program in ip unshare srun slurmctld slurmd; do
        command -v $program >/dev/null || skip "there is no $program"
    done
    inside=(unshare --net --mount --pid --uts --ipc --fork --kill-child --mount-proc)
    "${inside[@]}" true 2>/dev/null || skip "no namespaces can be made here"
    exec "${inside[@]}" "$0" "$@" --inside
fi
. "$(dirname "$0")/job.sh"

# A network, since Slurm takes no machine for its own that has none.
ip link set lo up
ip link add eth0 type veth peer name eth1
ip address add 10.98.0.1/24 dev eth0
ip link set eth0 up
ip link set eth1 up
hostname node
printf '127.0.0.1 localhost\n10.98.0.1 node n1 n2 n3\n' >hosts
mount --bind hosts /etc/hosts

mkdir -p n1 n2 n3 control
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=node(10.98.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
SwitchType=switch/none
StateSaveLocation=$PWD/control
SlurmdSpoolDir=$PWD/%n
TmpFS=$PWD/%n
SlurmctldPidFile=$PWD/control/pid
SlurmdPidFile=$PWD/%n/pid
SlurmctldLogFile=$PWD/control/log
SlurmdLogFile=$PWD/%n/log
SlurmdParameters=config_overrides
NodeName=n[1-3] NodeHostname=node NodeAddr=10.98.0.1 Port=[27001-27003] CPUs=4
PartitionName=all Nodes=n[1-3] Default=YES State=UP
END
export SLURM_CONF=$PWD/slurm.conf
slurmctld
for node in n1 n2 n3; do
    slurmd -N $node
done
for _ in $(seq 300); do
    [ "$(sinfo -h -t idle -o %D)" != 3 ] || break
    sleep 0.1
done
[ "$(sinfo -h -t idle -o %D)" = 3 ] || fail "Slurm doesn't start: $(tail -n 3 control/log n?/log)"

"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
./steps 100 >expected 2>/dev/null
# When Slurm ends a step by force, it loses what is on its way through srun.
srun=(srun --mpi=pmix --error=err --open-mode=append -N 3)
timeout 60 "${srun[@]}" -n 4 ./steps 100 >out 2>>err || fail "srun: exit status $?"
cmp out expected || fail "srun: another result"
timeout 60 salloc -N 3 "$bin/gcluster-run" --hosts n1,n2,n3 ./steps 100 >out 2>err ||
    fail "salloc: exit status $?"
cmp out expected || fail "salloc: another result"

# Node 2 is killed, with what gcluster-run tells srun, and with srun's own rules.
disturb() {
    local outer status=0
    rm -f err
    timeout 60 "$@" >out 2>>err </dev/null &
    outer=$!
    await_line $outer started err
    for pid in $(pgrep -x steps); do
        ! grep -zqsx -e GCL_NODE=2 -e SLURM_PROCID=2 "/proc/$pid/environ" || kill -9 "$pid"
    done
    wait $outer || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "killed: exit status $status"
    grep -q 'error: node 2 on .* is lost: its process has ended' err || fail "nothing is said"
}

# Node 2 ends while all are starting: before the others know it, when Slurm may be faster to end
# the step than they give up, and after that.
"$bin/gcluster-cc" -O1 -Xlinker --export-dynamic "$here/steps.cu" "$here/dies.cu" -o dies
die() {
    local status=0
    rm -f err
    # Nodes write to the file themselves: what goes through Slurm's daemon may be lost with the step.
    DIES_AT=$1 GCL_TIMEOUT=10 timeout 60 "${srun[@]}" -n 3 \
        sh -c 'exec ./dies 100 2>>err' >out 2>>err || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "dies at $1: exit status $status"
    grep -q -E "$2" err || fail "dies at $1: nothing is said"
    ! grep '^started' err || fail "dies at $1: too late"
}
die 1 'error: not all nodes of the job have started within 10 s|error: .* STEP .* CANCELLED|srun: Job step aborted'
die 4 'error: node 2 on .* is lost: its process has ended'
disturb salloc -N 3 "$bin/gcluster-run" --hosts n1,n2,n3 ./steps 100000000
disturb "${srun[@]}" -n 3 ./steps 100000000
