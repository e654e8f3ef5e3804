// Nothing is resolved while objects register, since constructors run in an order that nobody
// chooses. `is_dirty` says that something came since variables were last placed.
#include "exec/code/registry.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"
#include "base/name.h"
#include "exec/code/image.h"
#include "exec/code/library.h"
#include "exec/code/variant.h"
#include "exec/memory/space.h"
#include "plan/program/check.h"

struct code {
    const struct gcl_code *code;
    const struct gcl_code *registered; // which may be a copy of this one
    const struct gcl_library *library; // that the program has loaded; NULL: it is its own
    bool is_placed;                    // its variables have memory
    struct code *next;
};

struct owned_function {
    struct gcl_function function;
    struct owned_function *next;
};

struct owned_symbol {
    struct gcl_symbol symbol;
    struct owned_symbol *next;
};

struct gcl_registry_unit {
    const char *id;
    size_t id_length;
    struct owned_function *functions;
    struct owned_symbol *symbols;
    struct gcl_registry_unit *next;
};

static struct {
    pthread_mutex_t lock;
    struct code *codes;
    struct gcl_registry_unit *units;
    struct gcl_map functions; // by stub
    struct gcl_map symbols;   // by host address
    bool is_dirty;
    bool has_managed;          // variables,
    atomic_bool lacks_managed; // which aren't placed yet
    bool runs;                 // the program: what comes from here on is of libraries that it loads
    struct gcl_registry_watcher watcher;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Registration.

// A text up to its first line feed and `size` bytes, which needn't end in 0.
static bool is_text(const char *text, const char *bytes, size_t size) {
    return strcspn(text, "\n") == size && memcmp(text, bytes, size) == 0;
}

static bool has_id(const struct gcl_registry_unit *unit, const struct gcl_code *code) {
    return is_text(code->id, unit->id, unit->id_length);
}

// The program may use a managed variable before it calls the runtime for the first time, so its
// initial bytes can't wait. Called when both halves are there, whichever comes last.
static void fill_managed(const struct gcl_symbol *symbol, const struct gcl_code *code) {
    if (code->abi != GCL_KERNEL_ABI || !has_id(symbol->unit, code))
        return;
    for (uint32_t i = 0; i < code->variable_count; i++) {
        const struct gcl_variable *variable = &code->variables[i];
        if (!(variable->flags & GCL_VARIABLE_MANAGED) || strcmp(variable->name, symbol->name) != 0)
            continue;
        registry.has_managed = true;
        atomic_store(&registry.lacks_managed, true);
        if (variable->image)
            memcpy((void *)(uintptr_t)symbol->host, variable->image, variable->size);
    }
}

static _Thread_local struct {
    void (*take)(void *context, const struct gcl_code *code); // NULL: nobody
    void *context;
} taker;

void gcl_registry_divert(void (*take)(void *context, const struct gcl_code *code), void *context) {
    taker.take = take;
    taker.context = context;
}

void gcl_registry_begin_program(void) {
    pthread_mutex_lock(&registry.lock);
    registry.runs = true;
    pthread_mutex_unlock(&registry.lock);
}

/// `kept` is what the registry has of `code`: itself, or a copy.
static bool add_code(const struct gcl_code *code, const struct gcl_code *kept,
                     const struct gcl_library *library) {
    struct code *item = kept ? calloc(1, sizeof *item) : NULL;
    if (!item) {
        gcl_log(GCL_LOG_ERROR, "no memory to register device code");
        return false;
    }
    pthread_mutex_lock(&registry.lock);
    *item = (struct code){kept, code, library, .next = registry.codes};
    registry.codes = item;
    registry.is_dirty = true;
    for (struct gcl_registry_unit *unit = registry.units; unit; unit = unit->next) {
        for (struct owned_symbol *s = unit->symbols; s; s = s->next)
            fill_managed(&s->symbol, code);
    }
    pthread_mutex_unlock(&registry.lock);
    return true;
}

bool gcl_registry_add_code(const struct gcl_code *code) {
    return add_code(code, code, NULL);
}

void gcl_code_register(const struct gcl_code *code) {
    if (taker.take) {
        taker.take(taker.context, code);
        return;
    }
    pthread_mutex_lock(&registry.lock);
    bool may_leave = registry.runs && code->abi == GCL_KERNEL_ABI;
    pthread_mutex_unlock(&registry.lock);
    if (may_leave)
        add_code(code, gcl_library_copy_code(code), gcl_library_of(code));
    else
        add_code(code, code, NULL);
}

static void leave_image(const struct code *item) {
    const struct gcl_code *code = item->code;
    if (code->abi == GCL_KERNEL_ABI && code->image)
        gcl_image_leave(code->image);
}

void gcl_code_unregister(const struct gcl_code *code) {
    pthread_mutex_lock(&registry.lock);
    struct code **link = &registry.codes, *found = NULL;
    while (*link && (*link)->registered != code)
        link = &(*link)->next;
    if (*link) {
        found = *link;
        *link = found->next;
        leave_image(found);
        if (registry.watcher.left)
            registry.watcher.left(registry.watcher.context, found->code);
    }
    pthread_mutex_unlock(&registry.lock);
    free(found);
}

struct gcl_registry_unit *gcl_registry_add_unit(const char *id) {
    struct gcl_registry_unit *unit = calloc(1, sizeof *unit);
    if (!unit)
        return NULL;
    unit->id = id;
    unit->id_length = strcspn(id, "\n");
    pthread_mutex_lock(&registry.lock);
    unit->next = registry.units;
    registry.units = unit;
    pthread_mutex_unlock(&registry.lock);
    return unit;
}

bool gcl_registry_add_function(struct gcl_registry_unit *unit, const void *stub, const char *name) {
    struct owned_function *item = calloc(1, sizeof *item);
    if (!item)
        return false;
    item->function.stub = stub;
    item->function.name = name;
    item->function.unit = unit;
    atomic_init(&item->function.shared_carveout, -1);
    pthread_mutex_lock(&registry.lock);
    bool is_added = gcl_map_set(&registry.functions, stub, &item->function);
    item->next = unit->functions;
    unit->functions = item;
    pthread_mutex_unlock(&registry.lock);
    return is_added;
}

static struct code *find_code(const char *id, size_t size) {
    struct code *c = registry.codes;
    while (c && !is_text(c->code->id, id, size))
        c = c->next;
    return c;
}

bool gcl_registry_add_symbol(const struct gcl_symbol *symbol) {
    assert(symbol->unit);
    struct owned_symbol *item = calloc(1, sizeof *item);
    if (!item)
        return false;
    item->symbol = *symbol;
    pthread_mutex_lock(&registry.lock);
    item->next = symbol->unit->symbols;
    symbol->unit->symbols = item;
    // Units that only declare a variable register it too.
    const struct gcl_symbol *known = gcl_map_get(&registry.symbols, symbol->host);
    bool is_added = true;
    if (!known || known->is_external)
        is_added = gcl_map_set(&registry.symbols, symbol->host, &item->symbol);
    registry.is_dirty = true;
    for (struct code *c = registry.codes; c; c = c->next)
        fill_managed(symbol, c->code);
    pthread_mutex_unlock(&registry.lock);
    return is_added;
}

static void free_memory(struct gcl_space *space, void *address) {
    if (!space || !address)
        return;
    // Managed variables lie in the host's memory.
    if (gcl_space_free_variable(space, address) != GCL_OK &&
        gcl_space_unregister(space, address) != GCL_OK)
        gcl_log(GCL_LOG_DEBUG, "variable at %p was not known", address);
}

void gcl_registry_remove_unit(struct gcl_registry_unit *unit, struct gcl_space *space) {
    if (!unit)
        return;
    pthread_mutex_lock(&registry.lock);
    for (struct gcl_registry_unit **link = &registry.units; *link; link = &(*link)->next) {
        if (*link == unit) {
            *link = unit->next;
            break;
        }
    }
    for (struct owned_function *next, *f = unit->functions; f; f = next) {
        next = f->next;
        if (gcl_map_get(&registry.functions, f->function.stub) == &f->function)
            gcl_map_set(&registry.functions, f->function.stub, NULL);
        free(f);
    }
    for (struct owned_symbol *next, *s = unit->symbols; s; s = next) {
        next = s->next;
        if (gcl_map_get(&registry.symbols, s->symbol.host) == &s->symbol) {
            gcl_map_set(&registry.symbols, s->symbol.host, NULL);
            free_memory(space, s->symbol.address);
        }
        free(s);
    }
    pthread_mutex_unlock(&registry.lock);
    free(unit);
}

// Code that checks itself.

static bool is_sanitized(const struct gcl_code *code) {
    return code->kernel_count > 0 && (code->kernels[0].flags & GCL_KERNEL_SANITIZED);
}

static bool checks_writes(const struct gcl_code *code) {
    return is_sanitized(code) && (code->kernels[0].flags & GCL_KERNEL_INIT);
}

bool gcl_registry_checks_writes(void) {
    bool is_any = false;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next)
        is_any = is_any || (c->code->abi == GCL_KERNEL_ABI && checks_writes(c->code));
    pthread_mutex_unlock(&registry.lock);
    return is_any;
}

