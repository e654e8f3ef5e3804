// Contents are asked for when an evaluation first needs them and kept for the rest of the launch.
// What the launch itself may change isn't read: blocks would find other values there.
#include "plan/inspect/contents.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,     ///< in which is noted what is read
    NEAR = 64 * PAGE ///< bytes between which all count as read
};

// What the launch changes.

static struct gcl_content_change *find_change(const struct gcl_contents *c,
                                              const struct gcl_span *allocation) {
    for (size_t i = 0; i < c->change_count; i++) {
        if (c->changes[i].allocation.begin == allocation->begin)
            return &c->changes[i];
    }
    return NULL;
}

bool gcl_contents_change(struct gcl_contents *c, const struct gcl_span *allocation,
                         const struct gcl_region *bytes) {
    struct gcl_content_change *change = find_change(c, allocation);
    if (!change) {
        struct gcl_content_change *changes =
            realloc(c->changes, (c->change_count + 1) * sizeof *changes);
        if (!changes)
            return false;
        c->changes = changes;
        change = &changes[c->change_count++];
        *change = (struct gcl_content_change){.allocation = *allocation};
    }
    // or more than what is changed: that is right, too
    bool is_exact = gcl_region_unite(&change->bytes, bytes, &change->bytes);
    (void)is_exact;
    return true;
}

void gcl_contents_changed(const struct gcl_contents *c, const struct gcl_span *allocation,
                          struct gcl_region *changed) {
    const struct gcl_content_change *change = find_change(c, allocation);
    bool is_exact = !change || gcl_region_unite(changed, &change->bytes, changed); // or more
    (void)is_exact;
}

// Allocations.

static bool holds(const struct gcl_content *content, uint64_t address) {
    return (int64_t)address >= content->allocation.begin &&
           (int64_t)address < content->allocation.end;
}

/// NULL: no memory.
static struct gcl_content *add(struct gcl_contents *c, const struct gcl_span *allocation) {
    struct gcl_content *list = realloc(c->list, (c->count + 1) * sizeof *list);
    if (!list)
        return NULL;
    c->list = list;
    c->last = c->count++;
    list[c->last] = (struct gcl_content){.allocation = *allocation};
    gcl_contents_changed(c, allocation, &list[c->last].changed);
    return &list[c->last];
}

static struct gcl_content *find(struct gcl_contents *c, uint64_t address) {
    if (c->last < c->count && holds(&c->list[c->last], address))
        return &c->list[c->last];
    for (size_t i = 0; i < c->count; i++) {
        if (!holds(&c->list[i], address))
            continue;
        c->last = i;
        return &c->list[i];
    }
    return NULL;
}

bool gcl_contents_give(struct gcl_contents *c, const struct gcl_span *allocation,
                       const unsigned char *bytes, const struct gcl_region *here) {
    struct gcl_content *content = find(c, (uint64_t)allocation->begin);
    content = content ? content : add(c, allocation);
    if (!content)
        return false;
    content->bytes = bytes;
    content->run = (struct gcl_span){0, 0};
    return gcl_region_copy(here, &content->here);
}

// Bytes.

/// Whether all bytes of a run are known.
static bool is_here(struct gcl_content *content, struct gcl_span run) {
    assert(run.begin < run.end);
    if (run.begin >= content->run.begin && run.end <= content->run.end)
        return true;
    return gcl_region_run_at(&content->here, run.begin, &content->run) &&
           run.end <= content->run.end;
}

/// Asks for bytes of an allocation. False: they aren't known.
static bool ask(struct gcl_contents *c, struct gcl_content *content, struct gcl_span wanted) {
    if (c->is_given)
        return false;
    assert(c->memory->contents);
    struct gcl_span found = wanted;
    content->bytes =
        c->memory->contents(c->memory->context, &content->allocation, &found, &content->version);
    struct gcl_region run = gcl_region_run(found.begin, found.end);
    bool is_exact = content->bytes && gcl_region_unite(&content->here, &run, &content->here);
    content->is_refused = !is_exact;
    if (!is_exact)
        content->bytes = NULL;
    return is_exact;
}

