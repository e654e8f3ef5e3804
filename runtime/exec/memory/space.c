// Large allocations take whole pages of the reserved range, and begin at different places of huge
// ones (colours), as kernels walk along several arrays at once, whose elements would share sets of
// caches and banks of memory; or with a unit where memory comes and goes in such. Small ones share
// slabs of 1 MiB cut into objects of one size class, four to each doubling. What is free is
// inaccessible, or kept for the next object of its class. Behind each is room for its margin.
//
// Where what the host uses as well needs other pages than the device's, the last quarter of the
// range is for that. With several devices the quarter before it is for variables, in as many slices
// as there are devices: what device 0 has somewhere in its slice, the others have there in theirs.
//
// Records of allocations hang in a tree (search.h) that compares ranges: two that overlap are
// equal, so looking up a one-byte range finds the allocation that contains it.
#include "exec/memory/space.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/memory/margin.h"
#include "exec/memory/space_state.h"
#include "exec/memory/written.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define IMAGES_SIZE (256 * MIB)
#define SLAB_SIZE MIB
#define MAX_SMALL (64 * KIB)
#define LARGE_UNIT (64 * KIB)
#define HUGE_PAGE (2 * MIB)
// On Zen 4 a triad of arrays at the same place takes twice as long as with 8 KiB between them; 16
// or 32 KiB are worth less.
#define COLOUR_STEP (8 * KIB)

// Pages of margins make mappings, of which the system allows a process 65,530.
#define MOST_PROTECTED 16384u

// The classes of 256 bytes to 64 KiB: multiples of 256 up to 1 KiB, then 4 to each doubling.
struct gcl_space_slab {
    struct gcl_space_area *area;
    uintptr_t begin;
    size_t object_size;
    unsigned list; ///< of the area's lists
    unsigned used, free_count;
    struct gcl_space_slab *next, *previous; // among the slabs of its class with free objects
    uint16_t free[];
};

static size_t round_up(size_t size, size_t unit) {
    return (size + unit - 1) / unit * unit;
}

static int compare(const void *a, const void *b) {
    const struct gcl_allocation *x = a, *y = b;
    if (x->begin + x->size <= y->begin)
        return -1;
    return y->begin + y->size <= x->begin;
}

struct gcl_allocation *gcl_space_find_range(struct gcl_space *space, uintptr_t begin, size_t size) {
    struct gcl_allocation key = {.begin = begin, .size = size};
    struct gcl_allocation **node = tfind(&key, &space->tree, compare);
    return node ? *node : NULL;
}

/// Divides the range that is reserved into areas, of which nothing is taken.
static void lay_out(struct gcl_space *space, const struct gcl_page_ops *pages) {
    const struct gcl_range *range = &space->range;
    space->top = space->begin = range->begin + IMAGES_SIZE;
    space->end = range->end;
    space->device =
        (struct gcl_space_area){.pages = pages, .begin = space->begin, .end = range->middle};
    space->shared = (struct gcl_space_area){.begin = 0};
    if (pages->shared)
        space->shared = (struct gcl_space_area){
            .pages = pages->shared, .begin = range->middle, .end = space->end};
    gcl_log(GCL_LOG_DEBUG, "reserved addresses %#" PRIxPTR " to %#" PRIxPTR, range->begin,
            range->end);
}

static bool open_area(struct gcl_space_area *area) {
    return !area->pages ||
           gcl_extents_add(&area->extents, round_up(area->begin, HUGE_PAGE), area->end);
}

static bool is_shared(enum gcl_space_kind kind) {
    return ((unsigned)kind & (GCL_SPACE_MANAGED | GCL_SPACE_PINNED)) != 0;
}

static struct gcl_space_area *area_of(struct gcl_space *space, enum gcl_space_kind kind) {
    return is_shared(kind) && space->shared.pages ? &space->shared : &space->device;
}

static struct gcl_space_area *area_at(struct gcl_space *space, uintptr_t address) {
    return space->shared.pages && address >= space->shared.begin ? &space->shared : &space->device;
}

