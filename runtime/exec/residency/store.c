// A put takes places for all chunks first, and gives up those that couldn't be written; what is
// between is the tiers'.
#include "exec/residency/store.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes_text.h"
#include "base/log.h"
#include "exec/residency/place.h"
#include "exec/residency/store_file.h"
#include "exec/residency/store_host.h"
#include "exec/residency/store_pages.h"

/// What other nodes have given.
struct neighbours {
    struct gcl_store_neighbours ask; ///< zeroed: there are none
    pthread_mutex_t asking;          ///< is held while others are asked
    pthread_mutex_t lock;            ///< of what follows; nobody waits for other nodes with it
    uint64_t *free;                  ///< numbers of chunks; room for all that were granted
    size_t free_count, granted;
    bool has_refused;
};

struct gcl_store {
    struct gcl_store_host host;   ///< for bytes, or none, where pages are moved
    struct gcl_store_pages pages; ///< or none
    struct neighbours neighbours;
    struct gcl_store_file file;
    atomic_size_t spared; ///< chunks of the host's that others have
};

struct gcl_store *gcl_store_create(const struct gcl_store_options *options) {
    struct gcl_store *store = calloc(1, sizeof *store);
    if (!store) {
        gcl_log(GCL_LOG_ERROR, "no memory to note what is kept out of the device");
        return NULL;
    }
    pthread_mutex_init(&store->neighbours.asking, NULL);
    pthread_mutex_init(&store->neighbours.lock, NULL);
    if (gcl_store_host_init(&store->host, options->host_size) &&
        gcl_store_file_init(&store->file, options->folder, options->folder_size))
        return store;
    gcl_store_destroy(store);
    return NULL;
}

void gcl_store_destroy(struct gcl_store *store) {
    if (!store)
        return;
    gcl_store_file_finish(&store->file);
    gcl_store_host_finish(&store->host);
    gcl_store_pages_finish(&store->pages);
    pthread_mutex_destroy(&store->neighbours.asking);
    pthread_mutex_destroy(&store->neighbours.lock);
    free(store->neighbours.free);
    free(store);
}

// The host's memory, which has bytes or pages.

static bool has_pages(const struct gcl_store *store) {
    return store->pages.memory;
}

bool gcl_store_take_pages(struct gcl_store *store, struct gcl_memory_guard *guard,
                          uint32_t chunk_count) {
    struct gcl_store_pages pages;
    uint64_t count = store->host.slots.count;
    if (count == 0)
        return false;
    if (!gcl_store_pages_init(&pages, guard, count, chunk_count)) {
        gcl_log(GCL_LOG_INFO, "bytes are copied to the host's memory: pages can't be moved (%s)",
                strerror(errno));
        gcl_store_pages_finish(&pages);
        return false;
    }
    gcl_store_host_finish(&store->host);
    store->pages = pages;
    return true;
}

static uint64_t host_count(const struct gcl_store *store) {
    return has_pages(store) ? store->pages.count : store->host.slots.count;
}

static uint64_t host_taken(const struct gcl_store *store) {
    return has_pages(store) ? store->pages.taken : store->host.slots.taken;
}

// What other nodes keep.

void gcl_store_join(struct gcl_store *store, const struct gcl_store_neighbours *neighbours) {
    store->neighbours.ask = *neighbours;
}

/// The lock is held.
static bool add_granted(struct neighbours *neighbours) {
    size_t all = neighbours->granted + GCL_STORE_GRANT;
    uint64_t *free = realloc(neighbours->free, all * sizeof *free);
    if (!free)
        return false;
    neighbours->free = free;
    while (neighbours->granted < all)
        free[neighbours->free_count++] = neighbours->granted++;
    return true;
}

size_t gcl_store_grow(struct gcl_store *store) {
    struct neighbours *neighbours = &store->neighbours;
    if (!neighbours->ask.grow)
        return 0;
    pthread_mutex_lock(&neighbours->asking);
    bool is_granted = neighbours->ask.grow(neighbours->ask.context);
    pthread_mutex_lock(&neighbours->lock);
    bool has_grown = is_granted && add_granted(neighbours);
    neighbours->has_refused |= !has_grown;
    pthread_mutex_unlock(&neighbours->lock);
    pthread_mutex_unlock(&neighbours->asking);
    return has_grown ? GCL_STORE_GRANT : 0;
}

bool gcl_store_may_grow(struct gcl_store *store) {
    struct neighbours *neighbours = &store->neighbours;
    bool has_room = host_taken(store) < host_count(store);
    if (!neighbours->ask.grow || store->file.size == 0 || has_room)
        return false;
    pthread_mutex_lock(&neighbours->lock);
    bool may = !neighbours->has_refused && neighbours->free_count < GCL_STORE_GRANT;
    pthread_mutex_unlock(&neighbours->lock);
    return may;
}