static bool is_changed(const struct gcl_content *content, struct gcl_span run) {
    struct gcl_span last = {.end = run.begin}; // that begins before the end of `run`
    assert(run.begin < run.end);
    return gcl_region_run_at(&content->changed, run.end - 1, &last) || last.end > run.begin;
}

static struct gcl_content *find_or_add(struct gcl_contents *c, uint64_t address) {
    struct gcl_content *content = find(c, address);
    struct gcl_span allocation;
    if (content || c->is_given || !c->memory->find(c->memory->context, address, &allocation))
        return content;
    return add(c, &allocation);
}

static void note_read(struct gcl_content *content, struct gcl_span run) {
    if (content->read.bits)
        gcl_marks_set(&content->read, run.begin, run.end - run.begin);
}

bool gcl_contents_read(struct gcl_contents *c, uint64_t address, unsigned size, uint64_t *value) {
    assert(size > 0 && size <= sizeof *value);
    struct gcl_content *content = c->may_read ? find_or_add(c, address) : NULL;
    if (!content) {
        c->has_lacked = true;
        return false;
    }
    int64_t offset = (int64_t)address - content->allocation.begin;
    const struct gcl_span run = {offset, offset + size};
    if (content->allocation.end - (int64_t)address < (int64_t)size || is_changed(content, run))
        return false;
    if (content->is_refused || (!is_here(content, run) && !ask(c, content, run))) {
        c->has_lacked = true;
        return false;
    }
    note_read(content, run);
    *value = 0;
    memcpy(value, content->bytes + offset, size); // little-endian
    return true;
}

/// Bytes of an allocation of which all are known, or none, as long as nobody else asks for any.
struct window {
    uint64_t begin;             ///< its address
    uint64_t size;              ///< 0: nothing is known of any
    const unsigned char *bytes; ///< the first one; NULL: they aren't known
};

/// What lies around a number that was read last.
static struct window known_around(const struct gcl_contents *c) {
    const struct gcl_content *content = &c->list[c->last];
    assert(c->last < c->count);
    if (!gcl_region_is_empty(&content->changed))
        return (struct window){0};
    return (struct window){(uint64_t)(content->allocation.begin + content->run.begin),
                           (uint64_t)(content->run.end - content->run.begin),
                           content->bytes + content->run.begin};
}

/// What the launch may change around an address.
static struct window changed_around(struct gcl_contents *c, uint64_t address) {
    const struct gcl_content *content = find(c, address);
    struct gcl_span run;
    if (!content ||
        !gcl_region_run_at(&content->changed, (int64_t)address - content->allocation.begin, &run))
        return (struct window){0};
    return (struct window){(uint64_t)(content->allocation.begin + run.begin),
                           (uint64_t)(run.end - run.begin), NULL};
}

bool gcl_contents_find_window(struct gcl_contents *c, uint64_t address,
                              struct gcl_contents_window *window) {
    struct gcl_content *content = c->may_read ? find_or_add(c, address) : NULL;
    if (!content || content->is_refused || !gcl_region_is_empty(&content->changed))
        return false;
    int64_t offset = (int64_t)address - content->allocation.begin;
    const struct gcl_span first = {offset, offset + 1};
    if (gcl_region_is_empty(&content->here) && !ask(c, content, first))
        return false;
    const struct gcl_span run = gcl_region_bounds(&content->here);
    *window = (struct gcl_contents_window){
        (size_t)(content - c->list), (uint64_t)(content->allocation.begin + run.begin),
        (uint64_t)(run.end - run.begin), content->bytes + run.begin};
    return content->bytes && gcl_region_contains_range(&content->here, run);
}

void gcl_contents_note(struct gcl_contents *c, const struct gcl_contents_window *window,
                       uint64_t begin, uint64_t end) {
    assert(window->content < c->count && begin < end && end <= window->size);
    struct gcl_content *content = &c->list[window->content];
    int64_t from = (int64_t)window->begin - content->allocation.begin;
    note_read(content, (struct gcl_span){from + (int64_t)begin, from + (int64_t)end});
}

