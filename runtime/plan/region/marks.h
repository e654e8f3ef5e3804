// Bytes of one allocation that are found in any order, any number of times: a bit for each unit.
#ifndef GCL_PLAN_MARKS_H
#define GCL_PLAN_MARKS_H

#include "plan/region/region.h"

struct gcl_marks {
    int64_t size;         ///< bytes of the allocation
    unsigned shift;       ///< a unit has 2^shift bytes
    uint64_t *bits;       ///< NULL: none is marked
    uint64_t first, last; ///< words that may have bits
    bool is_rounded;      ///< more bytes are marked than were to be, or some beyond the end
};

/// For accesses of `size` bytes, 0: of any number, to an allocation of `extent` bytes. False: no
/// memory.
GCL_MUST_USE bool gcl_marks_init(struct gcl_marks *marks, int64_t extent, uint32_t size);
/// Marks `length` bytes from `offset` on, as far as they are in the allocation.
void gcl_marks_set(struct gcl_marks *marks, int64_t offset, int64_t length);
/// `count` places, each so many bytes in front of an offset from which on `length` bytes, at least
/// one, are marked.
struct gcl_marks_each {
    const uint64_t *places;
    size_t count;
    uint64_t shift;
    int64_t length;
};
/// Marks them as gcl_marks_set does. False: some offset is beyond GCL_OFFSET_LIMIT, and nothing is.
GCL_MUST_USE bool gcl_marks_set_each(struct gcl_marks *marks, const struct gcl_marks_each *each);
/// Marks what is marked in `other` as well, of the same allocation and for accesses of that size.
void gcl_marks_unite(struct gcl_marks *marks, const struct gcl_marks *other);
/// Marks taken off, without the empty words in front of them and behind.
struct gcl_marks_copy {
    uint64_t first, count; ///< words
    uint64_t *bits;
    bool is_rounded;
};
/// False: no memory.
GCL_MUST_USE bool gcl_marks_take_copy(const struct gcl_marks *marks, struct gcl_marks_copy *copy);
/// Marks what is in a copy as well, of marks for which gcl_marks_unite could be called.
void gcl_marks_add_copy(struct gcl_marks *marks, const struct gcl_marks_copy *copy);
void gcl_marks_copy_finish(struct gcl_marks_copy *copy);
/// In how many stretches of 2^bits bytes, at least 12 bits, something is marked.
int64_t gcl_marks_stretches(const struct gcl_marks *marks, unsigned bits);
/// What is marked; false: or more. A region that would have more than `few` boxes has what lies
/// between near runs as well, and at most `most` boxes, which is more than one.
GCL_MUST_USE bool gcl_marks_region(const struct gcl_marks *marks, size_t few, size_t most,
                                   struct gcl_region *region);
void gcl_marks_finish(struct gcl_marks *marks);

#endif