static bool spare_slots(struct gcl_slots *slots) {
    uint64_t taken[GCL_STORE_GRANT];
    size_t count = 0;
    while (count < GCL_STORE_GRANT && (taken[count] = gcl_slots_take(slots)) != GCL_SLOT_NONE)
        count++;
    if (count == GCL_STORE_GRANT)
        return true;
    while (count-- > 0)
        gcl_slots_drop(slots, taken[count]);
    return false;
}

// The memory is of its own, since other nodes write bytes there; it counts as the host's.
bool gcl_store_spare(struct gcl_store *store, unsigned char **chunks) {
    unsigned char *memory = aligned_alloc(GCL_CHUNK_SIZE, (size_t)GCL_STORE_GRANT * GCL_CHUNK_SIZE);
    bool has_room =
        memory && (has_pages(store) ? gcl_store_pages_spare(&store->pages, GCL_STORE_GRANT)
                                    : spare_slots(&store->host.slots));
    if (!has_room) {
        free(memory);
        return false;
    }
    for (size_t i = 0; i < GCL_STORE_GRANT; i++)
        chunks[i] = memory + i * GCL_CHUNK_SIZE;
    atomic_fetch_add(&store->spared, GCL_STORE_GRANT);
    return true;
}

static uint64_t take_neighbours(struct neighbours *neighbours) {
    pthread_mutex_lock(&neighbours->lock);
    uint64_t number =
        neighbours->free_count > 0 ? neighbours->free[--neighbours->free_count] : GCL_SLOT_NONE;
    pthread_mutex_unlock(&neighbours->lock);
    return number;
}

static void drop_neighbours(struct neighbours *neighbours, uint64_t number) {
    pthread_mutex_lock(&neighbours->lock);
    assert(neighbours->free_count < neighbours->granted);
    neighbours->free[neighbours->free_count++] = number;
    pthread_mutex_unlock(&neighbours->lock);
}

/// Other nodes put or get those of the transfers that they keep, and whose status is GCL_OK.
static void run_neighbours(struct gcl_store *store, bool is_put,
                           struct gcl_store_transfer *transfers, size_t count) {
    const struct gcl_store_neighbours *ask = &store->neighbours.ask;
    for (size_t end, i = 0; i < count; i = end) {
        struct gcl_store_transfer run[GCL_STORE_RUN];
        size_t of[GCL_STORE_RUN], wanted = 0;
        for (end = i; end < count && wanted < GCL_STORE_RUN; end++) {
            bool is_meant = gcl_place_tier(transfers[end].place) == GCL_TIER_NEIGHBOUR &&
                            transfers[end].status == GCL_OK;
            if (!is_meant)
                continue;
            run[wanted] = transfers[end];
            run[wanted].place = gcl_place_slot(transfers[end].place);
            of[wanted++] = end;
        }
        if (wanted > 0)
            ask->run(ask->context, is_put, run, wanted);
        for (size_t k = 0; k < wanted; k++)
            transfers[of[k]].status = run[k].status;
    }
}

// What this node keeps.

size_t gcl_store_size(const struct gcl_store *store) {
    return host_count(store) * GCL_CHUNK_SIZE + store->file.size;
}

size_t gcl_store_used(const struct gcl_store *store) {
    return (host_taken(store) - store->spared + store->file.slots.taken) * GCL_CHUNK_SIZE;
}

struct gcl_store_use gcl_store_use(struct gcl_store *store) {
    pthread_mutex_lock(&store->neighbours.lock);
    size_t granted = store->neighbours.granted, free = store->neighbours.free_count;
    pthread_mutex_unlock(&store->neighbours.lock);
    size_t spared = store->spared;
    return (struct gcl_store_use){.host = (host_taken(store) - spared) * GCL_CHUNK_SIZE,
                                  .host_size = (host_count(store) - spared) * GCL_CHUNK_SIZE,
                                  .neighbours = (granted - free) * GCL_CHUNK_SIZE,
                                  .neighbours_size = granted * GCL_CHUNK_SIZE,
                                  .file = store->file.slots.taken * GCL_CHUNK_SIZE,
                                  .file_size = store->file.size,
                                  .file_written = store->file.written,
                                  .file_read = store->file.read};
}

size_t gcl_store_reserve(struct gcl_store *store, const uint32_t *chunks, gcl_store_place *places,
                         size_t count) {
    size_t taken =
        has_pages(store) ? gcl_store_pages_take(&store->pages, chunks, places, count) : 0;
    for (size_t i = 0; i < taken; i++)
        places[i] = gcl_place(GCL_TIER_HOST, places[i]);
    return taken;
}

bool gcl_store_has_room_for_pages(const struct gcl_store *store) {
    return has_pages(store) && host_taken(store) < host_count(store);
}

