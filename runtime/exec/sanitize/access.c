// What happens at each access. Most are dealt with in a few instructions: a site remembers the run
// of bytes of the footprint in which its last access lay, and what comes next lies there too, or in
// the run one stride further; and the shadow word says that nobody was there before, or the same
// block, or one that read as well.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/memory/space.h"
#include "exec/sanitize/state.h"

// Stretches of memory that is no allocation, for which sites don't ask again.
enum { FOREIGN = 64 };

static bool is_known(const struct gcl_sanitizer *s, const struct gcl_site *site) {
    bool escapes = site->kind == GCL_ACCESS_READ ? s->footprint.regions.reads_escaped
                                                 : s->footprint.regions.writes_escaped;
    return s->evaluator && !escapes;
}

// Sites.

bool gcl_sanitize_enlist(struct gcl_sanitizer *s, struct gcl_site *site) {
    enum { MOST = 1 << 23 };
    if (site->number)
        return true;
    if (s->site_count + 1 == MOST)
        return false;
    if ((s->site_count & (s->site_count + 1)) == 0) { // full
        size_t capacity = 2 * (size_t)s->site_count + 1;
        struct gcl_site **sites = realloc(s->sites, capacity * sizeof(struct gcl_site *));
        if (!sites)
            return false;
        s->sites = sites;
    }
    s->sites[s->site_count++] = site;
    site->number = s->site_count;
    site->mark = gcl_mark_make(0, site->number, site->races & GCL_RACE_KINDS) |
                 (site->kind == GCL_ACCESS_ATOMIC ? GCL_MARK_RESULT : 0);
    return true;
}

void gcl_sanitize_close_sites(struct gcl_sanitizer *s) {
    for (struct gcl_site *next, *site = s->open; site; site = next) {
        next = site->next;
        site->is_open = 0;
        site->limit = site->reach = site->stride = 0;
    }
    s->open = NULL;
}

// The site may go on wherever all its bytes lie in `run`.
static void open_site(struct gcl_sanitizer *s, struct gcl_site *site, struct gcl_span run,
                      uint64_t shadow) {
    uint64_t length = (uint64_t)(run.end - run.begin);
    uint64_t reach = site->size > 0 && length >= site->size ? length - site->size + 1 : 0;
    site->begin = (uint64_t)run.begin;
    site->shadow = shadow;
    site->reach = reach;
    site->limit = shadow || gcl_sanitize_has_threads(s) ? 0 : reach;
    site->stride = 0;
    if (site->is_open)
        return;
    site->is_open = 1;
    site->next = s->open;
    s->open = site;
}

// Loops come back to the same runs, for the next thread: they needn't be searched for again.

enum { LINE = 64 };

static struct gcl_sanitize_recent *recent_of(struct gcl_sanitizer *s, const struct gcl_site *site,
                                             uint64_t address) {
    uint64_t hash = (address / LINE + ((uint64_t)site->number << 32)) * 0x9e3779b97f4a7c15u;
    return &s->recent[hash >> 32 & (GCL_SANITIZE_RECENT - 1)];
}

static void remember(struct gcl_sanitizer *s, const struct gcl_site *site, uint64_t address) {
    *recent_of(s, site, address) = (struct gcl_sanitize_recent){
        .site = site,
        .line = address / LINE,
        .turn = s->turn,
        .begin = site->begin,
        .reach = site->reach,
        .shadow = site->shadow,
        .stride = site->stride,
        .last = site->last,
    };
}

// Whether the site may go on at `address`, as it did before.
static bool recall(struct gcl_sanitizer *s, struct gcl_site *site, uint64_t address) {
    const struct gcl_sanitize_recent *r = recent_of(s, site, address);
    if (r->site != site || r->line != address / LINE || r->turn != s->turn ||
        address - r->begin >= r->reach)
        return false;
    site->begin = r->begin;
    site->reach = r->reach;
    site->limit = r->shadow || gcl_sanitize_has_threads(s) ? 0 : r->reach;
    site->shadow = r->shadow;
    site->stride = r->stride;
    site->last = r->last;
    return true;
}

// Allocations.

