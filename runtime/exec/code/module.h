// Modules: device code that comes while a program runs (gcluster/module.h), on node 0 because the
// program loads it, on other nodes because node 0 says so.
//
// What is loaded stays: commands, plans and figures know kernels by their addresses. Unloading
// takes kernels and variables from the program, and who loads the same bytes again gets the same
// module. The same bytes may also be loaded several times, each with variables of its own. All
// functions may be called from any thread.
#ifndef GCL_EXEC_MODULE_H
#define GCL_EXEC_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct gcl_kernel;
struct gcl_module;
struct gcl_space;

/// A shared object's size by its header; 0: it is none for this machine, or longer than `most`.
size_t gcl_module_size(const void *bytes, size_t most);

/// Loads a shared object, whose bytes are copied. `number` is a new one: it tells apart what is
/// loaded several times. Logs why not: GCL_NO_IMAGE, GCL_NO_MEMORY, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_module_load(const void *bytes, size_t size, uint32_t number,
                                             struct gcl_module **module);

// Node 0.

/// A module of the same bytes that has been unloaded, which is loaded again; NULL: there is none.
struct gcl_module *gcl_module_load_again(const void *bytes, size_t size);
/// A number that no module has had.
uint32_t gcl_module_next_number(void);
/// Forgets kernels and variables, which no command uses any more.
void gcl_module_unload(struct gcl_module *module, struct gcl_space *space);

/// Its kernels, from index 0 on; NULL: there are no more.
const struct gcl_kernel *gcl_module_find_kernel(const struct gcl_module *module, size_t index);
/// What the registry knows a variable by, by its name (gcl_registry_symbol); NULL: there is none.
const void *gcl_module_variable(const struct gcl_module *module, const char *name);

#endif
