// Stretches: memory that a block reads from end to end, but not in that order.
//
// Where a thread sums two elements a block's width apart, a block's vectors take turns: lines from
// the first half of its stretch, lines from the second, the next ones from the first. A processor
// fetches ahead of what goes up (Zen 4: 31 GB/s on one core) and waits for what goes to and fro
// (11 GB/s). So the kernel is cut between the loads: all threads read from one part before any of
// them reads from the next. What they have read waits in the block's frame, in the first cache.
//
// Where threads read is found by working out addresses for samples of what they are made from: a
// wrong guess costs a cut, which changes nothing but the order of threads.
//
// Before: loops have one header and one latch (ir/cfg.h), and the kernel has a barrier, so that it
// keeps values for its threads anyway. After: cuts that only order.
#include "device/cut/stretch.h"

#include <assert.h>
#include <string.h>

#include "device/cut/cut.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

// LANES: one vector of them reads what is next to each other anyway. KEPT: bytes that a thread may
// keep of all parts but the last; a Fourier transform, of 24, gained nothing. WIDTH: of a block.
enum { LANES = 64, KEPT = 16, WIDTH = 256, DEPTH = 16 };

#define ORDER "__gcl_order"

// What addresses are worked out for.
struct sample {
    const struct gcl_module *m;
    uint64_t block, thread; ///< blockIdx.x and threadIdx.x
};