bool gcl_registry_is_sanitized(void) {
    bool is_any = false;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next)
        is_any = is_any || (c->code->abi == GCL_KERNEL_ABI && is_sanitized(c->code));
    pthread_mutex_unlock(&registry.lock);
    return is_any;
}

const struct gcl_code *gcl_registry_find_code(bool (*is_wanted)(const struct gcl_code *code)) {
    const struct gcl_code *found = NULL;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c && !found; c = c->next) {
        bool has_kernels = c->code->abi == GCL_KERNEL_ABI && c->code->kernel_count > 0 &&
                           !(c->code->kernels[0].flags & GCL_KERNEL_TASK);
        found = has_kernels && is_wanted(c->code) ? c->code : NULL;
    }
    pthread_mutex_unlock(&registry.lock);
    return found;
}

// What a job's nodes have to have in common.

static uint64_t hash_code(const struct gcl_code *code) {
    uint64_t hash = gcl_hash(code->id, strcspn(code->id, "\n"));
    hash = gcl_hash_add(hash, &code->abi, sizeof code->abi);
    if (code->abi != GCL_KERNEL_ABI)
        return hash;
    for (uint32_t i = 0; i < code->kernel_count; i++)
        hash = gcl_hash_add(hash, code->kernels[i].name, strlen(code->kernels[i].name) + 1);
    for (uint32_t i = 0; i < code->variable_count; i++) {
        const struct gcl_variable *variable = &code->variables[i];
        hash = gcl_hash_add(hash, variable->name, strlen(variable->name) + 1);
        hash = gcl_hash_add(hash, &variable->size, sizeof variable->size);
    }
    return code->image ? gcl_hash_add(hash, &code->image->hash, sizeof code->image->hash) : hash;
}

