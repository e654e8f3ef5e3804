{
  "targets": [
    {
      "target_name": "tree_sitter_cuda_binding",
      "include_dirs": ["src"],
      "sources": ["bindings/node/binding.c", "src/parser.c", "src/scanner.c"],
      "cflags_c": ["-std=c11"]
    }
  ]
}
