"""Builds the grammar with its scanner into tree_sitter_cuda; pyproject.toml says the rest."""

from setuptools import Extension, setup

setup(
    packages=["tree_sitter_cuda"],
    package_dir={"": "bindings/python"},
    package_data={"tree_sitter_cuda": ["*.pyi", "py.typed"]},
    ext_modules=[
        Extension(
            "tree_sitter_cuda._binding",
            sources=[
                "bindings/python/tree_sitter_cuda/binding.c",
                "src/parser.c",
                "src/scanner.c",
            ],
            include_dirs=["src"],
            define_macros=[("Py_LIMITED_API", "0x03090000")],
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
