// One word a granule is enough because blocks run one after the other. Any two blocks of a launch
// may run at the same time, so what matters is only whether one of two that access a byte writes
// it. A block that reads what nobody has written yet needs no mark if there is one of a reader: if
// a third block writes later, it is a race with that one as well. A block that writes leaves its
// mark in any case, after its race with who was there has been told. Of the accesses of one block
// the kinds are joined. So:
//
//     - nobody in this launch: the mark is the access'
//     - the same block: the kinds are joined, and GCL_MARK_RESULT, and the site is that of the
//     first write, else of the
//       latest access of a new kind
//     - another block, and both read or both are atomic: the mark stays
//     - otherwise it is a race, and who writes leaves a mark
//
// Bytes of a granule that different blocks or kinds access have marks of their own, in `parts`, to
// which the word leads: that is rare, at borders between blocks and in structures of small members.
#include "exec/sanitize/shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SPLIT ((gcl_mark)8)
#define BYTES ((gcl_mark)GCL_GRANULE_ALL << 4)
#define HUGE ((size_t)4 << 20)

enum { MOST_PARTS = 1 << 24 };

// Extents.

static void clear_all(struct gcl_shadow *s) {
    for (size_t i = 0; i < s->extent_count; i++)
        free(s->extents[i].words);
    s->extent_count = 0;
    s->next = 1;
}

void gcl_shadow_start(struct gcl_shadow *s, uint64_t count) {
    assert(count < INT32_MAX);
    if (s->next == 0 || s->next + count > INT32_MAX)
        clear_all(s);
    s->first = s->next;
    s->next += count;
    s->part_count = 0;
    s->launch++;
}

void gcl_shadow_finish(struct gcl_shadow *s) {
    clear_all(s);
    free(s->extents);
    free(s->parts);
    *s = (struct gcl_shadow){0};
}