uint64_t gcl_registry_hash(void) {
    uint64_t sum = 0; // the order in which objects came doesn't matter
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next)
        sum += hash_code(c->code);
    pthread_mutex_unlock(&registry.lock);
    return sum;
}

// Bringing the halves together; the lock is held.

static bool is_usable(const struct gcl_code *code) {
    return code->abi == GCL_KERNEL_ABI && gcl_variant_runs(code->cpu);
}

static struct owned_symbol *find_symbol(const struct gcl_code *code, const char *name) {
    for (struct gcl_registry_unit *unit = registry.units; unit; unit = unit->next) {
        if (!has_id(unit, code))
            continue;
        for (struct owned_symbol *s = unit->symbols; s; s = s->next) {
            if (strcmp(s->symbol.name, name) == 0)
                return s;
        }
    }
    return NULL;
}

static void *allocate_variable(struct gcl_space *space, size_t size) {
    void *address = NULL;
    if (gcl_space_allocate_variable(space, size ? size : 1, &address) != GCL_OK)
        return NULL;
    return address;
}

static struct gcl_slices slices_of(const struct gcl_space *space) {
    return (struct gcl_slices){.count = gcl_space_device_count(space),
                               .stride = gcl_space_stride(space)};
}

/// Gives all devices' variables their first bytes; `address` is that of the first one.
static void fill_slices(const struct gcl_variable *variable, unsigned char *address,
                        const struct gcl_slices *slices, const struct gcl_page_ops *pages) {
    for (unsigned i = 0; variable->image && i < slices->count; i++)
        pages->write((uintptr_t)address + i * slices->stride, variable->image, variable->size);
}

/// An inline variable is registered by several units, of which another one may be asked for it.
static void set_address(struct owned_symbol *symbol, void *address) {
    struct gcl_symbol *asked = gcl_map_get(&registry.symbols, symbol->symbol.host);
    symbol->symbol.address = address;
    if (asked)
        asked->address = address;
}

