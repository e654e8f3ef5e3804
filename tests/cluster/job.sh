# What the tests of jobs begin with, and share; to be sourced before anything else changes the
# folder. Sets from the script's first two arguments: bin, the folder of gcluster-run, and work, a
# folder to work in, which is empty and the current one then; and here, the folder of the script.
bin=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# A folder of its own for what jobs leave behind; its name is short, since sockets may lie in it.
make_folder() {
    TMPDIR=$(mktemp -d /tmp/gcl-job.XXXXXX)
    trap 'rm -rf "$TMPDIR"' EXIT
}
make_folder
# Nodes of one machine gain nothing from each other.
export GCL_SPLIT=${GCL_SPLIT-always}
export TMPDIR LSAN_OPTIONS=detect_leaks=0 # libpmix and jobs that end leave memory behind

fail() {
    echo "$*"
    cat out err 2>/dev/null || true
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# Prints the processes of a program under a launcher, in the order of nodes, which is that of the
# processes' numbers only until these begin again.
nodes_of() {
    local pid node
    for pid in $(pgrep -P "$1" -x "$2" || true); do
        node=$({ tr '\0' '\n' <"/proc/$pid/environ"; } 2>/dev/null |
            sed -n -E 's/^(GCL_NODE|PMIX_RANK)=//p') || true
        echo "$node $pid"
    done | sort -n -k 1,1 | cut -d ' ' -f 2
}

# Waits for a line in a file, or for the end of a process.
await_line() {
    local pid=$1 text=$2 file=$3
    until grep -qs "$text" "$file"; do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.02
    done
}

# Whether a process is there and does something.
is_alive() {
    [ -d "/proc/$1" ] && ! grep -qs '^State:.Z' "/proc/$1/status"
}

# Fails unless these processes end soon and nothing is left in the temporary folder. That takes a
# moment where nobody is left to wait for.
check_gone() {
    local pid
    for _ in $(seq 200); do
        for pid in "$@"; do
            if is_alive "$pid"; then
                sleep 0.05
                continue 2
            fi
        done
        [ -n "$(ls -A "$TMPDIR")" ] || return 0
        sleep 0.05
    done
    ls -l "$TMPDIR"
    fail "something is left of the job: $(ps -o pid,stat,args -p "${*// /,}")"
}
