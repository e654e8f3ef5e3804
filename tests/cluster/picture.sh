#!/bin/bash
# Four nodes draw the picture that one draws, byte for byte, and say what moved for it.
# Arguments: folder of gcluster-run, work folder, the example that draws.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$3" -o draw -lpng
timeout 60 ./draw 128 200 one.png
timeout 60 "$bin/gcluster-run" -n 4 --stats ./draw 128 200 four.png 2>table
cmp one.png four.png
grep '^  step .* 200  y .* halo ' table
