// A list of chunks for each command of a window, in a ring, and lists for what has no number. Links
// are numbers of chunks, and behind those of lists' heads, so that a list is moved by its head, and
// an empty list shows by its head alone. A set of bits says which of the ring's lists aren't empty.
#include "exec/residency/order.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "exec/residency/bits.h"

enum {
    FIRST_WINDOW = 64,
    LAST_WINDOW = 1 << 20, ///< commands
};

enum { UNKNOWN, LATE, LATER, LIST_COUNT }; ///< lists that have no number

struct gcl_order {
    uint32_t chunk_count;
    uint32_t window;    ///< commands in the ring; a power of two
    uint64_t begin;     ///< the ring has commands from here on
    uint64_t known_end; ///< commands from here on aren't known
    uint64_t rotation;  ///< command at which what was late came to be LATER
    uint32_t *next, *previous;
    struct gcl_bits filled; ///< places of the ring whose list isn't empty
};

static uint32_t list_head(const struct gcl_order *order, unsigned list) {
    return order->chunk_count + list;
}

static uint32_t ring_head(const struct gcl_order *order, uint64_t place) {
    return order->chunk_count + LIST_COUNT + (uint32_t)place;
}

static uint64_t place_of(const struct gcl_order *order, uint64_t number) {
    return number & (order->window - 1);
}

static bool is_alone(const struct gcl_order *order, uint32_t node) {
    return order->next[node] == node;
}

static void make_alone(struct gcl_order *order, uint32_t node) {
    order->next[node] = order->previous[node] = node;
}

/// Makes room for the links of a window.
static bool resize(struct gcl_order *order, uint32_t window) {
    size_t size = (order->chunk_count + LIST_COUNT + (size_t)window) * sizeof(uint32_t);
    uint32_t *next = realloc(order->next, size);
    if (next)
        order->next = next;
    uint32_t *previous = realloc(order->previous, size);
    if (previous)
        order->previous = previous;
    return next && previous;
}

struct gcl_order *gcl_order_create(uint32_t chunk_count) {
    struct gcl_order *order = calloc(1, sizeof *order);
    if (!order)
        return NULL;
    order->chunk_count = chunk_count;
    order->window = FIRST_WINDOW;
    if (!resize(order, FIRST_WINDOW) || !gcl_bits_init(&order->filled, FIRST_WINDOW)) {
        gcl_order_destroy(order);
        return NULL;
    }
    for (uint32_t node = 0; node < ring_head(order, FIRST_WINDOW); node++)
        make_alone(order, node);
    return order;
}

void gcl_order_destroy(struct gcl_order *order) {
    if (!order)
        return;
    gcl_bits_finish(&order->filled);
    free(order->next);
    free(order->previous);
    free(order);
}

static void unlink_chunk(struct gcl_order *order, uint32_t chunk) {
    uint32_t next = order->next[chunk], previous = order->previous[chunk];
    order->next[previous] = next;
    order->previous[next] = previous;
    make_alone(order, chunk);
    if (next == previous && next >= ring_head(order, 0)) // the list's head is left
        gcl_bits_remove(&order->filled, next - ring_head(order, 0));
}

static void append(struct gcl_order *order, uint32_t head, uint32_t chunk) {
    uint32_t last = order->previous[head];
    order->next[last] = order->previous[head] = chunk;
    order->previous[chunk] = last;
    order->next[chunk] = head;
}

/// Puts the chunks of list `from` into list `to`, behind those that are there, or before them.
static void move(struct gcl_order *order, uint32_t from, uint32_t to, bool is_before) {
    if (is_alone(order, from))
        return;
    uint32_t first = order->next[from], last = order->previous[from];
    uint32_t before = is_before ? to : order->previous[to], behind = order->next[before];
    order->next[before] = first;
    order->previous[first] = before;
    order->next[last] = behind;
    order->previous[behind] = last;
    make_alone(order, from);
}

