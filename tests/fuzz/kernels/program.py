"""A .cu file: the prelude, kernels, and a main() that launches them."""
import pathlib
import random

from kernel import Kernel
from tree import print_body

PRELUDE = pathlib.Path(__file__).with_name("prelude.cuh")


def make_kernel(seed, number):
    return Kernel(random.Random(f"{seed}/{number}"), number)


def print_kernel(kernel):
    lines = []
    for f in kernel.functions:
        lines += [f.head + " {"] + print_body(f.body, 1) + ["}", ""]
    parameters = ",\n        ".join(kernel.parameters())
    lines += [f"__global__ void {kernel.name}({parameters}) {{"]
    lines += print_body(kernel.preamble, 1) + print_body(kernel.body, 1) + ["}", ""]
    return lines + print_launches(kernel)


def size(kernel, extents):
    form = "dim3({}, {}, {})" if kernel.constant_shapes else "dim3(hidden({}), {}, {})"
    return form.format(*extents)


def print_launches(kernel):
    lines = [f"static void run_{kernel.name}() {{"]
    for o in kernel.outputs:
        lines.append(f'    Output<{o.type}> {o.name}("{o.name}", {o.count});')
    names = [a.name for a in kernel.inputs] + [v.name for v in kernel.vectors]
    names += [f"({type}){value}" for type, _, value in kernel.scalars] + ["sz"]
    names += [f"{o.name}.device" for o in kernel.outputs]
    for i, launch in enumerate(kernel.launches):
        label = f"{kernel.name}.{i}"
        configuration = f"{size(kernel, launch.grid)}, {size(kernel, launch.block)}, {kernel.dynamic or 0}"
        lines.append(f"    {kernel.name}<<<{configuration}>>>({', '.join(names)});")
        lines.append(f'    finish("{label}");')
        lines += [f'    {o.name}.report("{label}");' for o in kernel.outputs]
    return lines + ["}", ""]


def print_program(seed, kernels):
    lines = [f"// Made by tests/fuzz/kernels/generate.py --seed {seed}: kernels "
             + " ".join(str(k.number) for k in kernels), PRELUDE.read_text()]
    for kernel in kernels:
        lines += print_kernel(kernel)
    lines += ["static const Entry entries[] = {"]
    lines += [f"    {{{k.number}, run_{k.name}}}," for k in kernels]
    lines += ["};", "", "int main(int argc, char **argv) {",
              f"    return run_all(entries, {len(kernels)}, {seed}, argc, argv);", "}"]
    return "\n".join(lines) + "\n"
