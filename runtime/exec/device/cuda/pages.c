// The GPU's memory comes in chunks of 2 MiB, whole granules of every driver's, each of which is
// mapped while a page of it is in use.
// Pages are those of the host, as the space counts them: which of a chunk's are in use is kept as
// bits, so that what comes into use is zeroed and what is stays.
//
// Memory that the host uses as well is the host's, page-locked in chunks as it comes into use.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/log.h"
#include "exec/device/cuda/state.h"

#define PAGE ((size_t)4096)
#define CHUNK GCL_CUDA_CHUNK

enum { WORD_BITS = 64, WORDS = CHUNK / PAGE / WORD_BITS };

struct chunk {
    struct gcl_cuda_chunk mapped; ///< number 0: nothing is
    uint64_t used[WORDS];         ///< its pages that are in use
};

/// A reserved range, with its chunks.
struct range {
    uintptr_t begin, end;
    uintptr_t top;        ///< behind the last chunk that has ever been mapped
    struct chunk *chunks; ///< zeroed pages that come as they are touched
};

/// Addresses of memory that is in use by the host as well.
struct span {
    uintptr_t begin, end;
};

static struct {
    pthread_mutex_t lock;
    struct range device;
    struct span shared;
    uint64_t mapped_count; ///< mappings there ever were
} pages = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool gcl_cuda_is_apart(const void *address) {
    return (uintptr_t)address - pages.device.begin < pages.device.end - pages.device.begin ||
           gcl_cuda_is_borrowed(address);
}

uintptr_t gcl_cuda_pages_begin(void) {
    return pages.device.begin;
}

struct gcl_cuda_chunk *gcl_cuda_chunk_at(uintptr_t address) {
    if (address < pages.device.begin || address >= pages.device.end)
        return NULL;
    struct chunk *chunk = &pages.device.chunks[(address - pages.device.begin) / CHUNK];
    return chunk->mapped.number > 0 ? &chunk->mapped : NULL;
}

// Ranges.

