// Pages of memory whose use by the host is noticed (guarded memory).
//
// The host finds such a page on node 0 whole or not at all, so node 0 has all of a page's bytes
// when an operation is over, or none of them. It gets and owns bytes by whole pages; where other
// nodes changed a part of a page that it has, that part comes home afterwards. Other nodes know
// nothing of pages.
//
// Allocations of guarded memory begin with a page and share none: offsets below are theirs. What
// lies behind the end of the allocation in its last page belongs to nobody.
#ifndef GCL_PLAN_PAGES_H
#define GCL_PLAN_PAGES_H

#include "plan/directory/layout.h"

enum { GCL_PAGE_SIZE = 4096 };

/// The pages in which bytes of `region` are, of an allocation of `size` bytes; more of them where
/// they are too scattered.
void gcl_pages_around(const struct gcl_region *region, int64_t size, struct gcl_region *out);
/// The pages that node 0 has no part of; fewer of them where they are too scattered.
void gcl_pages_lost(const struct gcl_layout *layout, int64_t size, struct gcl_region *out);
/// What node 0 lacks in the other pages, at least.
void gcl_pages_torn(const struct gcl_layout *layout, int64_t size, struct gcl_region *out);
/// The pages that node 0 has, in which bytes are that other nodes have as well.
void gcl_pages_common(const struct gcl_layout *layout, int64_t size, struct gcl_region *out);

#endif
