#!/usr/bin/env python3
"""Makes Debian packages of a build folder and looks into them: check.py build-folder work-folder package ...

What each package has, that nothing is in two of them, that what a program of a package needs, runs or
reads is in that package or one that it depends on, that nothing says where it was built or looks for
libraries beside the system's folders. The folder `work-folder/all` has what they would install.

Which libraries programs need is asked of the packages that are named: dpkg-shlibdeps takes many seconds
for LLVM's. Of a build with sanitizers, whose messages name sources, it isn't asked where it was built.
"""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys

# Each package, with some of what has to be in it.
EXPECTED = {
    "gcluster": """
        usr/bin/gcluster-run usr/bin/gcluster-top usr/bin/gcluster-doctor usr/bin/gclusterd usr/bin/gcluster-gdb
        usr/bin/gcluster-lldb usr/share/gcluster/gdb/gcluster.py usr/share/gcluster/lldb/gcluster_lldb.py
        usr/lib/systemd/system/gclusterd.service usr/share/man/man8/gclusterd.8
        usr/lib/libgcluster.so.0 usr/lib/libgcluster-cluster.so.0 usr/lib/libcublas.so.0
        usr/lib/libcufft.so.0 usr/lib/libcurand.so.0 usr/lib/libcusolver.so.0 usr/lib/libcusparse.so.0
        usr/share/man/man1/gcluster-run.1 usr/share/man/man7/gcluster.7""",
    "gcluster-dev": """
        usr/bin/gcluster-cc usr/bin/gcluster-translate usr/include/gcluster.h usr/lib/libgcluster.so
        usr/lib/libgcluster-clang.so usr/lib/libcublas.so usr/lib/libcublasLt.so
        usr/lib/cmake/gcluster/gclusterConfig.cmake usr/lib/pkgconfig/gcluster.pc
        usr/lib/gcluster/cuda/bin/nvcc usr/lib/gcluster/cuda/include/cuda_runtime.h
        usr/lib/gcluster/cuda/lib64/libcudart.so usr/lib/gcluster/cuda/version.json
        usr/share/gcluster/cuda/cuda_runtime.h usr/share/man/man1/gcluster-cc.1""",
    "gcluster-lsp": """
        usr/bin/gcluster-lsp usr/share/man/man1/gcluster-lsp.1
        usr/share/nvim/site/plugin/gcluster.lua usr/share/emacs/site-lisp/gcluster.el""",
}
COMPONENTS = {"gcluster": "RUNTIME", "gcluster-dev": "DEVELOPMENT", "gcluster-lsp": "EDITOR"}
# Folders where a package may leave anything: none of them is looked into by other compilers.
FOLDERS = re.compile(r"usr/(bin/(gcluster-|gclusterd|nvcc)|include/gcluster[/.]|lib/(gcluster/|systemd/system/gclusterd|lib|cmake/gcluster/|pkgconfig/)"
                     r"|share/(gcluster|gdb/auto-load|man|nvim/site/plugin|emacs/site-lisp)/)")
faults = []


def output(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **more).stdout


def fault(text):
    faults.append(text)


@functools.cache
def owner(path):
    """Debian's package that has a file of this machine, also under its name before /usr was merged."""
    for name in path, path.removeprefix("/usr"), "/usr" + path, os.path.realpath(path):
        found = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True).stdout
        if found:
            return found.split(":")[0]
    return None


class Package:
    def __init__(self, archive, folder):
        self.name = output("dpkg-deb", "-f", archive, "Package").strip()
        self.folder = os.path.join(folder, self.name)
        subprocess.run(["dpkg-deb", "-R", archive, self.folder], check=True)
        self.files = [os.path.relpath(os.path.join(place, name), self.folder)
                      for place, folders, names in os.walk(self.folder)
                      for name in names + [f for f in folders if os.path.islink(os.path.join(place, f))]]
        self.files = {name for name in self.files if not name.startswith("DEBIAN/")}
        fields = output("dpkg-deb", "-f", archive, "Depends", "Recommends")
        self.depends = {re.sub(r"\s*\(.*", "", one.strip())
                        for line in fields.splitlines()
                        for one in re.split("[,|]", line.split(":", 1)[1])}

    def binaries(self):
        for name in sorted(self.files):
            path = os.path.join(self.folder, name)
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF" and not name.endswith(".o"):
                        yield name, path


def with_dependencies(package, packages):
    names, todo = {package.name}, [package]
    while todo:
        one = todo.pop()
        names |= one.depends
        todo += [p for p in packages if p.name in one.depends and p is not package]
    return names


