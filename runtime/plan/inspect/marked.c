// Marks cost the same however scattered they are, and become regions once all are there: to unite
// regions of thousands of boxes takes longer than to find what is in them.
#include "plan/inspect/marked.h"

#include <assert.h>
#include <stdlib.h>

#include "plan/directory/layout.h"
#include "plan/inspect/inspect.h"

enum {
    // Bytes that may as well be moved as told apart from others by a box of their own: all nodes
    // plan with each box, and each time a plan is made.
    BOX_WORTH = 4096,
    FEW_BOXES = 1 << 8, ///< which always pay
    MOST_BOXES = GCL_LAYOUT_MOST_BOXES / 4,
};

bool gcl_marked_add(struct gcl_marked *marked, const struct gcl_span *allocation, uint32_t size) {
    struct gcl_marked_part *parts = realloc(marked->parts, (marked->count + 1) * sizeof *parts);
    if (!parts)
        return false;
    marked->parts = parts;
    struct gcl_marked_part *part = &parts[marked->count];
    *part = (struct gcl_marked_part){.allocation = *allocation};
    if (!gcl_marks_init(&part->marks, allocation->end - allocation->begin, size))
        return false;
    marked->count++;
    return true;
}

/// Takes over a part, whose marks are gone then. False: no memory.
static bool take_part(struct gcl_marked *marked, struct gcl_marked_part *part) {
    size_t i = 0;
    while (i < marked->count && marked->parts[i].allocation.begin != part->allocation.begin)
        i++;
    if (i < marked->count) {
        gcl_marks_unite(&marked->parts[i].marks, &part->marks);
        gcl_marks_finish(&part->marks);
        return true;
    }
    struct gcl_marked_part *parts = realloc(marked->parts, (i + 1) * sizeof *parts);
    if (!parts)
        return false;
    marked->parts = parts;
    parts[marked->count++] = *part;
    part->marks = (struct gcl_marks){.bits = NULL};
    return true;
}

bool gcl_marked_unite(struct gcl_marked *marked, struct gcl_marked *other) {
    bool ok = true;
    for (size_t i = 0; i < other->count && ok; i++)
        ok = take_part(marked, &other->parts[i]);
    marked->outside |= other->outside;
    marked->is_doubtful |= other->is_doubtful;
    gcl_marked_finish(other);
    return ok;
}

static int by_begin(const void *a, const void *b) {
    const struct gcl_marked_part *left = a, *right = b;
    int64_t difference = left->allocation.begin - right->allocation.begin;
    return difference < 0 ? -1 : difference > 0;
}

/// How many boxes it pays to tell apart where bytes in vain do no harm.
static size_t worthwhile_boxes(int64_t size) {
    int64_t boxes = size / BOX_WORTH;
    return boxes < FEW_BOXES ? FEW_BOXES : boxes > MOST_BOXES ? MOST_BOXES : (size_t)boxes;
}

bool gcl_marked_tell(struct gcl_marked *marked, bool is_written,
                     struct gcl_inspection *inspection) {
    bool is_sure = is_written && !marked->is_doubtful;
    *inspection = (struct gcl_inspection){
        .parts = calloc(marked->count + 1, sizeof *inspection->parts), .outside = marked->outside};
    if (inspection->parts && marked->count > 1)
        qsort(marked->parts, marked->count, sizeof *marked->parts, by_begin);
    for (size_t i = 0; i < marked->count && inspection->parts; i++) {
        const struct gcl_marked_part *part = &marked->parts[i];
        struct gcl_inspected_part *told = &inspection->parts[inspection->count++];
        size_t most = worthwhile_boxes(part->marks.size);
        told->allocation = part->allocation;
        told->exact = gcl_marks_region(&part->marks, is_sure ? GCL_LAYOUT_MOST_BOXES : most, most,
                                       &told->bytes) &&
                      !marked->is_doubtful;
    }
    gcl_marked_finish(marked);
    return inspection->parts != NULL;
}

void gcl_marked_finish(struct gcl_marked *marked) {
    for (size_t i = 0; i < marked->count; i++)
        gcl_marks_finish(&marked->parts[i].marks);
    free(marked->parts);
    *marked = (struct gcl_marked){.count = 0};
}