static bool place_variable(const struct gcl_code *code, const struct gcl_variable *variable,
                           struct gcl_space *space) {
    struct owned_symbol *symbol = find_symbol(code, variable->name);
    void *address = NULL;

    if ((variable->flags & GCL_VARIABLE_MANAGED) && symbol) {
        address = (void *)(uintptr_t)symbol->symbol.host;
        const struct gcl_allocation request = {
            .begin = (uintptr_t)address, .size = variable->size, .kind = GCL_SPACE_MANAGED};
        if (gcl_space_register(space, &request) != GCL_OK)
            gcl_log(GCL_LOG_DEBUG, "managed variable %s is known already", variable->name);
    } else {
        address = allocate_variable(space, variable->size);
    }
    if (!address) {
        gcl_log(GCL_LOG_ERROR, "%s: no memory for variable %s (%llu bytes)", code->source,
                variable->name, (unsigned long long)variable->size);
        return false;
    }
    const struct gcl_slices slices = slices_of(space);
    if (!(variable->flags & GCL_VARIABLE_MANAGED))
        fill_slices(variable, address, &slices, gcl_space_pages(space));
    *variable->address = address;
    if (symbol)
        set_address(symbol, address);
    return true;
}

/// Bytes from a variable of this process' device to that of another one.
static ptrdiff_t shift_to(const struct gcl_variable *variable, unsigned device,
                          const struct gcl_slices *slices) {
    bool is_shared = (variable->flags & GCL_VARIABLE_MANAGED) != 0;
    ptrdiff_t slice_count = (ptrdiff_t)device - (ptrdiff_t)slices->own;
    return is_shared ? 0 : slice_count * (ptrdiff_t)slices->stride;
}

/// What a fixup puts in its place on a device.
static const unsigned char *fixed_value(const struct gcl_code *code, const struct gcl_fixup *fixup,
                                        unsigned device, const struct gcl_slices *slices) {
    if (fixup->target == GCL_FIXUP_IMAGE)
        return (const unsigned char *)*code->image->address + fixup->addend;
    const struct gcl_variable *target = &code->variables[fixup->target];
    const unsigned char *to = *target->address;
    return to + shift_to(target, device, slices) + fixup->addend;
}

/// Writes the pointers in variables' images that lead to variables: to those of the same device.
/// Node 0 (`is_home`) notes what escapes by that, and has managed variables to itself.
static void apply_fixups(const struct gcl_code *code, const struct gcl_slices *slices,
                         struct gcl_space *space, bool is_home) {
    for (uint32_t i = 0; i < code->fixup_count * slices->count; i++) {
        const struct gcl_fixup *fixup = &code->fixups[i / slices->count];
        const struct gcl_variable *variable = &code->variables[fixup->variable];
        if (!is_home && (variable->flags & GCL_VARIABLE_MANAGED))
            continue; // it lies at an address of node 0's own
        unsigned device = i % slices->count;
        const unsigned char *value = fixed_value(code, fixup, device, slices);
        const unsigned char *from = *variable->address;
        gcl_space_pages(space)->write(
            (uintptr_t)(from + shift_to(variable, device, slices) + fixup->offset), &value,
            sizeof value);
        if (is_home)
            gcl_space_escape(space, value - fixup->addend);
    }
}

static enum gcl_status place_code(struct code *item, struct gcl_space *space) {
    const struct gcl_code *code = item->code;

    assert(!item->is_placed && is_usable(code));
    if (is_sanitized(code))
        gcl_space_note_escapes(space);
    if (checks_writes(code))
        gcl_space_note_writes(space);
    enum gcl_status status = code->image ? gcl_image_place(code->image, space) : GCL_OK;
    if (status != GCL_OK)
        return status;
    for (uint32_t i = 0; i < code->variable_count; i++) {
        if (!place_variable(code, &code->variables[i], space))
            return GCL_NO_MEMORY;
    }
    const struct gcl_slices slices = slices_of(space);
    apply_fixups(code, &slices, space, true);
    item->is_placed = true;
    if (registry.watcher.placed)
        registry.watcher.placed(registry.watcher.context, code, item->library);
    return GCL_OK;
}

