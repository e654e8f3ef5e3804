"""Opens folders that try to have their code run, or files written: doors.py server

Each way is a folder with one source and what the folder says of its build. Whatever gets in is a
library that leaves a mark when it is loaded, a program that does, or an option that writes a file:
after all have been read, no file may be there that wasn't before. Pipes and endless files must not
keep the server from an answer, and what reads sources has a limit of memory.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import replay

LIBRARY = """#include <fcntl.h>
__attribute__((constructor)) static void enter(void) { creat("%s", 0600); }
"""

# Words of compile_flags.txt; ${F} is the case's folder, in which evil.so and evil.sh lie.
FLAGS = {
    "front_end_plugin": ["-Wp,-load,./evil.so"],
    "front_end_plugin_absolute": ["-Wp,-load,${F}/evil.so"],
    "assembler": ["-Wa,-load,./evil.so"],
    "clang_plugin": ["-fplugin=./evil.so"],
    "clang_plugin_absolute": ["-fplugin=${F}/evil.so"],
    "pass_plugin": ["-fpass-plugin=./evil.so"],
    "xclang": ["-Xclang", "-load", "-Xclang", "./evil.so"],
    "xclang_host": ["-Xcompiler", "-Xclang,-load,-Xclang,./evil.so"],
    "xclang_words": ["-Xcompiler=-Xclang", "-Xcompiler=-load", "-Xcompiler=-Xclang", "-Xcompiler=./evil.so"],
    "xclang_list": ["--compiler-options", "-fplugin=./evil.so"],
    "preprocessor": ["-Xpreprocessor", "-load", "-Xpreprocessor", "./evil.so"],
    "preprocessor_host": ["-Xcompiler", "-Xpreprocessor,-load,-Xpreprocessor,./evil.so"],
    "backend": ["-mllvm", "-load=./evil.so"],
    "backend_host": ["-Xcompiler", "-mllvm,-load=./evil.so"],
    "forwarded": ["-forward-unknown-to-host-compiler", "-fplugin=./evil.so"],
    "forwarded_xclang": ["--forward-unknown-opts", "-Xclang", "-load", "-Xclang", "./evil.so"],
    "eaten": ["-Xcompiler", "-D,-Xclang", "-Xcompiler", "-load,-Xclang", "-Xcompiler", "./evil.so"],
    "empty_value": ["-D", "", "-fplugin=./evil.so"],
    "value_is_option": ["-include", "-fplugin=./evil.so"],
    "list_of_values": ["-include=x.h,-fplugin=./evil.so", "-I=.,-fplugin=./evil.so"],
    "warning_name": ["-Werror", "-Wp,-load,./evil.so", "-Wall,-load,./evil.so"],
    "programs": ["-B.", "-B", "${F}", "-Xcompiler", "-B${F}"],
    "specs": ["-specs=evil.specs", "-Xcompiler", "-specs=evil.specs"],
    "config": ["--config=./evil.cfg", "--config", "./evil.cfg", "-Xcompiler", "--config=./evil.cfg"],
    "config_folder": ["-Xcompiler", "--config-user-dir=${F}"],
    "response": ["@evil.rsp"],
    "response_option": ["--options-file", "evil.rsp"],
    "response_nested": ["-optf=outer.rsp"],
    "response_host": ["-Xcompiler", "@evil.rsp"],
    "overlay": ["-Xcompiler", "-ivfsoverlay,evil.yaml"],
    "folder": ["-Xcompiler", "-working-directory,${F}", "-fplugin=./evil.so"],
    "sysroot": ["--sysroot=${F}", "-Xcompiler", "--sysroot=${F}", "-Xcompiler", "--gcc-toolchain=${F}"],
    "compiler_folder": ["-ccbin", "${F}/evil.sh", "-target-dir", "${F}"],
    "link": ["-fuse-ld=${F}/evil.sh", "-Xcompiler", "-fuse-ld=${F}/evil.sh"],
    "modules": ["-Xcompiler", "-fmodules", "-Xcompiler", "-fmodules-cache-path=${F}/cache",
                "-Xcompiler", "-fimplicit-module-maps", "-I."],
    "crash_reports": ["-Xcompiler", "-gen-reproducer=always", "-Xcompiler", "-fcrash-diagnostics-dir=${F}"],
    "times": ["-Xcompiler", "-ftime-trace=${F}/trace.json", "-Xcompiler", "-ftime-report"],
    "dependencies": ["-MD", "-MF", "${F}/made.d", "-Xcompiler", "-MD,-MF,${F}/made2.d"],
    "preprocessor_writes": ["-Wp,-MD,${F}/made.d"],
    "output": ["-o", "${F}/made.o", "-Xcompiler", "-o,${F}/made.o"],
    "serialized": ["-Xcompiler", "--serialize-diagnostics,${F}/made.dia"],
    "header_list": ["-Xclang", "-header-include-file", "-Xclang", "${F}/made",
                    "-Xcompiler", "-Xclang,-dependency-dot,-Xclang,${F}/made.dot"],
    "proofs": ["-Xcompiler", "-fsave-optimization-record", "-Xcompiler",
               "-foptimization-record-file=${F}/made.yaml"],
    "saved": ["-save-temps", "-keep", "-keep-dir", "${F}", "-Xcompiler", "-save-temps=obj"],
    "stack": ["-Xcompiler", "-fdiagnostics-log-file=${F}/made", "-Xclang", "-diagnostic-log-file",
              "-Xclang", "${F}/made"],
    "pipe": ["-include", "./pipe"],
    "response_pipe": ["@pipe"],
}

# clang-tidy alone would load the library, and write all that is made here.
TIDY = """Checks: '-*,modernize-use-nullptr,clang-analyzer-*'
InheritParentConfig: true
HeaderFilterRegex: '.*'
SystemHeaders: true
ExtraArgsBefore: [-fplugin=./evil.so, -Xclang, -load, -Xclang, ./evil.so, -mllvm, -load=./evil.so]
ExtraArgs: [-fpass-plugin=./evil.so, -Xclang, -diagnostic-log-file, -Xclang, ./made.log, -Xclang,
            -dependency-dot, -Xclang, ./made.dot, -Xclang, -header-include-file, -Xclang, ./made.h, -H,
            -Xclang, -serialize-diagnostic-file, -Xclang, made.dia, -fmodules, -fimplicit-module-maps,
            -fmodules-cache-path=cache]