struct gcl_shadow_extent *gcl_sanitize_find(struct gcl_sanitizer *s, uint64_t address) {
    struct gcl_shadow_extent *extent = gcl_shadow_find(&s->shadow, address);
    struct gcl_allocation found;
    if (extent)
        return extent;
    if (!gcl_space_find(s->space, (const void *)(uintptr_t)address, &found) ||
        found.kind == GCL_SPACE_RETIRED)
        return NULL;
    extent = gcl_shadow_add(&s->shadow, found.begin, found.begin + found.size);
    if (!extent)
        return NULL;
    extent->written = found.written;
    extent->file = found.file;
    extent->line = found.line;
    return extent;
}

static bool is_foreign(struct gcl_sanitizer *s, uint64_t address) {
    unsigned kind;
    return gcl_space_check(s->space, (const void *)(uintptr_t)address, 1, &kind);
}

// Where the accesses of a site to an allocation are marked, 0: they needn't be. Nobody has to mark
// what all blocks only read.
static uint64_t shadow_of(struct gcl_sanitizer *s, const struct gcl_site *site,
                          const struct gcl_shadow_extent *extent) {
    if (!site->races || !site->number || !(s->checks & (GCL_KERNEL_FOOTPRINT | GCL_KERNEL_RACE)))
        return 0;
    return (site->races & GCL_RACE_READ) && !gcl_sanitize_may_change(s, extent)
               ? 0
               : gcl_shadow_base(extent);
}

// Footprints.

// A run of a region, and for each level of its box, the innermost one, how often it is there again,
// a stride further.
struct place {
    struct gcl_span run;
    struct gcl_level levels[GCL_STRIDED_LEVELS];
};

// The run of a box in which `offset` lies. False: none.
static bool find_run(const struct gcl_strided *box, int64_t offset, struct place *place) {
    int64_t begin = box->begin, length = box->length;
    for (uint32_t l = gcl_strided_depth(box); l-- > 0;) {
        int64_t copy = (offset - begin) / box->levels[l].stride;
        copy = copy < box->levels[l].count ? copy : box->levels[l].count - 1;
        begin += copy * box->levels[l].stride;
        // Runs of a taper aren't there again.
        if (box->growth == 0)
            place->levels[l] =
                (struct gcl_level){box->levels[l].stride, box->levels[l].count - 1 - copy};
        length += copy * box->growth;
    }
    place->run = (struct gcl_span){begin, begin + length};
    return offset >= begin && offset < place->run.end;
}

// As find_run, of the box of a motif in which `offset` lies, and of its motif.
static bool find_innermost(struct gcl_strided box, int64_t offset, struct place *place) {
    while (find_run(&box, offset, place) && box.motif) {
        const struct gcl_motif *motif = box.motif;
        const struct gcl_strided *inner =
            gcl_strided_search(motif->boxes, motif->count, offset - place->run.begin);
        const int64_t begin = place->run.begin;
        box = *inner;
        box.begin += begin;
        *place = (struct place){0};
    }
    return !box.motif && offset >= place->run.begin && offset < place->run.end;
}

// As find_run, of all boxes.
static bool search(const struct gcl_region *region, int64_t offset, struct place *place) {
    const struct gcl_strided *box = gcl_region_box_at(region, offset);
    *place = (struct place){0};
    return box && find_innermost(*box, offset, place);
}

// The stride at which a site is likely to go on: that by which it came, else the smallest.
static struct gcl_level find_stride(const struct place *place, int64_t jump) {
    for (unsigned l = 1; l < GCL_STRIDED_LEVELS; l++) {
        if (place->levels[l].stride == jump && jump != 0)
            return place->levels[l];
    }
    return place->levels[0];
}

// Bytes of one access may lie in several regions, or runs of them that touch.
static bool holds_bytes(const struct gcl_region *const *regions, unsigned count, int64_t offset,
                        uint64_t size) {
    for (uint64_t i = 0; i < size; i++) {
        bool is_in = false;
        for (unsigned r = 0; r < count && !is_in; r++)
            is_in = gcl_region_contains_byte(regions[r], offset + (int64_t)i);
        if (!is_in)
            return false;
    }
    return true;
}

static bool holds(const struct gcl_region *const *regions, unsigned count, int64_t offset,
                  uint64_t size) {
    for (unsigned r = 0; r < count; r++) {
        if (gcl_region_contains_range(regions[r],
                                      (struct gcl_span){offset, offset + (int64_t)size}))
            return true;
    }
    return holds_bytes(regions, count, offset, size);
}

