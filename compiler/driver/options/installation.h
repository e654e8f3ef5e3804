// Where gcluster-cc finds what it needs: other programs, its own headers and library.
#ifndef GCL_DRIVER_INSTALLATION_H
#define GCL_DRIVER_INSTALLATION_H

#include <stdbool.h>

#include <glib.h>

/// X(name, program, Debian package, path seen when gcluster was configured)
#define GCL_TOOL_LIST(X)                                                                           \
    X(CLANG, "clang-19", "clang-19", GCL_CLANG)                                                    \
    X(CLANGXX, "clang++-19", "clang-19", GCL_CLANGXX)                                              \
    X(LINKER, "ld", "binutils", GCL_LINKER)                                                        \
    X(ARCHIVER, "ar", "binutils", GCL_ARCHIVER)                                                    \
    X(OBJCOPY, "objcopy", "binutils", GCL_OBJCOPY)

enum gcl_tool {
#define GCL_TOOL_ENUM(name, program, package, path) GCL_TOOL_##name,
    GCL_TOOL_LIST(GCL_TOOL_ENUM)
#undef GCL_TOOL_ENUM
        GCL_TOOL_COUNT,
};

/// Absolute paths, owned by the structure.
struct gcl_installation {
    char *prefix; ///< holds bin, lib, include
    char *tools[GCL_TOOL_COUNT];
    char *resource_directory; ///< clang's own headers
    char *cuda_directory;     ///< ours: cuda_runtime.h
    char *include_directory;  ///< ours: gcluster.h
    char *library_directory;  ///< libgcluster.so, and clang's plugin: device/plugin/plugin.cc
    char *toolkit_directory;  ///< what build files take for CUDA's: toolkit/layout.cmake
};

/// Finds the folders and tools of struct gcl_installation. A tool is taken from PATH, else from
/// where it was when gcluster was configured; GCLUSTER_CLANG in the environment names another
/// clang. Our own folders are found from the running program, in the build tree as in an
/// installation. What is missing is added to `diagnostics`, with the package that has it. Freed
/// with gcl_installation_finish.
void gcl_installation_init(struct gcl_installation *installation, GPtrArray *diagnostics);
void gcl_installation_finish(struct gcl_installation *installation);

/// The file by which CUDA's library `name` ("cublas") is linked, to be freed; NULL if gcluster has
/// nothing in its place, or only the empty one for linkers that can't be told so.
char *gcl_installation_library(const char *name);

/// Whether `folder` is one of ours that is searched for headers anyway.
bool gcl_installation_searches(const struct gcl_installation *installation, const char *folder);

/// Adds a diagnostic if `log`, what clang said, shows that a C++ or C standard header is missing,
/// which means a package and not a mistake in the program.
void gcl_installation_explain(const char *log, GPtrArray *diagnostics);

#endif
