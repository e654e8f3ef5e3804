// A kernel that writes pages of a margin is known by the page fault. Where the margin shares a page
// with its allocation there is none, so the first bytes behind the allocations that a launch's
// arguments point into are compared when it is done; each thread keeps where those are for the
// addresses that it saw last. What a kernel reached through pointers in memory, or wrote further
// behind the end in that page, is found all the same, but without the kernel's name.
#include "exec/memory/margin.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/memory/space_state.h"
#include "gcluster/kernel.h"

// As a float tiny, as an integer or an address far off, and nothing that programs store.
#define PATTERN 0xa5

enum { WATCHED = 64, KNOWN = 64, NAME_SIZE = 160 };

void gcl_margin_open(struct gcl_allocation *a, const struct gcl_margin_layout *layout) {
    uintptr_t open = layout->open < layout->end ? layout->open : layout->end;
    a->margin = (struct gcl_margin){
        .begin = layout->begin, .end = layout->end, .readable = open, .writable = open};
    if (open > layout->begin)
        memset((void *)layout->begin, PATTERN, open - layout->begin);
}

static bool is_untouched(uintptr_t begin, size_t size) {
    static const unsigned char pattern[GCL_MARGIN_LEAST] = {[0 ... GCL_MARGIN_LEAST - 1] = PATTERN};
    for (; size > sizeof pattern; begin += sizeof pattern, size -= sizeof pattern) {
        if (memcmp((const void *)begin, pattern, sizeof pattern) != 0)
            return false;
    }
    return memcmp((const void *)begin, pattern, size) == 0;
}

/// Where the program asks for an allocation, for messages: " from heat.cu:41", or nothing.
static const char *print_origin(const struct gcl_allocation *a, char *text, size_t size) {
    text[0] = 0;
    if (a->file)
        snprintf(text, size, " from %s:%u", a->file, a->line);
    return text;
}

static void report(const struct gcl_allocation *a) {
    const unsigned char *bytes = (const unsigned char *)a->margin.begin;
    size_t first = 0, last = a->margin.writable - a->margin.begin;
    char origin[256];
    while (bytes[first] == PATTERN)
        first++;
    while (bytes[last - 1] == PATTERN)
        last--;
    size_t before = a->margin.begin - a->begin;
    gcl_log(GCL_LOG_WARN,
            "%s has written past the end of the allocation of %zu bytes at %p%s: bytes %zu to %zu "
            "of it (--sanitize=footprint finds the line)",
            a->margin.writer ? a->margin.writer : "host code, or a kernel that isn't known,",
            a->size, (void *)a->begin, print_origin(a, origin, sizeof origin), before + first,
            before + last - 1);
}

void gcl_margin_close(struct gcl_allocation *a) {
    struct gcl_margin *margin = &a->margin;
    if (margin->writable > margin->begin &&
        !is_untouched(margin->begin, margin->writable - margin->begin))
        report(a);
    free(margin->writer);
    *margin = (struct gcl_margin){.begin = 0};
}

static void close_one(const void *node, VISIT visit, void *closure) {
    struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    (void)closure;
    if (visit == postorder || visit == leaf)
        gcl_margin_close(a);
}

void gcl_margin_close_all(struct gcl_space *space) {
    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, close_one, NULL);
    space->generation++;
    pthread_mutex_unlock(&space->lock);
}

// Touching.

// Margins lie between allocations, so a search may take both for one range.
static int compare(const void *key, const void *item) {
    const struct gcl_allocation *k = key, *a = item;
    uintptr_t end = a->begin + a->size;
    if (k->begin < a->begin)
        return -1;
    return k->begin >= (a->margin.end > end ? a->margin.end : end);
}

// Who stopped at the page has written it; who has run when the pattern is found broken most likely
// has, unless it was host code or another kernel meanwhile.
static void name_writer(struct gcl_margin *margin, const struct gcl_kernel *kernel, bool is_sure) {
    char name[NAME_SIZE], text[NAME_SIZE + 64];
    if (margin->writer)
        return;
    snprintf(text, sizeof text, is_sure ? "kernel %s" : "kernel %s (or what ran beside it)",
             gcl_name_demangle(kernel->name, name, sizeof name));
    margin->writer = strdup(text);
}

