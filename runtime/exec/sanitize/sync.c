// Barriers that not all threads of a block reach, and warp operations that not all lanes of their
// mask reach. The scheduler (block.c) never waits for somebody who can't come: when nobody gets
// further it lets those go that stand there, and says so here first.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec/sanitize/state.h"

enum { TEXT = GCL_SANITIZE_TEXT, PLACE = GCL_SANITIZE_PLACE, MOST_GROUPS = 4 };

// Threads that stand at one place of the source, or ended behind it.
struct group {
    const struct gcl_site *site; ///< NULL: not known
    uint32_t first, count;       ///< threads
    uint32_t mask;               ///< of their warp operation, 0: it is none
    bool has_ended;
};

struct groups {
    struct group list[MOST_GROUPS];
    unsigned count;
    uint32_t others; ///< threads that are in none, as there are too many
};

static bool is_same_place(const struct gcl_site *a, const struct gcl_site *b) {
    if (!a || !b || a == b)
        return a == b;
    return a->line == b->line && (a->line == 0 || strcmp(a->file, b->file) == 0);
}

// Cuts at which threads stand.

static enum gcl_cut_kind cut_kind(const struct gcl_sanitizer *s, uint32_t next) {
    return next < GCL_ANYWHERE ? (enum gcl_cut_kind)s->launch->kernel->cuts[next].kind
                               : GCL_CUT_ENTRY;
}

static bool waits_for_warp(const struct gcl_sanitizer *s, uint32_t next) {
    return cut_kind(s, next) >= GCL_CUT_WARP_SYNC;
}

static bool waits_for_block(const struct gcl_sanitizer *s, uint32_t next) {
    return cut_kind(s, next) == GCL_CUT_BARRIER;
}

static void add_thread(const struct gcl_sanitizer *s, const struct gcl_block *block, uint32_t t,
                       struct groups *groups) {
    assert(t < block->thread_count);
    const struct gcl_site *site = s->running->places[t];
    bool has_ended = block->next[t] == GCL_EXIT;
    uint32_t mask = waits_for_warp(s, block->next[t]) ? block->mask[t] : 0;
    for (unsigned g = 0; g < groups->count; g++) {
        struct group *group = &groups->list[g];
        if (group->has_ended == has_ended && group->mask == mask &&
            is_same_place(group->site, site)) {
            group->count++;
            return;
        }
    }
    if (groups->count < MOST_GROUPS)
        groups->list[groups->count++] = (struct group){site, t, 1, mask, has_ended};
    else
        groups->others++;
}

static int format_thread(const struct gcl_block *block, uint32_t thread, char *out, size_t room) {
    uint32_t nx = block->block_size[0], ny = block->block_size[1];
    return snprintf(out, room, "thread (%u,%u,%u)", thread % nx, thread / nx % ny,
                    thread / nx / ny);
}

static size_t format_group(const struct gcl_block *block, const struct group *g, char *out,
                           size_t room) {
    char place[PLACE], thread[TEXT], more[TEXT] = "", mask[TEXT] = "";
    bool is_one = g->count == 1;
    format_thread(block, g->first, thread, sizeof thread);
    if (g->count > 1)
        snprintf(more, sizeof more, " and %u other%s", g->count - 1, g->count > 2 ? "s" : "");
    const char *verb =
        g->has_ended ? (is_one ? "has ended" : "have ended") : (is_one ? "waits" : "wait");
    const char *at = g->site ? gcl_sanitize_format_place(g->site, place) : "its beginning";
    if (g->mask)
        snprintf(mask, sizeof mask, " with mask 0x%" PRIx32, g->mask);
    int length = snprintf(out, room, "%s%s %s%s %s%s", thread, more, verb,
                          g->has_ended ? ", last seen at" : " at", at, mask);
    return length < 0 || (size_t)length >= room ? room - 1 : (size_t)length;
}

