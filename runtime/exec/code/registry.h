// Device code of this process: which kernel belongs to which host stub, which device variable to
// which host variable.
//
// Objects report in two halves, in any order and before main: tables of code (gcl_code_register)
// and what the host half registers under the same id. They are brought together at first use, when
// also variables get their memory. One registry a process; all functions may be called from any
// thread.
#ifndef GCL_EXEC_REGISTRY_H
#define GCL_EXEC_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "gcluster/kernel.h"

struct gcl_library;
struct gcl_space;

/// The host half of an object file.
struct gcl_registry_unit;

/// A kernel as the host knows it. Settings change under the registry's lock only.
struct gcl_function {
    const void *stub;
    const char *name; ///< mangled
    struct gcl_registry_unit *unit;
    const struct gcl_kernel *kernel;          ///< NULL until first use
    _Atomic uint32_t max_dynamic_shared_size; ///< as set by the program, 0 before
    _Atomic int shared_carveout;
    _Atomic int cache_preference;
    atomic_bool has_warned; ///< that it doesn't see what it waits for
};

/// A device variable as the host knows it.
struct gcl_symbol {
    const void *host;
    const char *name;
    struct gcl_registry_unit *unit;
    size_t size;
    bool is_constant;
    bool is_external; ///< declared here, defined in another unit
    void *address;    ///< of the first device's; NULL until first use
};

/// What this thread makes known by gcl_code_register is `take`n instead; NULL: no longer.
void gcl_registry_divert(void (*take)(void *context, const struct gcl_code *code), void *context);
/// The program's own objects have come: those that come from here on may be unloaded (library.h).
void gcl_registry_begin_program(void);
/// Makes code known that stays until gcl_code_unregister. False, after a message: no memory.
bool gcl_registry_add_code(const struct gcl_code *code);
/// Begins a unit; `id` ends at its first NUL or line feed and stays valid. NULL: no memory.
struct gcl_registry_unit *gcl_registry_add_unit(const char *id);
/// Forgets the unit and what was registered for it.
void gcl_registry_remove_unit(struct gcl_registry_unit *unit, struct gcl_space *space);
/// Strings stay valid as long as the unit. False: no memory.
bool gcl_registry_add_function(struct gcl_registry_unit *unit, const void *stub, const char *name);
bool gcl_registry_add_symbol(const struct gcl_symbol *symbol);

/// The kernel of a stub. Logs why not: GCL_NO_FUNCTION for an unknown stub, GCL_NO_IMAGE if its
/// object has no device code that this machine or this runtime can use.
GCL_MUST_USE enum gcl_status gcl_registry_function(const void *stub, struct gcl_space *space,
                                                   struct gcl_function **function);
/// Has the program's managed variables be known to the space, which they are to all calls; of
/// others nobody knows before a kernel or the variable is looked up. Cheap if there is nothing to
/// do.
GCL_MUST_USE enum gcl_status gcl_registry_place_managed(struct gcl_space *space);
/// The variable whose host half is at `host`; GCL_NO_SYMBOL if there is none.
GCL_MUST_USE enum gcl_status gcl_registry_symbol(const void *host, struct gcl_space *space,
                                                 struct gcl_symbol *symbol);
/// The object that a kernel is in, NULL if it isn't registered.
const struct gcl_code *gcl_registry_code(const struct gcl_kernel *kernel);
/// The host stub of a kernel, NULL if none is registered.
const void *gcl_registry_stub(const struct gcl_kernel *kernel);
/// The object of that id that this machine can run, NULL if there is none. The text needn't end in
/// 0.
const struct gcl_code *gcl_registry_code_of(const char *id, size_t id_size);
/// The kernel of that name in the object of that id, NULL if there is none. Texts needn't end in 0.
const struct gcl_kernel *gcl_registry_kernel(const char *id, size_t id_size, const char *name,
                                             size_t name_size);
/// Where several devices have their own variables of an object.
struct gcl_slices {
    unsigned count; ///< of devices, 1: all share one
    unsigned own;   ///< the one whose variables this process' kernels use
    size_t stride;  ///< bytes from one's to the next one's
};
/// Where node 0 has an object's variables and image.
struct gcl_placement {
    const char *id; ///< the object's; needn't end in 0
    size_t id_size;
    const unsigned char *addresses; ///< 8 bytes each: of the variables, for the first device, and
                                    ///< of the image if there is one
    size_t count;
    struct gcl_slices slices;
};
/// Node 0 has loaded a library once more, which is still loaded here: from here on its kernels are
/// others than those of before. False: no memory.
bool gcl_registry_renew(const struct gcl_library *library);
/// How many addresses an object has in a placement.
uint64_t gcl_registry_address_count(const struct gcl_code *code);
/// Places an object's variables and image at node 0's addresses in this process, too. GCL_NO_IMAGE,
/// after a message, if there is no such object with as many variables.
GCL_MUST_USE enum gcl_status gcl_registry_adopt(const struct gcl_placement *placement,
                                                struct gcl_space *space);
/// Of what device code is registered: the same in processes of the same program.
uint64_t gcl_registry_hash(void);
/// Calls `set` for each variable of one device that has memory, with the bytes that it had at
/// first; managed variables are left out. False: no memory.
GCL_MUST_USE bool gcl_registry_reset(struct gcl_space *space, unsigned device,
                                     bool (*set)(void *context, void *address, const void *bytes,
                                                 size_t size),
                                     void *context);
/// Whether a kernel's object has managed variables.
bool gcl_registry_has_managed(const struct gcl_kernel *kernel);
/// Is told, with the registry's lock held, of objects.
struct gcl_registry_watcher {
    /// The variables of one have got addresses. `library` is what the program has loaded it with,
    /// which stays; NULL: it is the program's own.
    void (*placed)(void *context, const struct gcl_code *code, const struct gcl_library *library);
    /// One is unloaded. What the others have of it stays: names and access programs.
    void (*left)(void *context, const struct gcl_code *code);
    void *context;
};
/// `watcher` is copied; one of NULL: nobody watches.
void gcl_registry_watch(const struct gcl_registry_watcher *watcher);
/// The first object with kernels of which `is_wanted` says so, tasks of libraries aside; NULL:
/// there is none.
const struct gcl_code *gcl_registry_find_code(bool (*is_wanted)(const struct gcl_code *code));
/// Whether an object tells the runtime of its accesses (gcluster/sanitize.h).
bool gcl_registry_is_sanitized(void);
/// Whether an object's kernels look for reads of what nobody wrote.
bool gcl_registry_checks_writes(void);
/// The name in device code of the variable at `address`, NULL if none is there.
const char *gcl_registry_variable(const void *address);
/// Forgets where variables lie, after their space is gone; they will get new memory.
void gcl_registry_displace(void);

#endif