struct gcl_space *gcl_space_create(size_t capacity, const struct gcl_page_ops *pages) {
    struct gcl_space *space = calloc(1, sizeof *space);
    if (!space)
        return NULL;
    space->device_count = 1;
    space->managed_capacity = SIZE_MAX;
    space->budgets = calloc(1, sizeof *space->budgets);
    if (!space->budgets) {
        gcl_log(GCL_LOG_ERROR, "no memory to manage device memory");
        goto free_space;
    }
    space->page = (size_t)sysconf(_SC_PAGESIZE);
    if (!gcl_range_reserve(pages, 0, &space->range) &&
        !gcl_range_reserve_elsewhere(pages, &space->range)) {
        gcl_log(GCL_LOG_ERROR,
                "no addresses for device memory can be had, not even 1 GiB (%s): see to it that "
                "the address space isn't limited (ulimit -v); where it is a GPU's driver that "
                "refuses, GCL_DEVICE=cpu does without",
                space->range.refusal);
        goto free_space;
    }
    lay_out(space, pages);
    gcl_space_set_capacity(space, 0, capacity);
    if (!open_area(&space->device) || !open_area(&space->shared))
        goto release;
    pthread_mutex_init(&space->lock, NULL);
    return space;

release:
    gcl_range_release(pages, &space->range);
free_space:
    gcl_extents_finish(&space->device.extents);
    free(space->budgets);
    free(space);
    return NULL;
}

const struct gcl_range *gcl_space_reserved(const struct gcl_space *space) {
    return &space->range;
}

bool gcl_space_move(struct gcl_space *space, uint32_t first) {
    const struct gcl_page_ops *pages = space->device.pages;
    assert(!space->tree && space->device_count == 1); // nothing has a place yet
    gcl_range_release(pages, &space->range);
    gcl_extents_finish(&space->device.extents);
    gcl_extents_finish(&space->shared.extents);
    bool is_moved = gcl_range_reserve(pages, first, &space->range);
    if (!is_moved)
        space->range = (struct gcl_range){.number = GCL_RANGE_ELSEWHERE};
    lay_out(space, pages);
    return is_moved && open_area(&space->device) && open_area(&space->shared);
}

const struct gcl_page_ops *gcl_space_pages(const struct gcl_space *space) {
    return space->device.pages;
}

void gcl_space_range(const struct gcl_space *space, uint64_t *begin, uint64_t *end) {
    *begin = space->begin;
    *end = space->end;
}

void gcl_space_images(const struct gcl_space *space, uintptr_t *begin, uintptr_t *end) {
    *begin = space->range.begin;
    *end = space->begin;
}

// Large variables take whole pages, since those are given back.
static size_t variable_unit(const struct gcl_space *space, size_t size) {
    return size > MAX_SMALL ? space->page : GCL_SPACE_ALIGNMENT;
}

bool gcl_space_divide(struct gcl_space *space, unsigned device_count) {
    struct gcl_space_budget *budgets = calloc(device_count, sizeof *budgets);
    uintptr_t middle = round_up(space->begin + (space->end - space->begin) / 2, (size_t)HUGE_PAGE);
    // The same on nodes whose memory isn't shared with a host.
    uintptr_t end = gcl_range_middle(space->range.begin, space->end);
    size_t stride = (end - middle) / device_count / HUGE_PAGE * HUGE_PAGE;
    struct gcl_extents extents = {.count = 0}, variables = {.count = 0};
    if (!budgets || stride == 0 ||
        !gcl_extents_add(&extents, round_up(space->begin, HUGE_PAGE), middle) ||
        !gcl_extents_add(&variables, middle, middle + stride)) {
        free(budgets);
        gcl_extents_finish(&extents);
        return false;
    }
    assert(!space->tree); // nothing has a place yet
    gcl_extents_finish(&space->device.extents);
    free(space->budgets);
    space->device.extents = extents;
    space->variables = variables;
    space->budgets = budgets;
    space->device_count = device_count;
    space->stride = stride;
    return true;
}

void gcl_space_give_margins(struct gcl_space *space) {
    space->has_margins = true;
}

unsigned gcl_space_device_count(const struct gcl_space *space) {
    return space->device_count;
}

size_t gcl_space_stride(const struct gcl_space *space) {
    return space->stride;
}

static void free_allocation(void *allocation) {
    struct gcl_allocation *a = allocation;
    if (a->slab && --a->slab->used == 0)
        free(a->slab);
    free(a->margin.writer);
    free(a);
}

static void free_empty_slabs(struct gcl_space_area *area) {
    for (unsigned i = 0; i < GCL_SPACE_LIST_COUNT; i++) {
        struct gcl_space_slab *next, *slab = area->partial[i];
        for (; slab; slab = next) {
            next = slab->next;
            if (slab->used == 0)
                free(slab);
        }
    }
}