static enum gcl_status place_all(struct gcl_space *space) {
    if (!registry.is_dirty)
        return GCL_OK;
    for (struct code *c = registry.codes; c; c = c->next) {
        if (c->is_placed || !is_usable(c->code))
            continue;
        enum gcl_status status = place_code(c, space);
        if (status != GCL_OK)
            return status;
    }
    registry.is_dirty = false;
    atomic_store(&registry.lacks_managed, false);
    return GCL_OK;
}

enum gcl_status gcl_registry_place_managed(struct gcl_space *space) {
    if (!atomic_load_explicit(&registry.lacks_managed, memory_order_relaxed))
        return GCL_OK;
    pthread_mutex_lock(&registry.lock);
    enum gcl_status status = place_all(space);
    pthread_mutex_unlock(&registry.lock);
    return status;
}

static const struct gcl_kernel *find_kernel(const struct gcl_code *code, const char *name,
                                            size_t size) {
    for (uint32_t i = 0; i < code->kernel_count; i++) {
        if (is_text(code->kernels[i].name, name, size))
            return &code->kernels[i];
    }
    return NULL;
}

// Whether the plan can rely on what the kernel's tables say.
static bool is_sound(const struct gcl_kernel *kernel, const struct gcl_code *code,
                     const char *name) {
    struct gcl_program_fault fault;
    if (!kernel->program || gcl_program_check(kernel->program, kernel->argument_size, &fault))
        return true;
    gcl_log(GCL_LOG_ERROR,
            "the access program of kernel %s of %s is damaged (%s %zu: %s); compile it again", name,
            code->source, fault.table, fault.index, fault.what);
    return false;
}

static enum gcl_status resolve(struct gcl_function *function) {
    char name[128];
    const struct code *item = find_code(function->unit->id, function->unit->id_length);
    const struct gcl_code *code = item ? item->code : NULL;

    gcl_name_demangle(function->name, name, sizeof name);
    if (!code) {
        gcl_log(GCL_LOG_ERROR,
                "kernel %s: its object has no device code (id %.*s); compile and link it with "
                "gcluster-cc",
                name, (int)function->unit->id_length, function->unit->id);
        return GCL_NO_IMAGE;
    }
    if (code->abi != GCL_KERNEL_ABI) {
        gcl_log(GCL_LOG_ERROR,
                "kernel %s of %s was compiled by another version of gcluster (%u, this is %u); "
                "compile it again",
                name, code->source, code->abi, GCL_KERNEL_ABI);
        return GCL_NO_IMAGE;
    }
    if (!gcl_variant_runs(code->cpu)) {
        gcl_log(GCL_LOG_ERROR,
                "kernel %s of %s was compiled for %s, which this CPU isn't%s; compile it here or "
                "for a lower level",
                name, code->source, code->cpu,
                gcl_variant_is_capped() ? " under GCL_CPU_LEVEL" : "");
        return GCL_NO_IMAGE;
    }
    const struct gcl_kernel *kernel = find_kernel(code, function->name, strlen(function->name));
    if (kernel && is_sound(kernel, code, name)) {
        function->kernel = kernel;
        return GCL_OK;
    }
    if (kernel)
        return GCL_NO_IMAGE;
    gcl_log(GCL_LOG_ERROR, "%s has no device code for kernel %s; compile it again", code->source,
            name);
    return GCL_NO_FUNCTION;
}

// Lookup.

static enum gcl_status look_up_function(const void *stub, struct gcl_space *space,
                                        struct gcl_function **function) {
    struct gcl_function *found = gcl_map_get(&registry.functions, stub);
    if (!found) {
        gcl_log(GCL_LOG_ERROR, "%p is no kernel of this program", stub);
        return GCL_NO_FUNCTION;
    }
    if (!found->kernel || registry.is_dirty) {
        enum gcl_status status = place_all(space);
        if (status == GCL_OK && !found->kernel)
            status = resolve(found);
        if (status != GCL_OK)
            return status;
    }
    *function = found;
    return GCL_OK;
}

enum gcl_status gcl_registry_function(const void *stub, struct gcl_space *space,
                                      struct gcl_function **function) {
    pthread_mutex_lock(&registry.lock);
    enum gcl_status status = look_up_function(stub, space, function);
    pthread_mutex_unlock(&registry.lock);
    return status;
}