static bool open_range(struct range *range, uintptr_t begin, size_t size) {
    size_t table = (size + CHUNK - 1) / CHUNK * sizeof(struct chunk);
    struct chunk *chunks = mmap(NULL, table, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (chunks == MAP_FAILED)
        return false;
    assert(!range->chunks && begin % CHUNK == 0); // one space a process
    *range = (struct range){begin, begin + size, begin, chunks};
    return true;
}

static void close_range(struct range *range, size_t size) {
    munmap(range->chunks, (size + CHUNK - 1) / CHUNK * sizeof(struct chunk));
    *range = (struct range){.begin = 0};
}

/// Writes what the driver says.
static void say_why(int error, char why[GCL_PAGES_WHY_SIZE]) {
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    snprintf(why, GCL_PAGES_WHY_SIZE, "the GPU's driver doesn't give them (%s)", e.name);
}

// The driver takes the address for a wish, and gives others where it can't fulfil it.
static uintptr_t reserve(uintptr_t wanted, size_t size, char why[GCL_PAGES_WHY_SIZE]) {
    gcl_cu_address address = 0;
    gcl_cuda_enter();
    int error = gcl_cuda.driver->address_reserve(&address, size, CHUNK, wanted, 0);
    if (error != GCL_CU_OK) {
        say_why(error, why);
        return 0;
    }
    if ((wanted && address != wanted) || address % CHUNK != 0)
        snprintf(why, GCL_PAGES_WHY_SIZE, "the GPU's driver gives others instead (%#llx)",
                 (unsigned long long)address);
    else if (!open_range(&pages.device, (uintptr_t)address, size))
        snprintf(why, GCL_PAGES_WHY_SIZE, "no memory for a table of what is mapped there");
    else
        return (uintptr_t)address;
    gcl_cuda_check(gcl_cuda.driver->address_free(address, size), "give addresses back");
    return 0;
}

// Chunks.

static bool is_used(const struct chunk *chunk) {
    uint64_t any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= chunk->used[i];
    return any != 0;
}

static bool is_page_used(const struct chunk *chunk, size_t page) {
    return chunk->used[page / WORD_BITS] >> page % WORD_BITS & 1;
}

/// Part of a chunk.
struct piece {
    struct chunk *chunk;
    uintptr_t begin;      ///< of the chunk
    size_t first, behind; ///< pages of it
};

/// The part of [begin, end) that is in the first of the chunks there.
static struct piece piece_at(const struct range *range, uintptr_t begin, uintptr_t end) {
    assert(begin >= range->begin && end <= range->end && begin % PAGE == 0);
    size_t number = (begin - range->begin) / CHUNK;
    uintptr_t start = range->begin + number * CHUNK, stop = start + CHUNK;
    stop = stop < end ? stop : end;
    return (struct piece){&range->chunks[number], start, (begin - start) / PAGE,
                          (stop - start + PAGE - 1) / PAGE};
}

static void mark(struct chunk *chunk, size_t page, bool is_in_use) {
    uint64_t bit = UINT64_C(1) << page % WORD_BITS;
    if (is_in_use)
        chunk->used[page / WORD_BITS] |= bit;
    else
        chunk->used[page / WORD_BITS] &= ~bit;
}

/// Zeroes the pages of a piece that come into use, and marks them.
static bool use_pages(const struct piece *piece, const struct gcl_cuda_lane *lane) {
    bool ok = true;
    for (size_t page = piece->first, next; page < piece->behind && ok; page = next) {
        for (next = page; next < piece->behind && !is_page_used(piece->chunk, next); next++)
            mark(piece->chunk, next, true);
        if (next > page)
            ok = gcl_cuda_check(gcl_cuda.driver->set(piece->begin + page * PAGE, 0,
                                                     (next - page) * PAGE, lane->stream),
                                "zero memory");
        else
            next = page + 1;
    }
    return ok;
}

/// Maps a chunk, to which nobody has access yet.
static bool map_chunk(const struct piece *piece) {
    struct gcl_cuda_chunk mapped = {.number = pages.mapped_count + 1};
    assert(piece->chunk->mapped.number == 0);
    if (!gcl_cuda_physical_take(&mapped.memory, &mapped.is_in_host))
        return false;
    if (!gcl_cuda_has_found(gcl_cuda.driver->memory_map(piece->begin, CHUNK, 0, mapped.memory, 0),
                            "map memory")) {
        gcl_cuda_physical_give(mapped.memory, mapped.is_in_host);
        return false;
    }
    if (piece->begin + CHUNK > pages.device.top)
        pages.device.top = piece->begin + CHUNK;
    pages.mapped_count++;
    piece->chunk->mapped = mapped;
    return true;
}

/// Lets the GPU use what has been mapped from one address to another.
static bool allow(uintptr_t begin, uintptr_t end) {
    const struct gcl_cu_access access = {{GCL_CU_LOCATION_DEVICE, gcl_cuda.device},
                                         GCL_CU_ACCESS_BOTH};
    return begin == end ||
           gcl_cuda_has_found(gcl_cuda.driver->memory_allow(begin, end - begin, &access, 1),
                              "get access to memory");
}

/// Unmaps chunks between two addresses of which no page is in use.
static bool unmap_unused(uintptr_t begin, uintptr_t end) {
    bool ok = true;
    while (begin < end) {
        const struct piece piece = piece_at(&pages.device, begin, end);
        begin = piece.begin + CHUNK;
        if (piece.chunk->mapped.number == 0 || is_used(piece.chunk))
            continue;
        if (!gcl_cuda_check(gcl_cuda.driver->memory_unmap(piece.begin, CHUNK), "unmap memory")) {
            ok = false;
            continue;
        }
        gcl_cuda_physical_give(piece.chunk->mapped.memory, piece.chunk->mapped.is_in_host);
        piece.chunk->mapped.number = 0;
    }
    return ok;
}

/// Maps what isn't mapped yet. To ask for access takes long, so that is done for all chunks in a
/// row at once.
static bool map_range(uintptr_t begin, uintptr_t end) {
    uintptr_t mapped = begin / CHUNK * CHUNK, at = mapped; // without access between them
    bool ok = true;
    while (at < end && ok) {
        const struct piece piece = piece_at(&pages.device, at < begin ? begin : at, end);
        if (piece.chunk->mapped.number > 0) {
            ok = allow(mapped, at);
            mapped = piece.begin + CHUNK;
        } else {
            ok = map_chunk(&piece);
        }
        at = ok ? piece.begin + CHUNK : at;
    }
    ok = allow(mapped, at) && ok;
    if (!ok)
        unmap_unused(begin, end);
    return ok;
}

static bool use_range(uintptr_t begin, uintptr_t end, const struct gcl_cuda_lane *lane) {
    bool ok = map_range(begin, end);
    while (begin < end && ok) {
        const struct piece piece = piece_at(&pages.device, begin, end);
        ok = use_pages(&piece, lane);
        begin = piece.begin + CHUNK;
    }
    return ok;
}

static bool leave_range(uintptr_t begin, uintptr_t end) {
    for (uintptr_t at = begin; at < end;) {
        const struct piece piece = piece_at(&pages.device, at, end);
        for (size_t page = piece.first; page < piece.behind; page++)
            mark(piece.chunk, page, false);
        at = piece.begin + CHUNK;
    }
    return unmap_unused(begin, end);
}

static bool commit(uintptr_t begin, size_t size) {
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    if (!lane)
        return false;
    pthread_mutex_lock(&pages.lock);
    bool ok = use_range(begin, begin + size, lane);
    pthread_mutex_unlock(&pages.lock);
    ok = gcl_cuda_lane_wait(lane, "zero memory") && ok;
    gcl_cuda_lane_give(lane);
    if (!ok)
        errno = ENOMEM;
    return ok;
}

static bool decommit(uintptr_t begin, size_t size) {
    gcl_cuda_enter();
    pthread_mutex_lock(&pages.lock);
    bool ok = leave_range(begin, begin + size);
    pthread_mutex_unlock(&pages.lock);
    return ok;
}

// Chunks that are in use go with their range, which has to be unmapped by then.
static void release(uintptr_t begin, size_t size) {
    if (begin < pages.device.top)
        leave_range(begin, pages.device.top);
    gcl_cuda_physical_drop();
    gcl_cuda_check(gcl_cuda.driver->address_free(begin, size), "give addresses back");
    close_range(&pages.device, size);
}

// Kernels write nothing there: what is sealed is constant in their source.
static bool seal(uintptr_t begin, size_t size) {
    (void)begin, (void)size;
    return true;
}

static void clear(uintptr_t begin, size_t size) {
    struct gcl_cuda_lane *lane = size > 0 ? gcl_cuda_lane_take() : NULL;
    if (!lane)
        return;
    if (gcl_cuda_check(gcl_cuda.driver->set(begin, 0, size, lane->stream), "zero memory"))
        gcl_cuda_lane_wait(lane, "zero memory");
    gcl_cuda_lane_give(lane);
    gcl_cuda_note_write((const void *)begin, size);
}

static void write(uintptr_t begin, const void *source, size_t size) {
    gcl_cuda_bytes.copy(NULL, (void *)begin, source, size);
}

// Memory of the host. Ranges go as they came.

/// Lets the GPU use memory of the host, at its address.
static bool lock_memory(uintptr_t begin, size_t size) {
    const unsigned flags = GCL_CU_REGISTER_PORTABLE | GCL_CU_REGISTER_MAPPED;
    gcl_cu_address address = 0;
    gcl_cuda_enter();
    int error = gcl_cuda.driver->host_register((void *)begin, size, flags);
    if (error == GCL_CU_OK)
        error = gcl_cuda.driver->host_pointer(&address, (void *)begin, 0);
    if (error != GCL_CU_OK) {
        const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
        gcl_log(GCL_LOG_WARN, "the GPU can't be given %zu bytes of the host's memory at %p: %s",
                size, (void *)begin, e.text);
        return false;
    }
    if (address == begin)
        return true;
    gcl_log(GCL_LOG_WARN,
            "the GPU would see the host's memory at %p at another address (%#llx), and programs "
            "rely on one",
            (void *)begin, (unsigned long long)address);
    gcl_cuda_check(gcl_cuda.driver->host_unregister((void *)begin), "unlock memory");
    return false;
}

static bool unlock_memory(uintptr_t begin) {
    gcl_cuda_enter();
    return gcl_cuda_check(gcl_cuda.driver->host_unregister((void *)begin), "unlock memory");
}

static bool commit_shared(uintptr_t begin, size_t size) {
    if (!gcl_pages_host.commit(begin, size))
        return false;
    if (lock_memory(begin, size))
        return true;
    gcl_pages_host.decommit(begin, size);
    errno = ENOMEM;
    return false;
}

static bool decommit_shared(uintptr_t begin, size_t size) {
    return unlock_memory(begin) && gcl_pages_host.decommit(begin, size);
}

static uintptr_t reserve_shared(uintptr_t wanted, size_t size, char why[GCL_PAGES_WHY_SIZE]) {
    uintptr_t begin = gcl_pages_host.reserve(wanted, size, why);
    if (begin)
        pages.shared = (struct span){begin, begin + size};
    return begin;
}

static void release_shared(uintptr_t begin, size_t size) {
    gcl_pages_host.release(begin, size);
    pages.shared = (struct span){.begin = 0};
}

static void clear_shared(uintptr_t begin, size_t size) {
    gcl_pages_host.clear(begin, size);
}

static void write_shared(uintptr_t begin, const void *source, size_t size) {
    gcl_pages_host.write(begin, source, size);
}

static bool seal_shared(uintptr_t begin, size_t size) {
    return gcl_pages_host.seal(begin, size);
}

static const struct gcl_page_ops shared_pages = {.reserve = reserve_shared,
                                                 .release = release_shared,
                                                 .commit = commit_shared,
                                                 .decommit = decommit_shared,
                                                 .seal = seal_shared,
                                                 .clear = clear_shared,
                                                 .write = write_shared};

// Memory of the program's own. What it names may share pages; the driver locks a page once.

/// Whole pages that are locked as one.
struct lent {
    uintptr_t begin, end;
    unsigned users;
    struct lent *next;
};

static struct lent *all_lent;    ///< pages.lock
static atomic_bool has_lent_any; ///< so far

static struct lent *find_lent(uintptr_t begin, uintptr_t end) {
    struct lent *found = NULL; // the first in the range
    for (struct lent *l = all_lent; l; l = l->next) {
        if (l->begin < end && l->end > begin && (!found || l->begin < found->begin))
            found = l;
    }
    return found;
}

static bool lend_pages(uintptr_t begin, uintptr_t end) {
    struct lent *lent = malloc(sizeof *lent);
    if (!lent || !lock_memory(begin, end - begin)) {
        free(lent);
        return false;
    }
    *lent = (struct lent){begin, end, 0, all_lent};
    all_lent = lent;
    atomic_store(&has_lent_any, true);
    return true;
}

/// Has `change` more users of all that is lent in a range, and unlocks what has none.
static void change_users(uintptr_t begin, uintptr_t end, int change) {
    for (struct lent **link = &all_lent; *link;) {
        struct lent *l = *link;
        if (l->begin < end && l->end > begin)
            l->users += (unsigned)change;
        if (l->users > 0) {
            link = &l->next;
            continue;
        }
        *link = l->next;
        unlock_memory(l->begin);
        free(l);
    }
}

static bool lend_gaps(uintptr_t begin, uintptr_t end) {
    bool ok = true;
    while (begin < end && ok) {
        const struct lent *next = find_lent(begin, end);
        if (next && next->begin <= begin) {
            begin = next->end;
            continue;
        }
        uintptr_t until = next ? next->begin : end;
        ok = lend_pages(begin, until);
        begin = until;
    }
    return ok;
}

/// The whole pages of the host's around a range.
static struct span pages_around(uintptr_t begin, size_t size) {
    uintptr_t page = getauxval(AT_PAGESZ);
    return (struct span){begin / page * page, (begin + size + page - 1) / page * page};
}

static bool lend(uintptr_t begin, size_t size) {
    const struct span span = pages_around(begin, size);
    pthread_mutex_lock(&pages.lock);
    bool ok = lend_gaps(span.begin, span.end);
    change_users(span.begin, span.end,
                 ok ? 1 : 0); // what has no users is what has been locked in vain
    pthread_mutex_unlock(&pages.lock);
    return ok;
}

static void take_back(uintptr_t begin, size_t size) {
    const struct span span = pages_around(begin, size);
    pthread_mutex_lock(&pages.lock);
    change_users(span.begin, span.end, -1);
    pthread_mutex_unlock(&pages.lock);
}

bool gcl_cuda_is_locked(const void *begin, size_t size) {
    uintptr_t first = (uintptr_t)begin, behind = first + size;
    if (first >= pages.shared.begin && behind <= pages.shared.end)
        return true;
    pthread_mutex_lock(&pages.lock);
    bool is_lent = false;
    for (const struct lent *l = all_lent; l && !is_lent; l = l->next)
        is_lent = first >= l->begin && behind <= l->end;
    pthread_mutex_unlock(&pages.lock);
    return is_lent;
}

size_t gcl_cuda_alike(uintptr_t begin, size_t size) {
    if (!atomic_load(&has_lent_any))
        return size;
    pthread_mutex_lock(&pages.lock);
    const struct lent *next = find_lent(begin, begin + size);
    uintptr_t until = !next ? begin + size : next->begin > begin ? next->begin : next->end;
    pthread_mutex_unlock(&pages.lock);
    return until - begin < size ? until - begin : size;
}

const struct gcl_page_ops gcl_cuda_pages = {.reserve = reserve,
                                            .release = release,
                                            .commit = commit,
                                            .decommit = decommit,
                                            .seal = seal,
                                            .clear = clear,
                                            .write = write,
                                            .shared = &shared_pages,
                                            .lend = lend,
                                            .take_back = take_back,
                                            .extend = gcl_cuda_physical_extend,
                                            .tell = gcl_cuda_physical_tell};

const struct gcl_page_ops gcl_cuda_pages_alone = {.reserve = reserve,
                                                  .release = release,
                                                  .commit = commit,
                                                  .decommit = decommit,
                                                  .seal = seal,
                                                  .clear = clear,
                                                  .write = write,
                                                  .extend = gcl_cuda_physical_extend,
                                                  .tell = gcl_cuda_physical_tell};