bool gcl_store_has_pages(const struct gcl_store *store, gcl_store_place place) {
    return has_pages(store) && gcl_place_tier(place) == GCL_TIER_HOST;
}

/// A place for bytes that nobody has; 0, after a message: there is none.
static gcl_store_place take(struct gcl_store *store) {
    uint64_t slot = gcl_slots_take(&store->host.slots);
    if (slot != GCL_SLOT_NONE)
        return gcl_place(GCL_TIER_HOST, slot);
    slot = take_neighbours(&store->neighbours);
    if (slot != GCL_SLOT_NONE)
        return gcl_place(GCL_TIER_NEIGHBOUR, slot);
    slot = gcl_slots_take(&store->file.slots);
    if (slot != GCL_SLOT_NONE)
        return gcl_place(GCL_TIER_FILE, slot);
    if (gcl_store_used(store) == gcl_store_size(store))
        gcl_log(GCL_LOG_ERROR,
                "no room for what the device can't hold: %s of the host's memory and %s of files "
                "are full; GCL_HOST_MEMORY and GCL_SPILL give more",
                gcl_bytes_text((double)(host_count(store) * GCL_CHUNK_SIZE)).text,
                gcl_bytes_text((double)store->file.size).text);
    return 0;
}

void gcl_store_drop_empty(struct gcl_store *store, gcl_store_place place) {
    enum gcl_tier tier = gcl_place_tier(place);
    uint64_t slot = gcl_place_slot(place);
    if (gcl_store_has_pages(store, place))
        gcl_store_pages_drop(&store->pages, slot);
    else if (tier == GCL_TIER_HOST)
        gcl_slots_drop(&store->host.slots, slot);
    else if (tier == GCL_TIER_NEIGHBOUR)
        drop_neighbours(&store->neighbours, slot);
    else if (tier == GCL_TIER_FILE)
        gcl_slots_drop(&store->file.slots, slot);
}

static enum gcl_status first_failure(const struct gcl_store_transfer *transfers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (transfers[i].status != GCL_OK)
            return transfers[i].status;
    }
    return GCL_OK;
}

enum gcl_status gcl_store_put(struct gcl_store *store, struct gcl_store_transfer *transfers,
                              size_t count) {
    bool is_full = false;
    for (size_t i = 0; i < count; i++) {
        transfers[i].place = is_full ? 0 : take(store);
        is_full |= transfers[i].place == 0;
        transfers[i].status = is_full ? GCL_NO_MEMORY : GCL_OK;
    }
    gcl_store_file_run(&store->file, true, transfers, count);
    run_neighbours(store, true, transfers, count);
    for (size_t i = 0; i < count; i++) {
        gcl_store_place place = transfers[i].place;
        if (gcl_place_tier(place) == GCL_TIER_HOST)
            memcpy(gcl_store_host_at(&store->host, gcl_place_slot(place)), transfers[i].bytes,
                   GCL_CHUNK_SIZE);
        if (transfers[i].status == GCL_OK)
            continue;
        gcl_store_drop_empty(store, place);
        transfers[i].place = 0;
    }
    return first_failure(transfers, count);
}

enum gcl_status gcl_store_get(struct gcl_store *store, struct gcl_store_transfer *transfers,
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        gcl_store_place place = transfers[i].place;
        assert(place);
        transfers[i].status = GCL_OK;
        if (gcl_place_tier(place) == GCL_TIER_HOST)
            memcpy(transfers[i].bytes, gcl_store_host_at(&store->host, gcl_place_slot(place)),
                   GCL_CHUNK_SIZE);
    }
    gcl_store_file_run(&store->file, false, transfers, count);
    run_neighbours(store, false, transfers, count);
    return first_failure(transfers, count);
}

const void *gcl_store_look(const struct gcl_store *store, gcl_store_place place) {
    assert(place);
    if (gcl_place_tier(place) != GCL_TIER_HOST)
        return NULL;
    uint64_t slot = gcl_place_slot(place);
    return has_pages(store) ? gcl_store_pages_at(&store->pages, slot)
                            : gcl_store_host_at(&store->host, slot);
}

/// Places side by side that have pages, from the first one on. 0: it has none.
static size_t run_of_pages(const struct gcl_store *store, const gcl_store_place *places,
                           size_t count) {
    size_t run = 0;
    while (run < count && gcl_store_has_pages(store, places[run]) && places[run] == places[0] + run)
        run++;
    return run;
}

void gcl_store_drop(struct gcl_store *store, const gcl_store_place *places, size_t count) {
    for (size_t i = 0, run; i < count; i += run > 0 ? run : 1) {
        run = run_of_pages(store, places + i, count - i);
        uint64_t slot = gcl_place_slot(places[i]);
        if (run > 0)
            gcl_store_pages_clear(&store->pages, slot, slot + run);
    }
    for (size_t i = 0; i < count; i++)
        gcl_store_drop_empty(store, places[i]);
}