// The pages come with the pattern and at once, since other threads may be about to write there.
static bool open_pages(uintptr_t begin, uintptr_t end, int protection) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t size = end - begin;
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    memset(pages, PATTERN, size);
    madvise(pages, size, MADV_DONTDUMP);
    if (mprotect(pages, size, protection) == 0 &&
        mremap(pages, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, begin) != MAP_FAILED)
        return true;
    munmap(pages, size);
    return false;
}

static bool touch(struct gcl_margin *margin, uintptr_t end, bool is_written) {
    bool opens = end > margin->readable;
    if (opens &&
        !open_pages(margin->readable, end, is_written ? PROT_READ | PROT_WRITE : PROT_READ))
        return false;
    uintptr_t readable = margin->readable;
    if (opens)
        margin->readable = end;
    if (!is_written || end <= margin->writable)
        return true;
    if (readable > margin->writable &&
        mprotect((void *)margin->writable, readable - margin->writable, PROT_READ | PROT_WRITE))
        return false;
    margin->writable = margin->readable;
    return true;
}

bool gcl_margin_touch(struct gcl_space *space, const struct gcl_kernel *kernel, uintptr_t address,
                      bool is_written) {
    struct gcl_allocation key = {.begin = address};
    pthread_mutex_lock(&space->lock);
    struct gcl_allocation **node = tfind(&key, &space->tree, compare);
    struct gcl_margin *margin = node ? &(*node)->margin : NULL;
    bool is_open = margin && address >= margin->begin && address < margin->end &&
                   touch(margin, (address / space->page + 1) * space->page, is_written);
    if (is_open && is_written)
        name_writer(margin, kernel, true);
    pthread_mutex_unlock(&space->lock);
    return is_open;
}

// Launches.

/// Where the first bytes of the margin are that lies behind an address; no bytes: there is none, or
/// its writer is known.
struct known {
    uint64_t address;
    uintptr_t begin;
    size_t size;
};

static _Thread_local struct {
    uint64_t generation;
    struct known list[KNOWN];
} memory;

static struct known find_bytes(struct gcl_space *space, uint64_t address) {
    struct known known = {.address = address};
    const struct gcl_allocation *a = gcl_space_find_range(space, address, 1);
    if (!a || a->margin.begin >= a->margin.writable || a->margin.writer)
        return known;
    known.begin = a->margin.begin;
    known.size = a->margin.writable - a->margin.begin;
    if (known.size > WATCHED)
        known.size = WATCHED;
    return known;
}

static void check_address(struct gcl_space *space, const struct gcl_kernel *kernel,
                          uint64_t address) {
    struct known *known = &memory.list[(address >> 8 ^ address >> 16) % KNOWN];
    if (known->address != address)
        *known = find_bytes(space, address);
    if (known->size == 0 || is_untouched(known->begin, known->size))
        return;
    name_writer(&gcl_space_find_range(space, address, 1)->margin, kernel, false);
    known->size = 0;
}

// The lock keeps what is looked at from being freed by another stream.
void gcl_margin_check_launch(struct gcl_space *space, const struct gcl_kernel *kernel,
                             const unsigned char *arguments) {
    uint64_t word;
    if (!space->has_margins)
        return;
    pthread_mutex_lock(&space->lock);
    if (memory.generation != space->generation)
        memset(&memory, 0, sizeof memory);
    memory.generation = space->generation;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct gcl_parameter *p = &kernel->parameters[i];
        for (uint32_t at = 0; at + sizeof word <= p->size; at += (uint32_t)sizeof word) {
            memcpy(&word, arguments + p->offset + at, sizeof word);
            if (word >= space->begin && word < space->top)
                check_address(space, kernel, word);
        }
    }
    pthread_mutex_unlock(&space->lock);
}
