// A copy is looked through while its bytes are at hand: a first pass, by vectors where the
// processor has them, only tells whether a number of a chunk may be an address. Chunks with one are
// looked through again, word by word, and the space is asked once for each allocation.
#include "exec/memory/escape.h"

#include <string.h>

// Bytes that are looked through again where an address is among them.
enum { CHUNK = 16 << 10, WORD = sizeof(uint64_t) };

// Memory that the host writes as well.
static const unsigned SHARED = GCL_SPACE_MANAGED | GCL_SPACE_PINNED | GCL_SPACE_REGISTERED;

/// Addresses of one allocation that has escaped, or between allocations, for which nobody need ask
/// again.
struct known {
    uintptr_t begin, end;
};

static uint64_t word_at(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// Copies.

static void note(struct gcl_space *space, uintptr_t address, struct known *known) {
    struct gcl_allocation found;
    if (address - known->begin < known->end - known->begin)
        return;
    if (!gcl_space_find(space, (const void *)address, &found)) {
        *known = (struct known){address, address + 1};
        return;
    }
    if (!found.has_escaped)
        gcl_space_escape(space, (const void *)address);
    *known = (struct known){found.begin, found.begin + found.size};
}

// Copies words, and says whether one of them is an address. In vectors, where the machine has them:
// as fast as memory delivers. (No target_clones: TSan can't have their resolvers.)
__attribute__((always_inline)) static inline bool copy_plain(unsigned char *restrict target,
                                                             const unsigned char *restrict source,
                                                             size_t count, uint64_t begin,
                                                             uint64_t size) {
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = word_at(source + i * WORD);
        memcpy(target + i * WORD, &word, sizeof word);
        found |= word - begin < size;
    }
    return found != 0;
}

__attribute__((target("avx2"))) static bool copy_avx2(unsigned char *restrict target,
                                                      const unsigned char *restrict source,
                                                      size_t count, uint64_t begin, uint64_t size) {
    return copy_plain(target, source, count, begin, size);
}

static bool copy_words(unsigned char *target, const unsigned char *source, size_t count,
                       uint64_t begin, uint64_t size) {
    return __builtin_cpu_supports("avx2") ? copy_avx2(target, source, count, begin, size)
                                          : copy_plain(target, source, count, begin, size);
}

static void note_words(struct gcl_space *space, const unsigned char *words, size_t count) {
    struct known known = {0, 0};
    uintptr_t begin, end;
    gcl_space_extent(space, &begin, &end);
    for (size_t i = 0; i < count; i++) {
        uint64_t word = word_at(words + i * WORD);
        if (word - begin < end - begin)
            note(space, word, &known);
    }
}

// Less than a word: what the word is then counts, of which another part may have come before.
static size_t copy_part(struct gcl_space *space, unsigned char *target, const unsigned char *source,
                        size_t size) {
    size_t before = (uintptr_t)target % WORD;
    size_t part = size < WORD - before ? size : WORD - before;
    memcpy(target, source, part);
    note_words(space, target - before, 1);
    return part;
}

void gcl_escape_note(struct gcl_space *space, const void *words, size_t count) {
    note_words(space, words, count);
}

void gcl_escape_copy(struct gcl_space *space, void *to, const void *from, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    uintptr_t begin, end;
    size_t at = 0;
    if (!gcl_space_notes_escapes(space)) {
        memcpy(to, from, size);
        return;
    }
    gcl_space_extent(space, &begin, &end);
    if (size > 0 && (uintptr_t)target % WORD != 0)
        at = copy_part(space, target, source, size);
    while (size - at >= WORD) {
        size_t part = size - at < CHUNK ? (size - at) / WORD * WORD : CHUNK;
        if (copy_words(target + at, source + at, part / WORD, begin, end - begin))
            note_words(space, target + at, part / WORD);
        at += part;
    }
    if (at < size)
        copy_part(space, target + at, source + at, size - at);
}

// Launches.

/// What a kernel does with addresses.
struct habits {
    bool stores, follows;
    bool mixes; ///< computes some in ways that the compiler doesn't follow
};

static struct habits habits_of(const struct gcl_program *program) {
    struct habits h = {!program, !program, !program};
    for (uint16_t i = 0; program && i < program->access_count; i++) {
        const struct gcl_access *access = &program->accesses[i];
        bool may_store = access->kind == GCL_ACCESS_WRITE || access->kind == GCL_ACCESS_ATOMIC;
        h.stores |= may_store && access->reduction == GCL_STORED_ANYTHING;
    }
    for (uint16_t i = 0; program && i < program->base_count; i++) {
        h.follows |= program->bases[i].kind >= GCL_BASE_LOADED;
        h.mixes |= program->bases[i].kind == GCL_BASE_ANY;
    }
    return h;
}

/// Whether `address` leads to memory that the host writes. What is stored or computed with may be
/// what a pointer of which nothing is known leads to.
static bool pass(struct gcl_space *space, const struct habits *habits, uint64_t address) {
    struct gcl_allocation found;
    const void *pointer = (const void *)(uintptr_t)address;
    if (!gcl_space_find(space, pointer, &found))
        return false;
    if ((habits->stores || habits->mixes) && !found.has_escaped)
        gcl_space_escape(space, pointer);
    return ((unsigned)found.kind & SHARED) != 0;
}

// Memory that is shared with the host may be reached by way of what has escaped, too.
static bool has_shared(struct gcl_space *space) {
    enum { FEW = 64 };
    struct gcl_allocation list[FEW];
    size_t count = gcl_space_escaped(space, list, FEW);
    for (size_t i = 0; i < count && i < FEW; i++) {
        if ((unsigned)list[i].kind & SHARED)
            return true;
    }
    return count > FEW;
}

void gcl_escape_launch(struct gcl_space *space, const struct gcl_kernel *kernel,
                       const unsigned char *arguments) {
    const struct gcl_program *program = kernel->program;
    bool is_shared = false;
    if (!gcl_space_notes_escapes(space))
        return;
    if (kernel->flags & GCL_KERNEL_LAUNCHES) { // the others may name anything that there is
        gcl_space_escape_all(space);
        return;
    }
    const struct habits habits = habits_of(program);
    if (!habits.stores && !habits.follows)
        return;
    for (size_t at = 0; at + WORD <= kernel->argument_size; at += WORD)
        is_shared |= pass(space, &habits, word_at(arguments + at));
    for (uint16_t i = 0; program && i < program->base_count; i++) {
        const struct gcl_base *base = &program->bases[i];
        if (base->kind == GCL_BASE_VARIABLE)
            is_shared |= pass(space, &habits, (uintptr_t)*program->variables[base->index]);
    }
    if (is_shared || (habits.follows && has_shared(space)))
        gcl_space_escape_all(space);
}