// Looks an access up in the footprint, and opens the site if it is there.
static void check_footprint(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                            struct gcl_site *site, const struct gcl_shadow_extent *extent) {
    const struct gcl_sanitize_regions in = gcl_sanitize_regions_of(s, site, extent->begin);
    int64_t offset = (int64_t)access->address - in.origin, end = offset + (int64_t)access->size;
    for (unsigned r = 0; r < in.count; r++) {
        struct place place;
        if (!search(in.regions[r], offset, &place) || end > place.run.end)
            continue;
        struct gcl_span run = {in.origin + place.run.begin, in.origin + place.run.end};
        struct gcl_level level = find_stride(&place, run.begin - (int64_t)site->begin);
        open_site(s, site, run, shadow_of(s, site, extent));
        site->stride = (uint64_t)level.stride;
        site->last = (uint64_t)(run.begin + level.count * level.stride);
        remember(s, site, access->address);
        return;
    }
    if (!holds(in.regions, in.count, offset, access->size))
        gcl_sanitize_report_access(s, GCL_FINDING_FOOTPRINT, access);
}

// Races.

// Whether both only write: then it depends on what.
static bool may_be_same(struct gcl_sanitizer *s, const struct gcl_sanitize_pending *p) {
    const struct gcl_finding told = {GCL_FINDING_RACE, s->launch->kernel,
                                     s->sites[gcl_mark_site(p->mark) - 1],
                                     s->sites[gcl_mark_site(p->other) - 1]};
    return gcl_mark_kinds(p->mark) == GCL_RACE_WRITE &&
           gcl_mark_kinds(p->other) == GCL_RACE_WRITE && !gcl_findings_have(&s->findings, &told);
}

// What others change by atomic operations may be read if the read is volatile, and sees whole
// values, or if an operation has a result: so loops begin that retry a compare-and-swap, and such
// kernels run on one node anyway. Of several reads of a block one tells.
static bool may_meet(const struct gcl_sanitizer *s, gcl_mark mark) {
    const struct gcl_site *site = s->sites[gcl_mark_site(mark) - 1];
    return (site->races & GCL_RACE_VOLATILE) || (mark & GCL_MARK_RESULT);
}

static bool is_retry(const struct gcl_sanitizer *s, gcl_mark mark, gcl_mark other) {
    return !((gcl_mark_kinds(mark) | gcl_mark_kinds(other)) & GCL_RACE_WRITE) &&
           (may_meet(s, mark) || may_meet(s, other));
}

static void note_race(struct gcl_sanitizer *s, gcl_mark mark, gcl_mark other, uint64_t granule) {
    struct gcl_sanitize_pending p = {.granule = granule, .mark = mark, .other = other};
    assert(granule % GCL_GRANULE == 0);
    assert(gcl_mark_site(mark) > 0 && gcl_mark_site(mark) <= s->site_count);
    assert(gcl_mark_site(other) > 0 && gcl_mark_site(other) <= s->site_count);
    if (s->may_synchronise || is_retry(s, mark, other))
        return;
    if (!may_be_same(s, &p)) {
        gcl_sanitize_report_race(s, GCL_FINDING_RACE, mark, other, granule);
        return;
    }
    for (size_t i = 0; i < s->pending_count; i++) {
        if (gcl_mark_site(s->pending[i].mark) == gcl_mark_site(mark) &&
            gcl_mark_site(s->pending[i].other) == gcl_mark_site(other))
            return;
    }
    memcpy(p.before, (const void *)(uintptr_t)granule, sizeof p.before);
    if (s->pending_count < GCL_SANITIZE_PENDING)
        s->pending[s->pending_count++] = p;
}

void gcl_sanitize_settle(struct gcl_sanitizer *s) {
    assert(s->pending_count <= GCL_SANITIZE_PENDING);
    for (size_t i = 0; i < s->pending_count; i++) {
        const struct gcl_sanitize_pending *p = &s->pending[i];
        const unsigned char *now = (const unsigned char *)(uintptr_t)p->granule;
        bool is_same = true;
        for (unsigned b = 0; b < GCL_GRANULE; b++)
            is_same = is_same && (!(gcl_mark_bytes(p->mark) >> b & 1) || now[b] == p->before[b]);
        gcl_sanitize_report_race(s, is_same ? GCL_FINDING_SAME_VALUE : GCL_FINDING_RACE, p->mark,
                                 p->other, p->granule);
    }
    s->pending_count = 0;
}

