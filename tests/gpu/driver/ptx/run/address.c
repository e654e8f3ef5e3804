// From addresses to the host's memory, for all lanes of a warp at once: bounds are checked against
// the least and the greatest address. The caller's ranges are kept for the launch.
#include <string.h>

#include "warp.h"

/// The range with [address, address + size), from those that are known or from the caller.
static const struct ptx_range *find_range(struct ptx_run *run, uint64_t address, uint64_t size,
                                          bool is_write) {
    struct ptx_range *ranges = run->ranges[is_write];
    for (unsigned i = 0; i < PTX_RANGES; i++)
        if (address >= ranges[i].begin && address < ranges[i].end &&
            ranges[i].end - address >= size) {
            struct ptx_range found = ranges[i];
            memmove(ranges + 1, ranges, i * sizeof *ranges);
            ranges[0] = found;
            return ranges;
        }
    const struct ptx_launch *launch = run->launch;
    struct ptx_range heap = launch->heap ? ptx_heap_range(launch->heap) : (struct ptx_range){0};
    struct ptx_range found;
    if (launch->heap && address >= heap.begin && address < heap.end)
        found = heap;
    else if (address >= PTX_WINDOWS || !launch->memory ||
             !launch->memory(launch->context, address, is_write, &found))
        return NULL;
    memmove(ranges + 1, ranges, (PTX_RANGES - 1) * sizeof *ranges);
    ranges[0] = found;
    return found.end - address >= size ? ranges : NULL;
}

struct bounds {
    uint64_t least, most; ///< addresses of lanes in the mask
    uint64_t bits;        ///< all bits of their addresses that are set in any
};

/// Bounds of the addresses, after those of lanes that don't take part were made one's that does.
static struct bounds find_bounds(struct ptx_warp *warp) {
    uint64_t *address = warp->address;
    if (warp->mask != UINT32_MAX) {
        uint64_t some = address[__builtin_ctz(warp->mask)];
        for (int l = 0; l < PTX_LANES; l++)
            address[l] = warp->mask >> l & 1 ? address[l] : some;
    }
    struct bounds bounds = {.least = UINT64_MAX};
    for (int l = 0; l < PTX_LANES; l++) {
        bounds.least = address[l] < bounds.least ? address[l] : bounds.least;
        bounds.most = address[l] > bounds.most ? address[l] : bounds.most;
        bounds.bits |= address[l];
    }
    return bounds;
}

static const char *const window_names[] = {
    [PTX_IN_GENERIC] = "generic", [PTX_IN_GLOBAL] = "global",  [PTX_IN_SHARED] = "shared",
    [PTX_IN_LOCAL] = "local",     [PTX_IN_CONST] = "constant", [PTX_IN_PARAM] = "parameter"};

/// Tells of the first lane with an address that isn't there. Always false.
static bool fail(struct ptx_warp *warp, const struct ptx_op *op, enum ptx_window window,
                 size_t size, bool is_write, uint64_t address) {
    int lane = 0;
    while (lane < PTX_LANES - 1 && (!(warp->mask >> lane & 1) || warp->address[lane] != address))
        lane++;
    ptx_fault(warp, op, lane, PTX_ILLEGAL_ADDRESS,
              "illegal address: %s of %zu bytes at 0x%llx of %s memory",
              is_write ? "write" : "read", size, (unsigned long long)address, window_names[window]);
    return false;
}

static bool check_alignment(struct ptx_warp *warp, const struct ptx_op *op, size_t size,
                            uint64_t bits) {
    if ((bits & (size - 1)) == 0)
        return true;
    int lane = 0;
    while (!(warp->mask >> lane & 1) || (warp->address[lane] & (size - 1)) == 0)
        lane++;
    ptx_fault(warp, op, lane, PTX_MISALIGNED, "misaligned address: access of %zu bytes at 0x%llx",
              size, (unsigned long long)warp->address[lane]);
    return false;
}

/// All lanes in memory of the caller.
static bool locate_global(struct ptx_warp *warp, const struct ptx_op *op, size_t size,
                          bool is_write, struct bounds bounds) {
    struct ptx_run *run = warp->block->run;
    const struct ptx_range *range =
        find_range(run, bounds.least, bounds.most - bounds.least + size, is_write);
    if (range) {
        for (int l = 0; l < PTX_LANES; l++)
            warp->pointer[l] = range->bytes + (warp->address[l] - range->begin);
        return true;
    }
    for (int l = 0; l < PTX_LANES; l++) {
        range = find_range(run, warp->address[l], size, is_write);
        if (!range)
            return fail(warp, op, PTX_IN_GLOBAL, size, is_write, warp->address[l]);
        warp->pointer[l] = range->bytes + (warp->address[l] - range->begin);
    }
    return true;
}

