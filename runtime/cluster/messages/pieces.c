// A piece's tag is that of the request with the number of the piece in its highest bits. Tags count
// up from 1 by operations (exec/exchange/movement.c), and are used again only as far apart as these
// bits reach.
#include "pieces.h"

#include <assert.h>
#include <stdlib.h>

enum { TAG_SHIFT = 52, MOST_PIECES = 1 << (64 - TAG_SHIFT), PAGE = 4096 };

/// Of a region of more runs it takes long to find where to cut.
enum { MOST_RUNS = 1024 };

/// Bytes of all pieces of a request but the last.
static size_t piece_size(const struct gcl_request *request) {
    size_t least = (request->size / MOST_PIECES / PAGE + 1) * PAGE;
    return least > GCL_PIECE ? least : GCL_PIECE;
}

size_t gcl_pieces_of(const struct gcl_request *request) {
    size_t size = piece_size(request);
    if (!request->region || request->size <= size ||
        gcl_region_run_count(request->region) > MOST_RUNS)
        return 1;
    return (request->size + size - 1) / size;
}

bool gcl_pieces_init(struct gcl_pieces *pieces, size_t count) {
    *pieces = (struct gcl_pieces){.requests = calloc(count + 1, sizeof *pieces->requests),
                                  .regions = calloc(count + 1, sizeof *pieces->regions)};
    if (pieces->requests && pieces->regions)
        return true;
    gcl_pieces_finish(pieces);
    return false;
}

void gcl_pieces_finish(struct gcl_pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++)
        gcl_region_finish(&pieces->regions[i]);
    free(pieces->requests);
    free(pieces->regions);
    *pieces = (struct gcl_pieces){.count = 0};
}

/// Finds the part of a region that begins at an offset and has `size` bytes, or all that is left;
/// `*begin`: where the next part begins. False: no memory.
static bool cut(const struct gcl_region *region, int64_t *begin, int64_t size,
                struct gcl_region *part) {
    int64_t low = *begin, high = gcl_region_bounds(region).end; // the end is in [low, high]
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (!gcl_region_clip(region, (struct gcl_span){*begin, middle}, part))
            return false;
        if (gcl_region_size(part) <= size)
            low = middle;
        else
            high = middle - 1;
    }
    bool ok = gcl_region_clip(region, (struct gcl_span){*begin, low}, part);
    *begin = low;
    return ok;
}

bool gcl_pieces_add(struct gcl_pieces *pieces, const struct gcl_request *request, size_t count) {
    size_t size = piece_size(request), done = 0;
    if (count == 1) {
        pieces->requests[pieces->count++] = *request;
        return true;
    }
    int64_t begin = gcl_region_bounds(request->region).begin;
    for (uint64_t i = 0; i < count; i++) {
        struct gcl_region *region = &pieces->regions[pieces->count];
        struct gcl_request *piece = &pieces->requests[pieces->count++];
        if (!cut(request->region, &begin, (int64_t)size, region))
            return false;
        *piece = *request;
        piece->tag += i << TAG_SHIFT;
        piece->region = region;
        piece->size = (size_t)gcl_region_size(region);
        piece->bytes = request->bytes ? (unsigned char *)request->bytes + done : NULL;
        done += piece->size;
    }
    assert(done == request->size);
    return true;
}
