// Whether instructions follow each other without a wait (ways.h). Each instruction knows how many
// waits are in front of it in its block, and each block which blocks can be entered from its end by
// passing only blocks without a wait; so an answer takes no walk. What is entered from a block is
// searched for when it is first asked for, and forgotten when waits are added.
#include "device/cut/ways.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"

enum { WAITS = GCL_WAIT_BLOCK + 1 };

/// Where an instruction is in its block.
struct place {
    int block;
    uint32_t index;
    uint32_t waits[WAITS]; ///< instructions in front of it that make threads wait
};

struct gcl_ways {
    const struct gcl_cfg *cfg;
    GHashTable *places;       ///< LLVMValueRef -> struct place
    uint32_t (*waits)[WAITS]; ///< per block: instructions that make threads wait
    GHashTable *entered;      ///< number of a search -> uint8_t *, a bit per block that it enters
};

/// Edges that a search takes, and the waits at which it ends.
struct search {
    enum gcl_wait wait;
    int inside; ///< the loop that isn't left, or GCL_NOWHERE
    int around; ///< a loop that isn't gone round, nor are those around it, or GCL_NOWHERE
};

bool gcl_wait_is_at(LLVMValueRef i, enum gcl_wait wait) {
    const struct gcl_intrinsic *cut = LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
    if (!cut || cut->kind != GCL_INTRINSIC_CUT)
        return false;
    return cut->cut == GCL_CUT_BARRIER || cut->cut == GCL_CUT_GRID_BARRIER ||
           cut->cut == GCL_CUT_ORDER || (wait == GCL_WAIT_WARP && cut->cut >= GCL_CUT_WARP_SYNC);
}

int gcl_ways_common_loop(const struct gcl_cfg *cfg, int a, int b) {
    int loop = cfg->blocks[a].loop;
    while (loop != GCL_NOWHERE && !gcl_cfg_in_loop(cfg, b, loop))
        loop = cfg->loops[loop].parent;
    return loop;
}

static void note_block(struct gcl_ways *ways, int block) {
    struct place place = {.block = block};
    LLVMValueRef i = LLVMGetFirstInstruction(ways->cfg->blocks[block].block);
    for (; i; i = LLVMGetNextInstruction(i), place.index++) {
        g_hash_table_replace(ways->places, i, g_memdup2(&place, sizeof place));
        place.waits[GCL_WAIT_WARP] += gcl_wait_is_at(i, GCL_WAIT_WARP);
        place.waits[GCL_WAIT_BLOCK] += gcl_wait_is_at(i, GCL_WAIT_BLOCK);
    }
    assert(place.waits[GCL_WAIT_BLOCK] <= place.waits[GCL_WAIT_WARP]);
    memcpy(ways->waits[block], place.waits, sizeof place.waits);
}

struct gcl_ways *gcl_ways_create(const struct gcl_cfg *cfg) {
    struct gcl_ways *ways = g_new0(struct gcl_ways, 1);
    ways->cfg = cfg;
    ways->places = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    ways->waits = g_malloc0_n((size_t)cfg->count, sizeof *ways->waits);
    ways->entered = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    for (int b = 0; b < cfg->count; b++)
        note_block(ways, b);
    return ways;
}

void gcl_ways_destroy(struct gcl_ways *ways) {
    if (!ways)
        return;
    g_hash_table_destroy(ways->places);
    g_hash_table_destroy(ways->entered);
    g_free(ways->waits);
    g_free(ways);
}

void gcl_ways_add(struct gcl_ways *ways, LLVMValueRef call) {
    note_block(ways, gcl_cfg_index(ways->cfg, LLVMGetInstructionParent(call)));
    g_hash_table_remove_all(ways->entered);
}

static const struct place *place_of(const struct gcl_ways *ways, LLVMValueRef i) {
    const struct place *place = g_hash_table_lookup(ways->places, i);
    assert(place);
    return place;
}

uint32_t gcl_ways_waits_before(const struct gcl_ways *ways, LLVMValueRef i, enum gcl_wait wait) {
    return place_of(ways, i)->waits[wait];
}

bool gcl_ways_waits_behind(const struct gcl_ways *ways, LLVMValueRef i, enum gcl_wait wait) {
    const struct place *place = place_of(ways, i);
    uint32_t passed = place->waits[wait] + gcl_wait_is_at(i, wait);
    assert(passed <= ways->waits[place->block][wait]);
    return ways->waits[place->block][wait] > passed;
}