void gcl_space_destroy(struct gcl_space *space) {
    if (!space)
        return;
    free_empty_slabs(&space->device);
    free_empty_slabs(&space->shared);
    tdestroy(space->tree, free_allocation);
    gcl_range_release(space->device.pages, &space->range);
    gcl_extents_finish(&space->device.extents);
    gcl_extents_finish(&space->shared.extents);
    gcl_extents_finish(&space->variables);
    free(space->budgets);
    pthread_mutex_destroy(&space->lock);
    free(space);
}

// Pages, from the range and back to it.

/// What `all` bytes take of the range. A GPU has mapped memory up to the next 2 MiB.
static size_t room(const struct gcl_space *space, size_t all) {
    if (!space->has_margins)
        return round_up(all, LARGE_UNIT);
    return round_up(all + LARGE_UNIT, all >= HUGE_PAGE ? HUGE_PAGE : LARGE_UNIT);
}

// `size` bytes from `colour` (whole pages, less than LARGE_UNIT) behind the beginning of what they
// take. What lies before them is given as well, since a huge page is given as a whole or not at
// all.
static uintptr_t commit(struct gcl_space *space, struct gcl_space_area *area, size_t size,
                        size_t colour) {
    assert(colour < LARGE_UNIT && colour % space->page == 0);
    size_t all = colour + size, alignment = all >= HUGE_PAGE ? HUGE_PAGE : LARGE_UNIT;
    uintptr_t begin = gcl_extents_take(&area->extents, room(space, all), alignment);
    if (!begin) {
        gcl_log(GCL_LOG_WARN, "the reserved address range is full");
        return 0;
    }
    if (!area->pages->commit(begin, all)) {
        gcl_log(GCL_LOG_WARN, "the system has no memory for %zu bytes", size);
        if (!gcl_extents_add(&area->extents, begin, begin + room(space, all)))
            gcl_log(GCL_LOG_DEBUG, "%zu bytes of address space lost", all);
        return 0;
    }
    return begin + colour;
}

static void decommit(struct gcl_space *space, uintptr_t begin, size_t size) {
    uintptr_t start = begin / LARGE_UNIT * LARGE_UNIT;
    size_t all = room(space, begin - start + size);
    struct gcl_space_area *area = area_at(space, start);
    // If that fails, the addresses stay unused.
    if (!area->pages->decommit(start, all))
        return;
    if (!gcl_extents_add(&area->extents, start, start + all))
        gcl_log(GCL_LOG_DEBUG, "%zu bytes of address space lost", all);
}

// Slabs.

static unsigned class_of(size_t size, size_t *object_size) {
    size_t units = (size + GCL_SPACE_ALIGNMENT - 1) / GCL_SPACE_ALIGNMENT;
    unsigned shift = 0;
    while ((units - 1) >> shift >= 8)
        shift++;
    size_t steps = ((units - 1) >> shift) + 1; // 1 to 8, 5 to 8 if shift > 0
    *object_size = (steps << shift) * GCL_SPACE_ALIGNMENT;
    assert(*object_size >= size && (unsigned)(steps - 1) + 4 * shift < GCL_SPACE_CLASS_COUNT);
    return (unsigned)(steps - 1) + 4 * shift;
}

static void link_slab(struct gcl_space_slab *slab) {
    struct gcl_space_slab **head = &slab->area->partial[slab->list];
    slab->previous = NULL;
    slab->next = *head;
    if (*head)
        (*head)->previous = slab;
    *head = slab;
}

static void unlink_slab(struct gcl_space_slab *slab) {
    struct gcl_space_slab **head = &slab->area->partial[slab->list];
    assert(slab->previous ? slab->previous->next == slab : *head == slab);
    if (slab->previous)
        slab->previous->next = slab->next;
    else
        *head = slab->next;
    if (slab->next)
        slab->next->previous = slab->previous;
}

static struct gcl_space_slab *add_slab(struct gcl_space *space, struct gcl_space_area *area,
                                       unsigned list, size_t object_size) {
    size_t count = SLAB_SIZE / object_size;
    struct gcl_space_slab *slab = malloc(sizeof *slab + count * sizeof slab->free[0]);
    if (!slab)
        return NULL;
    *slab = (struct gcl_space_slab){
        .area = area, .object_size = object_size, .list = list, .free_count = (unsigned)count};
    for (size_t i = 0; i < count; i++)
        slab->free[i] = (uint16_t)(count - 1 - i);
    slab->begin = commit(space, area, SLAB_SIZE, 0);
    if (!slab->begin) {
        free(slab);
        return NULL;
    }
    link_slab(slab);
    return slab;
}