static void print_groups(struct gcl_sanitizer *s, const struct gcl_block *block, const char *what,
                         const struct groups *groups) {
    assert(groups->count > 0 && groups->count <= MOST_GROUPS);
    char text[MOST_GROUPS * (PLACE + TEXT)] = "", kernel[TEXT], others[TEXT] = "";
    size_t length = 0;
    const uint32_t *at = block->block_index;
    const struct group *first = &groups->list[0], *second = &groups->list[1];
    const struct gcl_finding finding = {GCL_FINDING_SYNC, s->launch->kernel, first->site,
                                        groups->count > 1 ? second->site : NULL};
    if (!gcl_findings_add(&s->findings, &finding))
        return;
    for (unsigned g = 0; g < groups->count; g++) {
        length += format_group(block, &groups->list[g], text + length, sizeof text - length);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                   g + 1 < groups->count ? "; " : "");
    }
    if (groups->others > 0)
        snprintf(others, sizeof others, "; %u are elsewhere", groups->others);
    gcl_findings_print("sync: %s in block (%u,%u,%u) reach: %s%s, kernel %s", what, at[0], at[1],
                       at[2], text, others, gcl_sanitize_format_kernel(s, kernel));
}

// Barriers.

void gcl_sanitize_check_barrier(struct gcl_sanitizer *s, const struct gcl_block *block) {
    struct groups groups = {.count = 0};
    for (uint32_t t = 0; t < block->thread_count; t++) { // who waits comes first
        if (waits_for_block(s, block->next[t]))
            add_thread(s, block, t, &groups);
    }
    for (uint32_t t = 0; t < block->thread_count; t++) {
        if (!waits_for_block(s, block->next[t]))
            add_thread(s, block, t, &groups);
    }
    if (groups.count > 1)
        print_groups(s, block, "a barrier that not all threads", &groups);
}

// Warps.

// A thread that looks at memory from time to time, or only goes behind others, gets further.
static bool may_come(const struct gcl_sanitizer *s, uint32_t next) {
    return cut_kind(s, next) == GCL_CUT_YIELD || cut_kind(s, next) == GCL_CUT_ORDER;
}

// Lanes of `mask` that aren't in `lanes`. They need not come if they have ended, and it isn't
// known yet while one of them may.
static uint32_t find_missing(const struct gcl_sanitizer *s, const struct gcl_block *block,
                             uint32_t first, uint32_t mask, uint32_t lanes) {
    uint32_t missing = 0;
    for (uint32_t l = 0; l < GCL_HAZARD_WARP && first + l < block->thread_count; l++) {
        uint32_t next = block->next[first + l];
        bool is_named = (mask & ~lanes) >> l & 1;
        if (is_named && may_come(s, next))
            return 0;
        missing |= (uint32_t)(is_named && next != GCL_EXIT) << l;
    }
    return missing;
}

static void report_stranger(struct gcl_sanitizer *s, const struct gcl_block *block, uint32_t thread,
                            uint32_t mask) {
    const struct gcl_site *site = s->running->places[thread];
    const struct gcl_finding finding = {GCL_FINDING_SYNC, s->launch->kernel, site, NULL};
    const uint32_t *at = block->block_index;
    char kernel[TEXT], place[PLACE], text[TEXT];
    if (!site || !gcl_findings_add(&s->findings, &finding))
        return;
    format_thread(block, thread, text, sizeof text);
    gcl_findings_print("sync: %s (block (%u,%u,%u), %s): the mask 0x%" PRIx32
                       " of the warp operation doesn't name lane %u, which calls it, kernel %s",
                       gcl_sanitize_format_place(site, place), at[0], at[1], at[2], text, mask,
                       thread % GCL_HAZARD_WARP, gcl_sanitize_format_kernel(s, kernel));
}

void gcl_sanitize_check_warp(struct gcl_sanitizer *s, const struct gcl_block *block, uint32_t first,
                             uint32_t lanes) {
    assert(lanes != 0);
    uint32_t mask = block->mask[first + (uint32_t)__builtin_ctz(lanes)], strange = lanes & ~mask;
    uint32_t missing = find_missing(s, block, first, mask, lanes);
    struct groups groups = {.count = 0};
    if (strange)
        report_stranger(s, block, first + (uint32_t)__builtin_ctz(strange), mask);
    if (!missing)
        return;
    for (uint32_t l = 0; l < GCL_HAZARD_WARP; l++) {
        if (lanes >> l & 1)
            add_thread(s, block, first + l, &groups);
    }
    for (uint32_t l = 0; l < GCL_HAZARD_WARP; l++) {
        if (missing >> l & 1)
            add_thread(s, block, first + l, &groups);
    }
    print_groups(s, block, "a warp operation that not all lanes of its mask", &groups);
}
