// The global address space: one reserved range in which all device memory lies, and the record of
// which bytes are allocated. Reserving costs address space only; memory is committed by allocation
// and goes back to the system when it is freed.
//
// Memory may be that of several devices, each with a capacity of its own. All of them allocate from
// the same addresses, but variables in device code: each device has its own of each, as far from
// the next one's as all others are.
//
// Also remembers host memory of the program's own that was registered, outside of the range.
// All functions may be called from any thread.
#ifndef GCL_EXEC_SPACE_H
#define GCL_EXEC_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "exec/memory/margin.h"
#include "exec/memory/pages.h"
#include "exec/memory/range.h"

/// Every allocation begins at a multiple of this.
#define GCL_SPACE_ALIGNMENT 256u

/// What an allocation is for. A set of kinds is a sum of them.
enum gcl_space_kind {
    GCL_SPACE_DEVICE = 1,
    GCL_SPACE_MANAGED = 2,
    GCL_SPACE_PINNED = 4,     ///< host memory of ours
    GCL_SPACE_REGISTERED = 8, ///< host memory of the program's
    GCL_SPACE_VARIABLE = 16,  ///< a variable in device code
    GCL_SPACE_ARRAY = 32,     ///< texels
    GCL_SPACE_RETIRED = 64,   ///< freed in stream order: no longer usable, but not yet given back
};

struct gcl_space_slab;

/// One allocation, or registered range.
struct gcl_allocation {
    uintptr_t begin;
    size_t size; ///< as asked for
    enum gcl_space_kind kind;
    unsigned device;   ///< as given: whose it is
    unsigned flags;    ///< the owner's, as given
    const void *owner; ///< as given: the memory pool
    size_t committed;  ///< bytes that it really takes; 0 for registered memory
    bool has_escaped;  ///< its address may stand in memory that kernels read
    const char *file;  ///< as given: where the program asks for it; NULL: not known
    uint32_t line;
    uint64_t *written; ///< which of its bytes are (written.h); NULL: all of them, or nobody knows
    struct gcl_margin margin;    ///< what lies behind it
    bool is_protected;           ///< private: the margin has pages of its own
    struct gcl_space_slab *slab; ///< private
};

struct gcl_space;

/// Reserves a range (range.h) for one device, of `pages`, which stay: the first of the order that
/// can be had, or else any. `capacity` bytes at most will be allocated as device memory (all kinds
/// but pinned and registered). NULL, after a message: no address space.
struct gcl_space *gcl_space_create(size_t capacity, const struct gcl_page_ops *pages);
/// Its range. Valid until the space moves.
const struct gcl_range *gcl_space_reserved(const struct gcl_space *space);
/// Before memory is divided and anything is allocated: gives the range back, and reserves the first
/// of the order that can be had from number `first` on. False: none can, and the space has no
/// addresses any more; or there is no memory.
GCL_MUST_USE bool gcl_space_move(struct gcl_space *space, uint32_t first);
/// The addresses before those, [*begin, *end), that are reserved for images of device code
/// (image.h): as for memory, the same on all nodes. Inaccessible at first.
void gcl_space_images(const struct gcl_space *space, uintptr_t *begin, uintptr_t *end);
/// Before anything is allocated: memory is that of so many devices, whose capacities follow. False:
/// no memory.
GCL_MUST_USE bool gcl_space_divide(struct gcl_space *space, unsigned device_count);
/// Before anything is allocated: each allocation gets a margin (margin.h), but not variables of one
/// device among several. On all nodes of a job or on none.
void gcl_space_give_margins(struct gcl_space *space);
unsigned gcl_space_device_count(const struct gcl_space *space);
/// Bytes from a variable of one device to that of the next; the same on all nodes.
size_t gcl_space_stride(const struct gcl_space *space);
/// The pages of its range, for those who write bytes that no command copies.
const struct gcl_page_ops *gcl_space_pages(const struct gcl_space *space);
/// The addresses that are reserved, [*begin, *end).
void gcl_space_range(const struct gcl_space *space, uint64_t *begin, uint64_t *end);
/// Gives everything back, also what is still allocated.
void gcl_space_destroy(struct gcl_space *space);
/// Gives all memory back but keeps the range; what was registered stays.
void gcl_space_clear(struct gcl_space *space);
/// Frees what one device has, but for its variables.
void gcl_space_clear_device(struct gcl_space *space, unsigned device);

/// Allocates zeroed memory for `request`'s size (not 0), kind, device, flags and owner.
GCL_MUST_USE enum gcl_status
gcl_space_allocate(struct gcl_space *space, const struct gcl_allocation *request, void **pointer);
/// Allocates a variable of `size` bytes (not 0) on each device; `*pointer` is that of device 0.
GCL_MUST_USE enum gcl_status gcl_space_allocate_variable(struct gcl_space *space, size_t size,
                                                         void **pointer);
