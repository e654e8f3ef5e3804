// A put takes places for all chunks first, and gives up those that couldn't be written; what is
// between is the tiers'.
#include "exec/residency/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes_text.h"
#include "base/log.h"
#include "exec/residency/place.h"
#include "exec/residency/store_file.h"
#include "exec/residency/store_host.h"

struct gcl_store {
    struct gcl_store_host host;
    struct gcl_store_file file;
};

struct gcl_store *gcl_store_create(const struct gcl_store_options *options) {
    struct gcl_store *store = calloc(1, sizeof *store);
    if (!store) {
        gcl_log(GCL_LOG_ERROR, "no memory to note what is kept out of the device");
        return NULL;
    }
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
    free(store);
}

size_t gcl_store_size(const struct gcl_store *store) {
    return store->host.size + store->file.size;
}

size_t gcl_store_used(const struct gcl_store *store) {
    return (store->host.slots.taken + store->file.slots.taken) * GCL_CHUNK_SIZE;
}

struct gcl_store_use gcl_store_use(const struct gcl_store *store) {
    return (struct gcl_store_use){.host = store->host.slots.taken * GCL_CHUNK_SIZE,
                                  .host_size = store->host.size,
                                  .file = store->file.slots.taken * GCL_CHUNK_SIZE,
                                  .file_size = store->file.size,
                                  .file_written = store->file.written,
                                  .file_read = store->file.read};
}

/// A place that nobody has; 0, after a message: there is none.
static gcl_store_place take(struct gcl_store *store) {
    uint64_t slot = gcl_slots_take(&store->host.slots);
    if (slot != GCL_SLOT_NONE)
        return gcl_place(GCL_TIER_HOST, slot);
    slot = gcl_slots_take(&store->file.slots);
    if (slot != GCL_SLOT_NONE)
        return gcl_place(GCL_TIER_FILE, slot);
    if (gcl_store_used(store) == gcl_store_size(store))
        gcl_log(GCL_LOG_ERROR,
                "no room for what the device can't hold: %s of the host's memory and %s of files "
                "are full; GCL_HOST_MEMORY and GCL_SPILL give more",
                gcl_bytes_text((double)store->host.size).text,
                gcl_bytes_text((double)store->file.size).text);
    return 0;
}

static void drop(struct gcl_store *store, gcl_store_place place) {
    enum gcl_tier tier = gcl_place_tier(place);
    if (tier == GCL_TIER_NONE)
        return;
    assert(tier == GCL_TIER_HOST || tier == GCL_TIER_FILE);
    gcl_slots_drop(tier == GCL_TIER_HOST ? &store->host.slots : &store->file.slots,
                   gcl_place_slot(place));
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
    for (size_t i = 0; i < count; i++) {
        gcl_store_place place = transfers[i].place;
        if (gcl_place_tier(place) == GCL_TIER_HOST)
            memcpy(gcl_store_host_at(&store->host, gcl_place_slot(place)), transfers[i].bytes,
                   GCL_CHUNK_SIZE);
        if (transfers[i].status == GCL_OK)
            continue;
        drop(store, place);
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
    return first_failure(transfers, count);
}

const void *gcl_store_look(const struct gcl_store *store, gcl_store_place place) {
    assert(place);
    return gcl_place_tier(place) == GCL_TIER_HOST
               ? gcl_store_host_at(&store->host, gcl_place_slot(place))
               : NULL;
}

void gcl_store_drop(struct gcl_store *store, const gcl_store_place *places, size_t count) {
    for (size_t i = 0; i < count; i++)
        drop(store, places[i]);
}
