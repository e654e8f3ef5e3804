// Each call has a ring of its own while it lasts, so that threads don't wait for each other. Disk
// space is reserved before it is written: a full disk shows when something is put there, and direct
// writes to different places don't wait for each other in the file system.
#include "exec/residency/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes_text.h"
#include "base/log.h"
#include "exec/residency/checksum.h"
#include "exec/residency/place.h"

enum { STRETCH = (8 << 20) / GCL_CHUNK_SIZE, IDLE_STRETCHES = 4, PAGE = 4096 };

#define MOST_CHUNKS (UINT64_C(1) << 32) ///< 256 TiB

static bool obtain(void *owner, uint64_t begin, uint64_t end) {
    struct gcl_store_file *file = owner;
    off_t offset = (off_t)(begin * GCL_CHUNK_SIZE), size = (off_t)((end - begin) * GCL_CHUNK_SIZE);
    int result;
    do
        result = fallocate(file->spill.descriptor, 0, offset, size);
    while (result != 0 && errno == EINTR);
    // Where space can't be reserved, a full disk shows when it is written.
    if (result == 0 || errno == EOPNOTSUPP)
        return true;
    size_t kept = file->slots.taken * GCL_CHUNK_SIZE;
    gcl_log(GCL_LOG_ERROR,
            "GCL_SPILL=%s: no room for %s more (%s), with %s kept there: make room in its file "
            "system, or name a folder on another disk",
            file->folder, gcl_bytes_text((double)size).text, strerror(errno),
            gcl_bytes_text((double)kept).text);
    return false;
}

static void give_back(void *owner, uint64_t begin, uint64_t end) {
    const struct gcl_store_file *file = owner;
    fallocate(file->spill.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              (off_t)(begin * GCL_CHUNK_SIZE), (off_t)((end - begin) * GCL_CHUNK_SIZE));
}

static const struct gcl_slots_kind kind = {
    .stretch = STRETCH, .idle_most = IDLE_STRETCHES, .obtain = obtain, .give_back = give_back};

/// How many chunks the file may have.
static uint64_t count_chunks(const struct gcl_store_file *file, size_t size) {
    if (size != SIZE_MAX && size > file->spill.free)
        gcl_log(GCL_LOG_WARN, "GCL_SPILL=%s: of the %s asked for there are %s", file->folder,
                gcl_bytes_text((double)size).text, gcl_bytes_text((double)file->spill.free).text);
    uint64_t count = (size < file->spill.free ? size : file->spill.free) / GCL_CHUNK_SIZE;
    return count < MOST_CHUNKS ? count : MOST_CHUNKS;
}

bool gcl_store_file_init(struct gcl_store_file *file, const char *folder, size_t size) {
    if (!folder)
        return true;
    if (!gcl_spill_open(folder, &file->spill))
        return false;
    pthread_mutex_init(&file->lock, NULL);
    file->folder = strdup(folder);
    if (file->folder) {
        uint64_t count = count_chunks(file, size);
        file->size = count * GCL_CHUNK_SIZE;
        file->checksums = calloc(count ? count : 1, sizeof file->checksums[0]);
        if (file->checksums && gcl_slots_init(&file->slots, &kind, file, count))
            return true;
    }
    gcl_log(GCL_LOG_ERROR, "GCL_SPILL=%s: no memory to note what is kept there", folder);
    gcl_store_file_finish(file);
    return false;
}

void gcl_store_file_finish(struct gcl_store_file *file) {
    if (!file->folder)
        return;
    while (file->idle_count > 0)
        gcl_requests_destroy(file->idle[--file->idle_count]);
    gcl_slots_finish(&file->slots);
    free(file->checksums);
    gcl_spill_close(&file->spill);
    pthread_mutex_destroy(&file->lock);
    free(file->folder);
    file->folder = NULL;
}

static struct gcl_requests *make_requests(struct gcl_store_file *file) {
    struct gcl_requests_file target = {.descriptor = file->spill.descriptor,
                                       .unit = file->spill.is_direct ? PAGE : 1};
    bool is_ring;
    struct gcl_requests *requests = gcl_requests_create(&target, &is_ring);
    if (requests && !is_ring && !atomic_exchange(&file->is_said, true))
        gcl_log(GCL_LOG_DEBUG,
                "GCL_SPILL=%s: the system doesn't permit io_uring (%s): chunks are read and "
                "written one after the other",
                file->folder, strerror(errno));
    return requests;
}

static struct gcl_requests *take_requests(struct gcl_store_file *file) {
    pthread_mutex_lock(&file->lock);
    struct gcl_requests *requests = file->idle_count > 0 ? file->idle[--file->idle_count] : NULL;
    pthread_mutex_unlock(&file->lock);
    return requests ? requests : make_requests(file);
}

