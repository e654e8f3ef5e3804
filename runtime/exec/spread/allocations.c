// Node 0 tells the others of each allocation, of its end, and where the variables of device code
// lie.
#include "exec/spread/allocations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "exec/code/library.h"
#include "exec/code/registry.h"
#include "exec/exchange/remote.h"
#include "exec/memory/guard.h"
#include "exec/spread/contents.h"
#include "exec/spread/home.h"
#include "exec/spread/launch.h"
#include "exec/spread/rest.h"
#include "exec/spread/scatter.h"

/// What the space tells of memory doesn't always come when nodes are to know of it.
struct gcl_spread_late {
    struct gcl_operation *changes; ///< that came while a launch was being planned
    size_t count;
    struct gcl_map retired; ///< what nodes have forgotten and the space hasn't given back: by begin
};

bool gcl_spread_create_late(struct gcl_spread *spread) {
    spread->late = calloc(1, sizeof *spread->late);
    return spread->late != NULL;
}

enum gcl_host_use gcl_spread_use_of(uint32_t kind) {
    if (kind & GCL_SPACE_MANAGED)
        return GCL_HOST_GUARDED;
    return kind & GCL_SPACE_PINNED ? GCL_HOST_UNSEEN : GCL_HOST_NEVER;
}

void gcl_spread_add_memory(struct gcl_spread *spread, const struct gcl_operation *o) {
    struct gcl_layouts *layouts = gcl_directory_layouts(spread->directory);
    assert(o->kind == GCL_OPERATION_ALLOCATE);
    bool is_added = gcl_directory_add(spread->directory, o->allocate.begin, o->allocate.size,
                                      gcl_spread_use_of(o->allocate.space_kind));
    bool is_held = is_added && o->allocate.holder != GCL_NOBODY;
    const struct gcl_layout *held =
        is_held ? gcl_layouts_home(layouts, (int64_t)o->allocate.size) : NULL;
    if (!is_added || (is_held && !held)) {
        gcl_spread_give_up(spread);
        return;
    }
    gcl_directory_set_home(spread->directory, o->allocate.begin, o->allocate.home);
    const struct gcl_region all = gcl_region_run(0, (int64_t)o->allocate.size);
    if (held)
        gcl_directory_update(spread->directory, o->allocate.begin, held, &all);
}

// What the host uses as well is everybody's.
static uint32_t home_for_all(const struct gcl_spread *spread,
                             const struct gcl_allocation *allocation) {
    bool is_shared = allocation->kind == GCL_SPACE_MANAGED || allocation->kind == GCL_SPACE_PINNED;
    return spread->options.has_devices && !is_shared ? allocation->device : GCL_NOBODY;
}

bool gcl_spread_remove_memory(struct gcl_spread *spread, uint64_t begin) {
    gcl_spread_forget_readers(spread, begin);
    gcl_spread_drop_mirror(spread, begin);
    if (spread->remote)
        gcl_remote_forget(spread->remote, begin);
    return gcl_directory_remove(spread->directory, begin);
}

// Where the host's use of managed memory can't be noticed, that is memory like pinned one.
static uint32_t kind_for_all(const struct gcl_spread *spread, enum gcl_space_kind kind) {
    bool is_unseen = kind == GCL_SPACE_MANAGED && !gcl_spread_guard_of(spread);
    return is_unseen ? GCL_SPACE_PINNED : (uint32_t)kind;
}

/// Tells of an allocation that is there or is going to be free, once no launch is being planned: it
/// is none that such a launch uses, and whoever tells may hold what commands wait for.
static void change_memory(struct gcl_spread *spread, struct gcl_operation *o) {
    if (spread->is_planning) {
        struct gcl_operation copy = *o;
        struct gcl_spread_late *late = spread->late;
        struct gcl_operation *changes =
            realloc(late->changes, (late->count + 1) * sizeof *late->changes);
        if (!changes) {
            gcl_spread_give_up(spread);
            return;
        }
        changes[late->count++] = copy;
        late->changes = changes;
        return;
    }
    gcl_spread_announce(spread, o);
    if (o->kind == GCL_OPERATION_ALLOCATE)
        gcl_spread_add_memory(spread, o);
    else
        gcl_spread_remove_memory(spread, o->free.begin);
}

void gcl_spread_tell_late(struct gcl_spread *spread) {
    for (size_t i = 0; i < spread->late->count; i++) {
        struct gcl_operation late = spread->late->changes[i];
        change_memory(spread, &late);
    }
    spread->late->count = 0;
}

