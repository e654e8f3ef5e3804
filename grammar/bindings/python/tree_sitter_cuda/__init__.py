"""The grammar of CUDA C++ for the package tree_sitter.

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
"""

from ._binding import language

__all__ = ["language"]
