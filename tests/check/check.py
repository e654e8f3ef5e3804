#!/usr/bin/env python3
"""Checks of the sources as text, each in seconds: check.py what build-folder

    format      clang-format leaves every source as it is
    rooms       sources include only what tests/check/rooms lets their folder use
    headers     each header compiles alone
    functions   every function with external linkage is called from another file
    tidy        clang-tidy finds nothing of what .clang-tidy lists
    documents   links of the documents lead to files and headings
"""
import concurrent.futures
import glob
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Where an include in quotes is looked for, beside the folder of who includes.
INCLUDE_ROOTS = ("agent", "compiler", "runtime", "runtime/include", "lsp", "launcher", "")


def files(*endings):
    """The sources with one of the endings, but for what was built or fetched."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders
                      if not re.match(r"\.|build|node_modules$|dist$|__pycache__$", name)]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names
                  if name.endswith(endings)]
    return sorted(found)


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def own_sources():
    """Our C and C++ sources: what the grammar's generator writes, and CUDA programs, aren't."""
    return [name for name in files(".c", ".h", ".cc")
            if not re.match(r"grammar/(pragma/)?src/(parser\.c|tree_sitter/)|tests/compiler/|examples/",
                            name)]


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [line for lines in pool.map(function, items) for line in lines]


# Formatting.

def check_format(_):
    names = own_sources()
    done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *names], cwd=ROOT,
                          stderr=subprocess.PIPE, text=True)
    return [line for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line]


# Rooms.

def read_rooms():
    """Rooms, and which others each may include from: by folder."""
    rooms = {}
    for number, line in enumerate(read("tests/check/rooms").splitlines(), 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        room, colon, uses = text.partition(":")
        if not colon or room in rooms:
            sys.exit(f"tests/check/rooms:{number}: not 'room: rooms that it may use', or said twice")
        unknown = [use for use in uses.split() if use not in rooms]
        if unknown:
            sys.exit(f"tests/check/rooms:{number}: not said above: {' '.join(unknown)}")
        rooms[room] = uses.split()
    return rooms


def room_of(name, rooms):
    """The room of a file: the innermost that it lies in; None: it is in none."""
    folder = os.path.dirname(name)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder or None


def find_include(name, text, known):
    for root in (os.path.dirname(name), *INCLUDE_ROOTS):
        path = os.path.normpath(os.path.join(root, text))
        if path in known:
            return path
    return None  # made by CMake, or of a library


def check_rooms(_):
    rooms, problems = read_rooms(), []
    names = [name for name in own_sources() if re.match("(agent|compiler|runtime|lsp|launcher)/", name)
             and not name.startswith("compiler/cuda/")]
    known = set(files(".h", ".inc"))
    empty = set(rooms)
    for name in names:
        room = room_of(name, rooms)
        empty.discard(room)
        if not room:
            problems.append(f"{name}: is in no room of tests/check/rooms")
            continue
        for number, line in enumerate(read(name).splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            target = match and find_include(name, match.group(1), known)
            other = target and room_of(target, rooms)
            if other and other != room and other not in rooms[room]:
                problems.append(f"{name}:{number}: {room} must not use {other} ({match.group(1)})")
    return problems + [f"tests/check/rooms: {room}: nothing is in it" for room in sorted(empty)]


# Headers.

def commands(build):
    """How each of our sources is compiled: by its name."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {os.path.relpath(entry["file"], ROOT): entry for entry in json.load(file)}


def includes_first(source, header):
    first = re.search(r'^\s*#\s*include\s+["<]([^">]+)[">]', read(source), re.MULTILINE)
    return first and (header.endswith("/" + first.group(1)) or header == first.group(1))


