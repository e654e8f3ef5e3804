#!/usr/bin/env python3
"""Writes a CUDA program of random kernels, free of races and of undefined behaviour.

    generate.py --seed 1 --first 0 --count 25 -o program.cu

Kernel k of a seed is always the same, whatever stands beside it. The program prints a hash of each
output of each launch; `program 7 7 dump` runs kernel 7 alone and prints all values.
"""
import argparse
import sys

sys.dont_write_bytecode = True
from program import PROFILES, make_kernel, print_program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", choices=PROFILES, default="general")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    text = print_program(options.seed, [make_kernel(options.seed, n, options.profile) for n in numbers])
    if options.output:
        with open(options.output, "w", encoding="ascii") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
