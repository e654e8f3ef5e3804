"""A .cu file: the prelude, kernels, and a main() that launches them."""
import pathlib
import random

from chain import ChainKernel
from footprint import FootprintKernel, OrderedKernel
from kernel import Kernel
from tree import print_body

PRELUDE = pathlib.Path(__file__).with_name("prelude.cuh")


PROFILES = {"general": Kernel, "footprint": FootprintKernel, "ordered": OrderedKernel,
            "chain": ChainKernel}


def make_kernel(seed, number, profile="general"):
    return PROFILES[profile](random.Random(f"{seed}/{number}"), number)


def print_kernel(kernel):
    lines = kernel.declarations()
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
    lines = [f"static void run_{kernel.name}() {{"] + kernel.setup()
    for i, launch in enumerate(kernel.launches):
        label = f"{kernel.name}.{i}"
        shape = f"{size(kernel, launch.grid)}, {size(kernel, launch.block)}, {kernel.dynamic or 0}"
        arguments = ", ".join(kernel.arguments(launch))
        lines += ["#ifdef HOST",
                  f"    run_grid({shape}, [&] {{ {kernel.name}({arguments}); }});",
                  "#else",
                  f"    {kernel.name}<<<{shape}>>>({arguments});",
                  "#endif",
                  f'    finish("{label}");']
        if launch is kernel.launches[-1] or not launch.after:
            lines += [f'    {o.name}.report("{label}");' for o in kernel.outputs]
        lines += launch.after
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
