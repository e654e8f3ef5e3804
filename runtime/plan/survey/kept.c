// A share is right as long as the pages are what they were from which it has read: it has found its
// places by nothing else, as contents tell when they couldn't answer. Marks are kept without what
// is empty around them, and only as many as there was to read, so that what is kept of an array is
// never more than those by which places in it are found.
#include "plan/survey/kept.h"

#include <assert.h>
#include <stdlib.h>

enum { READ_BOXES = 256 }; ///< by which is told from where a share has read

static void finish_share(struct gcl_kept_share *share) {
    for (size_t i = 0; i < share->read_count; i++)
        gcl_region_finish(&share->reads[i].pages);
    for (size_t i = 0; i < share->found_count; i++)
        gcl_marks_copy_finish(&share->found[i].marks);
    free(share->reads);
    free(share->found);
    *share = (struct gcl_kept_share){.is_there = false};
}

void gcl_kept_finish(struct gcl_kept *kept) {
    for (unsigned i = 0; i < kept->count; i++)
        finish_share(&kept->shares[i]);
    free(kept->shares);
    *kept = (struct gcl_kept){.count = 0};
}

size_t gcl_kept_memory(const struct gcl_kept *kept) {
    size_t size = kept->count * sizeof *kept->shares;
    for (unsigned i = 0; i < kept->count; i++) {
        const struct gcl_kept_share *share = &kept->shares[i];
        for (size_t k = 0; k < share->read_count; k++)
            size += sizeof *share->reads + gcl_region_memory(&share->reads[k].pages);
        for (size_t k = 0; k < share->found_count; k++)
            size += sizeof *share->found +
                    share->found[k].marks.count * sizeof *share->found[k].marks.bits;
    }
    return size;
}

// What has changed.

static bool has_changed(const struct gcl_kept_read *read, uint64_t version,
                        struct gcl_directory *directory) {
    const struct gcl_directory_entry *entry = gcl_directory_find(directory, read->begin);
    struct gcl_region changed = {.count = 0};
    if (!entry || entry->begin != read->begin)
        return true;
    gcl_directory_changed_since(entry, version, &changed);
    bool has = gcl_region_overlaps(&read->pages, &changed);
    gcl_region_finish(&changed);
    return has;
}

void gcl_kept_drop_changed(struct gcl_kept *kept, struct gcl_directory *directory) {
    for (unsigned i = 0; i < kept->count; i++) {
        struct gcl_kept_share *share = &kept->shares[i];
        bool is_right = share->is_there;
        for (size_t k = 0; k < share->read_count && is_right; k++)
            is_right = !has_changed(&share->reads[k], kept->version, directory);
        if (!is_right)
            finish_share(share);
    }
    kept->version = gcl_directory_version(directory);
}

// Shares.

bool gcl_kept_reserve(struct gcl_kept *kept, unsigned count) {
    const uint64_t version = kept->version;
    if (kept->count == count)
        return true;
    gcl_kept_finish(kept);
    *kept = (struct gcl_kept){version, calloc(count, sizeof *kept->shares), count};
    kept->count = kept->shares ? count : 0;
    return kept->shares != NULL;
}

/// Notes from where was read; `size` becomes that of it. False: no memory.
static bool put_reads(struct gcl_kept_share *share, const struct gcl_contents *contents,
                      int64_t *size) {
    share->reads = calloc(contents->count + 1, sizeof *share->reads);
    *size = 0;
    for (size_t i = 0; share->reads && i < contents->count; i++) {
        const struct gcl_content *content = &contents->list[i];
        struct gcl_kept_read *read = &share->reads[share->read_count];
        bool is_exact = gcl_marks_region(&content->read, READ_BOXES, READ_BOXES, &read->pages);
        (void)is_exact; // or more
        read->begin = (uint64_t)content->allocation.begin;
        *size += gcl_region_size(&read->pages);
        share->read_count += !gcl_region_is_empty(&read->pages);
    }
    return share->reads != NULL;
}

/// Keeps marks of up to `size` bytes. False: there are more, or no memory.
static bool put_found(struct gcl_kept_share *share, const struct gcl_marked *marked, int64_t size) {
    share->found = calloc(marked->count + 1, sizeof *share->found);
    bool ok = share->found != NULL;
    for (size_t i = 0; ok && i < marked->count; i++) {
        struct gcl_kept_found *found = &share->found[share->found_count++];
        found->allocation = marked->parts[i].allocation;
        ok = gcl_marks_take_copy(&marked->parts[i].marks, &found->marks);
        size -= (int64_t)(found->marks.count * sizeof *found->marks.bits);
        ok = ok && size >= 0;
    }
    return ok;
}

void gcl_kept_put(struct gcl_kept_share *share, const struct gcl_marked *marked,
                  const struct gcl_contents *contents) {
    int64_t size;
    finish_share(share);
    share->outside = marked->outside;
    share->is_doubtful = marked->is_doubtful;
    share->is_there = !contents->has_lacked && put_reads(share, contents, &size) &&
                      put_found(share, marked, size);
    if (!share->is_there)
        finish_share(share);
}

bool gcl_kept_add(const struct gcl_kept_share *share, uint32_t size, struct gcl_marked *marked) {
    assert(share->is_there);
    for (size_t i = 0; i < share->found_count; i++) {
        const struct gcl_kept_found *found = &share->found[i];
        size_t at = 0;
        while (at < marked->count && marked->parts[at].allocation.begin != found->allocation.begin)
            at++;
        if (at == marked->count && !gcl_marked_add(marked, &found->allocation, size))
            return false;
        gcl_marks_add_copy(&marked->parts[at].marks, &found->marks);
    }
    marked->outside |= share->outside;
    marked->is_doubtful |= share->is_doubtful;
    return true;
}