static gcl_mark *word_at(uint64_t shadow, uint64_t address) {
    return (gcl_mark *)(uintptr_t)(shadow + address / GCL_GRANULE * sizeof(gcl_mark));
}

__attribute__((noinline)) static void mark_granule(gcl_mark *word, gcl_mark mark,
                                                   uint64_t address) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    gcl_mark other = gcl_shadow_access(&s->shadow, word, mark);
    if (other)
        note_race(s, mark, other, address / GCL_GRANULE * GCL_GRANULE);
}

static void mark_parts(uint64_t shadow, gcl_mark mark, uint64_t address, uint64_t size) {
    for (uint64_t end = address + size, next; address < end; address = next) {
        uint64_t granule = address / GCL_GRANULE * GCL_GRANULE;
        next = granule + GCL_GRANULE < end ? granule + GCL_GRANULE : end;
        gcl_mark bytes = ((1u << (next - address)) - 1) << (address - granule);
        gcl_mark part = (mark & ~((gcl_mark)GCL_GRANULE_ALL << 4)) | bytes << 4;
        mark_granule(word_at(shadow, address), part, address);
    }
}

// Whether a word tells all that is to be known of an access to its whole granule.
static inline bool is_told(gcl_mark word, gcl_mark mark) {
    bool is_whole = (word & 0xf8) == GCL_GRANULE_ALL << 4; // and not split
    bool has_kinds = (word & 7) == ((word | mark) & 7);
    bool is_same = word >> 32 == mark >> 32;
    bool is_harmless = (word & 7) == (mark & 7) && (mark & 7) != GCL_RACE_WRITE;
    return is_whole && has_kinds && (is_same || is_harmless);
}

// Marks an access to whole granules. Mostly their words are all old, or the same.
static void mark_granules(gcl_mark *words, size_t count, gcl_mark mark, uint64_t address) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    const gcl_mark first = s->first;
    gcl_mark older = UINT64_MAX, differs = 0, word = words[0];
    for (size_t i = 0; i < count; i++) {
        older &= words[i] - first; // negative, if it is old
        differs |= words[i] ^ word;
    }
    if (!(older >> 63) && !differs && is_told(word, mark))
        return;
    bool is_one = older >> 63 || (!differs && gcl_shadow_join(&s->shadow, &word, mark));
    word = older >> 63 ? mark : word;
    for (size_t i = 0; i < count && is_one; i++)
        words[i] = word;
    for (size_t i = 0; i < count && !is_one; i++) {
        if (words[i] < first)
            words[i] = mark;
        else if (!is_told(words[i], mark))
            mark_granule(&words[i], mark, address + i * GCL_GRANULE);
    }
}

static void mark_access(uint64_t shadow, gcl_mark mark, uint64_t address, uint64_t size) {
    if ((address | size) % GCL_GRANULE != 0) {
        mark_parts(shadow, mark, address, size);
        return;
    }
    mark_granules(word_at(shadow, address), size / GCL_GRANULE, mark, address);
}

// Accesses. What happens often does little and calls nothing, so that it needs no stack.

static void access_anywhere(uint64_t address, uint64_t size, struct gcl_site *site) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    const struct gcl_sanitize_access access = {address, size, site};
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, address);
    bool is_enlisted = gcl_sanitize_enlist(s, site);
    if (!extent && is_foreign(s, address)) {
        int64_t begin = (int64_t)(address / FOREIGN * FOREIGN);
        open_site(s, site, (struct gcl_span){begin, begin + FOREIGN}, 0);
        return;
    }
    if (!extent || extent->end - address < size) {
        gcl_sanitize_report_access(s, GCL_FINDING_BOUNDS, &access);
        return;
    }
    struct gcl_span whole = {(int64_t)extent->begin, (int64_t)extent->end};
    uint64_t shadow = shadow_of(s, site, extent);
    if (is_known(s, site)) {
        check_footprint(s, &access, site, extent);
    } else {
        if (s->checks & GCL_KERNEL_FOOTPRINT)
            gcl_sanitize_report_access(s, GCL_FINDING_UNCHECKED, &access);
        open_site(s, site, whole, shadow);
    }
    if (shadow && is_enlisted)
        mark_access(shadow, s->who | site->mark, address, size);
}

