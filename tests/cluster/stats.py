#!/usr/bin/env python3
"""gcluster-run --stats: blocks, and exact bytes by cause, against what the program is known to move, and
against what nodes say they have sent; of other programs against that alone.

Arguments: folder of gcluster-run, work folder, other programs.
"""
import json
import os
import subprocess
import sys

ROW, ROWS, STEPS = 1024, 256, 10
SIZE = ROW * ROWS


def run(arguments, work):
    done = subprocess.run(arguments, cwd=work, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    assert done.stdout == "right\n", done
    return done.stderr


def check_kernels(stats, nodes):
    kernels = {kernel["name"]: kernel for kernel in stats["kernels"]}
    others = nodes - 1

    def moved(name, **expected):
        causes = {cause: size for cause, size in kernels[name]["moved"].items() if size}
        assert causes == expected, (nodes, name, causes, expected)

    # The first step: each node but 0 gets rows that it alone needs, and two at each border; each
    # later step moves a row in each direction.
    rest = ROWS - ROWS // nodes
    assert kernels["blur"]["split"] == {"x": STEPS, "y": 0, "z": 0, "none": 0}
    borders = 2 * others - 1
    moved("blur", halo=(2 * borders + (STEPS - 1) * 2 * others) * ROW,
          redistribute=(rest - borders) * ROW)
    # Node 0 has all of it since the copy to the host.
    moved("mix", replicate=others * SIZE - rest * ROW)
    moved("count", reduce=4 * others)
    assert kernels["scatter"]["moved"]["merge"] > 0
    # Each node looks up the rows of its own blocks, and has its own ones.
    parts = [range(ROWS * i // nodes, ROWS * (i + 1) // nodes) for i in range(nodes)]
    lacked = sum(ROWS - 1 - row not in part for part in parts for row in part)
    assert kernels["scatter"]["moved"]["inspect"] == lacked * ROW > 0, kernels["scatter"]
    assert kernels["collect"]["reason"] == "GCL201", kernels["collect"]
    assert kernels["collect"]["split"]["none"] == 1
    assert all(len(kernel["time_ns"]) == nodes for kernel in stats["kernels"])
    assert all(time > 0 for time in kernels["blur"]["time_ns"])
    assert 0 < kernels["blur"]["share"] < 1
    # What is planned takes time on every node; what is looked up for it is said apart.
    assert all(time > 0 for time in kernels["blur"]["planning_ns"])
    assert kernels["blur"]["inspections"] == 0 and sum(kernels["blur"]["inspection_ns"]) == 0
    assert kernels["scatter"]["inspections"] == 1, kernels["scatter"]
    assert all(time > 0 for time in kernels["scatter"]["inspection_ns"])
    # What it would move isn't worth it for so few threads.
    assert kernels["spill"]["reason"] == "GCL227", kernels["spill"]
    moved("spill")
    # Fields of structures: each node has made, or keeps, those of its own rows.
    assert kernels["tint"]["split"] == {"x": STEPS, "y": 0, "z": 0, "none": 0}, kernels["tint"]
    moved("tint")
    # One block can't be split: nobody is told why it isn't.
    assert kernels["clear"]["split"]["none"] == 1 and "reason" not in kernels["clear"]


def check_blocks(stats, blocks):
    """Launches and blocks by the size of blocks: `blocks` of each kernel in all, of which node 0 has
    measured those that it ran."""
    for kernel in stats["kernels"]:
        shapes = kernel["shapes"]
        assert sum(shape["launches"] for shape in shapes) == kernel["launches"], kernel
        assert all(shape["measured"] <= shape["blocks"] for shape in shapes), kernel
        assert all((shape["busy_ns"] > 0) == (shape["measured"] > 0) for shape in shapes), kernel
        assert len({tuple(shape["block"]) for shape in shapes}) == len(shapes), kernel
    for name, expected in blocks.items():
        shapes = next(kernel["shapes"] for kernel in stats["kernels"] if kernel["name"] == name)
        assert sum(shape["blocks"] for shape in shapes) == expected, (name, shapes)


def check_sums(stats):
    by_cause = [kernel["moved"] for kernel in stats["kernels"]] + [stats["copies"]]
    assert stats["total"] == sum(sum(moved.values()) for moved in by_cause)
    assert stats["total"] == sum(stats["moved"].values())
    # Before and after launches that touch pages nodes say a word to each other, 8 bytes each.
    launches = sum(kernel["launches"] for kernel in stats["kernels"] if kernel["moved"]["touch"])
    words = sum(node["sent"] for node in stats["transfers"]) - stats["total"]
    assert 0 <= words <= 8 * launches * stats["nodes"] * (2 * stats["nodes"] + 1), stats


def check(stats, nodes):
    assert stats["nodes"] == stats["nodes_told"] == nodes
    check_kernels(stats, nodes)
    assert stats["copies"]["host"] >= SIZE - SIZE // nodes
    check_blocks(stats, {"blur": STEPS * ROWS, "mix": ROWS, "clear": 1})
    assert stats["judgements"] == [] # GCL_SPLIT=always leaves nothing to judge
    check_sums(stats)


def check_scatter(stats, nodes):
    """What comes from the host is scattered in blocks first, then as the last launch read it."""
    size, rounds, copies = 4 << 20, 2, 4
    others = size - size // nodes # what node 0 doesn't need
    moved = {kernel["name"]: {cause: size for cause, size in kernel["moved"].items() if size}
             for kernel in stats["kernels"]}
    assert moved == {"local": {}, "mirror": {"redistribute": others}, "alone": {}}, moved
    # Two of three arrays come, and results of two kernels go.
    assert stats["copies"]["host"] == rounds * copies * others, stats["copies"]
    check_sums(stats)


def check_others(folder, work, sources):
    for source in sources:
        subprocess.run([f"{folder}/gcluster-cc", "-O1", source, "-o", "other", "-lpng"], cwd=work,
                       check=True)
        subprocess.run([f"{folder}/gcluster-run", "--stats=other.json", "-n", "3", "./other"],
                       cwd=work, check=True, timeout=300, stdout=subprocess.DEVNULL)
        with open(f"{work}/other.json") as file:
            stats = json.load(file)
        assert stats["nodes_told"] == 3 and stats["total"] > 0, source
        check_sums(stats)


def main():
    folder, work, *others = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    os.environ["LSAN_OPTIONS"] = "detect_leaks=0"
    os.environ["GCL_SPLIT"] = "always"
    if others:
        check_others(folder, work, others)
    else:
        check_all(folder, work)


def check_all(folder, work):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moves.cu")
    subprocess.run([f"{folder}/gcluster-cc", "-O1", source, "-o", "moves"], cwd=work, check=True)
    launcher, program = f"{folder}/gcluster-run", ["./moves", str(STEPS)]

    for nodes in (2, 3, 4):
        run([launcher, "--stats=stats.json", "-n", str(nodes), *program], work)
        with open(f"{work}/stats.json") as file:
            check(json.load(file), nodes)
    source = source.replace("moves.cu", "scatter.cu")
    subprocess.run([f"{folder}/gcluster-cc", "-O1", source, "-o", "scatter"], cwd=work, check=True)
    for nodes in (2, 4):
        run([launcher, "--stats=stats.json", "-n", str(nodes), "./scatter"], work)
        with open(f"{work}/stats.json") as file:
            check_scatter(json.load(file), nodes)
    lines = run([launcher, "-n", "2", "--stats=json", *program], work).splitlines()
    assert json.loads(lines[-1])["nodes"] == 2

    table = run([launcher, "-n", "2", "--stats", *program], work)
    assert "2 nodes" in table and "halo" in table and "[GCL201]" in table, table
    # Without a job there is nothing to move.
    os.environ["GCL_STATS"] = "json"
    stats = json.loads(run(program, work))
    assert stats["nodes"] == 1 and stats["total"] == 0
    assert {k["name"]: k["launches"] for k in stats["kernels"]}["blur"] == STEPS
    check_blocks(stats, {"blur": STEPS * ROWS})
    assert all(shape["measured"] == shape["blocks"] for kernel in stats["kernels"]
               for shape in kernel["shapes"])


main()