static enum gcl_status look_up_symbol(const void *host, struct gcl_space *space,
                                      struct gcl_symbol *symbol) {
    struct gcl_symbol *found = host ? gcl_map_get(&registry.symbols, host) : NULL;
    if (!found) {
        gcl_log(GCL_LOG_INFO, "%p is no device variable of this program", host);
        return GCL_NO_SYMBOL;
    }
    enum gcl_status status = place_all(space);
    if (status != GCL_OK)
        return status;
    if (!found->address) {
        gcl_log(GCL_LOG_ERROR, "device code has no variable %s, which host code names",
                found->name);
        return GCL_NO_SYMBOL;
    }
    *symbol = *found;
    return GCL_OK;
}

enum gcl_status gcl_registry_symbol(const void *host, struct gcl_space *space,
                                    struct gcl_symbol *symbol) {
    pthread_mutex_lock(&registry.lock);
    enum gcl_status status = look_up_symbol(host, space, symbol);
    pthread_mutex_unlock(&registry.lock);
    return status;
}

const char *gcl_registry_variable(const void *address) {
    const char *name = NULL;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c && !name; c = c->next) {
        for (uint32_t i = 0; c->is_placed && i < c->code->variable_count && !name; i++) {
            if (*c->code->variables[i].address == address)
                name = c->code->variables[i].name;
        }
    }
    pthread_mutex_unlock(&registry.lock);
    return name;
}

void gcl_registry_displace(void) {
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next) {
        c->is_placed = false;
        leave_image(c);
    }
    for (struct gcl_registry_unit *unit = registry.units; unit; unit = unit->next) {
        for (struct owned_symbol *s = unit->symbols; s; s = s->next)
            s->symbol.address = NULL;
    }
    registry.is_dirty = true;
    atomic_store(&registry.lacks_managed, registry.has_managed);
    pthread_mutex_unlock(&registry.lock);
}

// For other nodes of a job.

static const struct gcl_code *code_with(const struct gcl_kernel *kernel) {
    for (const struct code *c = registry.codes; c; c = c->next) {
        const struct gcl_kernel *first = c->code->kernels;
        if (first && kernel >= first && kernel < first + c->code->kernel_count)
            return c->code;
    }
    return NULL;
}

const struct gcl_code *gcl_registry_code(const struct gcl_kernel *kernel) {
    pthread_mutex_lock(&registry.lock);
    const struct gcl_code *found = code_with(kernel);
    pthread_mutex_unlock(&registry.lock);
    return found;
}

static const void *find_stub(const struct gcl_kernel *kernel, const struct gcl_code *code) {
    for (const struct gcl_registry_unit *unit = registry.units; unit; unit = unit->next) {
        if (!has_id(unit, code))
            continue;
        for (const struct owned_function *f = unit->functions; f; f = f->next) {
            if (strcmp(f->function.name, kernel->name) == 0)
                return f->function.stub;
        }
    }
    return NULL;
}

const void *gcl_registry_stub(const struct gcl_kernel *kernel) {
    pthread_mutex_lock(&registry.lock);
    const struct gcl_code *code = code_with(kernel);
    const void *found = code ? find_stub(kernel, code) : NULL;
    pthread_mutex_unlock(&registry.lock);
    return found;
}

const struct gcl_code *gcl_registry_code_of(const char *id, size_t id_size) {
    pthread_mutex_lock(&registry.lock);
    const struct code *item = find_code(id, id_size);
    const struct gcl_code *found = item && is_usable(item->code) ? item->code : NULL;
    pthread_mutex_unlock(&registry.lock);
    return found;
}

const struct gcl_kernel *gcl_registry_kernel(const char *id, size_t id_size, const char *name,
                                             size_t name_size) {
    pthread_mutex_lock(&registry.lock);
    const struct code *item = find_code(id, id_size);
    const struct gcl_kernel *found = item ? find_kernel(item->code, name, name_size) : NULL;
    pthread_mutex_unlock(&registry.lock);
    return found;
}

static void adopt_variables(struct code *item, const unsigned char *addresses,
                            const struct gcl_slices *slices, struct gcl_space *space) {
    for (uint32_t i = 0; i < item->code->variable_count; i++) {
        const struct gcl_variable *variable = &item->code->variables[i];
        unsigned char *first;
        memcpy(&first, addresses + i * sizeof first, sizeof first);
        *variable->address = first;
        if (variable->flags & GCL_VARIABLE_MANAGED)
            continue; // it lies in the host's memory, which is elsewhere here
        fill_slices(variable, first, slices, gcl_space_pages(space));
        *variable->address = first + slices->own * slices->stride;
    }
    apply_fixups(item->code, slices, space, false);
    item->is_placed = true;
}

