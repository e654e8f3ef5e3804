// Regions as bytes, for other nodes. Most take a few: numbers are counted from the box before, and
// small ones are short.
#ifndef GCL_PLAN_PACK_H
#define GCL_PLAN_PACK_H

#include "plan/region/region.h"

/// Bytes that somebody writes to the end, as long as there is memory.
struct gcl_pack {
    unsigned char *bytes; ///< to be freed
    size_t size, capacity;
    bool has_failed; ///< no memory
};
/// Bytes that somebody reads from the begin. What comes from elsewhere isn't trusted.
struct gcl_unpack {
    const unsigned char *at, *end;
    bool has_failed; ///< they end too early, or make no sense: what is read then is 0
};

void gcl_pack_number(struct gcl_pack *out, uint64_t value);
uint64_t gcl_unpack_number(struct gcl_unpack *in);
void gcl_pack_region(struct gcl_pack *out, const struct gcl_region *region);
/// `region` is zeroed before, and is to be finished.
void gcl_unpack_region(struct gcl_unpack *in, struct gcl_region *region);

#endif
