"""What the benchmarks show of their progress."""
import sys


def show_progress(text):
    """One line on a terminal, in place of the line before; nothing anywhere else."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
