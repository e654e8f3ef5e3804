// A module is loaded as any shared object is, from memory. Its tables report as those of a program
// do, and are taken up under an id with the module's number in front; what a program's host half
// would register, is registered here: kernels and variables by the addresses of their tables.
#include "exec/code/module.h"

#include <assert.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "exec/code/registry.h"

/// Device code of a module: files that were linked together are one.
struct part {
    struct gcl_code code;           ///< as the registry knows it
    struct gcl_registry_unit *unit; ///< NULL: it is unloaded
    char *id;
    void **managed; ///< host memory of its managed variables, by their index; NULL: others
    struct part *next;
};

struct gcl_module {
    uint64_t hash;
    size_t size;
    unsigned char *bytes;
    uint32_t number;
    bool is_loaded; ///< the program has it
    struct part *parts;
    struct gcl_module *next;
};

static struct {
    pthread_mutex_t lock;
    struct gcl_module *modules;
    uint32_t loads; ///< shared objects that were loaded, also in vain
    atomic_uint next_number;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Bytes.

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#endif

size_t gcl_module_size(const void *bytes, size_t most) {
    Elf64_Ehdr header;
    if (most < sizeof header)
        return 0;
    memcpy(&header, bytes, sizeof header);
    size_t sections = (size_t)header.e_shnum * header.e_shentsize;
    bool is_ours = memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                   header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN &&
                   header.e_machine == MACHINE;
    if (!is_ours || header.e_shoff > most || sections > most - header.e_shoff)
        return 0;
    return header.e_shoff + sections; // which the linker writes last
}

static bool has_bytes(const struct gcl_module *module, const void *bytes, size_t size) {
    return module->size == size && memcmp(module->bytes, bytes, size) == 0;
}

// Loading.

#ifndef MFD_EXEC
#define MFD_EXEC 0x10U // newer kernels want to be told
#endif

/// A file in memory alone; -1: errno says why not.
static int write_file(const void *bytes, size_t size) {
    int file = memfd_create("gcluster-module", MFD_CLOEXEC | MFD_EXEC);
    if (file < 0 && errno == EINVAL)
        file = memfd_create("gcluster-module", MFD_CLOEXEC);
    for (size_t at = 0; file >= 0 && at < size;) {
        ssize_t written = write(file, (const char *)bytes + at, size - at);
        if (written < 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        at += written > 0 ? (size_t)written : 0;
    }
    return file;
}

/// The dynamic linker takes a name that it knows for what it has loaded by it, though the file is
/// another one: so each load has a name of its own, made of a number's bits.
static void write_name(int file, uint32_t number, char *name, size_t size) {
    size_t length = (size_t)snprintf(name, size, "/proc/self/fd");
    for (; number > 0; number /= 2)
        length += (size_t)snprintf(name + length, size - length, number % 2 ? "/." : "/");
    snprintf(name + length, size - length, "/%d", file);
}

static void take_part(void *context, const struct gcl_code *code) {
    struct gcl_module *module = context;
    struct part *part = calloc(1, sizeof *part);
    if (!part) {
        gcl_log(GCL_LOG_ERROR, "no memory to load a module");
        return;
    }
    part->code = *code;
    part->next = module->parts;
    module->parts = part;
}

/// Has the tables of a shared object report to the module. The lock is held.
static enum gcl_status open_object(struct gcl_module *module) {
    char name[128];
    int file = write_file(module->bytes, module->size);
    if (file < 0) {
        gcl_log(GCL_LOG_ERROR, "a module of %zu bytes can't be loaded: %s", module->size,
                strerror(errno));
        return GCL_SYSTEM;
    }
    write_name(file, ++known.loads, name, sizeof name);
    gcl_registry_divert(take_part, module);
    void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    gcl_registry_divert(NULL, NULL);
    close(file);
    if (object && module->parts)
        return GCL_OK;
    gcl_log(GCL_LOG_ERROR, "a module can't be loaded: %s",
            object ? "it has no device code" : dlerror());
    return GCL_NO_IMAGE;
}

// What the registry knows.

static bool make_managed(struct part *part) {
    const struct gcl_code *code = &part->code;
    part->managed = calloc(code->variable_count + (size_t)1, sizeof *part->managed);
    for (uint32_t i = 0; part->managed && i < code->variable_count; i++) {
        const struct gcl_variable *variable = &code->variables[i];
        if (!(variable->flags & GCL_VARIABLE_MANAGED))
            continue;
        void *memory = mmap(NULL, variable->size + 1, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        part->managed[i] = memory;
    }
    return part->managed;
}

static const void *host_of(const struct part *part, uint32_t variable) {
    const void *managed = part->managed[variable];
    return managed ? managed : &part->code.variables[variable];
}

/// The host half of a part. False: no memory.
static bool add_unit(struct part *part) {
    const struct gcl_code *code = &part->code;
    bool ok = (part->unit = gcl_registry_add_unit(code->id)) != NULL;
    for (uint32_t i = 0; ok && i < code->kernel_count; i++)
        ok = gcl_registry_add_function(part->unit, &code->kernels[i], code->kernels[i].name);
    for (uint32_t i = 0; ok && i < code->variable_count; i++) {
        const struct gcl_variable *variable = &code->variables[i];
        const struct gcl_symbol symbol = {.host = host_of(part, i),
                                          .name = variable->name,
                                          .unit = part->unit,
                                          .size = variable->size,
                                          .is_constant = variable->flags & GCL_VARIABLE_CONSTANT};
        ok = gcl_registry_add_symbol(&symbol);
    }
    return ok;
}

static bool add_part(struct part *part, uint32_t number) {
    if (!part->id) {
        if (asprintf(&part->id, "%u:%.*s", number, (int)strcspn(part->code.id, "\n"),
                     part->code.id) < 0) {
            part->id = NULL;
            return false;
        }
        part->code.id = part->id;
    }
    if (!part->managed && !make_managed(part))
        return false;
    return gcl_registry_add_code(&part->code) && add_unit(part);
}

static enum gcl_status add_parts(struct gcl_module *module) {
    bool ok = true;
    for (struct part *part = module->parts; part && ok; part = part->next)
        ok = add_part(part, module->number);
    module->is_loaded = true;
    return ok ? GCL_OK : GCL_NO_MEMORY;
}

enum gcl_status gcl_module_load(const void *bytes, size_t size, uint32_t number,
                                struct gcl_module **module) {
    struct gcl_module *made = calloc(1, sizeof *made);
    unsigned char *copy = made ? malloc(size) : NULL;
    if (!copy) {
        free(made);
        return GCL_NO_MEMORY;
    }
    memcpy(copy, bytes, size);
    *made = (struct gcl_module){gcl_hash(copy, size), size, copy, number, false, NULL, NULL};
    pthread_mutex_lock(&known.lock);
    enum gcl_status status = open_object(made);
    if (status == GCL_OK) // what is half loaded stays, too
        status = add_parts(made);
    made->next = known.modules;
    known.modules = made;
    pthread_mutex_unlock(&known.lock);
    if (status == GCL_OK)
        *module = made;
    return status;
}

uint32_t gcl_module_next_number(void) {
    return atomic_fetch_add(&known.next_number, 1) + 1;
}

struct gcl_module *gcl_module_load_again(const void *bytes, size_t size) {
    uint64_t hash = gcl_hash(bytes, size);
    pthread_mutex_lock(&known.lock);
    struct gcl_module *found = known.modules;
    while (found && (found->is_loaded || found->hash != hash || !found->parts ||
                     !has_bytes(found, bytes, size)))
        found = found->next;
    if (found && add_parts(found) != GCL_OK)
        found = NULL;
    pthread_mutex_unlock(&known.lock);
    return found;
}

void gcl_module_unload(struct gcl_module *module, struct gcl_space *space) {
    pthread_mutex_lock(&known.lock);
    for (struct part *part = module->parts; part; part = part->next) {
        gcl_code_unregister(&part->code); // whoever watches forgets where variables are, first
        gcl_registry_remove_unit(part->unit, space);
        part->unit = NULL;
    }
    module->is_loaded = false;
    pthread_mutex_unlock(&known.lock);
}

// What is in it.

const struct gcl_kernel *gcl_module_find_kernel(const struct gcl_module *module, size_t index) {
    for (const struct part *part = module->parts; part; part = part->next) {
        if (index < part->code.kernel_count)
            return &part->code.kernels[index];
        index -= part->code.kernel_count;
    }
    return NULL;
}

/// Whether that is a variable's name; a static one has another in device code, _ZL5table.
static bool is_called(const struct gcl_variable *variable, const char *name) {
    const char *text = variable->name;
    if (strncmp(text, "_ZL", 3) == 0) {
        text += 3;
        text += strspn(text, "0123456789");
    }
    return strcmp(text, name) == 0 || strcmp(variable->name, name) == 0;
}

const void *gcl_module_variable(const struct gcl_module *module, const char *name) {
    for (const struct part *part = module->parts; part; part = part->next) {
        for (uint32_t i = 0; i < part->code.variable_count; i++) {
            if (is_called(&part->code.variables[i], name))
                return host_of(part, i);
        }
    }
    return NULL;
}