// Whether the run one stride further is the right one; the site goes on there then.
static bool step(struct gcl_site *site, uint64_t address) {
    uint64_t next = site->begin + site->stride;
    if (site->stride == 0 || address - next >= site->reach || next > site->last)
        return false;
    site->begin = next;
    return true;
}

__attribute__((noinline)) static void access_elsewhere(uint64_t address, struct gcl_site *site) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    if (!step(site, address) && !(site->is_open && recall(s, site, address))) {
        access_anywhere(address, site->size, site);
        return;
    }
    if (site->shadow)
        mark_access(site->shadow, s->who | site->mark, address, site->size);
}

__attribute__((noinline)) static void access_many(uint64_t address, struct gcl_site *site) {
    if (site->shadow)
        mark_access(site->shadow, gcl_sanitizer.who | site->mark, address, site->size);
}

void gcl_device_access(const void *pointer, struct gcl_site *site) {
    const uint64_t address = (uintptr_t)pointer;
    if (gcl_sanitize_has_threads(&gcl_sanitizer) &&
        !gcl_sanitize_access_thread(&gcl_sanitizer, address, site->size, site))
        return;
    if (address - site->begin >= site->reach) {
        access_elsewhere(address, site);
        return;
    }
    if (site->size != GCL_GRANULE || address % GCL_GRANULE != 0 || !site->shadow) {
        access_many(address, site);
        return;
    }
    gcl_mark *word = word_at(site->shadow, address), mark = gcl_sanitizer.who | site->mark;
    if (*word < gcl_sanitizer.first)
        *word = mark;
    else if (!is_told(*word, mark))
        mark_granule(word, mark, address);
}

// `count` accesses, `stride` bytes apart and at most as many as they are long: as far as they lie
// in one run, at once.
static void access_row(uint64_t address, uint64_t count, uint64_t stride, struct gcl_site *site) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    while (count > 0) {
        uint64_t offset = address - site->begin, taken = 1;
        if (offset >= site->reach && !step(site, address) &&
            !(site->is_open && recall(s, site, address))) {
            access_anywhere(address, site->size, site);
        } else {
            offset = address - site->begin;
            taken = offset + (count - 1) * stride < site->reach
                        ? count
                        : (site->reach - 1 - offset) / stride + 1;
            if (site->shadow)
                mark_access(site->shadow, s->who | site->mark, address,
                            (taken - 1) * stride + site->size);
        }
        s->lane += (uint32_t)taken;
        address += taken * stride;
        count -= taken;
    }
}

void gcl_device_access_row(const void *first, struct gcl_site *site, uint64_t lanes,
                           uint64_t stride) {
    const uint64_t address = (uintptr_t)first;
    while (lanes) {
        unsigned begin = (unsigned)__builtin_ctzll(lanes);
        uint64_t rest = ~(lanes >> begin);
        unsigned count = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        gcl_sanitizer.lane = begin;
        access_row(address + begin * stride, count, stride, site);
        lanes = begin + count < 64 ? lanes >> (begin + count) << (begin + count) : 0;
    }
    gcl_sanitizer.lane = 0;
}

void gcl_device_access_lanes(const void *const *addresses, struct gcl_site *site, uint64_t lanes) {
    while (lanes) {
        unsigned begin = (unsigned)__builtin_ctzll(lanes), end = begin;
        uint64_t address = (uintptr_t)addresses[begin], next = address;
        do {
            lanes &= lanes - 1;
            next += site->size;
            end++;
        } while ((lanes >> (end & 63) & 1) && (uintptr_t)addresses[end] == next);
        gcl_sanitizer.lane = begin;
        access_row(address, end - begin, site->size, site);
    }
    gcl_sanitizer.lane = 0;
}

void gcl_device_access_range(const void *pointer, struct gcl_site *site, uint64_t size) {
    const uint64_t address = (uintptr_t)pointer;
    if (size > 0 && (!gcl_sanitize_has_threads(&gcl_sanitizer) ||
                     gcl_sanitize_access_thread(&gcl_sanitizer, address, size, site)))
        access_anywhere(address, size, site);
}
