// Memory that processes of a host map of each other: chunks. Their owner exports each once to each
// neighbour, as a descriptor that is open only until the neighbour has it, and keeps in mind which
// chunks it has lent. The neighbour maps them in a window of its own for each owner, in which they
// lie as they do in the owner's memory, so that the way from a place to the owner's copy of it is
// the same number of bytes everywhere.
//
// What is mapped stays so until its owner lends something else for the same place, or this process
// ends. Meanwhile the owner may have put the memory to another place: nobody reads by the old
// mapping, since its owner hasn't lent what is there now. Owners give no memory back to the driver
// before they end, so mappings keep none alive.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/device/cuda/state.h"

#define CHUNK GCL_CUDA_CHUNK
#define MOST_ADDRESSES ((size_t)16 << 40) // of all windows
#define LEAST_ADDRESSES ((size_t)64 << 30)

/// What is mapped in a place of a window.
struct borrowed {
    uint64_t number; ///< its owner's; 0: nothing
};

static struct {
    pthread_mutex_t lock;
    _Atomic uintptr_t begin, end; ///< of all windows, one after the other; 0: there are none yet
    size_t size;                  ///< of one
    struct borrowed *chunks;      ///< of all windows; zeroed pages that come as they are touched
} peer = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool gcl_cuda_is_borrowed(const void *address) {
    return (uintptr_t)address - peer.begin < peer.end - peer.begin;
}

// What this process lends.

/// A chunk at an address, for a neighbour. False: it can't be lent.
static bool lend(uintptr_t address, const struct gcl_cuda_chunk *chunk, struct gcl_loan *loan) {
    int descriptor = -1;
    if (gcl_cuda.handle_type == GCL_CU_HANDLE_NONE || chunk->is_in_host)
        return false;
    int error = gcl_cuda.driver->memory_export(&descriptor, chunk->memory, gcl_cuda.handle_type, 0);
    if (error != GCL_CU_OK) {
        gcl_log(GCL_LOG_DEBUG, "memory at %#llx can't be exported: %s", (unsigned long long)address,
                gcl_driver_error(gcl_cuda.driver, error).text);
        return false;
    }
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    *loan = (struct gcl_loan){address, chunk->number, descriptor};
    return true;
}

/// Looks at the chunks from one address to another, and lends what a neighbour lacks. False: it
/// lacks some.
static bool offer_chunks(unsigned neighbour, uintptr_t begin, uintptr_t end, struct gcl_loan *loans,
                         size_t *count) {
    bool has_all = true;
    for (uintptr_t at = begin / CHUNK * CHUNK; at < end; at += CHUNK) {
        const struct gcl_cuda_chunk *chunk = gcl_cuda_chunk_at(at);
        if (chunk && chunk->has_lent >> neighbour & 1)
            continue;
        has_all = false;
        bool is_last = *count > 0 && loans[*count - 1].begin == at; // boxes may share a chunk
        if (!chunk || !loans || *count == GCL_LOANS_MOST)
            return false;
        if (!is_last && !lend(at, chunk, &loans[*count]))
            return false;
        *count += !is_last;
    }
    return has_all;
}

static bool offer(unsigned neighbour, const struct gcl_region *region, const unsigned char *place,
                  struct gcl_loan *loans, size_t *count) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    bool has_all = true;
    *count = 0;
    gcl_cuda_enter();
    pthread_mutex_lock(&peer.lock);
    for (size_t i = 0; i < gcl_region_box_count(region) && (has_all || loans); i++) {
        uintptr_t begin = (uintptr_t)(place + boxes[i].begin),
                  end = (uintptr_t)(place + gcl_strided_end(&boxes[i]));
        has_all = offer_chunks(neighbour, begin, end, loans, count) && has_all;
    }
    pthread_mutex_unlock(&peer.lock);
    return has_all;
}

static void end_offer(unsigned neighbour, const struct gcl_loan *loans, size_t count,
                      bool is_taken) {
    pthread_mutex_lock(&peer.lock);
    for (size_t i = 0; i < count; i++) {
        struct gcl_cuda_chunk *chunk = gcl_cuda_chunk_at(loans[i].begin);
        if (is_taken && chunk && chunk->number == loans[i].number)
            chunk->has_lent |= UINT64_C(1) << neighbour;
        close((int)loans[i].descriptor);
    }
    pthread_mutex_unlock(&peer.lock);
}

