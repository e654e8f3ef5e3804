#!/bin/bash
# What isn't there of a GPU: the program says what was found and what is needed, and runs on the
# CPU, unless it insists on a GPU.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
"$build/bin/gcluster-cc" -O1 "$here/../../examples/vector_add.cu" -o program
"$build/bin/gcluster-cc" -O1 --device=cpu "$here/../../examples/vector_add.cu" -o plain
"$build/bin/gcluster-cc" -O1 --device=cuda "$here/../../examples/vector_add.cu" -o alone
"$build/bin/gcluster-cc" -O1 --sanitize=footprint "$here/../../examples/vector_add.cu" -o checked

run() { # device, level of messages, program
    env LD_LIBRARY_PATH="$driver" GCL_DEVICE="$1" GCL_LOG="$2" "./$3" >out 2>err
}

# what the environment has, what is said, level at which it is said
expect() {
    local setting=$1 text=$2 level=$3
    # shellcheck disable=SC2163
    export "$setting"
    run auto "$level" program || fail "$setting: the program fails"
    grep -q "kernels run on the CPU: .*$text" err || fail "$setting: nobody says $text"
    grep -q ok out || fail "$setting: wrong results"
    [ "$level" = warn ] || { run auto warn program && [ ! -s err ]; } || fail "$setting: too loud"
    ! run cuda warn program || fail "$setting: the program runs without the GPU it insists on"
    grep -q "GCL_DEVICE=cuda: .*$text" err || fail "$setting: nobody says $text to who insists"
    export -n "${setting%%=*}"
    unset "${setting%%=*}"
}

# As it should be.
run cuda info program || fail "the program fails on the GPU"
grep -q "GPU 0: " err || fail "nobody says which GPU"
grep -q ok out || fail "wrong results"
run auto info program || fail "the program fails"
grep -q "GPU 0: " err || fail "a GPU is left alone"

# The machine.
expect GCL_TEST_DRIVER_VERSION=12040 "one for CUDA 12.4, and CUDA 12.5 or newer is needed" warn
expect GCL_TEST_DRIVER_DEVICES=0 "shows no GPU" info
expect GCL_TEST_DRIVER_FAIL=cuInit:1 "doesn't start: " warn
expect GCL_TEST_DRIVER_FAIL=cuInit:1:2 "doesn't start: .*ulimit -v" warn
expect GCL_TEST_DRIVER_FAIL=cuDevicePrimaryCtxRetain:1 "can't be used: " warn
(
    driver=/nonexistent
    ldconfig -p | grep -q 'libcuda\.so\.1' ||
        expect GCL_TEST_NOTHING=1 "there is no NVIDIA driver" info
)

expect GCL_TEST_DRIVER_FAIL=cuMemGetInfo_v2:1 "0 MiB of its memory are free" warn
expect GCL_TEST_DRIVER_MEMORY=32M "MiB of its memory are free for this node, and 64 MiB are needed" warn

expect GCL_TEST_DRIVER_GRANULARITY=4M "mapped in pieces of 4194304 bytes, and of 2 MiB is needed" warn

# Calls that fail while the program runs: it hears of it, and nothing wrong is taken for a result.
for call in cuMemCreate:1 cuMemCreate:4 cuMemMap:2 cuMemSetAccess:3 cuMemsetD8Async:2 \
    cuStreamCreateWithPriority:2 cuModuleLoadDataEx:1 cuModuleGetFunction:1 cuMemcpyAsync:1 \
    cuMemcpyAsync:3 cuLaunchKernel:1 cuEventRecord:2 cuStreamSynchronize:4; do
    export GCL_TEST_DRIVER_FAIL=$call
    ! run cuda warn program || fail "$call fails, and the program doesn't"
    grep -q "^gcluster: " err || fail "$call: nobody says what fails"
    ! grep -q ok out || fail "$call: a result is taken for right"
done
unset GCL_TEST_DRIVER_FAIL

# The program.
run auto info plain || fail "a program for CPUs fails"
grep -q "kernels run on the CPU: the program has no GPU code" err || fail "nobody says why not"
! run cuda warn plain || fail "a program without GPU code runs on one"
run auto warn alone || fail "a program for GPUs fails"
grep -q ok out || fail "wrong results"
! run cpu warn alone || fail "a program without CPU code runs on one"
grep -q "no CPU code, .*: kernel add, .*vector_add.cu:" err || fail "nobody says that it has no CPU code"
grep -q "no kernel image is available" err || fail "the program doesn't hear that it has no CPU code"
run auto info checked || fail "a program that checks itself fails"
grep -q "built with --sanitize" err || fail "nobody says why a checked program runs on the CPU"
! run cuda warn checked || fail "a checked program runs on a GPU"

# What the user says.
! run cuda:7 warn program || fail "there is a GPU 7"
grep -q "there is no GPU 7: the driver shows 1" err || fail "nobody says what GPUs there are"
! run gpu warn program || fail "GCL_DEVICE=gpu is taken for something"
grep -q "GCL_DEVICE=gpu can't be read" err || fail "nobody says that it can't be read"
GCL_TEST_DRIVER_DEVICES=2 run cuda:1 info program || fail "no GPU 1"
grep -q "GPU 1: " err || fail "it isn't GPU 1"
run cpu info program || fail "the CPU can't be had"
! grep -q "GPU" err || fail "a GPU is used that nobody wants"
env LD_LIBRARY_PATH="$driver" LSAN_OPTIONS=detect_leaks=0 "$build/bin/gcluster-doctor" >out 2>err || fail "the doctor"
grep -q "^GPU 0: " out && grep -q "without GPUDirect" out || fail "the doctor doesn't say it"