// Whether the edge between these blocks goes round in a loop that mustn't be.
static bool goes_round(const struct gcl_cfg *cfg, int around, int from, int to) {
    for (int l = around; l != GCL_NOWHERE; l = cfg->loops[l].parent) {
        if (cfg->loops[l].latch == from && cfg->loops[l].header == to)
            return true;
    }
    return false;
}

static bool has_bit(const uint8_t *bits, int b) {
    return bits[b / 8] >> b % 8 & 1;
}

// Marks the blocks that are entered from the end of `block`.
static void search(const struct gcl_ways *ways, const struct search *search, int block,
                   uint8_t *bits) {
    assert(block >= 0 && block < ways->cfg->count);
    const struct gcl_cfg *cfg = ways->cfg;
    g_autofree int *open = g_new(int, cfg->count + 1);
    int count = 0;
    for (open[count++] = block; count > 0;) {
        int from = open[--count];
        for (int s = 0; s < 2; s++) {
            int next = cfg->blocks[from].successors[s];
            if (next == GCL_NOWHERE || has_bit(bits, next) ||
                !gcl_cfg_in_loop(cfg, next, search->inside) ||
                goes_round(cfg, search->around, from, next))
                continue;
            bits[next / 8] |= (uint8_t)(1 << next % 8);
            if (ways->waits[next][search->wait] == 0)
                open[count++] = next;
        }
    }
}

// The blocks that are entered from the end of `block`, a bit each.
static const uint8_t *entered_from(struct gcl_ways *ways, const struct search *s, int block) {
    size_t loops = (size_t)ways->cfg->loop_count + 1;
    size_t number = (size_t)block * loops + (size_t)(s->inside + 1);
    number = (number * loops + (size_t)(s->around + 1)) * WAITS + s->wait;
    uint8_t *bits = g_hash_table_lookup(ways->entered, GSIZE_TO_POINTER(number));
    if (bits)
        return bits;
    bits = g_malloc0((size_t)ways->cfg->count / 8 + 1);
    search(ways, s, block, bits);
    g_hash_table_insert(ways->entered, GSIZE_TO_POINTER(number), bits);
    return bits;
}

// Whether a way leads from the end of `block` to instruction `to`.
static bool leads_on(struct gcl_ways *ways, const struct search *s, int block,
                     const struct place *to) {
    return to->waits[s->wait] == 0 && has_bit(entered_from(ways, s, block), to->block);
}

// Whether a way leads from behind instruction `from` to `to`.
static bool leads(struct gcl_ways *ways, const struct search *s, LLVMValueRef from,
                  const struct place *to) {
    const struct place *begin = place_of(ways, from);
    uint32_t passed = begin->waits[s->wait] + gcl_wait_is_at(from, s->wait);
    if (begin->block == to->block && begin->index < to->index)
        return to->waits[s->wait] == passed;
    return ways->waits[begin->block][s->wait] == passed && leads_on(ways, s, begin->block, to);
}

bool gcl_ways_lead(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to, enum gcl_wait wait) {
    const struct search s = {wait, GCL_NOWHERE, GCL_NOWHERE};
    return leads(ways, &s, from, place_of(ways, to));
}

bool gcl_ways_lead_once(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to,
                        enum gcl_wait wait) {
    const struct place *end = place_of(ways, to);
    int loop = gcl_ways_common_loop(ways->cfg, place_of(ways, from)->block, end->block);
    const struct search s = {wait, GCL_NOWHERE, loop};
    return leads(ways, &s, from, end);
}

bool gcl_ways_lead_round(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to, int loop,
                         enum gcl_wait wait) {
    assert(loop >= 0 && loop < ways->cfg->loop_count);
    const struct gcl_cfg_loop *l = &ways->cfg->loops[loop];
    const struct search s = {wait, loop, loop};
    const struct place *end = place_of(ways, to);
    LLVMValueRef turn = LLVMGetBasicBlockTerminator(ways->cfg->blocks[l->latch].block);
    if (!leads(ways, &s, from, place_of(ways, turn)))
        return false;
    if (end->block == l->header)
        return end->waits[wait] == 0;
    return ways->waits[l->header][wait] == 0 && leads_on(ways, &s, l->header, end);
}
