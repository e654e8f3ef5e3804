"""Writes a compile_commands.json: commands.py file root [words --] source..."""
import json
import os
import sys

path, root, rest = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
words = rest[:rest.index("--")] if "--" in rest else []
sources = rest[rest.index("--") + 1:] if "--" in rest else rest
os.makedirs(os.path.dirname(path), exist_ok=True)
with open(path, "w", encoding="utf-8") as file:
    json.dump([{"directory": root, "file": os.path.join(root, source),
                "arguments": ["nvcc", *words, "-c", source, "-o", "x.o"]} for source in sources],
              file)
