// The source or the target of a copy: from what the program asked for to an operation's box, and
// from there to the bytes of an allocation. The rows of a box, and its slices, are the levels of a
// region's layout.
#include "exec/exchange/box.h"

struct gcl_operation_box gcl_box_of_copy(const void *begin, size_t pitch, size_t slice,
                                         const struct gcl_box_copy *copy) {
    return (struct gcl_operation_box){.begin = (uintptr_t)begin,
                                      .pitch = pitch,
                                      .slice = slice,
                                      .width = copy->width,
                                      .height = copy->height,
                                      .depth = copy->depth};
}

bool gcl_box_region(const struct gcl_directory_entry *entry, const struct gcl_operation_box *box,
                    struct gcl_region *region) {
    const struct gcl_level levels[] = {{(int64_t)box->pitch, (int64_t)box->height},
                                       {(int64_t)box->slice, (int64_t)box->depth}};
    struct gcl_span all = {0, (int64_t)entry->size};
    return gcl_region_from_box((int64_t)(box->begin - entry->begin), (int64_t)box->width, levels, 2,
                               region) &&
           gcl_region_clip(region, all, region);
}