// Sizes that are powers of two are sizes of a class, whose objects begin at multiples of it.
static size_t size_in_slab(const struct gcl_space *space, const struct gcl_allocation *a) {
    size_t size = space->page, least = a->size + (space->has_margins ? GCL_MARGIN_LEAST : 0);
    if (!((unsigned)a->kind & space->watcher.paged))
        return least;
    while (size < least)
        size *= 2;
    return size;
}

// What the host uses as well lies apart, as on GPUs, where nothing written past other ends meets
// it.
static bool take_small(struct gcl_space *space, struct gcl_allocation *a) {
    size_t object_size;
    unsigned list = class_of(size_in_slab(space, a), &object_size);
    list += is_shared(a->kind) ? GCL_SPACE_CLASS_COUNT : 0;
    struct gcl_space_area *area = area_of(space, a->kind);
    struct gcl_space_slab *slab = area->partial[list];
    if (!slab)
        slab = add_slab(space, area, list, object_size);
    if (!slab)
        return false;
    assert(slab->free_count > 0 && slab->object_size == object_size && a->size <= object_size);
    a->begin = slab->begin + slab->free[--slab->free_count] * object_size;
    a->slab = slab;
    a->committed = object_size;
    slab->used++;
    if (slab->free_count == 0)
        unlink_slab(slab);
    return true;
}

static void give_small(struct gcl_space *space, struct gcl_allocation *a) {
    struct gcl_space_slab *slab = a->slab;

    assert(slab->used > 0 && slab->used + slab->free_count == SLAB_SIZE / slab->object_size);
    assert((a->begin - slab->begin) % slab->object_size == 0);
    if (slab->free_count == 0)
        link_slab(slab);
    slab->free[slab->free_count++] = (uint16_t)((a->begin - slab->begin) / slab->object_size);
    if (--slab->used > 0 || !(slab->next || slab->previous))
        return; // the last slab of a class stays, for programs that allocate and free in turn
    unlink_slab(slab);
    decommit(space, slab->begin, SLAB_SIZE);
    free(slab);
}

static bool take(struct gcl_space *space, struct gcl_allocation *a) {
    if (a->size <= MAX_SMALL)
        return take_small(space, a);
    struct gcl_space_area *area = area_of(space, a->kind);
    a->committed = round_up(a->size, space->page);
    a->begin = commit(space, area, a->committed, area->pages->unit ? 0 : space->colour);
    space->colour = (space->colour + round_up(COLOUR_STEP, space->page)) % LARGE_UNIT;
    return a->begin != 0;
}

static bool is_in_slice(const struct gcl_space *space, const struct gcl_allocation *a) {
    return space->stride && a->kind == GCL_SPACE_VARIABLE;
}

// Small variables share pages, which stay.
static void give_slice(struct gcl_space *space, const struct gcl_allocation *a) {
    if (a->size > MAX_SMALL && !space->device.pages->decommit(a->begin, a->committed))
        return;
    if (a->device == 0 && !gcl_extents_add(&space->variables, a->begin, a->begin + a->committed))
        gcl_log(GCL_LOG_DEBUG, "%zu bytes of address space lost", a->committed);
}

static void give(struct gcl_space *space, struct gcl_allocation *a) {
    if (is_in_slice(space, a))
        give_slice(space, a);
    else if (a->slab)
        give_small(space, a);
    else
        decommit(space, a->begin, a->committed);
}

// Pages that move as a whole (`is_paged`) are no part of a margin. Slabs are open to their ends.
static void add_margin(struct gcl_space *space, struct gcl_allocation *a, bool is_paged) {
    uintptr_t end = a->begin + a->size, start = a->begin / LARGE_UNIT * LARGE_UNIT;
    uintptr_t pages_end = round_up(end, space->page);
    struct gcl_margin_layout layout = {.begin = is_paged ? pages_end : end,
                                       .end = end + GCL_MARGIN_LEAST,
                                       .open = end + GCL_MARGIN_LEAST};
    if (!space->has_margins || is_in_slice(space, a))
        return;
    if (a->size > MAX_SMALL) {
        layout.end = start + room(space, pages_end - start);
        layout.open = pages_end;
        a->is_protected = space->protected_count < MOST_PROTECTED;
        if (a->is_protected)
            space->protected_count++;
        else if (area_at(space, start)->pages->commit(pages_end, layout.end - pages_end))
            layout.end = pages_end;
    }
    gcl_margin_open(a, &layout);
    space->generation++;
}

