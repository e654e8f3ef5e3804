#!/bin/bash
# What the harness says of programs that fail in each of the ways that it knows, and that it goes on
# where it was.
# Arguments: build folder, folder to work in.
set -euo pipefail
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
rm -rf "$2"
mkdir -p "$2/checkouts"
cd "$2"
cp -r "$here" checkouts/test # a copy of its own for what is built there
export LSAN_OPTIONS=detect_leaks=0

fail() {
    echo "$*"
    cat out
    exit 1
}

corpus() {
    "$here/../run" --checkouts checkouts --build "$build" --results results --nodes 2 --split always \
        --run-limit 5 "$@" >out 2>&1
}

# program, and the rest of its line as CSV without times
expect() {
    local line
    line=$(grep "^test/$1," results/results.csv | sed -E 's/,[0-9]+\.[0-9]/,t/g')
    [[ $line == "test/$1,"$2 ]] || fail "$1: $line"
}

corpus "$here/manifest.json" || fail "it fails"
expect right "yes,yes,yes,1/1,t,t,t,"
expect wrong "yes,no,-,-,t,t,-,1 node: says 'FAIL'"
expect silent "yes,no,-,-,t,t,-,1 node: doesn't say 'correct'"
expect broken "no,-,-,-,t,-,-,*build: exit status 1: right.cu:*error*"
expect plain "yes,yes,yes,0/0,t,t,t,"
expect differs "yes,yes,no,0/0,t,t,t,2 nodes: prints 'one line' instead of 'another line'"
expect hangs "yes,no,-,-,t,t,-,1 node: no end after 5 s"
expect made "yes,yes,yes,1/1,t,t,t,"
expect absent "no,-,-,-,-,-,-,no checkout: *nowhere"
grep -q "right on 2: 3 of 9 (33 %)" out || fail "wrong sums"
grep -q '<td class="no">no</td>' results/results.html || fail "no page"
[ ! -e checkouts/test/made ] || fail "it builds in the checkout"

# Again: only what isn't known. A result that is taken away is found once more.
rm results/programs/test~right.json
touch -d @0 results/programs/*
corpus "$here/manifest.json"
[ "$(find results/programs -newermt @1 -name '*.json')" = results/programs/test~right.json ] ||
    fail "it does what it has done"

# A manifest that isn't one.
for text in '{}' '[{"id": "a"}]' '[{"id": "a", "directory": ".", "sources": "x"}]' '[{"id": 1, "directory": "."}]' \
    '[{"id": "a", "directory": ".", "sources": [], "pass": "("}]' '[3]' '[' \
    '[{"id": "a", "directory": ".", "sources": [], "speed": 1}]' \
    '[{"id": "a", "directory": ".", "copy": "b", "build": "x", "program": "y"}]'; do
    echo "$text" >bad.json
    ! corpus bad.json || fail "$text is taken for a manifest"
    grep -q "^corpus: bad.json: " out || fail "$text: nobody says what is wrong"
done
