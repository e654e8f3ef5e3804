// Where bytes are kept that have no room on a node's device: in the host's memory, when that is
// full in what other nodes' hosts have to spare, and then in a file on a local disk. What is kept
// is named by its place, and comes back as it was put, or not at all: what a disk gives is checked
// against a sum that stays in memory.
//
// The file has no name, so that it is gone with its process, however that ends, and nobody else can
// open it. A place that is given up is written as a whole before anybody is given it, so no bytes
// of an earlier owner come back.
#ifndef GCL_EXEC_STORE_H
#define GCL_EXEC_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "exec/residency/chunk.h"

struct gcl_memory_guard;
struct gcl_store;

struct gcl_store_options {
    size_t host_size;   ///< bytes of the host's memory that it may take; rounded down to chunks
    const char *folder; ///< of the file, see GCL_SPILL; NULL: none. Copied
    /// Bytes that the file may take, rounded down to chunks; SIZE_MAX: what the file system has
    /// free, less 1/64 for what it notes itself. Several stores in one file system divide that
    /// among themselves before they are created.
    size_t folder_size;
};

/// Where a chunk is kept; 0: nowhere. Other numbers mean something to the store alone.
typedef uint64_t gcl_store_place;

/// What is kept and what may be, in bytes; and what went to the file and came from it so far.
struct gcl_store_use {
    size_t host, host_size; ///< without what others have of it
    size_t neighbours, neighbours_size;
    size_t file, file_size;
    uint64_t file_written, file_read;
};

struct gcl_store_transfer {
    void *bytes; ///< GCL_CHUNK_SIZE of them, at a page's beginning
    gcl_store_place place;
    enum gcl_status status; ///< of this chunk; set by the call
};

enum {
    GCL_STORE_GRANT = 4, ///< chunks that one node has of another one's memory at a time
    GCL_STORE_RUN = 64   ///< chunks that others put or get at once
};

/// The memory of other nodes' hosts. Any thread may call.
struct gcl_store_neighbours {
    /// Asks for GCL_STORE_GRANT more chunks, for good. False: nobody has them to spare.
    bool (*grow)(void *context);
    /// Puts at most GCL_STORE_RUN chunks or gets them, and sets their status. Their places are
    /// numbers, below what has been granted.
    void (*run)(void *context, bool is_put, struct gcl_store_transfer *transfers, size_t count);
    void *context;
};

/// An empty store. The host's memory is only used when something is put there, and given back in
/// stretches of 2 MiB. NULL, after a message: the folder isn't one that can be written, or no
/// memory. A folder in memory or on another host is warned of, as is a size that isn't free.
struct gcl_store *gcl_store_create(const struct gcl_store_options *options);
/// Ends a store with what is in it; nobody uses it any more. Takes NULL.
void gcl_store_destroy(struct gcl_store *store);

/// Before anything is put: from here on the host's memory takes pages, which are moved there as
/// they are, instead of bytes, which are copied: of chunks below a number. False: the system can't
/// do that (gcl_guard_watch_target), or it has no large pages, without which it would take longer.
bool gcl_store_take_pages(struct gcl_store *store, struct gcl_memory_guard *guard,
                          uint32_t chunk_count);
/// Before anything is put: other nodes may be asked.
void gcl_store_join(struct gcl_store *store, const struct gcl_store_neighbours *neighbours);
/// Asks other nodes for room. Returns how many more chunks can be kept. Any thread.
size_t gcl_store_grow(struct gcl_store *store);
/// Whether more is about to be kept in the file than has to be, as nobody has refused room yet.
bool gcl_store_may_grow(struct gcl_store *store);
/// Gives GCL_STORE_GRANT chunks of the host's memory to others, until the process ends. False: it
/// hasn't so much free. Any thread.
GCL_MUST_USE bool gcl_store_spare(struct gcl_store *store, unsigned char **chunks);

/// Bytes that can be kept here. A put finds room while fewer are kept, unless others fill the
/// folder's file system meanwhile: what the store may take there isn't reserved before it is
/// needed.
size_t gcl_store_size(const struct gcl_store *store);
/// Bytes that are kept.
size_t gcl_store_used(const struct gcl_store *store);
struct gcl_store_use gcl_store_use(struct gcl_store *store);

// Several threads may call these at a time, for different places. Many chunks in one call are
// faster: a disk serves them side by side. The bytes are the callee's meanwhile.

/// Keeps the bytes of `count` chunks, in the host's memory while that has room and takes bytes. A
/// chunk whose status is GCL_OK has a place now; what couldn't be kept has none, and nothing of it
/// stays. Returns the first status that isn't GCL_OK, each of which follows a message:
/// GCL_NO_MEMORY: no room in the store, or on the disk; GCL_SYSTEM: the disk fails.
enum gcl_status gcl_store_put(struct gcl_store *store, struct gcl_store_transfer *transfers,
                              size_t count);
/// Takes places in the host's memory for the pages of chunks, by their numbers, which the caller
/// moves to where gcl_store_look says: side by side if the chunks are. Returns for how many there
/// is room, from the first one on; 0 where it takes bytes.
size_t gcl_store_reserve(struct gcl_store *store, const uint32_t *chunks, gcl_store_place *places,
                         size_t count);
/// Whether gcl_store_reserve has places.
bool gcl_store_has_room_for_pages(const struct gcl_store *store);
/// Whether a place is one for pages.
bool gcl_store_has_pages(const struct gcl_store *store, gcl_store_place place);
/// Copies chunks from their places, which stay. Returns the first status that isn't GCL_OK:
/// GCL_SYSTEM, after a message: the disk fails, or gives other bytes than it was given. What is in
/// the memory of such a chunk is undefined.
enum gcl_status gcl_store_get(struct gcl_store *store, struct gcl_store_transfer *transfers,
                              size_t count);
/// The bytes of a chunk where they lie in the host's memory, to be read, until its place is given
/// up; NULL: they are in the file, and only a get has them. Saves who copies them on the copy of a
/// get.
const void *gcl_store_look(const struct gcl_store *store, gcl_store_place place);
/// Gives places up. Zeros among them are skipped.
void gcl_store_drop(struct gcl_store *store, const gcl_store_place *places, size_t count);
/// Gives a place up whose pages have all been moved away.
void gcl_store_drop_empty(struct gcl_store *store, gcl_store_place place);

#endif