static void remove_margin(struct gcl_space *space, struct gcl_allocation *a) {
    assert(space->protected_count >= a->is_protected);
    gcl_margin_close(a);
    space->protected_count -= a->is_protected;
    space->generation++;
}

// Variables of other devices have their place already.
static bool take_place(struct gcl_space *space, struct gcl_allocation *a) {
    if (!is_in_slice(space, a))
        return take(space, a);
    size_t unit = variable_unit(space, a->size);
    a->committed = round_up(a->size, unit);
    if (!a->begin)
        a->begin = gcl_extents_take(&space->variables, a->committed, unit);
    uintptr_t first = a->begin / space->page * space->page;
    if (!a->begin ||
        !space->device.pages->commit(first, round_up(a->begin + a->size - first, space->page))) {
        gcl_log(GCL_LOG_WARN, "no memory for a variable of %zu bytes", a->size);
        return false;
    }
    space->device.pages->clear(a->begin, a->size <= MAX_SMALL ? a->size : 0);
    return true;
}

static enum gcl_status allocate(struct gcl_space *space, struct gcl_allocation *a) {
    if (a->size > space->end - space->begin)
        return GCL_NO_MEMORY;
    enum gcl_status status = gcl_space_charge(space, a);
    if (status != GCL_OK)
        return status;
    if (!take_place(space, a)) {
        gcl_space_discharge(space, a);
        return GCL_NO_MEMORY;
    }
    assert(!gcl_space_find_range(space, a->begin, a->size));
    if (!tsearch(a, &space->tree, compare)) {
        gcl_space_discharge(space, a);
        give(space, a);
        return GCL_NO_MEMORY;
    }
    add_margin(space, a, ((unsigned)a->kind & space->watcher.paged) != 0);
    if (a->begin + a->size > space->top)
        space->top = a->begin + a->size;
    return GCL_OK;
}

static enum gcl_status allocate_at(struct gcl_space *space, const struct gcl_allocation *request,
                                   uintptr_t begin, void **pointer) {
    assert(request->size > 0);
    struct gcl_allocation *a = malloc(sizeof *a);
    if (!a)
        return GCL_NO_MEMORY;
    *a = (struct gcl_allocation){.begin = begin,
                                 .size = request->size,
                                 .kind = request->kind,
                                 .device = request->device,
                                 .flags = request->flags,
                                 .owner = request->owner,
                                 .file = request->file,
                                 .line = request->line};
    if (a->kind == GCL_SPACE_DEVICE && gcl_space_notes_writes(space))
        a->written = calloc(gcl_written_words(a->size), sizeof *a->written);
    pthread_mutex_lock(&space->lock);
    enum gcl_status status = allocate(space, a);
    if (status == GCL_OK && a->slab)
        a->slab->area->pages->clear(a->begin, a->size); // an earlier object's bytes
    if (status == GCL_OK && space->watcher.allocated)
        space->watcher.allocated(space->watcher.context, a);
    pthread_mutex_unlock(&space->lock);
    if (status != GCL_OK) {
        free(a->written);
        free(a);
        return status;
    }
    *pointer = (void *)a->begin;
    return GCL_OK;
}

enum gcl_status gcl_space_allocate(struct gcl_space *space, const struct gcl_allocation *request,
                                   void **pointer) {
    return allocate_at(space, request, 0, pointer);
}

enum gcl_status gcl_space_free_variable(struct gcl_space *space, void *pointer) {
    enum gcl_status status = GCL_OK;
    // The variable of device 0 goes last: its place is free then, with those of the other devices.
    for (unsigned device = space->device_count; device-- > 0 && status == GCL_OK;)
        status =
            gcl_space_free(space, (char *)pointer + device * space->stride, GCL_SPACE_VARIABLE);
    return status;
}

enum gcl_status gcl_space_allocate_variable(struct gcl_space *space, size_t size, void **pointer) {
    struct gcl_allocation request = {.size = size, .kind = GCL_SPACE_VARIABLE};
    void *first;
    enum gcl_status status = allocate_at(space, &request, 0, &first);
    for (unsigned device = 1; device < space->device_count && status == GCL_OK; device++) {
        void *unused;
        request.device = device;
        status = allocate_at(space, &request, (uintptr_t)first + device * space->stride, &unused);
    }
    if (status == GCL_OK)
        *pointer = first;
    return status;
}