/// Notes that numbers of `size` bytes are read at as many addresses, which lie between the bounds.
static void note_lanes(struct gcl_content *content, unsigned size, unsigned count,
                       const uint64_t *addresses, struct gcl_lanes_bounds bounds) {
    uint64_t begin = (uint64_t)content->allocation.begin;
    int64_t least = (int64_t)(bounds.least - begin), last = (int64_t)(bounds.greatest - begin);
    if (last - least < NEAR)
        note_read(content, (struct gcl_span){least, last + size});
    for (unsigned i = 0; i < count && last - least >= NEAR; i++) {
        int64_t offset = (int64_t)(addresses[i] - begin);
        note_read(content, (struct gcl_span){offset, offset + size});
    }
}

/// Reads as gcl_contents_read_lanes does if all are known and lie around the first one. False: they
/// don't.
static bool read_near(struct gcl_contents *c, unsigned size, unsigned count,
                      struct gcl_lanes *lanes) {
    uint64_t first;
    if (!lanes->all_known || count == 0 || !gcl_contents_read(c, lanes->values[0], size, &first))
        return false;
    const struct window window = known_around(c);
    const struct gcl_lanes_bounds bounds = gcl_lanes_find_bounds(lanes->values, count);
    if (bounds.least < window.begin || bounds.greatest - window.begin >= window.size ||
        window.size - (bounds.greatest - window.begin) < size)
        return false;
    note_lanes(&c->list[c->last], size, count, lanes->values, bounds);
    gcl_lanes_read(window.bytes, window.begin, size, count, lanes->values);
    return true;
}

void gcl_contents_read_lanes(struct gcl_contents *c, unsigned size, unsigned count,
                             struct gcl_lanes *lanes) {
    struct window window = {0};
    bool are_known = true;
    assert(size > 0 && size <= sizeof *lanes->values);
    if (read_near(c, size, count, lanes))
        return;
    for (unsigned i = 0; i < count; i++) {
        bool is_known = gcl_lanes_is_known(lanes, i);
        uint64_t offset = lanes->values[i] - window.begin, value = 0;
        if (is_known && offset < window.size && window.size - offset >= size) {
            is_known = window.bytes != NULL;
            if (is_known) { // in what was found last
                int64_t begin = (int64_t)lanes->values[i] - c->list[c->last].allocation.begin;
                note_read(&c->list[c->last], (struct gcl_span){begin, begin + size});
                memcpy(&value, window.bytes + offset, size);
            }
        } else if (is_known) {
            is_known = gcl_contents_read(c, lanes->values[i], size, &value);
            window = is_known ? known_around(c) : changed_around(c, lanes->values[i]);
        }
        lanes->values[i] = value;
        lanes->known[i] = is_known;
        are_known = are_known && is_known;
    }
    lanes->all_known = are_known;
}

// Life.

bool gcl_contents_lend(const struct gcl_contents *c, struct gcl_contents *copy) {
    assert(c->is_given); // nothing is added to it
    *copy = *c;
    copy->list = malloc((c->count + 1) * sizeof *copy->list);
    bool ok = copy->list != NULL;
    if (ok && c->count > 0)
        memcpy(copy->list, c->list, c->count * sizeof *copy->list);
    for (copy->count = 0; ok && copy->count < c->count; copy->count++) {
        struct gcl_content *content = &copy->list[copy->count];
        ok = gcl_marks_init(&content->read, content->allocation.end - content->allocation.begin,
                            PAGE);
    }
    if (!ok)
        gcl_contents_return(copy);
    return ok;
}

void gcl_contents_return(struct gcl_contents *copy) {
    for (size_t i = 0; copy->list && i < copy->count; i++)
        gcl_marks_finish(&copy->list[i].read);
    free(copy->list);
    *copy = (struct gcl_contents){.count = 0};
}

void gcl_contents_finish(struct gcl_contents *c) {
    for (size_t i = 0; i < c->change_count; i++)
        gcl_region_finish(&c->changes[i].bytes);
    free(c->changes);
    for (size_t i = 0; i < c->count; i++) {
        gcl_region_finish(&c->list[i].here);
        gcl_region_finish(&c->list[i].changed);
    }
    free(c->list);
    *c = (struct gcl_contents){.count = 0};
}