CheckOptions:
  clang-analyzer-ctu-dir: .
  clang-analyzer-ctu-invocation-list: evil.yaml
  clang-analyzer-experimental-enable-naive-ctu-analysis: true
"""

# Ways that clang itself would go, which compiles kernels; libclang loads no plugins.
COMPILED = "front_end_plugin", "assembler"
KERNEL = "__global__ void kernel(int *out) { out[threadIdx.x] = 1; }\n"

# Words that a reader needs come through: the source says so by an error else.
GOOD = ["-DONE=1", "-D", "TWO=2", "--define-macro=THREE=3,FOUR=4", "-Xcompiler", "-DFIVE=5,-Wall", "-Ihere",
        "-include", "first.h", "@good.rsp", "-x", " cu", "-std=c++17", "-o", "made.o", "-Wno-unused"]
GOOD_SOURCE = """#include "there.h"
static_assert(ONE == 1 && TWO == 2 && THREE == 3 && FOUR == 4 && FIVE == 5 && SIX == 6, "");
static_assert(FIRST == 1 && THERE == 1 && __cplusplus == 201703L, "");
__global__ void kernel(int *out) { out[threadIdx.x] = 1; }
"""


def save(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(path, mode)


def add_traps(folder, library, mark):
    """What the words name."""
    os.makedirs(folder, exist_ok=True)
    os.link(library, os.path.join(folder, "evil.so"))
    program = "#!/bin/sh\n: > %s\n" % mark
    save(folder + "/evil.sh", program, 0o755)
    for name in "clang-19", "clang", "cc1", "as", "ld", "nvcc", "clang-format", "clang-format-19", "clang-tidy", "clang-tidy-19":
        save("%s/%s" % (folder, name), program, 0o755)
    save(folder + "/evil.rsp", "-fplugin=./evil.so -Xclang -load -Xclang ./evil.so -Wp,-load,./evil.so")
    save(folder + "/outer.rsp", "--options-file=evil.rsp @outer.rsp")
    for name in "evil.cfg", "clang.cfg", "clang-19.cfg", "x86_64-pc-linux-gnu-clang.cfg":
        save("%s/%s" % (folder, name), "-fplugin=%s/evil.so" % folder)
    save(folder + "/evil.specs", "*cpp:\n%%{fplugin=%s/evil.so}\n" % folder)
    save(folder + "/evil.yaml", json.dumps({"version": 0, "roots": []}))
    save(folder + "/module.modulemap", 'module evil { header "module.h" }')
    save(folder + "/module.h", "int from_module;")
    save(folder + "/.clangd", "CompileFlags:\n  Compiler: %s/evil.sh\n  Add: [-fplugin=./evil.so]\n" % folder)
    save(folder + "/.vscode/settings.json", json.dumps({"gcluster.server.path": folder + "/evil.sh"}))
    os.mkfifo(folder + "/pipe")


def add_cases(workspace, library, mark):
    """Yields the sources, each with its text."""
    for name, words in FLAGS.items():
        folder = os.path.join(workspace, name)
        add_traps(folder, library, mark)
        save(folder + "/compile_flags.txt", "\n".join(words).replace("${F}", folder))
        yield (folder + "/a.cu", KERNEL) if name in COMPILED else (folder + "/a.c", "int a;\n")
    folder = os.path.join(workspace, "made")
    add_traps(folder, library, mark)
    save(folder + "/Makefile", "X := $(shell ./evil.sh)\nY != ./evil.sh\nNVCC = ./evil.sh nvcc\nall:\n"
         "\t./nvcc $(shell ./evil.sh) -Wp,-load,./evil.so `./evil.sh` -Xcompiler -fplugin=./evil.so "
         "$(file >made) -c a.cu -o made.o\n")
    yield folder + "/a.cu", KERNEL
    folder = os.path.join(workspace, "listed")
    add_traps(folder, library, mark)
    yield folder + "/a.cu", KERNEL
    for name, made in ("pipes", os.mkfifo), ("devices", lambda path: os.symlink("/dev/zero", path)):
        folder = os.path.join(workspace, name)
        os.mkdir(folder)
        for file in "compile_flags.txt", "Makefile", ".clang-format", ".clang-format-ignore", ".clang-tidy", "b.cu":
            made(os.path.join(folder, file))
        yield folder + "/a.c", "int a;\n"
    folder = os.path.join(workspace, "kernels")  # kernels are compiled by clang itself
    add_traps(folder, library, mark)
    save(folder + "/compile_flags.txt", "\n".join(sum(FLAGS.values(), [])[:40]).replace("${F}", folder))
    save(folder + "/cuda_runtime.h.pch", "no precompiled header")
    yield folder + "/a.cu", KERNEL
    folder = os.path.join(workspace, "tidied")
    add_traps(folder, library, mark)
    save(folder + "/.clang-tidy", TIDY.replace("./", folder + "/"))
    yield folder + "/a.cpp", "int *a = 0;\n"
    folder = os.path.join(workspace, "good")
    save(folder + "/here/there.h", "#define THERE 1\n")
    save(folder + "/first.h", "#define FIRST 1\n")
    save(folder + "/first.h.pch", "no precompiled header")
    save(folder + "/good.rsp", "-DSIX=6")
    save(folder + "/compile_flags.txt", "\n".join(GOOD))
    yield folder + "/a.cu", GOOD_SOURCE


def add_database(workspace):
    """compile_commands.json, with wrapped compilers and words in one string."""
    folder = workspace + "/listed"
    save(folder + "/compile_commands.json", json.dumps([{
        "directory": folder, "file": "a.cu",
        "command": "ccache ./evil.sh nvcc -Wp,-load,./evil.so -Xcompiler=-fplugin=./evil.so `./evil.sh` $(./evil.sh) "
                   "-fplugin=./evil.so @evil.rsp -Xclang -load -Xclang ./evil.so -c a.cu -o made.o"}]))


def files_of(workspace):
    return {os.path.join(folder, name) for folder, _, names in os.walk(workspace) for name in names}


def await_analysis(conversation, path):
    """Kernels are compiled by clang in a process of its own, which ends when the file is closed."""
    method = None
    while method != "workspace/codeLens/refresh":
        message = conversation.expect({"method": "~^workspace/codeLens/refresh$|^window/logMessage$"})
        method = message["method"]
        if method == "window/logMessage" and path in message["params"]["message"]:
            raise AssertionError(message["params"]["message"])


def read_all(conversation, sources):
    for path, text in sources:
        uri = "file://" + path
        conversation.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "languageId": "cuda", "version": 1, "text": text}}})
        errors = conversation.expect({"method": "textDocument/publishDiagnostics", "params": {
            "uri": uri, "version": 1}})["params"]["diagnostics"]
        if "/good/" in path and errors:
            raise AssertionError("words that are needed are missing: %s" % errors)
        if "/tidied/" in path:
            conversation.expect({"method": "textDocument/publishDiagnostics", "params": {
                "uri": uri, "diagnostics": [{"source": "clang-tidy", "code": "modernize-use-nullptr"}]}})
        if path.endswith(".cu"):
            await_analysis(conversation, path)
            conversation.send({"id": path, "method": "gcluster/explain", "params": {
                "textDocument": {"uri": uri}, "position": {"line": text.count("\n") - 1, "character": 18}}})
            conversation.expect({"id": path})
        conversation.send({"id": "f" + path, "method": "textDocument/formatting", "params": {
            "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}})
        conversation.expect({"id": "f" + path})
        conversation.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})


def main():
    server = sys.argv[1]
    with tempfile.TemporaryDirectory() as outer:
        outer = os.path.realpath(outer)
        workspace, mark, library = outer + "/workspace", outer + "/mark", outer + "/evil.so"
        save(outer + "/evil.c", LIBRARY % mark)
        subprocess.run(["clang-19", "-shared", "-fPIC", "-o", library, outer + "/evil.c"], check=True)
        sources = list(add_cases(workspace, library, mark))
        add_database(workspace)
        for path, text in sources:
            if path.endswith(".cu"):
                save(path, text)  # clang reads no kernels of a file that was never saved
        before = files_of(workspace)
        os.environ["PATH"] = "." + os.pathsep + os.environ["PATH"] + os.pathsep  # an empty one is "." too
        conversation = replay.Conversation(server, workspace)
        try:
            folders = [{"uri": "file://" + workspace + name, "name": "w"} for name in ("/listed", "")]
            conversation.send({"id": 1, "method": "initialize", "params": {
                "processId": None, "workspaceFolders": folders, "capabilities": {
                    "workspace": {"codeLens": {"refreshSupport": True}}}}})
            conversation.expect({"id": 1})
            conversation.send({"method": "initialized", "params": {}})
            read_all(conversation, sources)
            limits = replay.content("/proc/%d/limits" % conversation.reader())
            assert b"__asan_init" in replay.content(server) or not re.search(
                rb"address space +unlimited", limits), "the reader may take all memory"
            new = sorted(files_of(workspace) - before)
            assert not new, "files were written: %s" % new
            assert not os.path.exists(mark), "code of the folder ran"
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            conversation.process.kill()
            conversation.process.wait()


if __name__ == "__main__":
    main()