// Something arbitrary and large, always the same for one `what`.
static uint64_t unknown(uint64_t what) {
    return (what + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 8;
}

static uint64_t number_of(const struct sample *s, LLVMValueRef value, unsigned depth);

static uint64_t intrinsic_of(const struct sample *s, const struct gcl_intrinsic *intrinsic) {
    if (intrinsic->axis == 0 && intrinsic->kind == GCL_INTRINSIC_THREAD)
        return s->thread;
    if (intrinsic->axis == 0 && intrinsic->kind == GCL_INTRINSIC_BLOCK_INDEX)
        return s->block;
    if (intrinsic->axis == 0 && intrinsic->kind == GCL_INTRINSIC_BLOCK_SIZE)
        return WIDTH;
    return unknown((uint64_t)intrinsic->kind * 4 + intrinsic->axis);
}

static uint64_t address_of(const struct sample *s, LLVMValueRef address, unsigned depth) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    uint64_t sum = number_of(s, LLVMGetOperand(address, 0), depth);
    for (int n = 1; n < LLVMGetNumOperands(address); n++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            sum += LLVMOffsetOfElement(s->m->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        sum += number_of(s, index, depth) * LLVMABISizeOfType(s->m->layout, type);
    }
    return sum;
}

// What an integer or address would be, if it doesn't wrap.
static uint64_t number_of(const struct sample *s, LLVMValueRef value, unsigned depth) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(value) ? gcl_intrinsic_find(value) : NULL;
    if (intrinsic)
        return intrinsic_of(s, intrinsic);
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
        return (uint64_t)LLVMConstIntGetSExtValue(value);
    if (!LLVMIsAInstruction(value) || depth == 0)
        return unknown((uint64_t)(uintptr_t)value);
    if (LLVMIsAGetElementPtrInst(value))
        return address_of(s, value, depth - 1);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMSExt || opcode == LLVMZExt || opcode == LLVMTrunc || opcode == LLVMFreeze)
        return number_of(s, LLVMGetOperand(value, 0), depth - 1);
    if (!LLVMIsABinaryOperator(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        return unknown((uint64_t)(uintptr_t)value);
    uint64_t a = number_of(s, LLVMGetOperand(value, 0), depth - 1);
    uint64_t b = number_of(s, LLVMGetOperand(value, 1), depth - 1);
    switch (opcode) {
    case LLVMAdd:
        return a + b;
    case LLVMOr:
        return LLVMGetIsDisjoint(value) ? a + b : unknown((uint64_t)(uintptr_t)value);
    case LLVMSub:
        return a - b;
    case LLVMMul:
        return a * b;
    case LLVMShl:
        return b < 64 ? a << b : unknown((uint64_t)(uintptr_t)value);
    default:
        return unknown((uint64_t)(uintptr_t)value);
    }
}

// Where a load reads in a given block, by a given thread.
static uint64_t place_of(const struct gcl_module *m, LLVMValueRef load, uint64_t block,
                         uint64_t thread) {
    const struct sample s = {m, block, thread};
    return number_of(&s, LLVMGetOperand(load, 0), DEPTH);
}

// Loads of a kernel, by the way that all threads go: blocks of the control flow through which they
// come together, and what some of them do behind each.
struct search {
    struct gcl_module *m;
    const struct gcl_cfg *cfg;
    int *stage;       ///< per block of the control flow: the last one before it on that way
    GPtrArray *loads; ///< from an argument's memory, outside of loops
};

struct stretch {
    uint64_t first, part; ///< bytes
    int64_t element;      ///< bytes from thread to thread
    uint64_t parts;
};

static bool is_plain_load(LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return false;
    LLVMValueRef address = LLVMGetOperand(i, 0);
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAArgument(address) != NULL;
}

static int block_of(const struct search *s, LLVMValueRef i) {
    return gcl_cfg_index(s->cfg, LLVMGetInstructionParent(i));
}

// Where all threads come between two loads; NULL: nowhere.
static LLVMValueRef place_between(const struct search *s, LLVMValueRef first, LLVMValueRef second) {
    int from = block_of(s, first), to = block_of(s, second), stage = s->stage[to];
    if (to == stage)
        return second;
    return from == stage || s->stage[from] < stage
               ? LLVMGetBasicBlockTerminator(s->cfg->blocks[stage].block)
               : NULL;
}

// The loads of a stretch, as they come in the program. False if one reads what lies between the
// threads' elements, or a part isn't read.
static bool find_members(const struct search *s, const struct stretch *stretch,
                         GPtrArray *members) {
    unsigned seen = 0;
    g_ptr_array_set_size(members, 0);
    for (guint l = 0; l < s->loads->len; l++) {
        uint64_t place = place_of(s->m, s->loads->pdata[l], 0, 0) - stretch->first;
        if (place >= stretch->part * stretch->parts)
            continue;
        if (place % stretch->part >= (uint64_t)stretch->element)
            return false;
        seen |= 1u << place / stretch->part;
        g_ptr_array_add(members, s->loads->pdata[l]);
    }
    return seen == (1u << stretch->parts) - 1;
}

// The stretch that begins where `load` reads.
static bool find_stretch(const struct search *s, LLVMValueRef load, struct stretch *stretch,
                         GPtrArray *members) {
    stretch->first = place_of(s->m, load, 0, 0);
    stretch->element = (int64_t)(place_of(s->m, load, 0, 1) - stretch->first);
    uint64_t bytes = place_of(s->m, load, 1, 0) - stretch->first;
    if (stretch->element <= 0 || stretch->element > KEPT || bytes > INT32_MAX)
        return false;
    uint64_t most = KEPT / (uint64_t)stretch->element + 1;
    for (stretch->parts = 2; stretch->parts <= most; stretch->parts++) {
        stretch->part = bytes / stretch->parts;
        if (bytes % stretch->parts == 0 && stretch->part > LANES * (uint64_t)stretch->element &&
            find_members(s, stretch, members))
            return true;
    }
    return false;
}

static uint64_t part_of(const struct search *s, const struct stretch *stretch, LLVMValueRef load) {
    return (place_of(s->m, load, 0, 0) - stretch->first) / stretch->part;
}

// Whether `load` may as well stand in front of `earlier`, in the same basic block.
static bool may_move(LLVMValueRef load, LLVMValueRef earlier) {
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (LLVMGetInstructionParent(load) != LLVMGetInstructionParent(earlier))
        return false;
    for (LLVMValueRef i = earlier; i != load; i = LLVMGetNextInstruction(i)) {
        if (i == address || gcl_shim_may_write(i))
            return false;
    }
    return true;
}

// Moves loads so that none comes behind one of a later part; false if one can't.
static bool sort(const struct search *s, const struct stretch *stretch, GPtrArray *members) {
    for (guint l = 1; l < members->len; l++) {
        LLVMValueRef load = members->pdata[l];
        guint to = 0;
        while (to < l && part_of(s, stretch, members->pdata[to]) <= part_of(s, stretch, load))
            to++;
        if (to == l)
            continue;
        if (!may_move(load, members->pdata[to]))
            return false;
        LLVMBuilderRef b = LLVMCreateBuilderInContext(s->m->context);
        LLVMInstructionRemoveFromParent(load);
        LLVMPositionBuilderBefore(b, members->pdata[to]);
        LLVMInsertIntoBuilder(b, load);
        LLVMDisposeBuilder(b);
        g_ptr_array_remove_index(members, l);
        g_ptr_array_insert(members, (int)to, load);
    }
    return true;
}

static bool has_cut(LLVMValueRef from, LLVMValueRef to) {
    for (LLVMValueRef i = from; i && i != to; i = LLVMGetNextInstruction(i)) {
        if (strcmp(gcl_intrinsic_callee(i), ORDER) == 0)
            return true;
    }
    return false;
}

// Whether a cut of another stretch is on the way from one place to another.
static bool is_cut_between(LLVMValueRef first, LLVMValueRef second) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(second);
    return has_cut(first, second) || (block != LLVMGetInstructionParent(first) &&
                                      has_cut(LLVMGetFirstInstruction(block), second));
}