def compile_alone(header, entry):
    words = shlex.split(entry["command"])
    kept = [word for i, word in enumerate(words)
            if re.match("-[DI]|-isystem|-std=", word) or words[i - 1] == "-isystem"]
    done = subprocess.run(["clang-19", *kept, "-fsyntax-only", "-x", "c", "-"],
                          cwd=entry["directory"],
                          input=f'#include "{os.path.join(ROOT, header)}"\n',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [f"{header}: doesn't compile alone:\n{done.stdout}"] if done.returncode else []


def check_headers(build):
    """A source that includes its header before all else has shown that of it when it was built."""
    known, todo = commands(build), []
    for header in own_sources():
        if not header.endswith(".h") or not re.match("(agent|compiler|runtime|lsp|launcher)/", header):
            continue
        if header.startswith(("compiler/cuda/", "runtime/include/")):
            continue  # for users' programs, which tests/compiler and tests/install have
        if not re.search(r"^#ifndef \w+_H$", read(header), re.MULTILINE):
            continue  # a list that is included several times
        source = header[:-1] + "c"
        if source in known and includes_first(source, header):
            continue
        near = [name for name in sorted(known) if name.endswith(".c")
                and os.path.dirname(name) == os.path.dirname(header)]
        far = [name for name in sorted(known) if name.startswith(header.split("/")[0] + "/")]
        todo.append((header, known[(near or far)[0]]))
    return in_parallel(lambda pair: compile_alone(*pair), todo)


# Functions.

def objects(build):
    for entry in commands(build).values():
        match = re.search(r" -o (\S+)", entry["command"])
        path = match and os.path.join(entry["directory"], match.group(1))
        if path and os.path.exists(path):
            yield os.path.relpath(entry["file"], ROOT), path
    for path in glob.glob(os.path.join(build, "runtime", "*_kernels.o")):  # by gcluster-cc
        yield os.path.relpath(path, build), path


def check_functions(build):
    known = {path: name for name, path in objects(build)}
    done = subprocess.run(["nm", "--print-file-name", *known], stdout=subprocess.PIPE, check=True,
                          text=True)  # all at once: starting it takes longer than an object does
    defined, used = {}, {}
    for path, symbol in (line.rsplit(":", 1) for line in done.stdout.splitlines()):
        name, words = known[path], symbol.split()
        if len(words) == 3 and words[1] == "T":
            defined.setdefault(words[2], set()).add(name)
        elif len(words) == 2 and words[0] == "U":
            used.setdefault(words[1], set()).add(name)
    exported = set(re.findall(r"\b\w+\b", read("runtime/exports.map")))
    patterns = [word[:-1] for word in re.findall(r"\b\w+\*", read("runtime/exports.map"))]
    # A build without asserts calls nowhere what only they call.
    asserted = {word for name in own_sources()
                for line in re.findall(r"\bassert\((.*)", read(name))
                for word in re.findall(r"\bgcl_\w+", line)}
    problems = []
    for symbol, names in sorted(defined.items()):
        if not symbol.startswith("gcl_") or not all(
                re.match("(agent|compiler|runtime|lsp|launcher)/", name) for name in names):
            continue
        if symbol in exported or symbol.startswith(tuple(patterns)) or used.get(symbol, set()) - names:
            continue
        if symbol in asserted:
            continue
        problems.append(f"{min(names)}: {symbol} is called in no other file: it should be static, "
                        "or gone")
    return problems


# clang-tidy. A quarter of its time for one source goes into starting: it gets several.

TIDIED_TOGETHER = 16


def tidy(names, build):
    done = subprocess.run(["clang-tidy-19", "-p", build, "--quiet", *names], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return re.findall(r"^.* error: .*$", done.stdout, re.MULTILINE)


def check_tidy(build):
    names = sorted(name for name in commands(build)
                   if name.endswith(".c") and re.match("(agent|compiler|runtime|lsp|launcher)/", name))
    groups = [names[i:i + TIDIED_TOGETHER] for i in range(0, len(names), TIDIED_TOGETHER)]
    return in_parallel(lambda group: tidy(group, build), groups)


# Documents.

def anchor(heading):
    """As GitHub makes it of a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda match: match.group(1) or "", heading)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(name):
    text = re.sub(r"^```.*?^```", "", read(name), flags=re.MULTILINE | re.DOTALL)
    found = {anchor(line) for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def check_map(name):
    """Files and functions that a document speaks of; x stands for any name."""
    text, sources = read(name), "".join(read(file) for file in files(".c", ".h", ".cc"))
    words = re.findall(r"`([^`]+)`", text)
    return [f"{name}: there is no {word}" for word in words
            if (re.fullmatch(r"gcl_\w+", word) and not re.search(rf"\b{word}\b", sources))
            or (re.fullmatch(r"(agent|compiler|runtime|lsp|tests|launcher)/[\w./-]+|\w[\w/]*/\w+\.[ch]", word)
                and not re.search(r"\b(test_)?x\b", word)
                and not os.path.exists(os.path.join(ROOT, word)))]


def check_documents(_):
    problems = check_map("ARCHITECTURE.md") + check_map("CONTRIBUTING.md")
    for name in files(".md"):
        text = re.sub(r"^(```.*?^```|    .*?$)", "", read(name), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r'\]\(([^)\s]+)\)|src="([^"]+)"', text):
            path, _, place = (link[0] or link[1]).partition("#")
            if re.match(r"\w+:", path):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(os.path.join(ROOT, target)):
                problems.append(f"{name}: {path}: there is no such file")
            elif place and target.endswith(".md") and place not in anchors(target):
                problems.append(f"{name}: {target} has no heading #{place}")
    return problems


def main():
    checks = {"format": check_format, "rooms": check_rooms, "headers": check_headers,
              "functions": check_functions,
              "tidy": check_tidy, "documents": check_documents}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    problems = checks[sys.argv[1]](os.path.abspath(sys.argv[2]))
    for line in problems:
        print(line)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
