"""Parses a kernel with the grammar that tree_sitter_cuda gives, as the package tree_sitter does."""

import ctypes

import tree_sitter_cuda

SOURCE = b"__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { k<<<1, 2>>>(0); }\n"


class Node(ctypes.Structure):
    """TSNode of tree-sitter's interface."""

    _fields_ = [
        ("context", ctypes.c_uint32 * 4),
        ("id", ctypes.c_void_p),
        ("tree", ctypes.c_void_p),
    ]


def main():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    language = pointer(tree_sitter_cuda.language(), b"tree_sitter.Language")

    library = ctypes.CDLL("libtree-sitter.so")
    library.ts_parser_new.restype = ctypes.c_void_p
    library.ts_parser_parse_string.restype = ctypes.c_void_p
    library.ts_tree_root_node.restype = Node
    library.ts_node_string.restype = ctypes.c_char_p
    parser = ctypes.c_void_p(library.ts_parser_new())
    assert library.ts_parser_set_language(parser, ctypes.c_void_p(language))
    tree = library.ts_parser_parse_string(parser, None, SOURCE, len(SOURCE))
    root = library.ts_tree_root_node(ctypes.c_void_p(tree))
    text = library.ts_node_string(root).decode()
    assert "(kernel_call_syntax" in text and "ERROR" not in text, text


if __name__ == "__main__":
    main()
