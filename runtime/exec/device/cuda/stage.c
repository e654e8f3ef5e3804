// Copies between the GPU's memory and what the host has that isn't page-locked. The driver would
// stage those by itself, one at a time and on the thread that calls; here each lane has two slots
// of page-locked memory, and while the GPU copies a piece from or to one of them, the thread copies
// the next or the last piece to or from the other. Threads with lanes of their own do so side by
// side.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/staged.h"
#include "exec/device/cuda/state.h"

#define PIECE ((size_t)1 << 20)
#define LEAST ((size_t)64 << 10) // bytes; fewer the driver takes along with the command

enum { SLOTS = 2 };

struct gcl_cuda_ring {
    unsigned char *bytes;
    void *events[SLOTS]; ///< the GPU is done with what was put in a slot last
    unsigned next;       ///< slot
};

static bool lock_ring(struct gcl_cuda_ring *ring) {
    const struct gcl_driver *driver = gcl_cuda.driver;
    if (driver->host_register(ring->bytes, SLOTS * PIECE, GCL_CU_REGISTER_PORTABLE) != GCL_CU_OK)
        return false;
    for (int i = 0; i < SLOTS; i++) {
        if (driver->event_create(&ring->events[i], GCL_CU_EVENT_NO_TIMES) != GCL_CU_OK)
            return false;
    }
    return true;
}

void gcl_cuda_ring_close(struct gcl_cuda_ring *ring) {
    if (!ring)
        return;
    for (int i = 0; i < SLOTS; i++) {
        if (ring->events[i])
            gcl_cuda.driver->event_destroy(ring->events[i]);
    }
    gcl_cuda.driver->host_unregister(ring->bytes); // it may not be locked
    munmap(ring->bytes, SLOTS * PIECE);
    free(ring);
}

/// NULL: none can be had, and the driver stages.
static struct gcl_cuda_ring *ring_of(struct gcl_cuda_lane *lane) {
    if (lane->ring || lane->lacks_ring)
        return lane->ring;
    lane->lacks_ring = true;
    struct gcl_cuda_ring *ring = calloc(1, sizeof *ring);
    void *bytes =
        ring ? mmap(NULL, SLOTS * PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
             : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        free(ring);
        return NULL;
    }
    ring->bytes = bytes;
    if (lock_ring(ring)) {
        lane->ring = ring;
        return ring;
    }
    gcl_log(GCL_LOG_DEBUG, "no page-locked memory can be had to copy by way of");
    gcl_cuda_ring_close(ring);
    return NULL;
}

/// The ring that such a copy goes through; NULL: it doesn't need one, or there is none.
static struct gcl_cuda_ring *choose_ring(struct gcl_cuda_lane *lane, const void *host,
                                         size_t size) {
    return size > LEAST && !gcl_cuda_is_locked(host, size) ? ring_of(lane) : NULL;
}

static unsigned char *slot_at(const struct gcl_cuda_ring *ring, unsigned slot) {
    return ring->bytes + slot * PIECE;
}

/// Takes the slot that has been in use longest.
static int take_slot(struct gcl_cuda_ring *ring, unsigned *slot) {
    *slot = ring->next;
    ring->next = (ring->next + 1) % SLOTS;
    return gcl_cuda.driver->event_wait(ring->events[*slot]);
}

/// Has the GPU copy, and tells when a slot is free again, or has what was copied.
static int copy_by_slot(const struct gcl_cuda_lane *lane, unsigned slot, uintptr_t target,
                        uintptr_t source, size_t size) {
    int error = gcl_cuda.driver->copy(target, source, size, lane->stream);
    return error == GCL_CU_OK
               ? gcl_cuda.driver->event_record(lane->ring->events[slot], lane->stream)
               : error;
}

static size_t piece_of(size_t rest) {
    return rest < PIECE ? rest : PIECE;
}

int gcl_cuda_send(struct gcl_cuda_lane *lane, uintptr_t target, const void *host, size_t size) {
    struct gcl_cuda_ring *ring = choose_ring(lane, host, size);
    int error = GCL_CU_OK;
    if (!ring)
        return gcl_cuda.driver->copy(target, (uintptr_t)host, size, lane->stream);
    for (size_t done = 0, piece; done < size && error == GCL_CU_OK; done += piece) {
        unsigned slot;
        piece = piece_of(size - done);
        error = take_slot(ring, &slot);
        if (error != GCL_CU_OK)
            break;
        memcpy(slot_at(ring, slot), (const unsigned char *)host + done, piece);
        gcl_staged_add(piece);
        error = copy_by_slot(lane, slot, target + done, (uintptr_t)slot_at(ring, slot), piece);
    }
    return error;
}

/// A piece that is on its way to the host.
struct arrival {
    unsigned char *to;
    size_t size; ///< 0: there is none
    unsigned slot;
};

static int take_arrival(const struct gcl_cuda_ring *ring, const struct arrival *arrival) {
    if (arrival->size == 0)
        return GCL_CU_OK;
    int error = gcl_cuda.driver->event_wait(ring->events[arrival->slot]);
    if (error != GCL_CU_OK)
        return error;
    memcpy(arrival->to, slot_at(ring, arrival->slot), arrival->size);
    gcl_staged_add(arrival->size);
    return GCL_CU_OK;
}

int gcl_cuda_fetch(struct gcl_cuda_lane *lane, void *host, uintptr_t source, size_t size) {
    struct gcl_cuda_ring *ring = choose_ring(lane, host, size);
    struct arrival last = {.size = 0};
    int error = GCL_CU_OK;
    if (!ring)
        return gcl_cuda.driver->copy((uintptr_t)host, source, size, lane->stream);
    for (size_t done = 0; done < size && error == GCL_CU_OK;) {
        struct arrival next = {(unsigned char *)host + done, piece_of(size - done), 0};
        error = take_slot(ring, &next.slot);
        if (error == GCL_CU_OK)
            error = copy_by_slot(lane, next.slot, (uintptr_t)slot_at(ring, next.slot),
                                 source + done, next.size);
        if (error == GCL_CU_OK)
            error = take_arrival(ring, &last);
        done += next.size;
        last = next;
    }
    return error == GCL_CU_OK ? take_arrival(ring, &last) : error;
}
