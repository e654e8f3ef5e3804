"""Manifests: which programs there are, how they are built and run, and what is right."""
import json
import re
import typing

FIELDS = {"id": str, "directory": str, "sources": list, "flags": list, "build": str, "program": str,
          "copy": str, "arguments": list, "pass": str, "fail": str, "tags": list}


class BadManifest(Exception):
    pass


class Entry(typing.NamedTuple):
    id: str
    directory: object        # a pathlib.Path
    sources: list            # in the directory; gcluster-cc makes the program of them,
    flags: list              # with these;
    build: str               # or this command does, in a copy of `copy`,
    copy: object             # the directory or a folder above it,
    program: str             # which leaves the program here
    arguments: list
    passes: typing.Optional[re.Pattern]
    fails: typing.Optional[re.Pattern]
    tags: list


def pattern(entry, where, key):
    try:
        return re.compile(entry[key], re.MULTILINE) if key in entry else None
    except re.error as problem:
        raise BadManifest(f"{where}: {key}: {problem}") from None


def read_entry(entry, where, checkouts):
    if not isinstance(entry, dict):
        raise BadManifest(f"{where}: a program is an object, not {entry!r}")
    for key, value in entry.items():
        if key not in FIELDS:
            raise BadManifest(f"{where}: nothing is called {key!r}: there are {', '.join(FIELDS)}")
        if not isinstance(value, FIELDS[key]) or \
                FIELDS[key] is list and not all(isinstance(v, str) for v in value):
            kind = "a list of texts" if FIELDS[key] is list else "a text"
            raise BadManifest(f"{where}: {key} is {kind}, not {value!r}")
    for key in ("id", "directory"):
        if key not in entry:
            raise BadManifest(f"{where}: no {key}")
    if ("build" in entry) == ("sources" in entry):
        raise BadManifest(f"{where}: either sources or a build command")
    if "build" in entry and "program" not in entry:
        raise BadManifest(f"{where}: no program that the build command leaves")
    directory = (checkouts / entry["directory"]).resolve()
    copy = (checkouts / entry.get("copy", entry["directory"])).resolve()
    if copy != directory and copy not in directory.parents:
        raise BadManifest(f"{where}: {entry['copy']} isn't above {entry['directory']}")
    return Entry(entry["id"], directory, entry.get("sources", []), entry.get("flags", []),
                 entry.get("build", ""), copy, entry.get("program", "program"),
                 entry.get("arguments", []), pattern(entry, where, "pass"),
                 pattern(entry, where, "fail"), entry.get("tags", []))


def read_manifest(path, checkouts):
    """The entries of a manifest. Raises BadManifest, which says what is wrong where."""
    try:
        text = json.loads(path.read_text())
    except (OSError, ValueError) as problem:
        raise BadManifest(f"{path}: {problem}") from None
    if not isinstance(text, list):
        raise BadManifest(f"{path}: a manifest is a list of programs")
    entries, seen = [], set()
    for number, entry in enumerate(text):
        name = entry.get("id", number) if isinstance(entry, dict) else number
        entries.append(read_entry(entry, f"{path}: program {name}", checkouts))
        if name in seen:
            raise BadManifest(f"{path}: two programs are called {name}")
        seen.add(name)
    return entries