/// Empties a command's list into one that has no number.
static void move_number(struct gcl_order *order, uint64_t number, unsigned list, bool is_before) {
    uint64_t place = place_of(order, number);
    move(order, ring_head(order, place), list_head(order, list), is_before);
    gcl_bits_remove(&order->filled, place);
}

/// Doubles the window until it has a command. A command keeps its place in the ring, or gets the
/// one that lies the old window behind. False: no memory; all is as before.
static bool widen(struct gcl_order *order, uint64_t number) {
    uint32_t old = order->window, window = old;
    struct gcl_bits filled;
    while (number - order->begin >= window)
        window *= 2;
    if (!resize(order, window) || !gcl_bits_init(&filled, window))
        return false;
    order->window = window;
    for (uint64_t place = old; place < window; place++)
        make_alone(order, ring_head(order, place));
    for (uint64_t n = order->begin; n < order->begin + old; n++) {
        uint64_t before = n & (old - 1), place = place_of(order, n);
        if (is_alone(order, ring_head(order, before)))
            continue;
        if (place != before)
            move(order, ring_head(order, before), ring_head(order, place), false);
        gcl_bits_add(&filled, place);
    }
    gcl_bits_finish(&order->filled);
    order->filled = filled;
    return true;
}

void gcl_order_use(struct gcl_order *order, uint32_t chunk, uint64_t next_use) {
    assert(chunk < order->chunk_count);
    unlink_chunk(order, chunk);
    if (next_use == GCL_ORDER_UNKNOWN) {
        append(order, list_head(order, UNKNOWN), chunk);
        return;
    }
    uint64_t last = order->begin + LAST_WINDOW - 1;
    uint64_t number = next_use < order->begin ? order->begin : next_use > last ? last : next_use;
    if (number - order->begin >= order->window && !widen(order, number))
        number = order->begin + order->window - 1;
    append(order, ring_head(order, place_of(order, number)), chunk);
    gcl_bits_add(&order->filled, place_of(order, number));
}

void gcl_order_remove(struct gcl_order *order, uint32_t chunk) {
    assert(chunk < order->chunk_count);
    unlink_chunk(order, chunk);
}

/// The furthest command that has chunks; GCL_ORDER_UNKNOWN: none has.
static uint64_t furthest(const struct gcl_order *order) {
    uint64_t first = place_of(order, order->begin); // places before it are of later commands
    uint64_t place = gcl_bits_largest(&order->filled, first);
    if (place == GCL_BITS_NONE)
        place = gcl_bits_largest(&order->filled, order->window);
    if (place == GCL_BITS_NONE)
        return GCL_ORDER_UNKNOWN;
    return order->begin + place_of(order, place - first);
}

uint32_t gcl_order_victim(const struct gcl_order *order) {
    uint64_t number = furthest(order);
    bool is_expected = number != GCL_ORDER_UNKNOWN && number >= order->known_end;
    if (!is_alone(order, list_head(order, UNKNOWN)))
        return order->next[list_head(order, UNKNOWN)];
    for (unsigned list = LATER; !is_expected && list >= LATE; list--) {
        if (!is_alone(order, list_head(order, list)))
            return order->next[list_head(order, list)];
    }
    if (number == GCL_ORDER_UNKNOWN)
        return GCL_ORDER_NONE;
    return order->next[ring_head(order, place_of(order, number))];
}

void gcl_order_know(struct gcl_order *order, uint64_t number, uint64_t patience) {
    if (number - order->rotation > patience) {
        move(order, list_head(order, LATER), list_head(order, UNKNOWN), true);
        move(order, list_head(order, LATE), list_head(order, LATER), false);
        order->rotation = number;
    }
    if (number - order->begin < order->window)
        move_number(order, number, LATE, false);
    order->known_end = number + 1;
}

void gcl_order_pass(struct gcl_order *order, uint64_t number) {
    uint64_t end = number - order->begin < order->window ? number : order->begin + order->window;
    for (uint64_t n = order->begin; n < end; n++)
        move_number(order, n, UNKNOWN, false);
    order->begin = number;
}