/// Frees the variable at `pointer` on each device. GCL_INVALID if there is none.
GCL_MUST_USE enum gcl_status gcl_space_free_variable(struct gcl_space *space, void *pointer);
/// Frees the allocation that begins at `pointer` if it is of one of `kinds`; otherwise GCL_INVALID.
GCL_MUST_USE enum gcl_status gcl_space_free(struct gcl_space *space, void *pointer, unsigned kinds);
/// Makes an allocation of one of `kinds` unusable; gcl_space_free with GCL_SPACE_RETIRED follows.
GCL_MUST_USE enum gcl_status gcl_space_retire(struct gcl_space *space, void *pointer,
                                              unsigned kinds);

/// Remembers `request`'s bytes from its begin on, with device and flags, as REGISTERED, or as
/// MANAGED for a host variable that kernels use. GCL_INVALID if it is empty, GCL_NOT_PERMITTED if
/// part of it is known already.
GCL_MUST_USE enum gcl_status gcl_space_register(struct gcl_space *space,
                                                const struct gcl_allocation *request);
/// GCL_INVALID if no registered memory begins at `pointer`.
GCL_MUST_USE enum gcl_status gcl_space_unregister(struct gcl_space *space, void *pointer);

/// Who is told of each allocation and of its end, in order, while the space's lock is held.
struct gcl_space_watcher {
    void (*allocated)(void *context, const struct gcl_allocation *allocation);
    void (*freed)(void *context, const struct gcl_allocation *allocation);
    void *context;
    unsigned paged; ///< kinds whose allocations from here on share no page with others
};
void gcl_space_watch(struct gcl_space *space, const struct gcl_space_watcher *watcher);
/// Makes memory usable, zeroed, that another node's space allocated at the same addresses.
GCL_MUST_USE enum gcl_status gcl_space_adopt(struct gcl_space *space,
                                             const struct gcl_allocation *allocation);
/// Gives adopted memory back.
void gcl_space_abandon(struct gcl_space *space, uintptr_t begin);

/// Looks up the allocation in which `pointer` lies. O(log n).
bool gcl_space_find(struct gcl_space *space, const void *pointer, struct gcl_allocation *found);
/// True if [pointer, pointer + size) lies outside of the reserved range, or within one allocation.
/// `*kind` becomes that allocation's kind, 0 for host memory that isn't registered.
bool gcl_space_check(struct gcl_space *space, const void *pointer, size_t size, unsigned *kind);

// Escape. A pointer that a kernel finds in memory may lead to whatever has escaped: allocations
// whose addresses were put into memory that kernels read (escape.h tells who notes that). That
// lasts until they are freed. It costs time, so it is only noted once somebody wants to know.

/// Has it noted what escapes from now on. What there is counts as escaped the first time: nobody
/// has noted whether it did.
void gcl_space_note_escapes(struct gcl_space *space);
bool gcl_space_notes_escapes(const struct gcl_space *space);
/// Notes that the allocation in which `pointer` lies, if there is one, has escaped.
void gcl_space_escape(struct gcl_space *space, const void *pointer);
/// Notes that all have that there are now.
void gcl_space_escape_all(struct gcl_space *space);
/// What has escaped: up to `room` of it. Returns how many allocations that are.
size_t gcl_space_escaped(struct gcl_space *space, struct gcl_allocation *list, size_t room);
/// The addresses that allocations in the reserved range have had so far.
void gcl_space_extent(const struct gcl_space *space, uintptr_t *begin, uintptr_t *end);

// Writes, for those who look for reads of what nobody wrote.

/// Has it noted which bytes of device memory are written that is allocated from now on. Only where
/// one device has it all: of what others wrote nothing is known.
void gcl_space_note_writes(struct gcl_space *space);
bool gcl_space_notes_writes(const struct gcl_space *space);
/// Somebody wrote no one knows where: all that there is counts as written.
void gcl_space_note_write_anywhere(struct gcl_space *space);

/// Who has the memory of a device that others use, too, and is asked while the space's lock is
/// held.
struct gcl_space_lender {
    /// GCL_NO_MEMORY: there is no more; GCL_UNAVAILABLE: the lender has ended, as it has said.
    enum gcl_status (*take)(void *context, size_t size);
    void (*give)(void *context, size_t size);
    size_t (*left)(void *context); ///< bytes that could still be taken
    void *context;
};
/// Before anything is allocated: device memory is the lender's.
void gcl_space_borrow(struct gcl_space *space, const struct gcl_space_lender *lender);

size_t gcl_space_capacity(const struct gcl_space *space, unsigned device);
/// Before anything is allocated: so much of it at most as managed memory.
void gcl_space_limit_managed(struct gcl_space *space, size_t most);
/// Before anything is allocated.
void gcl_space_set_capacity(struct gcl_space *space, unsigned device, size_t capacity);
/// How many allocations of some kinds there are, and their bytes.
size_t gcl_space_count(struct gcl_space *space, unsigned kinds, size_t *size);
/// Bytes of a device's memory in use, and that can still be allocated.
size_t gcl_space_used(struct gcl_space *space, unsigned device);
size_t gcl_space_left(struct gcl_space *space, unsigned device);

#endif
