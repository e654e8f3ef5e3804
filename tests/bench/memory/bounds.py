"""The least bytes that have to move between the device and a tier for a step of each program.

At a moment between two launches the device holds `capacity` bytes at most. Of what launches use,
the rest has to come after that moment, or has to have gone before it, or both, as the launch behind
it reads what is only elsewhere, and what the launch before it wrote is nowhere else:

    read      bytes that no launch writes: a get, if they aren't here
    written   bytes that each launch writes as a whole: a put, if they don't stay
    carried   bytes that one launch writes and the next one reads: both, if they don't stay

What stays is what costs most. So a bound is the sum over launches of what is left of each kind when
`capacity` bytes of the dearest are taken away, each byte at the tier's rate.
"""
import collections
import math

# `share`: by which the benchmark's size is divided, as kernels that compute take longer. `launches`
# in a step, and the bytes of each kind for one, from the bytes of all arrays.
Program = collections.namedtuple("Program", "share launches kinds")


def triad(size):
    return {"read": size * 2 / 3, "written": size / 3}


def stencil(size):
    return {"carried": size / 2}


def spmv(size):
    rows = size / (16 * 8 + 3 * 4)
    return {"read": size - 4 * rows, "written": 4 * rows}


def matmul(size):
    """The wide factor and the product; the square one, a hundredth of them, isn't counted."""
    return {"read": size / 2, "written": size / 2}


PROGRAMS = {"triad": Program(1, 1, triad), "stencil": Program(1, 4, stencil),
            "spmv": Program(1, 1, spmv), "matmul": Program(2, 1, matmul)}


def seconds(name, size, capacity, rate):
    """What the bytes of a step take; `rate`: bytes a second of "get" and "put"."""
    cost = {"read": 1 / rate["get"], "written": 1 / rate["put"],
            "carried": 1 / rate["get"] + 1 / rate["put"]}
    program = PROGRAMS[name]
    total, room = 0, capacity
    for kind, count in sorted(program.kinds(size).items(), key=lambda pair: -cost[pair[0]]):
        stays = min(count, room)
        room -= stays
        total += (count - stays) * cost[kind]
    return program.launches * total
