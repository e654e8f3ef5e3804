// The room of the directory, to be read in this order:
//
//     layout.h       for one allocation, which nodes have valid copies of which bytes
//     changes.h      which of its bytes have been changed since when
//     directory.h    all allocations of a job with their layouts
//     demand.h       what an operation needs and changes of one allocation
//     holders.h      the nearest nodes that have some bytes
//     pages.h        memory whose use by the host is noticed, which moves by whole pages
//     pack.h         regions as bytes, for other nodes
//     origins.h      what the address of an access comes from
//     print.h        a directory as text
//
// The directory has all allocations of a job, and where the valid copies of their bytes are. Each
// node has a directory; all are equal, because they see the same commands in the same order.
#ifndef GCL_PLAN_DIRECTORY_H
#define GCL_PLAN_DIRECTORY_H

#include "plan/directory/changes.h"
#include "plan/directory/layout.h"

/// What the host does with memory by itself, on node 0.
enum gcl_host_use {
    GCL_HOST_NEVER,   ///< nothing
    GCL_HOST_UNSEEN,  ///< it may read and write at any time, and nobody notices
    GCL_HOST_GUARDED, ///< it may, and is noticed before; pages.h
};

/// As a node: none in particular.
#define GCL_NOBODY UINT32_MAX

struct gcl_directory_entry {
    uint64_t begin; ///< address
    uint64_t size;  ///< bytes
    enum gcl_host_use use;
    uint32_t home;    ///< node whose memory it is, as far as the program knows; GCL_NOBODY: all's
    bool has_escaped; ///< a pointer that a kernel finds in memory may lead to it
    uint64_t version; ///< another one after each change of its bytes, and of no other allocation
    uint64_t known_version;      ///< from which on changes are known
    struct gcl_changes *changes; ///< NULL: none since
    const struct gcl_layout *layout;
};

struct gcl_directory;

/// NULL: no memory.
struct gcl_directory *gcl_directory_create(uint32_t node_count);
void gcl_directory_destroy(struct gcl_directory *directory);
uint32_t gcl_directory_node_count(const struct gcl_directory *directory);
struct gcl_layouts *gcl_directory_layouts(struct gcl_directory *directory);

/// Bytes of memory that the directory takes, with its layouts.
size_t gcl_directory_memory(const struct gcl_directory *directory);

/// Bytes of all allocations.
uint64_t gcl_directory_size(const struct gcl_directory *directory);
/// Whether no allocation has any of `size` bytes (not 0) from `begin` on, which end before 2^64.
bool gcl_directory_is_free(const struct gcl_directory *directory, uint64_t begin, uint64_t size);
/// Enters an allocation that overlaps none. Every node has all of it; what the host uses, node 0.
/// False: no memory.
GCL_MUST_USE bool gcl_directory_add(struct gcl_directory *directory, uint64_t begin, uint64_t size,
                                    enum gcl_host_use use);
/// Says whose memory the allocation that begins there is.
void gcl_directory_set_home(struct gcl_directory *directory, uint64_t begin, uint32_t home);
/// From here on blocks on `node` may use what is `home`'s memory, or may not; at first they may
/// not. False: no memory.
GCL_MUST_USE bool gcl_directory_allow(struct gcl_directory *directory, uint32_t node, uint32_t home,
                                      bool is_allowed);
/// Whether blocks on `node` (GCL_NOBODY: on any) may use an allocation.
bool gcl_directory_allows(const struct gcl_directory *directory, uint32_t node,
                          const struct gcl_directory_entry *entry);
/// Forgets the allocation that begins there; false: none does.
bool gcl_directory_remove(struct gcl_directory *directory, uint64_t begin);
/// The allocation that holds `address`, until one is added or removed; NULL: none does. O(log n).
struct gcl_directory_entry *gcl_directory_find(struct gcl_directory *directory, uint64_t address);
/// All allocations by address.
struct gcl_directory_entry *gcl_directory_entries(struct gcl_directory *directory, size_t *count);
/// Says where the bytes of the allocation that begins there are now, and which of them, or more,
/// have changed; NULL: none.
void gcl_directory_update(struct gcl_directory *directory, uint64_t begin,
                          const struct gcl_layout *layout, const struct gcl_region *changed);
/// The latest version of all allocations: what changes from now on has later ones.
uint64_t gcl_directory_version(const struct gcl_directory *directory);
/// Adds to `changed` which bytes of an allocation, or more, aren't what they were when
/// gcl_directory_version was `version`.
void gcl_directory_changed_since(const struct gcl_directory_entry *entry, uint64_t version,
                                 struct gcl_region *changed);
/// Notes that the memory that begins there has escaped: an allocation, or memory of the host's that
/// the directory doesn't know.
void gcl_directory_escape(struct gcl_directory *directory, uint64_t begin);
bool gcl_directory_has_escaped(struct gcl_directory *directory, uint64_t begin);
/// What only one node has a valid copy of.
struct gcl_directory_share {
    uint64_t size; ///< bytes
    size_t allocation_count;
};
/// Without memory it is less than there is.
struct gcl_directory_share gcl_directory_share_of(const struct gcl_directory *directory,
                                                  uint32_t node);
/// A number that equal directories have in common.
uint64_t gcl_directory_hash(const struct gcl_directory *directory);
/// Another number after each change of what nodes may use.
uint64_t gcl_directory_rights(const struct gcl_directory *directory);
/// Another number after each allocation that is added, removed or escapes.
uint64_t gcl_directory_generation(const struct gcl_directory *directory);

#endif