// Clearing: collects first, since the tree must not change during a walk.
struct collection {
    const unsigned *device; ///< whose, but its variables; NULL: everything
    struct gcl_allocation **items;
    size_t count, capacity;
};

static void collect(const void *node, VISIT visit, void *closure) {
    struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    struct collection *c = closure;

    if ((visit != postorder && visit != leaf) || !gcl_space_is_accounted(a->kind) ||
        (c->device && (a->device != *c->device || a->kind == GCL_SPACE_VARIABLE)))
        return;
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        struct gcl_allocation **items = realloc(c->items, capacity * sizeof items[0]);
        if (!items)
            return;
        c->items = items;
        c->capacity = capacity;
    }
    c->items[c->count++] = a;
}

// The allocation has left the program's hands: forgets it.
static void remove_allocation(struct gcl_space *space, struct gcl_allocation *a) {
    tdelete(a, &space->tree, compare);
    remove_margin(space, a);
    if (a->committed && space->watcher.freed)
        space->watcher.freed(space->watcher.context, a);
    if (a->committed) {
        gcl_space_discharge(space, a);
        give(space, a);
    }
    free(a->written);
    free(a);
}

static void clear(struct gcl_space *space, const unsigned *device) {
    struct collection c = {.device = device};

    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, collect, &c);
    for (size_t i = 0; i < c.count; i++)
        remove_allocation(space, c.items[i]);
    pthread_mutex_unlock(&space->lock);
    free(c.items);
}

void gcl_space_clear(struct gcl_space *space) {
    clear(space, NULL);
}

void gcl_space_clear_device(struct gcl_space *space, unsigned device) {
    clear(space, &device);
}

static struct gcl_allocation *find_start(struct gcl_space *space, const void *pointer,
                                         unsigned kinds) {
    struct gcl_allocation *a = gcl_space_find_range(space, (uintptr_t)pointer, 1);
    return a && a->begin == (uintptr_t)pointer && ((unsigned)a->kind & kinds) ? a : NULL;
}

enum gcl_status gcl_space_free(struct gcl_space *space, void *pointer, unsigned kinds) {
    enum gcl_status status = GCL_INVALID;

    pthread_mutex_lock(&space->lock);
    struct gcl_allocation *a = find_start(space, pointer, kinds);
    if (a && a->committed) {
        remove_allocation(space, a);
        status = GCL_OK;
    }
    pthread_mutex_unlock(&space->lock);
    return status;
}

enum gcl_status gcl_space_retire(struct gcl_space *space, void *pointer, unsigned kinds) {
    pthread_mutex_lock(&space->lock);
    struct gcl_allocation *a = find_start(space, pointer, kinds);
    if (a && a->kind == GCL_SPACE_MANAGED && a->committed)
        space->managed_used -= a->size;
    if (a)
        a->kind = GCL_SPACE_RETIRED;
    pthread_mutex_unlock(&space->lock);
    return a ? GCL_OK : GCL_INVALID;
}

// For other nodes of a job. Their small objects share pages as the first node's do, which stay.

void gcl_space_watch(struct gcl_space *space, const struct gcl_space_watcher *watcher) {
    pthread_mutex_lock(&space->lock);
    space->watcher = *watcher;
    pthread_mutex_unlock(&space->lock);
}

enum gcl_status gcl_space_adopt(struct gcl_space *space, const struct gcl_allocation *allocation) {
    uintptr_t first = allocation->begin / space->page * space->page;
    size_t small = space->has_margins && allocation->size <= MAX_SMALL ? GCL_MARGIN_LEAST : 0;
    size_t size = round_up(allocation->begin + allocation->size + small - first, space->page);
    const struct gcl_page_ops *pages = area_at(space, first)->pages;
    struct gcl_allocation *a = malloc(sizeof *a);
    bool is_inside = first >= space->begin && first < space->end && size <= space->end - first;
    if (!a || !is_inside || !pages->commit(first, size)) {
        gcl_log(GCL_LOG_ERROR, "no memory for %zu bytes at %p: %s", allocation->size,
                (void *)allocation->begin,
                is_inside ? strerror(errno) : "it isn't within the addresses that are reserved");
        free(a);
        return GCL_NO_MEMORY;
    }
    *a = (struct gcl_allocation){
        .begin = allocation->begin, .size = allocation->size, .kind = allocation->kind};
    if (a->size <= MAX_SMALL)
        pages->clear(a->begin, a->size);
    pthread_mutex_lock(&space->lock);
    add_margin(space, a, a->kind == GCL_SPACE_MANAGED);
    bool is_new = tsearch(a, &space->tree, compare) != NULL;
    if (a->begin + a->size > space->top)
        space->top = a->begin + a->size;
    pthread_mutex_unlock(&space->lock);
    return is_new ? GCL_OK : GCL_NO_MEMORY;
}