bool gcl_registry_renew(const struct gcl_library *library) {
    bool ok = true;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next) {
        if (!c->library || c->library->content != library->content ||
            strcmp(c->library->path, library->path) != 0)
            continue;
        const struct gcl_code *code = gcl_library_copy_code(c->registered);
        c->code = code ? code : c->code;
        ok = ok && code;
    }
    pthread_mutex_unlock(&registry.lock);
    return ok;
}

uint64_t gcl_registry_address_count(const struct gcl_code *code) {
    return (uint64_t)code->variable_count + (code->image ? 1 : 0);
}

/// The image's address follows those of the variables.
static enum gcl_status adopt(struct code *item, const unsigned char *addresses,
                             const struct gcl_slices *slices, struct gcl_space *space) {
    const struct gcl_code *code = item->code;
    enum gcl_status status = GCL_OK;
    if (code->image) {
        void *address;
        memcpy(&address, addresses + code->variable_count * sizeof address, sizeof address);
        status = gcl_image_adopt(code->image, space, address);
    }
    if (status == GCL_OK)
        adopt_variables(item, addresses, slices, space);
    return status;
}

enum gcl_status gcl_registry_adopt(const struct gcl_placement *placement, struct gcl_space *space) {
    enum gcl_status status = GCL_OK;
    pthread_mutex_lock(&registry.lock);
    struct code *item = find_code(placement->id, placement->id_size);
    bool is_found =
        item && is_usable(item->code) && gcl_registry_address_count(item->code) == placement->count;
    if (is_found)
        status = adopt(item, placement->addresses, &placement->slices, space);
    pthread_mutex_unlock(&registry.lock);
    if (is_found)
        return status;
    gcl_log(GCL_LOG_ERROR, "node 0 runs device code (id %.*s) that this program doesn't have",
            (int)placement->id_size, placement->id);
    return GCL_NO_IMAGE;
}

void gcl_registry_watch(const struct gcl_registry_watcher *watcher) {
    pthread_mutex_lock(&registry.lock);
    registry.watcher = *watcher;
    pthread_mutex_unlock(&registry.lock);
}

// Devices.

bool gcl_registry_has_managed(const struct gcl_kernel *kernel) {
    const struct gcl_code *code = gcl_registry_code(kernel);
    bool has_any = false;
    for (uint32_t i = 0; code && i < code->variable_count; i++)
        has_any = has_any || (code->variables[i].flags & GCL_VARIABLE_MANAGED);
    return has_any;
}

/// The bytes that a variable of a device has at first, to be freed; NULL: no memory.
static unsigned char *first_bytes(const struct gcl_code *code, uint32_t index, unsigned device,
                                  const struct gcl_slices *slices) {
    const struct gcl_variable *variable = &code->variables[index];
    unsigned char *bytes = calloc(1, variable->size + 1);
    if (bytes && variable->image)
        memcpy(bytes, variable->image, variable->size);
    for (uint32_t i = 0; bytes && i < code->fixup_count; i++) {
        const struct gcl_fixup *fixup = &code->fixups[i];
        const unsigned char *value = fixed_value(code, fixup, device, slices);
        if (fixup->variable == index)
            memcpy(bytes + fixup->offset, &value, sizeof value);
    }
    return bytes;
}

bool gcl_registry_reset(struct gcl_space *space, unsigned device,
                        bool (*set)(void *context, void *address, const void *bytes, size_t size),
                        void *context) {
    const struct gcl_slices slices = slices_of(space);
    bool ok = true;
    pthread_mutex_lock(&registry.lock);
    for (struct code *c = registry.codes; c; c = c->next) {
        for (uint32_t i = 0; c->is_placed && ok && i < c->code->variable_count; i++) {
            const struct gcl_variable *variable = &c->code->variables[i];
            if (variable->flags & GCL_VARIABLE_MANAGED || variable->size == 0)
                continue;
            unsigned char *bytes = first_bytes(c->code, i, device, &slices);
            unsigned char *address = *variable->address;
            ok = bytes &&
                 set(context, address + shift_to(variable, device, &slices), bytes, variable->size);
            free(bytes);
        }
    }
    pthread_mutex_unlock(&registry.lock);
    return ok;
}
