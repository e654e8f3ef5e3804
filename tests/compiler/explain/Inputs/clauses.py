"""Prints what --explain=json has of clauses, from standard input: a line each."""
import json
import sys

for kernel in json.load(sys.stdin)["kernels"]:
    for argument in kernel["arguments"]:
        for clause in argument["clauses"]:
            assert set(clause) == {"kind", "proven", "like", "regions"}, clause
            how = "knows" if clause["proven"] else f"like {clause['like']}" if clause["like"] else "may"
            print(f"{kernel['name']}: {how}: {clause['kind']}({', '.join(clause['regions'])})")
