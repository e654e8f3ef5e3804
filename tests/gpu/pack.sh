#!/bin/bash
# Makes a folder that shows what programs do on a GPU: programs, our libraries and those that they
# need, and run.sh. It can be carried to a machine that has NVIDIA's driver and a C library no older
# than this one's; nothing is built there.
# Arguments: build folder, folder to make, and what to pack of the programs, whose names begin so;
# check_ example_ same_ without those, lib_ are programs that call libraries. GPU_LEAVE="same_read" are
# programs that aren't packed.
set -euo pipefail
build=$(realpath "$1")
folder=$2
wanted=("${@:3}")
[ $# -gt 2 ] || wanted=(check_ example_ same_)
here=$(realpath "$(dirname "$0")")
sources=$here/../..
mkdir -p "$folder/programs" "$folder/lib" "$folder/bin"
folder=$(realpath "$folder")

packed=" "
# The CPU's results are only compared with: one level of its code, which any machine has, will do.
make() { # name, sources and flags; what can't be made leaves a log
    local program=$folder/programs/$1
    shift
    ! "$build/bin/gcluster-cc" -O2 -march=x86-64-v2 "$@" -o "$program" &>"$program.log" || rm "$program.log"
}

# Programs print results and no times, or run.sh takes those out. Several are compiled at a time.
compile() { # name, sources and flags
    local name=$1 start is_wanted=
    for start in "${wanted[@]}"; do [[ $name != "$start"* ]] || is_wanted=yes; done
    [ "$is_wanted" ] && [[ " ${GPU_LEAVE:-} " != *" $name "* ]] || return 0
    packed+="$name "
    [ "$folder/programs/$name" -nt "$build/bin/gcluster-cc" ] && return 0
    [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
    make "$@" &
}

for source in "$sources"/examples/*.cu; do
    libraries=()
    grep -q picture.h "$source" && libraries=(-lpng)
    compile "example_$(basename "$source" .cu)" "$source" ${libraries[@]+"${libraries[@]}"}
done
echo 64 200 >"$folder/programs/example_heat2d.arguments"
compile example_kmeans -std=c++17 -rdc=true "$sources"/examples/multi_file/*.{cu,cpp}
# Programs that print the same on any number of nodes, but for one that says whether a kernel is done.
for source in "$sources"/tests/cluster/same/*.cu; do
    [ "$(basename "$source")" != overlap.cu ] || continue
    compile "same_$(basename "$source" .cu)" "$source"
done
# Programs that check themselves, without lines that say how to compile them: not those about what
# the CPU device promises beyond CUDA (the order of threads, warps in step, which lanes meet without
# being told to, what lanes leave alone, smaller errors).
for source in "$sources"/tests/compiler/{cuda,device,vector}/*.cu; do
    grep -q "int main" "$source" && ! grep -q "RUN:" "$source" || continue
    case $(basename "$source" .cu) in
    in_step | inactive | quads | stores | warps_meet | windows | cg_reduce | cg_tiles | math | retries) continue ;;
    ipc) continue ;; # processes share memory of the CPU device alone
    curand_distributions) continue ;; # takes the test driver long, and has nothing that curand hasn't
    esac
    compile "check_$(basename "$source" .cu)" "$source"
done
# Programs that call libraries, which are found in the folder by their names.
for source in "$sources"/tests/lib/*/*.cu; do
    room=$(basename "$(dirname "$source")")
    case $room/$(basename "$source" .cu) in
    task/native) continue ;; # what a kernel is on the CPU
    driver/*) [ "$(basename "$source")" = memory.cu ] || continue ;; # modules beside the program
    esac
    libraries=()
    for library in $(grep -o -- '-l[a-zA-Z]*' "$sources/tests/lib/$room/lit.local.cfg" 2>/dev/null); do
        libraries+=("-l:lib${library#-l}.so.0")
    done
    compile "lib_${room}_$(basename "$source" .cu)" "$source" "-L$build/lib" ${libraries[@]+"${libraries[@]}"}
done
wait
! cat "$folder"/programs/*.log 2>/dev/null || exit 1
# Those of an earlier time that are none any more go.
for program in "$folder"/programs/*; do
    name=$(basename "$program" .arguments)
    [[ $packed == *" $name "* ]] || rm "$program"
done

cp "$build/bin/gcluster-run" "$build/bin/gcluster-doctor" "$folder/bin/"
cp -L "$build"/lib/lib{gcluster,gcluster-cluster,cublas,cufft,curand,cusolver,cusparse}.so.0 "$folder/lib/"
# What they need, but for the C library's own, which go with the machine's kernel and loader.
needed() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
        grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so|/ld-linux|libcuda\.so|lib(gcluster|cu)'
}
needed "$folder"/bin/* "$folder"/lib/*.so* $(find "$folder/programs" -perm -u+x -type f) | while read -r library; do
    cp -L "$library" "$folder/lib/"
done
# UCX and PMIx load parts of theirs.
for parts in /usr/lib/x86_64-linux-gnu/ucx /usr/lib/x86_64-linux-gnu/pmix2; do
    [ ! -d "$parts" ] || cp -rL "$parts" "$folder/lib/"
done
cp "$here/run.sh" "$folder/"
