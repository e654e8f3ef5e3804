// The program of a kernel and its tables in an object.
#ifndef GCL_DEVICE_ACCESS_TABLE_H
#define GCL_DEVICE_ACCESS_TABLE_H

#include "device/ir/module.h"
#include "explain/explain.h"

/// A look of a program (device/look/look.h): struct gcl_look_code.
struct gcl_device_look {
    uint32_t level;
    uint16_t access;
    GArray *loads; ///< uint16_t; looks may share one
    char *name;    ///< of the function, owned
    LLVMValueRef function;
    int64_t shift; ///< as in struct gcl_look_code
};

/// A struct gcl_program while it is made; the indices in it are final.
struct gcl_device_program {
    GArray *nodes;                  ///< struct gcl_node
    GArray *constants;              ///< int64_t
    GArray *guards;                 ///< struct gcl_guard
    GArray *bases;                  ///< struct gcl_base
    GArray *accesses;               ///< struct gcl_access
    GArray *reasons;                ///< struct gcl_reason
    GPtrArray *files;               ///< char *, owned
    GPtrArray *names;               ///< char *, owned
    GArray *parameters;             ///< uint32_t: at which byte of the packed arguments each begins
    GPtrArray *variables;           ///< const struct gcl_device_variable *, borrowed
    GArray *looks;                  ///< struct gcl_device_look
    uint8_t split;                  ///< as in struct gcl_program
    uint8_t flags;                  ///< enum gcl_program_flags
    struct gcl_explained_work work; ///< for who explains; not among the tables
};

/// An empty program.
struct gcl_device_program *gcl_device_program_create(void);
void gcl_device_program_destroy(struct gcl_device_program *program);
/// Whether nodes and guards refer to earlier ones alone, and accesses to bases and guards that are
/// there; for asserts.
bool gcl_device_program_is_sound(const struct gcl_device_program *program);
/// The same program without variables and looks, which borrows its tables. To be freed with g_free.
struct gcl_program *gcl_device_program_view(const struct gcl_device_program *program);
/// Bytes that its tables take in an object.
size_t gcl_device_program_size(const struct gcl_device_program *program);
/// Adds the tables to the module and returns a pointer to the struct gcl_program, a constant.
LLVMValueRef gcl_device_program_emit(struct gcl_module *m,
                                     const struct gcl_device_program *program);

#endif