/// All lanes in `bytes`, which has `count` bytes: one memory for all, or with a step one for each
/// lane.
static bool locate_array(struct ptx_warp *warp, const struct ptx_op *op, enum ptx_window window,
                         size_t size, bool is_write, struct bounds bounds) {
    const struct ptx_run *run = warp->block->run;
    const struct ptx_module *module = run->code->facts.module;
    unsigned char *bytes = warp->block->shared;
    uint64_t count = run->shared_size, step = 0;
    if (window == PTX_IN_LOCAL) {
        bytes = warp->local;
        count = step = warp->local_size;
    } else if (window == PTX_IN_CONST) {
        bytes = module->const_bytes;
        count = module->const_size;
    } else if (window == PTX_IN_PARAM) {
        bytes = (unsigned char *)(uintptr_t)run->launch->parameters;
        count = run->code->facts.parameter_size;
    }
    bool is_readonly = window == PTX_IN_CONST || window == PTX_IN_PARAM;
    if (bounds.most > count || count - bounds.most < size || (is_write && is_readonly))
        return fail(warp, op, window, size, is_write,
                    is_write && is_readonly ? bounds.least : bounds.most);
    for (uint64_t l = 0; l < PTX_LANES; l++)
        warp->pointer[l] = bytes + warp->address[l] + l * step;
    if (step == 0 || warp->mask == UINT32_MAX)
        return true;
    uint32_t some = (uint32_t)__builtin_ctz(warp->mask);
    for (int l = 0; l < PTX_LANES; l++)
        warp->pointer[l] = warp->mask >> l & 1 ? warp->pointer[l] : warp->pointer[some];
    return true;
}

static enum ptx_window window_of(uint64_t address) {
    static const enum ptx_window windows[] = {PTX_IN_SHARED, PTX_IN_LOCAL, PTX_IN_CONST,
                                              PTX_IN_PARAM};
    uint64_t index = (address - PTX_WINDOWS) / PTX_WINDOW_SIZE;
    return address < PTX_WINDOWS || index > 3 ? PTX_IN_GLOBAL : windows[index];
}

static uint64_t base_of(enum ptx_window window) {
    static const uint64_t bases[] = {[PTX_IN_SHARED] = PTX_SHARED_WINDOW,
                                     [PTX_IN_LOCAL] = PTX_LOCAL_WINDOW,
                                     [PTX_IN_CONST] = PTX_CONST_WINDOW,
                                     [PTX_IN_PARAM] = PTX_PARAM_WINDOW};
    return bases[window];
}

static bool locate_one(struct ptx_warp *warp, const struct ptx_op *op, enum ptx_window window,
                       size_t size, bool is_write, struct bounds bounds) {
    if (window == PTX_IN_GLOBAL)
        return locate_global(warp, op, size, is_write, bounds);
    return locate_array(warp, op, window, size, is_write, bounds);
}

/// Generic addresses: in one window, or each window's lanes in turn.
static bool locate_generic(struct ptx_warp *warp, const struct ptx_op *op, size_t size,
                           bool is_write, struct bounds bounds) {
    enum ptx_window window = window_of(bounds.least);
    if (window == window_of(bounds.most)) {
        uint64_t base = window == PTX_IN_GLOBAL ? 0 : base_of(window);
        for (int l = 0; l < PTX_LANES; l++)
            warp->address[l] -= base;
        bounds.least -= base;
        bounds.most -= base;
        return locate_one(warp, op, window, size, is_write, bounds);
    }
    uint64_t addresses[PTX_LANES];
    unsigned char *pointers[PTX_LANES];
    memcpy(addresses, warp->address, sizeof addresses);
    uint32_t mask = warp->mask;
    bool is_there = true;
    for (uint32_t left = mask; left && is_there;) {
        window = window_of(addresses[__builtin_ctz(left)]);
        warp->mask = 0;
        for (uint32_t l = 0; l < PTX_LANES; l++)
            if (left >> l & 1 && window_of(addresses[l]) == window)
                warp->mask |= UINT32_C(1) << l;
        memcpy(warp->address, addresses, sizeof addresses);
        is_there = locate_generic(warp, op, size, is_write, find_bounds(warp));
        for (uint32_t l = 0; l < PTX_LANES; l++)
            if (warp->mask >> l & 1)
                pointers[l] = warp->pointer[l];
        left &= ~warp->mask;
    }
    warp->mask = mask;
    for (uint32_t l = 0; l < PTX_LANES && is_there; l++)
        warp->pointer[l] = pointers[mask >> l & 1 ? l : (uint32_t)__builtin_ctz(mask)];
    return is_there;
}

bool ptx_locate(struct ptx_warp *warp, const struct ptx_op *op, enum ptx_window window, size_t size,
                bool is_write) {
    struct bounds bounds = find_bounds(warp);
    if (!check_alignment(warp, op, size, bounds.bits))
        return false;
    if (window == PTX_IN_GENERIC || (window == PTX_IN_PARAM && !op->extra))
        return locate_generic(warp, op, size, is_write, bounds);
    return locate_one(warp, op, window, size, is_write, bounds);
}

const unsigned char *ptx_locate_byte(struct ptx_warp *warp, int lane, uint64_t address,
                                     size_t *available) {
    struct ptx_run *run = warp->block->run;
    const struct ptx_module *module = run->code->facts.module;
    enum ptx_window window = window_of(address);
    const unsigned char *bytes = NULL;
    uint64_t count = 0, offset = window == PTX_IN_GLOBAL ? 0 : address - base_of(window);
    if (window == PTX_IN_GLOBAL) {
        const struct ptx_range *range = find_range(run, address, 1, false);
        if (range) {
            bytes = range->bytes;
            count = range->end - range->begin;
            offset = address - range->begin;
        }
    } else if (window == PTX_IN_SHARED) {
        bytes = warp->block->shared;
        count = run->shared_size;
    } else if (window == PTX_IN_LOCAL) {
        bytes = warp->local + (uint64_t)lane * warp->local_size;
        count = warp->local_size;
    } else if (window == PTX_IN_CONST) {
        bytes = module->const_bytes;
        count = module->const_size;
    } else {
        bytes = run->launch->parameters;
        count = run->code->facts.parameter_size;
    }
    if (!bytes || offset >= count)
        return NULL;
    *available = (size_t)(count - offset);
    return bytes + offset;
}