def check_files(packages):
    if sorted(p.name for p in packages) != sorted(EXPECTED):
        fault(f"there are {[p.name for p in packages]}")
    seen = {}
    for package in packages:
        for name in sorted(set(EXPECTED[package.name].split()) - package.files):
            fault(f"{package.name} lacks {name}")
        for name in package.files:
            if name in seen:
                fault(f"{name} is in {package.name} and {seen[name]}")
            seen[name] = package.name
            if not FOLDERS.match(name):
                fault(f"{package.name}: {name} is where it may be in the way of others")


def dynamic_section(path):
    return output("readelf", "-d", path, env={**os.environ, "LC_ALL": "C"})


def check_binaries(package, packages):
    """Libraries are looked for where the system has them, and lib64 of the toolkit leads to ours."""
    runtime = next(p for p in packages if p.name == "gcluster")
    for name, path in package.binaries():
        dynamic = dynamic_section(path)
        if "RPATH" in dynamic or "RUNPATH" in dynamic:
            fault(f"{name} looks for libraries in folders of its own")
        if name.startswith("usr/lib/gcluster/cuda/lib64/"):
            target = re.search(r"SONAME.*\[/(.*)\]", dynamic).group(1)
            if target not in runtime.files:
                fault(f"{name} leads to {target}, which gcluster doesn't have")


def check_libraries(package, packages):
    """What each binary is linked with is in the package, or in one that it depends on."""
    allowed = with_dependencies(package, packages)
    ours = {os.path.basename(name): p.name for p in packages for name in p.files}
    listed = re.findall(r"(\S+) \(.*\) => (\S+)", output("/sbin/ldconfig", "-p"))
    where = dict(reversed(listed)) # the first of a name is this architecture's
    for name, path in package.binaries():
        for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic_section(path)):
            holder = ours.get(library) or owner(where.get(library, library)) or "no package"
            # libopenblas0 is one of libopenblas0-serial, -pthread, -openmp.
            if holder not in allowed and holder.rpartition("-")[0] not in allowed:
                fault(f"{name} of {package.name} needs {library} of {holder}, on which it doesn't depend")


def check_tools(packages, cache):
    """gcluster-cc's tools, and what clang reads, are of packages that it depends on."""
    development = next(p for p in packages if p.name == "gcluster-dev")
    tools = dict(re.findall(r"^(GCL_(?:CLANG|CLANGXX|LINKER|ARCHIVER|OBJCOPY)):FILEPATH=(.*)$", cache, re.M))
    read = [output(tools["GCL_CLANG"], "-print-resource-dir").strip() + "/include/__clang_cuda_math.h",
            "/usr/include/stdio.h", output("g++", "-print-file-name=libstdc++.so").strip()]
    for path in [*tools.values(), *read]:
        if owner(os.path.normpath(path)) not in development.depends:
            fault(f"gcluster-cc uses {path} of {owner(path)}, on which gcluster-dev doesn't depend")


def check_paths(packages, folders):
    for package in packages:
        for name in sorted(package.files):
            path = os.path.join(package.folder, name)
            if os.path.islink(path):
                text = os.readlink(path).encode()
                if text.startswith(b"/"):
                    fault(f"{name} links to {text.decode()}")
            else:
                with open(path, "rb") as file:
                    text = file.read()
            for folder in folders:
                if folder.encode() in text:
                    fault(f"{name} of {package.name} names {folder}")


def main(build, work, *with_libraries):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        cache = file.read()
    options = ["CPACK_DEBIAN_COMPRESSION_TYPE=none"]
    options += [f"CPACK_DEBIAN_{component}_PACKAGE_SHLIBDEPS=OFF"
                for name, component in COMPONENTS.items() if name not in with_libraries]
    subprocess.run(["cpack", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", work,
                    *[word for option in options for word in ("-D", option)]],
                   stdout=subprocess.DEVNULL, check=True)
    packages = [Package(archive, work) for archive in sorted(glob.glob(os.path.join(work, "*.deb")))]
    check_files(packages)
    for package in packages:
        if package.name in with_libraries:
            check_libraries(package, packages)
        check_binaries(package, packages)
    check_tools(packages, cache)
    if re.search(r"^GCL_SANITIZE:STRING=$", cache, re.M):
        source = re.search(r"^gcluster_SOURCE_DIR:STATIC=(.*)$", cache, re.M).group(1)
        check_paths(packages, [source + "/", os.path.realpath(build), os.path.realpath(work)])
    for text in faults:
        print(text)
    print(f"{sum(len(p.files) for p in packages)} files in {len(packages)} packages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
