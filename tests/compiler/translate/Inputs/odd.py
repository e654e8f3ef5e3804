"""Writes a project whose files and folders are odd: odd.py folder."""
import os
import sys

KERNEL = "__global__ void k(int *p) { p[blockIdx.x] = 1; }\n"


def write(path, text, encoding="latin-1"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode(encoding))


root = sys.argv[1]
project = os.path.join(root, "it's a \"project\"")
write(os.path.join(project, "first.cuh"), '#ifndef FIRST\n#define FIRST\n#include "second.cuh"\n'
      + KERNEL + "inline void first(int *p) { k<<<1, 2>>>(p); second(); }\n#endif\n")
write(os.path.join(project, "second.cuh"), '#ifndef SECOND\n#define SECOND\n#include "first.cuh"\n'
      "inline void second() { cudaDeviceSynchronize(); }\n#endif\n")
write(os.path.join(project, "my sources", "lines.cu"),
      '#include "../first.cuh"\r\n// Gr\xfc\xdfe \xb5\r\nint main() {\r\n    int *p;\r\n'
      "    cudaMalloc(&p, 4); // \xe9\r\n    first(p);\r\n    return cudaFree(p);\r\n}\r\n")
write(os.path.join(project, "hidden.cu"), '#include "first.cuh"\n'
      "#define LAUNCH(kernel, n) kernel<<<n, 1>>>\n"
      "#define WAIT() cudaDeviceSynchronize()\n"
      "#define GRID <<<1, 1>>>\n"
      "#define RUN(...) __VA_ARGS__\n"
      "int main() {\n    int *p;\n    cudaMallocManaged(&p, 4);\n    LAUNCH(k, 1)(p);\n    k GRID (p);\n"
      "    RUN(k<<<1, 1>>>(p));\n    WAIT();\n    return p[0] - 1;\n}\n")
write(os.path.join(root, "outside", "check.h"), "inline int check() { return cudaGetLastError(); }\n")
write(os.path.join(project, "outside.cu"), '#include "../outside/check.h"\n' + KERNEL
      + "int main() { k<<<1, 1>>>(0); return check() + cudaSuccess; }\n")
os.symlink("../outside/check.h", os.path.join(project, "linked.h"))
write(os.path.join(project, "linked.cu"), '#include "linked.h"\nint main() { cudaDeviceReset(); }\n')
for folder, _, names in os.walk(project):
    for name in names:
        if not os.path.islink(os.path.join(folder, name)):
            os.chmod(os.path.join(folder, name), 0o444)
