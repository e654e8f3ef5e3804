#!/bin/bash
# Installs the Debian 12 packages that gcluster needs, where they are missing:
#
#     tests/setup.sh build        to build gcluster, and the examples with it
#     tests/setup.sh package      to make Debian packages of it
#     tests/setup.sh test         to test it as well
#     tests/setup.sh vscode       to test VS Code's extension, too
#     tests/setup.sh bench        to run tests/bench, too
#
# This is the one list of packages: examples/demo.sh, packaging/build.sh and tests/run.sh call it.
set -euo pipefail

build_packages=(
    clang-19         # compiles for gcluster-cc, when it is used
    libclang-19-dev  # reads and rewrites CUDA
    llvm-19-dev      # turns kernels into CPU code
    libglib2.0-dev   # the compiler's strings, tables and processes
    libjansson-dev   # explanations as JSON
    libyaml-dev      # what clang-tidy says
    libtree-sitter-dev # parses pragmas and outlines
    libhwloc-dev     # the runtime's cores
    liburing-dev     # files that hold what memory doesn't
    libucx-dev       # messages between nodes
    libpmix-dev      # nodes that mpirun or srun starts find each other
    nettle-dev       # nodes prove that they belong to a job
    libssl-dev       # encrypts between hosts
    libfftw3-dev     # cuFFT
    libopenblas-pthread-dev # cuBLAS, cuSOLVER
    libpng-dev       # the examples' pictures
    g++ cmake ninja-build pkg-config
)
package_packages=(
    dpkg-dev file # cpack makes packages with them
)
test_packages=(
    "${package_packages[@]}"
    libclang-rt-19-dev # the sanitizers
    lld-19             # links what is sanitized, quickly
    libcmocka-dev      # the runtime's unit tests
    libomp-19-dev      # tests/bench/cpu
    llvm-19-tools      # lit and FileCheck, for the compiler's tests
    python3            # runs lit
    python3-dev python3-setuptools # the grammar as a package of Python's
    make               # examples/multi_file
    openmpi-bin        # mpirun starts jobs
    libopenmpi-dev     # programs of tests/bench/cluster that jobs are compared with
    slurm-wlm          # srun, too
    iproute2           # hosts made of namespaces
    procps             # processes of jobs
    gdb                # stops in kernels
    lldb-19 python3-lldb-19 # so does this
    debootstrap        # a clean machine, for packages
    clang-format-19    # gcluster-lsp formats with it, and our sources are held to it
    clang-tidy-19      # and to this
    libegl1 libgl1-mesa-dri # OpenGL without a window
    neovim             # an editor for gcluster-lsp
    emacs-nox elpa-eglot # another one
)
vscode_packages=(
    chromium          # shows VS Code's workbench
    fonts-dejavu-core # in letters
    ripgrep           # VS Code searches with it
)
# Node.js comes with npm, from elsewhere than Debian, on many machines.
command -v npm >/dev/null || vscode_packages+=(nodejs npm)
bench_packages=(
    ocl-icd-opencl-dev # OpenCL's headers
    pocl-opencl-icd    # OpenCL on the CPU
    ucx-utils                  # ucx_perftest
    clangd-19                  # tests/bench/lsp
)

case ${1-} in
build) packages=("${build_packages[@]}") ;;
package) packages=("${build_packages[@]}" "${package_packages[@]}") ;;
test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
vscode) packages=("${build_packages[@]}" "${test_packages[@]}" "${vscode_packages[@]}") ;;
bench) packages=("${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}") ;;
*)
    echo "usage: $0 build|package|test|vscode|bench" >&2
    exit 2
    ;;
esac

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "== All ${#packages[@]} Debian packages are installed"
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null; then
    as_root=(sudo)
else
    echo "Packages are missing, and there is no sudo. Please run this as root, then start again:" >&2
    echo "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
fi

# apt's hundreds of lines go to a file, which is shown if something goes wrong.
log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >"$log" 2>&1 </dev/null ||
        {
            tail -n 20 "$log"
            echo "apt-get $1 failed: its last lines are above" >&2
            exit 1
        }
}

echo "== Installing ${#missing[@]} Debian packages (a minute or two): ${missing[*]}"
apt_get update
apt_get install -y --no-install-recommends "${missing[@]}"
echo "   installed after $SECONDS s"
