// When a command begins, the commands behind it take from its chunks those that they use, one after
// the other: ranges, not single chunks. The uses of what is left are expected as they were before.
#include "exec/residency/ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/residency/period.h"

enum {
    USES = 8,
    SLACK = 8,     ///< distances are about the same if they are but for one part in so many
    PATIENCE = 64, ///< commands after which what was expected isn't any more, at least
};

struct chunk {
    uint64_t next;       ///< command that is known or expected to use it next
    uint32_t uses[USES]; ///< the latest commands that have used it, the newest first; 0: none
    bool is_known;       ///< `next` is a command that was announced
    bool is_overwritten; ///< by that one
    bool is_added;
};

struct command {
    struct gcl_chunk_range *ranges;
    size_t count;
};

/// Ranges of chunks, as a list that grows.
struct ranges {
    struct gcl_chunk_range *items;
    size_t count, capacity;
};

struct gcl_ahead {
    struct gcl_order *order;
    struct chunk *chunks;
    struct gcl_period period;
    struct command *queue; ///< a ring: commands (begun, announced] are ahead
    size_t capacity;       ///< of the ring, a power of two
    uint64_t begun, announced;
    struct ranges left, rest; ///< while a command begins
};

struct gcl_ahead *gcl_ahead_create(uint32_t chunk_count) {
    struct gcl_ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead)
        return NULL;
    ahead->order = gcl_order_create(chunk_count);
    ahead->chunks = calloc(chunk_count, sizeof ahead->chunks[0]);
    if (!ahead->order || !ahead->chunks) {
        gcl_ahead_destroy(ahead);
        return NULL;
    }
    for (uint32_t c = 0; c < chunk_count; c++)
        ahead->chunks[c].next = GCL_ORDER_UNKNOWN;
    return ahead;
}

static struct command *command_at(const struct gcl_ahead *ahead, uint64_t number) {
    return &ahead->queue[number & (ahead->capacity - 1)];
}

void gcl_ahead_destroy(struct gcl_ahead *ahead) {
    if (!ahead)
        return;
    for (uint64_t n = ahead->begun + 1; n <= ahead->announced; n++)
        free(command_at(ahead, n)->ranges);
    gcl_order_destroy(ahead->order);
    free(ahead->chunks);
    free(ahead->queue);
    free(ahead->left.items);
    free(ahead->rest.items);
    free(ahead);
}

/// Makes room for one command more in the ring.
static bool grow_queue(struct gcl_ahead *ahead) {
    size_t old = ahead->capacity;
    if (ahead->announced - ahead->begun < old)
        return true;
    struct gcl_ahead grown = *ahead;
    grown.capacity = old ? 2 * old : 16;
    grown.queue = malloc(grown.capacity * sizeof grown.queue[0]);
    if (!grown.queue)
        return false;
    for (uint64_t n = ahead->begun + 1; n <= ahead->announced; n++)
        *command_at(&grown, n) = *command_at(ahead, n);
    free(ahead->queue);
    ahead->queue = grown.queue;
    ahead->capacity = grown.capacity;
    return true;
}

/// The next use by which a chunk is put in order: what is overwritten goes for nothing.
static uint64_t order_of(const struct chunk *chunk) {
    return chunk->is_overwritten ? GCL_ORDER_UNKNOWN : chunk->next;
}

static void set_next(struct gcl_ahead *ahead, uint32_t number, struct chunk next) {
    struct chunk *chunk = &ahead->chunks[number];
    chunk->next = next.next;
    chunk->is_known = next.is_known;
    chunk->is_overwritten = next.is_overwritten;
    if (chunk->is_added)
        gcl_order_use(ahead->order, number, order_of(chunk));
}

/// A command that was announced is the next one that uses chunks [begin, end) of a range of its.
static void set_known(struct gcl_ahead *ahead, uint64_t command,
                      const struct gcl_chunk_range *range, uint32_t begin, uint32_t end) {
    const struct chunk next = {
        .next = command, .is_known = true, .is_overwritten = range->is_overwritten};
    for (uint32_t c = begin; c < end; c++)
        set_next(ahead, c, next);
}

bool gcl_ahead_announce(struct gcl_ahead *ahead, const struct gcl_ahead_command *footprint) {
    size_t size = footprint->count * sizeof footprint->ranges[0];
    struct command command = {.ranges = malloc(size ? size : 1), .count = footprint->count};
    if (!command.ranges || !grow_queue(ahead)) {
        free(command.ranges);
        return false;
    }
    if (size)
        memcpy(command.ranges, footprint->ranges, size);
    uint64_t number = ++ahead->announced;
    *command_at(ahead, number) = command;
    gcl_period_add(&ahead->period, footprint->kind);
    uint32_t period = gcl_period_length(&ahead->period);
    gcl_order_know(ahead->order, number, period > PATIENCE ? period : PATIENCE);
    for (size_t r = 0; r < command.count; r++) {
        for (uint32_t c = command.ranges[r].begin; c < command.ranges[r].end; c++) {
            if (!ahead->chunks[c].is_known)
                set_known(ahead, number, &command.ranges[r], c, c + 1);
        }
    }
    return true;
}

