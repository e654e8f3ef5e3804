# What the tests of programs on the test driver begin with, and share; to be sourced before anything
# else changes the folder. Sets from the script's three arguments: build, the build folder, and
# driver, the folder of the test driver; the third one is empty and the current folder then. here is
# the folder of the script.
build=$(realpath "$1")
driver=$2
here=$(realpath "$(dirname "$0")")
rm -rf "$3"
mkdir -p "$3"
cd "$3"

fail() {
    echo "$*"
    cat out err 2>/dev/null || true
    exit 1
}