// The number of extents that begin at `address` or before.
static size_t count_before(const struct gcl_shadow *s, uint64_t address) {
    size_t low = 0, high = s->extent_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->extents[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct gcl_shadow_extent *gcl_shadow_find(const struct gcl_shadow *s, uint64_t address) {
    size_t count = count_before(s, address);
    struct gcl_shadow_extent *e = count > 0 ? &s->extents[count - 1] : NULL;
    return e && address < e->end && e->launch == s->launch ? e : NULL;
}

static gcl_mark *allocate_words(uint64_t begin, uint64_t end) {
    size_t count = (size_t)((end - 1) / GCL_GRANULE - begin / GCL_GRANULE + 1);
    gcl_mark *words = calloc(count, sizeof *words);
    size_t size = count * sizeof *words, page = (size_t)sysconf(_SC_PAGESIZE);
    if (words && size >= HUGE) {
        uintptr_t from = ((uintptr_t)words + page - 1) / page * page;
        madvise((void *)from, (uintptr_t)words + size - from, MADV_HUGEPAGE);
    }
    return words;
}

// Removes what lies where a new extent is to be: allocations that are gone.
static size_t make_room(struct gcl_shadow *s, uint64_t begin, uint64_t end) {
    size_t last = count_before(s, end - 1), first = last;
    while (first > 0 && s->extents[first - 1].end > begin)
        free(s->extents[--first].words);
    if (last > first)
        memmove(&s->extents[first], &s->extents[last],
                (s->extent_count - last) * sizeof *s->extents);
    s->extent_count -= last - first;
    return first;
}

static bool reserve(struct gcl_shadow *s) {
    if (s->extent_count < s->extent_capacity)
        return true;
    size_t capacity = s->extent_capacity ? 2 * s->extent_capacity : 64;
    struct gcl_shadow_extent *extents = realloc(s->extents, capacity * sizeof *extents);
    if (!extents)
        return false;
    s->extents = extents;
    s->extent_capacity = capacity;
    return true;
}

struct gcl_shadow_extent *gcl_shadow_add(struct gcl_shadow *s, uint64_t begin, uint64_t end) {
    assert(begin < end);
    size_t at = count_before(s, begin);
    struct gcl_shadow_extent *known = at > 0 ? &s->extents[at - 1] : NULL;
    if (known && known->begin == begin && known->end == end) {
        known->launch = s->launch;
        return known;
    }
    at = make_room(s, begin, end);
    if (!reserve(s))
        return NULL;
    memmove(&s->extents[at + 1], &s->extents[at], (s->extent_count - at) * sizeof *s->extents);
    s->extents[at] = (struct gcl_shadow_extent){
        .begin = begin, .end = end, .launch = s->launch, .words = allocate_words(begin, end)};
    s->extent_count++;
    return &s->extents[at];
}

uint64_t gcl_shadow_base(const struct gcl_shadow_extent *e) {
    if (!e->words)
        return 0;
    return (uint64_t)(uintptr_t)e->words - e->begin / GCL_GRANULE * sizeof(gcl_mark);
}

// Accesses.

static bool is_old(const struct gcl_shadow *s, gcl_mark mark) {
    return gcl_mark_who(mark) < s->first;
}

static bool is_harmless(gcl_mark a, gcl_mark b) {
    uint32_t both = gcl_mark_kinds(a) | gcl_mark_kinds(b);
    return both == GCL_RACE_READ || both == GCL_RACE_ATOMIC;
}

// What stays of a mark when its block goes on.
static gcl_mark what(gcl_mark mark) {
    return gcl_mark_kinds(mark) | (mark & GCL_MARK_RESULT);
}

static uint32_t part_of(gcl_mark word) {
    return (uint32_t)word >> 8;
}

// The mark after an access to the same bytes.
static gcl_mark replace(const struct gcl_shadow *s, gcl_mark old, gcl_mark mark, gcl_mark *race) {
    if (is_old(s, old))
        return mark;
    if (gcl_mark_who(old) == gcl_mark_who(mark)) {
        bool is_new = (gcl_mark_kinds(mark) & ~gcl_mark_kinds(old)) != 0;
        bool is_written = (gcl_mark_kinds(old) & GCL_RACE_WRITE) != 0;
        return is_written || !is_new ? old | what(mark) : mark | what(old);
    }
    if (is_harmless(old, mark))
        return old;
    *race = old;
    return gcl_mark_kinds(mark) == GCL_RACE_READ ? old : mark;
}

// Gives each byte a mark of its own. False: no memory.
static bool split(struct gcl_shadow *s, gcl_mark *word, gcl_mark mark) {
    assert(!(*word & SPLIT));
    if (s->part_count == s->part_capacity) {
        size_t capacity = s->part_capacity ? 2 * s->part_capacity : 1024;
        void *parts =
            capacity <= MOST_PARTS ? realloc(s->parts, capacity * sizeof *s->parts) : NULL;
        if (!parts)
            return false;
        s->parts = parts;
        s->part_capacity = capacity;
    }
    gcl_mark *part = s->parts[s->part_count];
    for (unsigned b = 0; b < GCL_GRANULE; b++)
        part[b] = gcl_mark_bytes(*word) >> b & 1 ? *word : 0;
    *word = gcl_mark_who(mark) << 32 | (gcl_mark)s->part_count++ << 8 | SPLIT;
    return true;
}

static gcl_mark access_parts(struct gcl_shadow *s, gcl_mark word, gcl_mark mark) {
    assert((word & SPLIT) && part_of(word) < s->part_count);
    gcl_mark race = 0, *part = s->parts[part_of(word)];
    for (unsigned b = 0; b < GCL_GRANULE; b++) {
        if (gcl_mark_bytes(mark) >> b & 1)
            part[b] = replace(s, part[b], mark, &race);
    }
    return race;
}

// Whether one word can tell of both; `*word` does then.
static bool joins(gcl_mark *word, gcl_mark mark) {
    gcl_mark old = *word;
    bool is_inside = (gcl_mark_bytes(mark) & ~gcl_mark_bytes(old)) == 0;
    if (gcl_mark_who(old) != gcl_mark_who(mark))
        return is_inside && is_harmless(old, mark);
    if (gcl_mark_kinds(old) == gcl_mark_kinds(mark))
        *word = old | (mark & BYTES);
    return gcl_mark_kinds(old) == gcl_mark_kinds(mark) ||
           (is_inside && (gcl_mark_kinds(mark) & ~gcl_mark_kinds(old)) == 0);
}

gcl_mark gcl_shadow_access(struct gcl_shadow *s, gcl_mark *word, gcl_mark mark) {
    gcl_mark race = 0;
    if (is_old(s, *word)) {
        *word = mark;
        return 0;
    }
    if (!(*word & SPLIT)) {
        if (gcl_mark_bytes(*word) == gcl_mark_bytes(mark)) {
            *word = replace(s, *word, mark, &race);
            return race;
        }
        if (joins(word, mark) || !split(s, word, mark))
            return 0;
    }
    return access_parts(s, *word, mark);
}

bool gcl_shadow_join(const struct gcl_shadow *s, gcl_mark *word, gcl_mark mark) {
    gcl_mark race = 0;
    if ((*word & SPLIT) || gcl_mark_bytes(*word) != gcl_mark_bytes(mark))
        return false;
    gcl_mark joined = replace(s, *word, mark, &race);
    if (!race)
        *word = joined;
    return !race;
}

static bool tells_of_write(const struct gcl_shadow *s, gcl_mark mark, uint64_t from) {
    uint32_t kinds = gcl_mark_kinds(mark);
    return ((kinds & GCL_RACE_WRITE) && gcl_mark_who(mark) >= from) ||
           ((kinds & GCL_RACE_ATOMIC) && !is_old(s, mark));
}

bool gcl_shadow_is_written(const struct gcl_shadow *s, gcl_mark word, uint32_t bytes,
                           uint64_t from) {
    if (!(word & SPLIT))
        return (bytes & ~gcl_mark_bytes(word)) == 0 && tells_of_write(s, word, from);
    if (is_old(s, word))
        return false;
    for (unsigned b = 0; b < GCL_GRANULE; b++) {
        if ((bytes >> b & 1) && !tells_of_write(s, s->parts[part_of(word)][b], from))
            return false;
    }
    return true;
}
