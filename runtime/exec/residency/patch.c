#include "exec/residency/patch.h"

#include <stdlib.h>
#include <string.h>

struct gcl_patch {
    struct gcl_holes holes;
    unsigned char bytes[];
};

static void leave(struct gcl_cover *cover, uint32_t begin, uint32_t end) {
    if (begin == end)
        return;
    cover->left += end - begin;
    cover->is_wrong |= cover->holes.count == GCL_HOLES_MOST || cover->left > GCL_HOLES_BYTES;
    if (!cover->is_wrong)
        cover->holes.items[cover->holes.count++] = (struct gcl_hole){begin, end};
}

void gcl_cover_add(struct gcl_cover *cover, uint32_t begin, uint32_t end) {
    if (begin < cover->end)
        cover->is_wrong = true;
    else
        leave(cover, cover->end, begin);
    cover->end = end > cover->end ? end : cover->end;
}

bool gcl_cover_end(struct gcl_cover *cover) {
    leave(cover, cover->end, GCL_CHUNK_SIZE);
    return !cover->is_wrong;
}

struct gcl_patch *gcl_patch_create(const struct gcl_holes *holes) {
    size_t size = 0;
    for (uint32_t i = 0; i < holes->count; i++)
        size += holes->items[i].end - holes->items[i].begin;
    struct gcl_patch *patch = malloc(sizeof *patch + size);
    if (patch)
        patch->holes = *holes;
    return patch;
}

void gcl_patch_destroy(struct gcl_patch *patch) {
    free(patch);
}

bool gcl_patch_has(const struct gcl_patch *patch, uint32_t begin, uint32_t end) {
    bool has = false;
    for (uint32_t i = 0; i < patch->holes.count; i++)
        has |= patch->holes.items[i].begin < end && patch->holes.items[i].end > begin;
    return has;
}

void gcl_patch_take(struct gcl_patch *patch, const unsigned char *chunk) {
    unsigned char *bytes = patch->bytes;
    for (uint32_t i = 0; i < patch->holes.count; i++) {
        const struct gcl_hole *hole = &patch->holes.items[i];
        memcpy(bytes, chunk + hole->begin, hole->end - hole->begin);
        bytes += hole->end - hole->begin;
    }
}

void gcl_patch_put(const struct gcl_patch *patch, unsigned char *chunk) {
    const unsigned char *bytes = patch->bytes;
    for (uint32_t i = 0; i < patch->holes.count; i++) {
        const struct gcl_hole *hole = &patch->holes.items[i];
        memcpy(chunk + hole->begin, bytes, hole->end - hole->begin);
        bytes += hole->end - hole->begin;
    }
}