static bool is_about(uint32_t distance, uint32_t wanted) {
    return distance <= wanted + wanted / SLACK && distance >= wanted - wanted / SLACK;
}

/// Commands from a chunk's latest use to the one that is expected next; 0: none is. If it was used
/// a period ago, the first of its uses since then comes again; otherwise, with no period or of a
/// kind of command that does many things, the latest distance does, if it was that before.
static uint32_t expected_distance(const struct gcl_ahead *ahead, const struct chunk *chunk) {
    const uint32_t *uses = chunk->uses;
    uint32_t period = gcl_period_length(&ahead->period);
    for (unsigned u = 1; period > 0 && u < USES && uses[u]; u++) {
        if (is_about(uses[0] - uses[u], period))
            return period - (uses[0] - uses[u - 1]);
    }
    if (!uses[1] || (uses[2] && !is_about(uses[0] - uses[1], uses[1] - uses[2])))
        return 0;
    return uses[0] - uses[1];
}

/// The command that is expected to use a chunk next, behind those that are known.
static uint64_t expect(const struct gcl_ahead *ahead, const struct chunk *chunk) {
    uint32_t distance = expected_distance(ahead, chunk);
    if (distance == 0)
        return GCL_ORDER_UNKNOWN;
    uint64_t next = ahead->begun + distance;
    return next > ahead->announced ? next : ahead->announced + 1;
}

/// Adds a range. Without memory it is left out: nothing is known of its next uses then.
static void push(struct ranges *ranges, uint32_t begin, uint32_t end) {
    if (begin >= end)
        return;
    if (ranges->count == ranges->capacity) {
        size_t capacity = ranges->capacity ? 2 * ranges->capacity : 16;
        struct gcl_chunk_range *items = realloc(ranges->items, capacity * sizeof *items);
        if (!items)
            return;
        ranges->items = items;
        ranges->capacity = capacity;
    }
    ranges->items[ranges->count++] = (struct gcl_chunk_range){.begin = begin, .end = end};
}

/// Gives the chunks that are left and that command `number` uses to it; the others are left.
static void take_by(struct gcl_ahead *ahead, uint64_t number) {
    const struct command *command = command_at(ahead, number);
    struct ranges rest = ahead->rest;
    size_t r = 0;
    rest.count = 0;
    for (size_t i = 0; i < ahead->left.count; i++) {
        uint32_t begin = ahead->left.items[i].begin, end = ahead->left.items[i].end;
        while (r < command->count && command->ranges[r].end <= begin)
            r++;
        for (size_t k = r; k < command->count && command->ranges[k].begin < end; k++) {
            uint32_t from = command->ranges[k].begin, to = command->ranges[k].end;
            from = from > begin ? from : begin;
            to = to < end ? to : end;
            set_known(ahead, number, &command->ranges[k], from, to);
            push(&rest, begin, from);
            begin = to;
        }
        push(&rest, begin, end);
    }
    ahead->rest = ahead->left;
    ahead->left = rest;
}

/// Notes that a command uses a chunk now.
static void use(struct gcl_ahead *ahead, uint32_t c) {
    struct chunk *chunk = &ahead->chunks[c];
    memmove(&chunk->uses[1], &chunk->uses[0], (USES - 1) * sizeof chunk->uses[0]);
    chunk->uses[0] = (uint32_t)ahead->begun;
    set_next(ahead, c, (struct chunk){.next = expect(ahead, chunk)});
}

void gcl_ahead_begin(struct gcl_ahead *ahead) {
    assert(ahead->begun < ahead->announced);
    struct command *command = command_at(ahead, ++ahead->begun);
    ahead->left.count = 0;
    for (size_t r = 0; r < command->count; r++) {
        const struct gcl_chunk_range *range = &command->ranges[r];
        for (uint32_t c = range->begin; c < range->end; c++)
            use(ahead, c);
        push(&ahead->left, range->begin, range->end);
    }
    for (uint64_t n = ahead->begun + 1; n <= ahead->announced && ahead->left.count > 0; n++)
        take_by(ahead, n);
    free(command->ranges);
    gcl_order_pass(ahead->order, ahead->begun + 1);
}

void gcl_ahead_add(struct gcl_ahead *ahead, uint32_t chunk) {
    struct chunk *added = &ahead->chunks[chunk];
    bool is_missed = !added->is_known && added->next <= ahead->announced;
    added->is_added = true;
    gcl_order_use(ahead->order, chunk, is_missed ? GCL_ORDER_UNKNOWN : order_of(added));
}

void gcl_ahead_remove(struct gcl_ahead *ahead, uint32_t chunk) {
    ahead->chunks[chunk].is_added = false;
    gcl_order_remove(ahead->order, chunk);
}

uint64_t gcl_ahead_next(const struct gcl_ahead *ahead, uint32_t chunk) {
    return ahead->chunks[chunk].next;
}

bool gcl_ahead_is_overwritten(const struct gcl_ahead *ahead, uint32_t chunk) {
    return ahead->chunks[chunk].is_overwritten;
}

uint32_t gcl_ahead_victim(const struct gcl_ahead *ahead) {
    return gcl_order_victim(ahead->order);
}
