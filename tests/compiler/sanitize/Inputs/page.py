# Whether a page quotes a program's findings as they are: page.py page.md program.cu < output. Lines of
# the page that name the program have to be in the output, less the folder.
import os
import re
import sys

page, program = sys.argv[1:]
name = os.path.basename(program)
output = re.sub(r"[^\s(]*/(?=[\w.]+\.cu:\d)", "", sys.stdin.read()).replace("gcluster: ", "").splitlines()
quotes = [q for q in re.findall(r"`(\w+: [^`]+)`", open(page).read()) if name + ":" in q]
missing = [q for q in quotes if q not in output]
for quote in missing:
    print("not said:", quote)
if not quotes or missing:
    sys.exit(1)
print(name + ":", len(quotes), "findings as the page has them")
