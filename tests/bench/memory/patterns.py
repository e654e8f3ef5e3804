#!/usr/bin/env python3
"""Writes traces for bench_simulate (trace.h says what they are).

    patterns.py NAME        one of those below, on standard output
    patterns.py             their names
"""
import random
import sys


def command(name, reads=(), writes=()):
    text = name
    for letter, ranges in (("r", reads), ("w", writes)):
        if ranges:
            text += f" {letter} " + " ".join(f"{begin}-{end}" for begin, end in ranges)
    print(text)


def sweep():
    """An array of 1,000 chunks from the first to the last, again and again."""
    for _ in range(20):
        for part in range(50):
            here = [(20 * part, 20 * part + 20)]
            command(f"sweep.{part}", here, here)


def stencil():
    """From one array to another and back, by block ranges with a halo."""
    for step in range(20):
        source, target = (0, 512) if step % 2 == 0 else (512, 0)
        for part in range(32):
            begin, end = 16 * part, 16 * part + 16
            command(f"step.{part}", [(source + max(begin - 1, 0), source + min(end + 1, 512))],
                    [(target + begin, target + end)])


def conjugate():
    """A matrix that is read in parts, vectors that are small, and a check now and then."""
    for step in range(60):
        for part in range(16):
            command(f"matrix.{part}", [(50 * part, 50 * part + 50), (800, 820)],
                    [(820 + part, 821 + part)])
        command("dot", [(800, 860)], [(900, 901)])
        command("update", [(800, 880)], [(800, 820), (860, 880)])
        if step % 7 == 6:
            command("check", [(860, 880)], [(901, 902)])


def factors():
    """LU without pivots by tiles: what is left of the matrix shrinks."""
    tiles = 16
    at = lambda i, j: ((i * tiles + j) * 4, (i * tiles + j) * 4 + 4)
    for k in range(tiles):
        command("diagonal", [at(k, k)], [at(k, k)])
        for i in range(k + 1, tiles):
            command("panel", [at(k, k), at(i, k)], [at(i, k)])
        for i in range(k + 1, tiles):
            for j in range(k + 1, tiles):
                command("update", [at(i, k), at(k, j), at(i, j)], [at(i, j)])


def product():
    """C = A B by tiles, each tile of C at once."""
    tiles = 12
    at = lambda m, i, j: (((m * tiles + i) * tiles + j) * 4, ((m * tiles + i) * tiles + j) * 4 + 4)
    for i in range(tiles):
        for j in range(tiles):
            for k in range(tiles):
                command("multiply", [at(0, i, k), at(1, k, j)] + ([at(2, i, j)] if k else []),
                        [at(2, i, j)])


def nested():
    """Relaxations of one level of a grid, then of the next ones, down and up."""
    sizes = [512, 128, 32, 8]
    begins = [0, 512, 640, 672]
    for _ in range(15):
        for level in [0, 1, 2, 3, 2, 1, 0]:
            for _ in range(3):
                for part in range(8):
                    size = sizes[level] // 8
                    here = [(begins[level] + size * part, begins[level] + size * (part + 1))]
                    command(f"relax.{level}.{part}", here, here)


def layers():
    """Training: layers forward, then backward, each with weights and what it passes on."""
    count = 40
    weights = lambda l: (10 * l, 10 * l + 10)
    passed = lambda l: (400 + 6 * l, 406 + 6 * l)
    for _ in range(12):
        for l in range(count):
            command(f"forward.{l}", [weights(l), passed(l)], [passed(l + 1)])
        for l in reversed(range(count)):
            command(f"backward.{l}", [weights(l), passed(l)], [weights(l)])


def gather():
    """Parts of an array in an order that nobody knows, and one that is always used."""
    state = random.Random(1)
    for _ in range(2000):
        begin = 20 + 5 * state.randrange(200)
        command("gather", [(0, 20), (begin, begin + 5)], [(0, 5)])


patterns = [sweep, stencil, conjugate, factors, product, nested, layers, gather]
if len(sys.argv) == 1:
    print(*(pattern.__name__ for pattern in patterns))
for wanted in sys.argv[1:]:
    {pattern.__name__: pattern for pattern in patterns}[wanted]()