void gcl_spread_tell_memory(struct gcl_spread *spread, const struct gcl_allocation *allocation,
                            uint32_t holder) {
    if (allocation->kind == GCL_SPACE_MANAGED)
        gcl_spread_guard(spread);
    struct gcl_operation o = {.kind = GCL_OPERATION_ALLOCATE,
                              .allocate = {.begin = allocation->begin,
                                           .size = allocation->size,
                                           .space_kind = kind_for_all(spread, allocation->kind),
                                           .home = home_for_all(spread, allocation),
                                           .holder = holder}};
    change_memory(spread, &o);
}

void gcl_spread_forget_memory(struct gcl_spread *spread, uint64_t begin) {
    struct gcl_operation o = {.kind = GCL_OPERATION_FREE, .free = {.begin = begin}};
    change_memory(spread, &o);
}

void gcl_spread_retire(struct gcl_spread *spread, uint64_t begin) {
    const struct gcl_directory_entry *entry = gcl_directory_find(spread->directory, begin);
    // A stop at guarded memory is answered until it is given back.
    if (!entry || entry->begin != begin || entry->use == GCL_HOST_GUARDED)
        return;
    gcl_spread_forget_memory(spread, begin);
    if (!gcl_map_set(&spread->late->retired, gcl_map_key(begin), spread->late))
        gcl_spread_give_up(spread);
}

/// Whether nodes know already that memory is free.
static bool is_retired(struct gcl_spread *spread, uint64_t begin) {
    struct gcl_map *retired = &spread->late->retired;
    return gcl_map_get(retired, gcl_map_key(begin)) &&
           gcl_map_set(retired, gcl_map_key(begin), NULL);
}

void gcl_spread_allocated(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    pthread_mutex_lock(&spread->lock);
    if (!gcl_rest_keep_memory(spread, allocation))
        gcl_spread_tell_memory(spread, allocation, GCL_NOBODY);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_freed(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_FREE, .free = {.begin = allocation->begin}};
    pthread_mutex_lock(&spread->lock);
    if (!is_retired(spread, allocation->begin) && !gcl_rest_drop_memory(spread, allocation->begin))
        change_memory(spread, &o);
    struct gcl_memory_guard *guard = gcl_spread_guard_of(spread);
    if (guard)
        gcl_guard_forget(guard, allocation->begin);
    if (spread->remote)
        gcl_remote_close(spread->remote, allocation->begin);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_tell_code(struct gcl_spread *spread, const struct gcl_operation *code,
                          const struct gcl_library *library) {
    struct gcl_operation copy = *code; // which gets its number
    if (library)
        gcl_spread_announce(spread, &(struct gcl_operation){
                                        .kind = GCL_OPERATION_LIBRARY,
                                        .library = {.path = library->path,
                                                    .path_size = (uint32_t)strlen(library->path),
                                                    .content = library->content}});
    gcl_spread_announce(spread, &copy);
}

void gcl_spread_placed(void *context, const struct gcl_code *code,
                       const struct gcl_library *library) {
    struct gcl_spread *spread = context;
    uint64_t *addresses = malloc((code->variable_count + 1) * sizeof *addresses);
    if (!addresses) {
        gcl_spread_give_up(spread);
        return;
    }
    for (uint32_t i = 0; i < code->variable_count; i++)
        addresses[i] = (uintptr_t)*code->variables[i].address;
    if (code->image)
        addresses[code->variable_count] = (uintptr_t)*code->image->address;
    struct gcl_operation o = {.kind = GCL_OPERATION_CODE,
                              .code = {.id = code->id,
                                       .id_size = (uint32_t)strcspn(code->id, "\n"),
                                       .stride = gcl_space_stride(spread->options.space),
                                       .addresses = (const unsigned char *)addresses,
                                       .count = (uint32_t)gcl_registry_address_count(code)}};
    gcl_spread_lock(spread);
    if (!gcl_rest_keep_code(spread, &o, library))
        gcl_spread_tell_code(spread, &o, library);
    gcl_spread_unlock(spread);
    free(addresses);
}

void gcl_spread_left(void *context, const struct gcl_code *code) {
    struct gcl_spread *spread = context;
    gcl_spread_lock(spread);
    gcl_rest_drop_code(spread, code->id);
    gcl_spread_drop_kernels(spread, code);
    gcl_spread_unlock(spread);
}

bool gcl_spread_find_allocation(const struct gcl_spread *spread, uint64_t address,
                                struct gcl_span *allocation) {
    const struct gcl_directory_entry *entry = gcl_directory_find(spread->directory, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}