// Cuts between the loads of each part and those of the next.
static void cut(const struct search *s, const struct stretch *stretch, const GPtrArray *members) {
    for (guint l = 1; l < members->len; l++) {
        LLVMValueRef before = members->pdata[l - 1], load = members->pdata[l];
        LLVMValueRef place = place_between(s, before, load);
        if (place && part_of(s, stretch, load) > part_of(s, stretch, before) &&
            !is_cut_between(before, place))
            gcl_cut_add(s->m, place, ORDER, NULL, 0);
    }
}

static bool has_barrier(const struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (gcl_intrinsic_is_barrier(i))
                return true;
        }
    }
    return false;
}

// Fills in `stage`. Blocks of the control flow are in an order in which those that all threads come
// to are behind what may run before them.
static void find_stages(const struct search *s) {
    int next = 0, last = 0;
    for (int b = 0; b < s->cfg->count; b++) {
        if (b == next) {
            last = b;
            next = s->cfg->blocks[b].postdominator;
        }
        s->stage[b] = last;
    }
}

static void find_loads(const struct search *s) {
    for (int b = 0; b < s->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        bool is_outside = s->cfg->blocks[b].loop == GCL_NOWHERE &&
                          s->cfg->blocks[s->stage[b]].loop == GCL_NOWHERE;
        for (; i && is_outside; i = LLVMGetNextInstruction(i)) {
            if (is_plain_load(i))
                g_ptr_array_add(s->loads, i);
        }
    }
}

void gcl_stretches_cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    g_autofree int *stage = g_new0(int, cfg->count);
    g_autoptr(GPtrArray) loads = g_ptr_array_new(), members = g_ptr_array_new();
    const struct search s = {m, cfg, stage, loads};
    struct stretch stretch;
    find_stages(&s);
    if (has_barrier(cfg) && !m->options->sanitize) // which tells of a load right before it
        find_loads(&s);
    for (guint l = 0; l < loads->len; l++) {
        if (find_stretch(&s, loads->pdata[l], &stretch, members) && sort(&s, &stretch, members))
            cut(&s, &stretch, members);
    }
    gcl_cfg_destroy(cfg);
}
