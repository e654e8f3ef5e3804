// Addresses of the device are reserved in the process without access, so that the host faults where
// it touches device memory; the bytes lie elsewhere. Pieces say which addresses mean something,
// each exactly as long as it was asked for. Memory of the host that the driver knows is a piece
// whose bytes are at their address.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"

#define ARENA ((size_t)1 << 40) ///< of allocations, whose addresses nobody gets again

struct reservation {
    uint64_t begin, end;
};

static struct {
    struct card_piece *pieces; ///< ascending
    size_t count, capacity;
    struct reservation *reservations;
    size_t reservation_count, reservation_capacity;
    uint64_t arena, taken;
} memory;

// Pieces.

/// The first piece that ends behind an address.
static size_t lower_bound(uint64_t address) {
    size_t low = 0, high = memory.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory.pieces[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct card_piece *card_piece_find(uint64_t address) {
    size_t i = lower_bound(address);
    return i < memory.count && memory.pieces[i].begin <= address ? &memory.pieces[i] : NULL;
}

struct card_piece *card_piece_next(uint64_t begin, uint64_t end, size_t *index) {
    size_t first = lower_bound(begin);
    if (*index < first)
        *index = first;
    if (*index >= memory.count || memory.pieces[*index].begin >= end)
        return NULL;
    return &memory.pieces[(*index)++];
}

void card_piece_add(const struct card_piece *piece) {
    if (memory.count == memory.capacity) {
        memory.capacity = 2 * memory.capacity + 64;
        memory.pieces = realloc(memory.pieces, memory.capacity * sizeof *memory.pieces);
        if (!memory.pieces)
            card_misuse("the host has no memory left");
    }
    size_t i = lower_bound(piece->begin);
    memmove(&memory.pieces[i + 1], &memory.pieces[i], (memory.count - i) * sizeof *memory.pieces);
    memory.pieces[i] = *piece;
    memory.count++;
}

void card_piece_remove(uint64_t begin) {
    size_t i = lower_bound(begin);
    memory.count--;
    memmove(&memory.pieces[i], &memory.pieces[i + 1], (memory.count - i) * sizeof *memory.pieces);
}

bool card_piece_allows(const struct card_piece *piece, const struct card_context *context,
                       bool is_write) {
    if (piece->origin == CARD_MAPPED) {
        unsigned wanted = is_write ? CARD_ACCESS_BOTH : CARD_ACCESS_READ;
        return (piece->access[context->device] & wanted) == wanted;
    }
    if (!card_piece_is_host(piece))
        return piece->context == context;
    if (is_write && piece->flags & CARD_HOST_READ_ONLY)
        return false;
    return piece->context == context || piece->flags & CARD_HOST_PORTABLE;
}

// Addresses.

static void add_reservation(uint64_t begin, size_t size) {
    if (memory.reservation_count == memory.reservation_capacity) {
        memory.reservation_capacity = 2 * memory.reservation_capacity + 8;
        memory.reservations =
            realloc(memory.reservations, memory.reservation_capacity * sizeof(struct reservation));
        if (!memory.reservations)
            card_misuse("the host has no memory left");
    }
    memory.reservations[memory.reservation_count++] = (struct reservation){begin, begin + size};
}

static void *map_nothing(uint64_t wanted, size_t size, int flags) {
    void *at = mmap((void *)wanted, size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (at != MAP_FAILED)
        madvise(at, size, MADV_DONTDUMP);
    return at;
}

/// Anywhere, aligned, as high as there is room: what is too much before and behind is given back.
static uint64_t map_aligned(size_t size, uint64_t alignment) {
    void *at = map_nothing(0, size + alignment, 0);
    if (at == MAP_FAILED)
        return 0;
    uint64_t end = (uint64_t)at + size + alignment;
    uint64_t begin = (end - size) / alignment * alignment;
    if (begin > (uint64_t)at)
        munmap(at, begin - (uint64_t)at);
    if (end > begin + size)
        munmap((void *)(begin + size), end - begin - size);
    return begin;
}

uint64_t card_address_take(size_t size) {
    if (!memory.arena)
        memory.arena = map_aligned(ARENA, CARD_GRANULARITY);
    size = (size + CARD_GRANULARITY - 1) / CARD_GRANULARITY * CARD_GRANULARITY;
    if (!memory.arena || size > ARENA - memory.taken)
        return 0;
    memory.taken += size;
    return memory.arena + memory.taken - size;
}

bool card_address_is_own(uint64_t address) {
    if (memory.arena && address - memory.arena < ARENA)
        return true;
    for (size_t i = 0; i < memory.reservation_count; i++) {
        if (address - memory.reservations[i].begin <
            memory.reservations[i].end - memory.reservations[i].begin)
            return true;
    }
    return false;
}

bool card_address_reserve(uint64_t *address, size_t size, uint64_t alignment, uint64_t wanted) {
    const struct card_settings *settings = &card.settings;
    bool is_taken = wanted < settings->taken_end && wanted + size > settings->taken_begin;
    uint64_t begin = 0;
    if (size > settings->most_addresses)
        return false;
    if (wanted && wanted % alignment == 0 && !is_taken && !settings->ignores_hints) {
        void *at = map_nothing(wanted, size, MAP_FIXED_NOREPLACE);
        begin = at == MAP_FAILED ? 0 : (uint64_t)at;
    }
    if (!begin)
        begin = map_aligned(size, alignment);
    if (!begin)
        return false;
    add_reservation(begin, size);
    *address = begin;
    return true;
}

void card_address_free(uint64_t address, size_t size) {
    for (size_t i = 0; i < memory.reservation_count; i++) {
        struct reservation *r = &memory.reservations[i];
        if (r->begin != address)
            continue;
        if (r->end - r->begin != size)
            card_misuse("%zu bytes were reserved at %#" PRIx64 ", not %zu", r->end - r->begin,
                        address, size);
        size_t index = 0;
        if (card_piece_next(r->begin, r->end, &index))
            card_misuse("memory is mapped in what was reserved at %#" PRIx64, address);
        munmap((void *)address, size);
        *r = memory.reservations[--memory.reservation_count];
        return;
    }
    card_misuse("nothing was reserved at %#" PRIx64, address);
}

// Bytes.

unsigned char *card_bytes_create(size_t size) {
    unsigned char *bytes =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    memset(bytes, 0xa5, size);
    return bytes;
}

static enum card_place check_pieces(const struct card_context *context, uint64_t address,
                                    size_t size, bool is_write) {
    enum card_place place = CARD_PINNED;
    for (uint64_t at = address; at < address + size;) {
        const struct card_piece *piece = card_piece_find(at);
        if (!piece)
            card_misuse("%zu bytes at %#" PRIx64 ": %s at %#" PRIx64, size, address,
                        card_address_is_own(at) ? "no memory is mapped or allocated"
                                                : "the memory ends",
                        at);
        if (!card_piece_allows(piece, context, is_write))
            card_misuse("%zu bytes at %#" PRIx64 ": device %d may not %s at %#" PRIx64, size,
                        address, context->device, is_write ? "write" : "read", at);
        if (card_piece_is_host(piece) && piece->end < address + size)
            card_misuse("%zu bytes at %#" PRIx64 " are more than what is page-locked as one, up to "
                        "%#" PRIx64,
                        size, address, piece->end);
        if (!card_piece_is_host(piece))
            place = CARD_DEVICE_MEMORY;
        at = piece->end;
    }
    return place;
}

enum card_place card_place_of(const struct card_context *context, uint64_t address, size_t size,
                              bool is_write) {
    size_t index = 0;
    if (!card_piece_next(address, address + size, &index) && !card_address_is_own(address))
        return CARD_PAGEABLE;
    return check_pieces(context, address, size, is_write);
}

unsigned char *card_bytes_at(uint64_t address, size_t *size) {
    const struct card_piece *piece = card_piece_find(address);
    if (!piece)
        return (unsigned char *)address;
    if (*size > piece->end - address)
        *size = piece->end - address;
    return piece->bytes + (address - piece->begin);
}
