// From device IR to access programs (gcluster/access.h): what each kernel reads, writes, reduces.
#ifndef GCL_DEVICE_ACCESS_H
#define GCL_DEVICE_ACCESS_H

#include <glib.h>

#include "explain/explain.h"
#include "gcluster/access.h"
#include "module.h"

/// A struct gcl_program while it is made; the indices in it are final.
struct gcl_device_program {
    GArray *nodes;        ///< struct gcl_node
    GArray *constants;    ///< int64_t
    GArray *guards;       ///< struct gcl_guard
    GArray *bases;        ///< struct gcl_base
    GArray *accesses;     ///< struct gcl_access
    GArray *reasons;      ///< struct gcl_reason
    GPtrArray *files;     ///< char *, owned
    GPtrArray *names;     ///< char *, owned
    GArray *parameters;   ///< uint32_t: at which byte of the packed arguments each begins
    GPtrArray *variables; ///< const struct gcl_device_variable *, borrowed
    uint8_t split;        ///< as in struct gcl_program
    uint8_t flags;        ///< enum gcl_program_flags
};

/// Gives each kernel its program. The module stays as it is: the analysis has a copy of its own, in
/// which all that kernels call is inlined.
/// Before: retarget, legalize.
void gcl_access_extract(struct gcl_module *m);
/// Has kernels copy those parameters by value that they don't only read to local variables. After
/// that LLVM sees which accesses there is no need for: the analysis, and what it is checked with.
void gcl_access_copy_parameters(struct gcl_module *m);

struct gcl_device_program *gcl_device_program_create(void);
void gcl_device_program_destroy(struct gcl_device_program *program);
/// Bytes that its tables take in an object.
size_t gcl_device_program_size(const struct gcl_device_program *program);
/// The file that a function or block stands in, as the user named it; of one without debug
/// information, the first input. To be freed.
char *gcl_device_source_file(const struct gcl_module *m, LLVMMetadataRef scope);
/// A kernel and its program as explanations want them; borrows from both.
struct gcl_explained_kernel *gcl_device_program_describe(const struct gcl_module *m,
                                                         const struct gcl_device_kernel *kernel);
void gcl_device_description_destroy(struct gcl_explained_kernel *description);
/// Adds the tables to the module and returns a pointer to the struct gcl_program, a constant.
LLVMValueRef gcl_device_program_emit(struct gcl_module *m,
                                     const struct gcl_device_program *program);

#endif