void gcl_space_abandon(struct gcl_space *space, uintptr_t begin) {
    pthread_mutex_lock(&space->lock);
    struct gcl_allocation *a = gcl_space_find_range(space, begin, 1);
    uintptr_t margin_end = a ? a->margin.end : 0;
    if (a)
        remove_margin(space, a);
    if (a && a->size > MAX_SMALL)
        area_at(space, begin)
            ->pages->decommit(begin, margin_end > begin ? margin_end - begin
                                                        : round_up(a->size, space->page));
    if (a)
        tdelete(a, &space->tree, compare);
    pthread_mutex_unlock(&space->lock);
    free(a);
}

static bool is_inside(const struct gcl_space *space, uintptr_t begin, size_t size) {
    return begin + size > space->begin && begin < space->end;
}

static enum gcl_status add_registered(struct gcl_space *space, struct gcl_allocation *a) {
    const struct gcl_page_ops *pages = space->device.pages;
    if (is_inside(space, a->begin, a->size) || gcl_space_find_range(space, a->begin, a->size))
        return GCL_NOT_PERMITTED;
    if (pages->lend && !pages->lend(a->begin, a->size))
        return GCL_NO_MEMORY;
    if (tsearch(a, &space->tree, compare))
        return GCL_OK;
    if (pages->lend)
        pages->take_back(a->begin, a->size);
    return GCL_NO_MEMORY;
}

enum gcl_status gcl_space_register(struct gcl_space *space, const struct gcl_allocation *request) {
    if (!request->begin || request->size == 0 || request->begin + request->size < request->size)
        return GCL_INVALID;
    struct gcl_allocation *a = malloc(sizeof *a);
    if (!a)
        return GCL_NO_MEMORY;
    *a = (struct gcl_allocation){.begin = request->begin,
                                 .size = request->size,
                                 .kind = request->kind,
                                 .device = request->device,
                                 .flags = request->flags};
    pthread_mutex_lock(&space->lock);
    enum gcl_status status = add_registered(space, a);
    pthread_mutex_unlock(&space->lock);
    if (status != GCL_OK)
        free(a);
    return status;
}

enum gcl_status gcl_space_unregister(struct gcl_space *space, void *pointer) {
    enum gcl_status status = GCL_INVALID;

    pthread_mutex_lock(&space->lock);
    struct gcl_allocation *a = find_start(space, pointer, GCL_SPACE_REGISTERED | GCL_SPACE_MANAGED);
    if (a && a->committed == 0) {
        if (space->device.pages->lend)
            space->device.pages->take_back(a->begin, a->size);
        remove_allocation(space, a);
        status = GCL_OK;
    }
    pthread_mutex_unlock(&space->lock);
    return status;
}

bool gcl_space_find(struct gcl_space *space, const void *pointer, struct gcl_allocation *found) {
    pthread_mutex_lock(&space->lock);
    const struct gcl_allocation *a = gcl_space_find_range(space, (uintptr_t)pointer, 1);
    if (a)
        *found = *a;
    pthread_mutex_unlock(&space->lock);
    return a != NULL;
}

bool gcl_space_check(struct gcl_space *space, const void *pointer, size_t size, unsigned *kind) {
    uintptr_t begin = (uintptr_t)pointer;
    struct gcl_allocation found;

    *kind = 0;
    if (begin + size < begin)
        return false;
    if (!gcl_space_find(space, pointer, &found))
        return !is_inside(space, begin, size);
    *kind = (unsigned)found.kind;
    // Registered memory is the program's: it may go on behind the registered part.
    if (found.committed == 0)
        return true;
    return found.kind != GCL_SPACE_RETIRED && size <= found.size - (begin - found.begin);
}