// What it borrows.

/// Has addresses for all windows: as many as the driver has.
static bool open_windows(void) {
    gcl_cu_address begin = 0;
    size_t size = MOST_ADDRESSES;
    if (peer.begin != 0)
        return true;
    while (gcl_cuda.driver->address_reserve(&begin, size, CHUNK, 0, 0) != GCL_CU_OK) {
        size /= 2;
        if (size < LEAST_ADDRESSES)
            return false;
    }
    peer.chunks = mmap(NULL, size / CHUNK * sizeof *peer.chunks, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (peer.chunks == MAP_FAILED) {
        gcl_cuda_check(gcl_cuda.driver->address_free(begin, size), "give addresses back");
        return false;
    }
    peer.size = size / GCL_LENDING_MOST;
    peer.end = (uintptr_t)begin + size;
    peer.begin = (uintptr_t)begin;
    return true;
}

static uintptr_t window_of(unsigned neighbour) {
    return peer.begin + neighbour * peer.size;
}

/// Ends what is mapped in a place of a window.
static bool give_back(uintptr_t address, struct borrowed *chunk) {
    if (chunk->number == 0)
        return true;
    chunk->number = 0;
    return gcl_cuda_check(gcl_cuda.driver->memory_unmap(address, CHUNK), "unmap memory");
}

/// Maps what a descriptor stands for. The driver's result.
static int map(uintptr_t address, int descriptor) {
    const struct gcl_driver *d = gcl_cuda.driver;
    const struct gcl_cu_access access = {{GCL_CU_LOCATION_DEVICE, gcl_cuda.device},
                                         GCL_CU_ACCESS_BOTH};
    gcl_cu_memory memory;
    int error = d->memory_import(&memory, (void *)(intptr_t)descriptor, GCL_CU_HANDLE_DESCRIPTOR);
    if (error != GCL_CU_OK)
        return error;
    error = d->memory_map(address, CHUNK, 0, memory, 0);
    d->memory_release(memory); // stays while it is mapped
    if (error != GCL_CU_OK)
        return error;
    error = d->memory_allow(address, CHUNK, &access, 1);
    if (error != GCL_CU_OK)
        d->memory_unmap(address, CHUNK);
    return error;
}

/// NULL, or why something that is lent can't be mapped.
static const char *take(unsigned neighbour, const struct gcl_loan *loan, int descriptor) {
    if (!open_windows())
        return "the GPU's driver has no addresses for it";
    uint64_t offset = loan->begin - gcl_cuda_pages_begin();
    if (offset % CHUNK != 0 || offset >= peer.size || loan->number == 0)
        return "it lies too far behind the first addresses";
    uintptr_t address = window_of(neighbour) + offset;
    struct borrowed *chunk = &peer.chunks[(address - peer.begin) / CHUNK];
    if (chunk->number == loan->number)
        return NULL;
    if (!give_back(address, chunk))
        return "what was there before can't be unmapped";
    int error = map(address, descriptor);
    if (error != GCL_CU_OK)
        return gcl_driver_error(gcl_cuda.driver, error).text;
    chunk->number = loan->number;
    return NULL;
}

static bool borrow(unsigned neighbour, const struct gcl_loan *loan, int descriptor) {
    gcl_cuda_enter();
    pthread_mutex_lock(&peer.lock);
    const char *why = take(neighbour, loan, descriptor);
    pthread_mutex_unlock(&peer.lock);
    if (why)
        gcl_log(GCL_LOG_INFO,
                "this node's GPU can't map the memory of another node's, which comes by the host's "
                "memory instead: %s",
                why);
    return !why;
}

static void copy(unsigned neighbour, const struct gcl_region *region, unsigned char *place,
                 unsigned char *packed) {
    pthread_mutex_lock(&peer.lock);
    ptrdiff_t shift = (ptrdiff_t)(window_of(neighbour) - gcl_cuda_pages_begin());
    pthread_mutex_unlock(&peer.lock);
    gcl_cuda_borrow(region, place, shift, packed);
}

const struct gcl_lending gcl_cuda_lending = {
    .offer = offer, .end_offer = end_offer, .borrow = borrow, .copy = copy};
