# The compiler's tests. A file runs what its RUN lines say; a .cu file without any is a program that
# checks itself: the folder's program_commands compile and run it, and must return zero. In RUN lines:
#   %gcluster-cc  the compiler        %gcluster-run  the launcher
#   %s  this file                %t  a name for temporary files
#   %examples     the examples        not, FileCheck       LLVM's tools
#   %gcluster-translate  the translator   %clangxx  clang   %include, %cuda  folders of our headers
#   %gdb          gdb, which reads commands alone and nobody's files
#   %job-gdb      before a launcher that starts gdb on its nodes
#   %gcluster-py  what gdb is told of kernels     %lldb  lldb, which is told of them, too
#   %ptxas        NVIDIA's assembler, within %if ptxas %{...%}
import ctypes.util
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(__file__))
sys.dont_write_bytecode = True
from program_format import ProgramFormat

config.name = "gcluster"
config.test_format = ProgramFormat(execute_external=False)


def processor_levels():
    """The processor levels that this machine can run programs by, the best one last."""
    with open("/proc/cpuinfo") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return ["v2"] + [level for level, flag in (("v3", "avx2"), ("v4", "avx512vl")) if flag in flags]


# Code for other levels than the one that runs would take most of the time. The host's code is for
# that level, too, but contracts no more than it does without.
config.processor_levels = processor_levels()
config.program_levels = config.processor_levels[-1:]
config.program_commands = [
    "%gcluster-cc -O1 -march=x86-64-%level -Xcompiler -ffp-contract=off %s -o %t", "%t"]
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.exec_root

config.substitutions.append(("%gcluster-cc", config.gcluster_cc))
binaries = os.path.dirname(config.gcluster_cc)
config.substitutions.append(("%gcluster-run", os.path.join(binaries, "gcluster-run")))
config.substitutions.append(("%gcluster-translate", os.path.join(binaries, "gcluster-translate")))
config.substitutions.append(("%clangxx", "clang++-19"))
config.substitutions.append(("%include", os.path.join(config.source_root, "runtime", "include")))
config.substitutions.append(("%cuda", os.path.join(config.source_root, "compiler", "cuda")))
config.substitutions.append(("%python", sys.executable))
# Addresses stay random, which some containers want, and leaks aren't looked for, which can't be
# done in a program that is debugged.
config.substitutions.append((
    "%gdb", "env ASAN_OPTIONS=detect_leaks=0 timeout 120 gdb -nx -batch -ex 'set confirm off' -ex 'set debuginfod enabled off' "
            "-ex 'set disable-randomization off' -ex 'set breakpoint pending on' "
            "-ex 'set can-use-hw-watchpoints 0'"))
config.substitutions.append(("%job-gdb", "env ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS=detect_leaks=0 DEBUGINFOD_URLS= HOME=/nowhere timeout 120"))
config.substitutions.append((
    "%gcluster-py", os.path.join(config.source_root, "launcher", "gdb", "gcluster.py")))
config.substitutions.append((
    "%lldb", "env ASAN_OPTIONS=detect_leaks=0 PYTHONDONTWRITEBYTECODE=1 timeout 120 lldb-19 -x -b "
             "-O 'settings set target.disable-aslr false' -O 'command script import "
             + os.path.join(config.source_root, "launcher", "lldb", "gcluster_lldb.py") + "'"))
config.substitutions.append(("%examples", os.path.join(config.source_root, "examples")))
tools = os.path.dirname(os.path.realpath(config.filecheck))
config.environment["GCL_CACHE"] = os.path.join(config.exec_root, "cache")
config.environment["PATH"] = os.environ["PATH"] + os.pathsep + tools
for name, value in os.environ.items():
    if name.endswith("SAN_OPTIONS"):
        config.environment[name] = value
config.available_features.update("llvm-" + name for name in config.llvm_targets.split())
ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:  # NVIDIA's assembler, where it happens to be
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if ctypes.util.find_library("EGL"):  # Debian's libegl1, with libgl1-mesa-dri
    config.available_features.add("egl")
if os.path.exists("/usr/include/thrust/version.h"):  # Debian's libthrust-dev and libcub-dev
    config.available_features.add("thrust")
for sanitizer in config.sanitize.split(","):
    if sanitizer:
        config.available_features.add(sanitizer)