static void give_requests(struct gcl_store_file *file, struct gcl_requests *requests) {
    pthread_mutex_lock(&file->lock);
    if (file->idle_count < GCL_STORE_FILE_IDLE) {
        file->idle[file->idle_count++] = requests;
        requests = NULL;
    }
    pthread_mutex_unlock(&file->lock);
    gcl_requests_destroy(requests);
}

/// A call's requests in flight.
struct flight {
    bool is_write;
    struct gcl_request requests[GCL_REQUESTS_DEPTH];
    struct gcl_store_transfer *transfers[GCL_REQUESTS_DEPTH]; ///< of each request
    unsigned free[GCL_REQUESTS_DEPTH];                        ///< requests that aren't in flight
    unsigned free_count;
    bool has_failed; ///< a message said why
};

static void begin(struct gcl_store_file *file, struct flight *flight, struct gcl_requests *requests,
                  struct gcl_store_transfer *transfer) {
    unsigned i = flight->free[--flight->free_count];
    uint64_t slot = gcl_place_slot(transfer->place);
    flight->transfers[i] = transfer;
    flight->requests[i] = (struct gcl_request){
        .is_write = flight->is_write, .bytes = transfer->bytes, .offset = slot * GCL_CHUNK_SIZE};
    if (flight->is_write)
        file->checksums[slot] = gcl_checksum(transfer->bytes, GCL_CHUNK_SIZE);
    gcl_requests_begin(requests, &flight->requests[i]);
}

static enum gcl_status fail(struct gcl_store_file *file, struct flight *flight,
                            const struct gcl_request *request) {
    bool is_full = request->error == ENOSPC || request->error == EDQUOT;
    if (!flight->has_failed && request->error)
        gcl_log(GCL_LOG_ERROR,
                "GCL_SPILL=%s: 64 KiB at offset %" PRIu64 " of the file there can't be %s (%s): %s",
                file->folder, request->offset, request->is_write ? "written" : "read",
                strerror(request->error),
                is_full ? "make room in its file system, or name a folder on another disk"
                        : "its disk may be failing, the system's log (dmesg) says more; name a "
                          "folder on another disk");
    else if (!flight->has_failed)
        gcl_log(GCL_LOG_ERROR,
                "GCL_SPILL=%s: 64 KiB at offset %" PRIu64 " of the file there aren't what was "
                "written (checksum): the disk, or what leads to it, is faulty; name a folder on "
                "another disk",
                file->folder, request->offset);
    flight->has_failed = true;
    return is_full ? GCL_NO_MEMORY : GCL_SYSTEM;
}

static void end(struct gcl_store_file *file, struct flight *flight,
                const struct gcl_request *request) {
    unsigned i = (unsigned)(request - flight->requests);
    struct gcl_store_transfer *transfer = flight->transfers[i];
    uint64_t slot = gcl_place_slot(transfer->place);
    flight->free[flight->free_count++] = i;
    if (request->error || (!flight->is_write &&
                           gcl_checksum(transfer->bytes, GCL_CHUNK_SIZE) != file->checksums[slot]))
        transfer->status = fail(file, flight, request);
    else
        *(flight->is_write ? &file->written : &file->read) += GCL_CHUNK_SIZE;
}

static bool is_due(const struct gcl_store_transfer *transfer) {
    return transfer->status == GCL_OK && gcl_place_tier(transfer->place) == GCL_TIER_FILE;
}

void gcl_store_file_run(struct gcl_store_file *file, bool is_write,
                        struct gcl_store_transfer *transfers, size_t count) {
    struct flight flight = {.is_write = is_write, .free_count = GCL_REQUESTS_DEPTH};
    size_t t = 0;
    while (t < count && !is_due(&transfers[t]))
        t++;
    if (t == count)
        return;
    struct gcl_requests *requests = take_requests(file);
    if (!requests) {
        gcl_log(GCL_LOG_ERROR, "GCL_SPILL=%s: no memory for its requests", file->folder);
        for (; t < count; t++)
            if (is_due(&transfers[t]))
                transfers[t].status = GCL_NO_MEMORY;
        return;
    }
    for (unsigned i = 0; i < GCL_REQUESTS_DEPTH; i++)
        flight.free[i] = i;
    while (t < count || flight.free_count < GCL_REQUESTS_DEPTH) {
        if (t == count || flight.free_count == 0)
            end(file, &flight, gcl_requests_next(requests));
        else if (is_due(&transfers[t++]))
            begin(file, &flight, requests, &transfers[t - 1]);
    }
    give_requests(file, requests);
}
