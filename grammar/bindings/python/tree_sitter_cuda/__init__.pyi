def language() -> object:
    """The grammar, as a capsule for `tree_sitter.Language`."""
