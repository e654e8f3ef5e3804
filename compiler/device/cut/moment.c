// Works out values in an imagined moment (moment.h), by going through what they are made from. What
// can't be worked out is some number that follows from the moment and from the value alone, so that
// two addresses made from the same value agree on it.
#include "device/cut/moment.h"

#include <assert.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shapes.h"
#include "device/ir/uniformity.h"

enum { STEPS = 2000, ITERATIONS = 8, GRID = 8, KNOWN = 1 << 13 };

/// What all moments have in common of an instruction or argument.
struct value {
    uint32_t number; ///< from 1, the same in each compilation
    bool is_uniform; ///< all threads of a block have the same
};

/// What a value was found to be for a thread, or for all of a moment, at an iteration of each loop;
/// or whether a thread comes to a block.
struct gcl_moment_known {
    uint32_t number; ///< of the value or block, from 1
    bool guesses;    ///< as in struct gcl_moment
    bool is_lost;    ///< likewise
    uint64_t turn;   ///< of the thread, or of the moment if its threads share the value
    uint64_t state;  ///< as in struct gcl_moment
    struct gcl_spot place;
};

// Common to all moments.

static int meet(const int *dominators, int a, int b) {
    assert(a >= 0 && b >= 0);
    while (a != b) {
        if (a > b)
            a = dominators[a];
        else
            b = dominators[b];
    }
    return a;
}

// After Cooper, Harvey and Kennedy, as ir/cfg.c does for postdominators.
static int *find_dominators(const struct gcl_cfg *cfg) {
    int *dominators = g_new(int, cfg->count);
    for (int b = 0; b < cfg->count; b++)
        dominators[b] = GCL_NOWHERE;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 1; b < cfg->count; b++) {
            int found = GCL_NOWHERE;
            for (int p = 0; p < cfg->blocks[b].predecessor_count; p++) {
                int from = cfg->blocks[b].predecessors[p];
                if (from != 0 && dominators[from] == GCL_NOWHERE)
                    continue;
                found = found == GCL_NOWHERE ? from : meet(dominators, found, from);
            }
            assert(found != GCL_NOWHERE && found < b); // one of the blocks before is in front of it
            changed |= found != dominators[b];
            dominators[b] = found;
        }
    }
    return dominators;
}

bool gcl_moments_dominates(const struct gcl_moments *moments, int dominator, int b) {
    while (b > dominator)
        b = moments->dominators[b];
    return b == dominator;
}

static bool is_call_of(LLVMValueRef value, enum gcl_intrinsic_kind kind) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(value) ? gcl_intrinsic_find(value) : NULL;
    return intrinsic && intrinsic->kind == kind;
}

LLVMValueRef gcl_moment_variable(LLVMValueRef address) {
    return LLVMIsAGetElementPtrInst(address) && LLVMGetNumOperands(address) == 2 &&
                   is_call_of(LLVMGetOperand(address, 0), GCL_INTRINSIC_SHARED) &&
                   LLVMIsAConstantInt(LLVMGetOperand(address, 1))
               ? LLVMGetOperand(address, 1)
               : NULL;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void note(struct gcl_moments *moments, LLVMValueRef value) {
    struct value *noted = g_new(struct value, 1);
    noted->number = g_hash_table_size(moments->values) + 1;
    noted->is_uniform = gcl_uniformity_of(moments->u, value).variance <= GCL_VARIANCE_UNIFORM;
    g_hash_table_insert(moments->values, value, noted);
    LLVMValueRef variable = LLVMIsAInstruction(value) ? gcl_moment_variable(value) : NULL;
    if (!variable)
        return;
    int64_t begin = LLVMConstIntGetSExtValue(variable);
    g_array_append_val(moments->variables, begin);
}

static void add_shape(GArray *shapes, uint32_t x, uint32_t y, uint32_t most) {
    struct gcl_shape shape = {.block_size = {x, y, 1}};
    if (x * y <= most)
        g_array_append_val(shapes, shape);
}

static bool has_rows(const struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (is_call_of(i, GCL_INTRINSIC_THREAD) && gcl_intrinsic_find(i)->axis % 3 > 0)
                return true;
        }
    }
    return false;
}

// The shapes of blocks that are known, or some usual ones: rows where the kernel asks for its own.
static GArray *find_shapes(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                           const struct gcl_cfg *cfg) {
    GArray *shapes = gcl_shapes_find(m, kernel);
    bool known = shapes->len > 0;
    for (guint i = 0; i < shapes->len; i++)
        known &= !gcl_shape_is_any(&g_array_index(shapes, struct gcl_shape, i));
    if (known)
        return shapes;
    g_array_set_size(shapes, 0);
    add_shape(shapes, 256, 1, kernel->max_threads);
    add_shape(shapes, 64, 1, kernel->max_threads);
    if (has_rows(cfg)) {
        add_shape(shapes, 32, 8, kernel->max_threads);
        add_shape(shapes, 16, 16, kernel->max_threads);
    }
    if (shapes->len == 0)
        add_shape(shapes, kernel->max_threads, 1, kernel->max_threads);
    return shapes;
}

struct gcl_moments *gcl_moments_create(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                       const struct gcl_cfg *cfg, const struct gcl_uniformity *u) {
    struct gcl_moments *moments = g_new0(struct gcl_moments, 1);
    *moments = (struct gcl_moments){
        .cfg = cfg,
        .u = u,
        .values = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .known = g_new0(struct gcl_moment_known, KNOWN),
        .variables = g_array_new(FALSE, FALSE, sizeof(int64_t)),
        .shapes = find_shapes(m, kernel, cfg),
        .dominators = find_dominators(cfg),
        .weights = g_new(uint64_t, cfg->loop_count + 1),
    };
    moments->weights[0] = 1;
    for (int l = 0; l < cfg->loop_count; l++)
        moments->weights[l + 1] = moments->weights[l] * (2 * ITERATIONS + 1);
    for (unsigned p = 0; p < LLVMCountParams(kernel->function); p++)
        note(moments, LLVMGetParam(kernel->function, p));
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i))
            note(moments, i);
    }
    g_array_sort(moments->variables, by_value);
    return moments;
}

void gcl_moments_destroy(struct gcl_moments *moments) {
    g_hash_table_destroy(moments->values);
    g_free(moments->known);
    g_array_unref(moments->variables);
    g_array_unref(moments->shapes);
    g_free(moments->dominators);
    g_free(moments->weights);
    g_free(moments);
}

bool gcl_moment_is_inside(const struct gcl_moments *moments, struct gcl_spot place, int64_t size) {
    if (!place.root || !LLVMIsAConstantInt(place.root))
        return true;
    int64_t begin = LLVMConstIntGetSExtValue(place.root);
    if (place.offset < 0)
        return false;
    for (guint v = 0; v < moments->variables->len; v++) {
        int64_t next = g_array_index(moments->variables, int64_t, v);
        if (next > begin)
            return begin + place.offset + size <= next;
    }
    return true;
}

// One moment.

// Thomas Wang's way to mix bits.
static uint32_t mix(uint32_t a, uint32_t b) {
    uint32_t h = a * 0x9e3779b1u + b;
    h = (h ^ 61) ^ (h >> 16);
    h *= 9;
    h ^= h >> 4;
    h *= 0x27d4eb2du;
    return h ^ (h >> 15);
}

static void go_to(struct gcl_moment *moment, int loop, int iteration) {
    int further = iteration - moment->iterations[loop];
    moment->state += (uint64_t)further * moment->all->weights[loop];
    moment->iterations[loop] = iteration;
}

struct gcl_moment gcl_moment_begin(struct gcl_moments *moments, uint32_t number, int later) {
    const struct gcl_cfg *cfg = moments->cfg;
    struct gcl_moment moment = {.all = moments, .number = number, .later = later};
    assert(moments->shapes->len > 0);
    assert(later == GCL_NOWHERE || (later >= 0 && later < cfg->loop_count));
    const struct gcl_shape *shapes = (const struct gcl_shape *)moments->shapes->data;
    moment.block_size = shapes[number % moments->shapes->len].block_size;
    moment.iterations = g_new0(int, cfg->loop_count + 1);
    for (int l = 0; l < cfg->loop_count; l++) {
        bool is_inside =
            later != GCL_NOWHERE && l != later && gcl_cfg_in_loop(cfg, cfg->loops[l].header, later);
        uint32_t salt = is_inside ? 7919 : 1;
        int iteration = (int)(mix(number + 1, (uint32_t)l + salt) % ITERATIONS);
        go_to(&moment, l, (number > 0 ? iteration : 0) + (l == later));
    }
    return moment;
}

void gcl_moment_turn(struct gcl_moment *moment, uint32_t thread, bool is_large) {
    assert(thread < gcl_moment_threads(moment));
    moment->thread = thread;
    moment->is_large = is_large;
}

void gcl_moment_end(struct gcl_moment *moment) {
    g_free(moment->iterations);
}

uint32_t gcl_moment_threads(const struct gcl_moment *moment) {
    return moment->block_size[0] * moment->block_size[1] * moment->block_size[2];
}

static struct gcl_spot work_out(struct gcl_moment *moment, LLVMValueRef value);
static bool comes(struct gcl_moment *moment, int b);

static unsigned width_of(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
    return MIN(width, 64u);
}

static int64_t narrowed(uint64_t value, unsigned width) {
    assert(width >= 1 && width <= 64);
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t widened(int64_t value, unsigned width) {
    assert(width >= 1 && width <= 64);
    return (uint64_t)value << (64 - width) >> (64 - width);
}

// The iterations at which the loops around `value` are.
static uint32_t mix_iterations(const struct gcl_moment *moment, LLVMValueRef value, uint32_t h) {
    const struct gcl_cfg *cfg = moment->all->cfg;
    if (!LLVMIsAInstruction(value))
        return h;
    int loop = cfg->blocks[gcl_cfg_index(cfg, LLVMGetInstructionParent(value))].loop;
    for (; loop != GCL_NOWHERE; loop = cfg->loops[loop].parent)
        h = mix(h, (uint32_t)moment->iterations[loop]);
    return h;
}

// From thread to thread, small numbers; else powers of two, as sizes and steps mostly are.
static int64_t guess_number(const struct gcl_moment *moment, uint32_t h, bool differs) {
    if (differs)
        return h & 1 ? (h >> 8) % 8 : (h >> 8) % 512;
    bool is_large = moment->is_large || h % 3 == 0;
    return (int64_t)1 << (is_large ? 10 + (h >> 8) % 8 : (h >> 8) % 9);
}

static struct gcl_spot guess(struct gcl_moment *moment, LLVMValueRef value) {
    const struct gcl_moments *all = moment->all;
    const struct value *noted = g_hash_table_lookup(all->values, value);
    bool differs = noted && !noted->is_uniform;
    uint32_t h = mix_iterations(moment, value, mix(moment->number + 1, noted ? noted->number : 0));
    moment->guesses |= differs;
    if (differs)
        h = mix(h, moment->thread + 1);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (kind == LLVMPointerTypeKind)
        return (struct gcl_spot){value, 0};
    if (kind != LLVMIntegerTypeKind)
        return (struct gcl_spot){NULL, 0};
    unsigned width = width_of(value);
    int64_t some = width == 1 ? (h >> 9 & 1) : guess_number(moment, h, differs);
    return (struct gcl_spot){NULL, narrowed((uint64_t)some, width)};
}

static int64_t operand(struct gcl_moment *moment, LLVMValueRef i, unsigned n) {
    return work_out(moment, LLVMGetOperand(i, n)).offset;
}

static bool compares(LLVMIntPredicate predicate, int64_t a, int64_t b, unsigned width) {
    uint64_t x = widened(a, width), y = widened(b, width);
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return x > y;
    case LLVMIntUGE:
        return x >= y;
    case LLVMIntULT:
        return x < y;
    case LLVMIntULE:
        return x <= y;
    case LLVMIntSGT:
        return a > b;
    case LLVMIntSGE:
        return a >= b;
    case LLVMIntSLT:
        return a < b;
    case LLVMIntSLE:
        return a <= b;
    }
    return false;
}

static int64_t compare(struct gcl_moment *moment, LLVMValueRef i) {
    struct gcl_spot a = work_out(moment, LLVMGetOperand(i, 0));
    struct gcl_spot b = work_out(moment, LLVMGetOperand(i, 1));
    if (a.root != b.root)
        return guess(moment, i).offset;
    bool holds =
        compares(LLVMGetICmpPredicate(i), a.offset, b.offset, width_of(LLVMGetOperand(i, 0)));
    return holds ? -1 : 0;
}

// A division, which by 0 gives 0.
static int64_t divide(LLVMOpcode opcode, int64_t a, int64_t b, unsigned width) {
    uint64_t x = widened(a, width), y = widened(b, width);
    if (b == 0 || (a == INT64_MIN && b == -1))
        return 0;
    switch (opcode) {
    case LLVMUDiv:
        return (int64_t)(x / y);
    case LLVMURem:
        return (int64_t)(x % y);
    case LLVMSDiv:
        return a / b;
    default:
        return a % b;
    }
}

static int64_t shift(LLVMOpcode opcode, int64_t a, int64_t by, unsigned width) {
    if (by < 0 || by >= (int64_t)width)
        return 0;
    if (opcode == LLVMShl)
        return (int64_t)((uint64_t)a << by);
    return opcode == LLVMLShr ? (int64_t)(widened(a, width) >> by) : a >> by;
}

static int64_t combine(struct gcl_moment *moment, LLVMValueRef i, unsigned width) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    int64_t a = operand(moment, i, 0), b = operand(moment, i, 1);
    switch (opcode) {
    case LLVMAdd:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case LLVMSub:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case LLVMMul:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case LLVMAnd:
        return a & b;
    case LLVMOr:
        return a | b;
    case LLVMXor:
        return a ^ b;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return shift(opcode, a, b, width);
    default:
        return divide(opcode, a, b, width);
    }
}

static LLVMTargetDataRef layout_of(const struct gcl_moment *moment) {
    return moment->all->u->m->layout;
}

// The address of an element: indices may be numbers, structs have constant ones. Addresses wrap
// around, as those of LLVM do.
static struct gcl_spot step_into(struct gcl_moment *moment, LLVMValueRef i) {
    LLVMTargetDataRef layout = layout_of(moment);
    LLVMValueRef variable = LLVMIsAInstruction(i) ? gcl_moment_variable(i) : NULL;
    if (variable)
        return (struct gcl_spot){variable, 0};
    struct gcl_spot place = work_out(moment, LLVMGetOperand(i, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(i); n++) {
        int64_t index = operand(moment, i, n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            place.offset += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)index);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        place.offset =
            (int64_t)((uint64_t)place.offset + (uint64_t)index * LLVMABISizeOfType(layout, type));
    }
    return place;
}

static int64_t axis_of_thread(const struct gcl_moment *moment, unsigned axis) {
    assert(moment->thread < gcl_moment_threads(moment));
    const uint32_t *size = moment->block_size;
    uint32_t t = moment->thread;
    return axis == 0   ? t % size[0]
           : axis == 1 ? t / size[0] % size[1]
           : axis == 2 ? t / size[0] / size[1]
                       : t;
}

static struct gcl_spot call(struct gcl_moment *moment, LLVMValueRef i) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(i);
    const char *name = gcl_intrinsic_callee(i);
    if (!intrinsic &&
        (g_str_has_prefix(name, "llvm.umin.") || g_str_has_prefix(name, "llvm.smin.") ||
         g_str_has_prefix(name, "llvm.umax.") || g_str_has_prefix(name, "llvm.smax."))) {
        int64_t a = operand(moment, i, 0), b = operand(moment, i, 1);
        return (struct gcl_spot){NULL, name[7] == 'i' ? MIN(a, b) : MAX(a, b)};
    }
    switch (intrinsic ? intrinsic->kind : GCL_INTRINSIC_NONE) {
    case GCL_INTRINSIC_THREAD:
        return (struct gcl_spot){NULL, axis_of_thread(moment, intrinsic->axis)};
    case GCL_INTRINSIC_BLOCK_INDEX:
        return (struct gcl_spot){NULL, mix(moment->number, intrinsic->axis) % GRID};
    case GCL_INTRINSIC_BLOCK_SIZE:
        return (struct gcl_spot){NULL, moment->block_size[intrinsic->axis]};
    case GCL_INTRINSIC_GRID_SIZE:
        return (struct gcl_spot){NULL, GRID};
    case GCL_INTRINSIC_DYNAMIC_SHARED:
        return (struct gcl_spot){LLVMGetCalledValue(i), 0};
    default:
        return guess(moment, i);
    }
}

// A phi.

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        if (LLVMGetIncomingBlock(phi, n) == block)
            return LLVMGetIncomingValue(phi, n);
    }
    return NULL;
}

// What a loop carries round: worked out from the iteration before.
static struct gcl_spot carried(struct gcl_moment *moment, LLVMValueRef phi, int loop) {
    const struct gcl_cfg *cfg = moment->all->cfg;
    LLVMBasicBlockRef latch = cfg->blocks[cfg->loops[loop].latch].block;
    int iteration = moment->iterations[loop];
    assert(iteration >= 0);
    for (unsigned n = 0; n < LLVMCountIncoming(phi) && iteration == 0; n++) {
        if (LLVMGetIncomingBlock(phi, n) != latch)
            return work_out(moment, LLVMGetIncomingValue(phi, n));
    }
    go_to(moment, loop, iteration - 1);
    struct gcl_spot place = work_out(moment, incoming_from(phi, latch));
    go_to(moment, loop, iteration);
    return place;
}

// Whether the thread, if it comes to block `from`, goes on from there to `to`.
static bool goes_on(struct gcl_moment *moment, int from, int to) {
    const struct gcl_cfg_block *block = &moment->all->cfg->blocks[from];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
    if (LLVMGetNumSuccessors(end) < 2 || block->successors[0] == block->successors[1])
        return true;
    bool is_first = work_out(moment, LLVMGetCondition(end)).offset != 0;
    return block->successors[is_first ? 0 : 1] == to;
}

// The last of the ways on which the thread can have come.
static struct gcl_spot arrived(struct gcl_moment *moment, LLVMValueRef phi, int b) {
    const struct gcl_cfg *cfg = moment->all->cfg;
    int from = GCL_NOWHERE;
    for (int p = 0; p < cfg->blocks[b].predecessor_count; p++) {
        int other = cfg->blocks[b].predecessors[p];
        if (other > from && comes(moment, other) && goes_on(moment, other, b))
            from = other;
    }
    moment->is_lost |= from == GCL_NOWHERE;
    if (from == GCL_NOWHERE)
        return guess(moment, phi);
    return work_out(moment, incoming_from(phi, cfg->blocks[from].block));
}

static struct gcl_spot join(struct gcl_moment *moment, LLVMValueRef phi) {
    const struct gcl_cfg *cfg = moment->all->cfg;
    int b = gcl_cfg_index(cfg, LLVMGetInstructionParent(phi)), loop = cfg->blocks[b].loop;
    if (loop != GCL_NOWHERE && cfg->loops[loop].header == b)
        return carried(moment, phi, loop);
    return arrived(moment, phi, b);
}

static struct gcl_spot load(struct gcl_moment *moment, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind && LLVMIsAGlobalVariable(from))
        return (struct gcl_spot){from, 0}; // a variable's slot
    return guess(moment, i);
}

static struct gcl_spot instruction(struct gcl_moment *moment, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    unsigned width = width_of(i);
    switch (opcode) {
    case LLVMGetElementPtr:
        return step_into(moment, i);
    case LLVMPHI:
        return join(moment, i);
    case LLVMCall:
        return call(moment, i);
    case LLVMLoad:
        return load(moment, i);
    case LLVMICmp:
        return (struct gcl_spot){NULL, compare(moment, i)};
    case LLVMSelect:
        return work_out(moment, LLVMGetOperand(i, operand(moment, i, 0) ? 1 : 2));
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return work_out(moment, LLVMGetOperand(i, 0));
    case LLVMSExt:
    case LLVMTrunc:
        return (struct gcl_spot){NULL, narrowed((uint64_t)operand(moment, i, 0), width)};
    case LLVMZExt:
        return (struct gcl_spot){
            NULL, (int64_t)widened(operand(moment, i, 0), width_of(LLVMGetOperand(i, 0)))};
    default:
        break;
    }
    if (!LLVMIsABinaryOperator(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return guess(moment, i);
    return (struct gcl_spot){NULL, narrowed((uint64_t)combine(moment, i, width), width)};
}

// The number of what all threads of a moment share; that of each thread follows it.
static uint64_t turn_of_all(const struct gcl_moment *moment) {
    const uint64_t threads = (uint64_t)1 << 32;
    return (moment->number * 2 + moment->is_large) * threads;
}

static uint64_t turn_of(const struct gcl_moment *moment) {
    return turn_of_all(moment) + 1 + moment->thread;
}

// Where value or block `number` is kept for the iterations of the moment.
static struct gcl_moment_known *place_of(const struct gcl_moment *moment, uint32_t number) {
    uint32_t state = (uint32_t)(moment->state ^ moment->state >> 32);
    return &moment->all->known[mix(number, state * 2 + moment->is_large) % KNOWN];
}

// Whether `known` is what value or block `number` is for the thread whose turn it is.
static bool holds(const struct gcl_moment *moment, uint32_t number,
                  const struct gcl_moment_known *known) {
    return known->number == number && known->state == moment->state &&
           (known->turn == turn_of(moment) || known->turn == turn_of_all(moment));
}

static struct gcl_spot take(struct gcl_moment *moment, const struct gcl_moment_known *known) {
    moment->guesses |= known->guesses;
    moment->is_lost |= known->is_lost;
    return known->place;
}

// As instruction, without a walk if it has been worked out before. What all threads share is kept
// for all of the moment; what a walk that ended early made of a value holds for that walk alone.
static struct gcl_spot recall(struct gcl_moment *moment, LLVMValueRef i) {
    const struct value *noted = g_hash_table_lookup(moment->all->values, i);
    assert(noted);
    struct gcl_moment_known *known = place_of(moment, noted->number);
    if (holds(moment, noted->number, known))
        return take(moment, known);
    bool guessed = moment->guesses, was_lost = moment->is_lost;
    moment->guesses = moment->is_lost = false;
    struct gcl_spot place = instruction(moment, i);
    bool is_shared = noted->is_uniform && !moment->is_lost && !moment->guesses;
    if (moment->steps > 0)
        *known = (struct gcl_moment_known){
            noted->number,   moment->guesses,
            moment->is_lost, is_shared ? turn_of_all(moment) : turn_of(moment),
            moment->state,   place};
    moment->guesses |= guessed;
    moment->is_lost |= was_lost;
    return place;
}

static struct gcl_spot work_out(struct gcl_moment *moment, LLVMValueRef value) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
        return (struct gcl_spot){NULL, LLVMConstIntGetSExtValue(value)};
    if (kind == LLVMVectorTypeKind || kind == LLVMFloatTypeKind || moment->steps == 0)
        return guess(moment, value);
    moment->steps--;
    if (LLVMIsAInstruction(value))
        return recall(moment, value);
    if (LLVMIsAArgument(value))
        return guess(moment, value);
    return (struct gcl_spot){kind == LLVMPointerTypeKind ? value : NULL, 0};
}

struct gcl_spot gcl_moment_value(struct gcl_moment *moment, LLVMValueRef value) {
    moment->steps = STEPS;
    moment->guesses = false;
    return work_out(moment, value);
}

// A loop has its next iteration if the one before has gone back.
static bool goes_round(struct gcl_moment *moment, int loop) {
    const struct gcl_cfg_loop *l = &moment->all->cfg->loops[loop];
    int iteration = moment->iterations[loop];
    if (iteration == 0)
        return true;
    go_to(moment, loop, iteration - 1);
    bool goes = goes_on(moment, l->latch, l->header);
    go_to(moment, loop, iteration);
    return goes;
}

// Whether the thread, if it comes to the dominators of block `b`, comes to `b` as far as that is
// seen there.
static bool enters(struct gcl_moment *moment, int b) {
    const struct gcl_cfg *cfg = moment->all->cfg;
    const struct gcl_cfg_block *block = &cfg->blocks[b];
    bool is_header = block->loop != GCL_NOWHERE && cfg->loops[block->loop].header == b;
    if (is_header && !goes_round(moment, block->loop))
        return false;
    return block->predecessor_count != 1 || goes_on(moment, block->predecessors[0], b);
}

// Blocks have the numbers behind those of values.
static uint32_t number_of_block(const struct gcl_moment *moment, int b) {
    return g_hash_table_size(moment->all->values) + 1 + (uint32_t)b;
}

// Each block is asked for by all that is in it and by all below it: what is known of one ends the
// walk up its dominators.
static bool comes(struct gcl_moment *moment, int b) {
    uint32_t number = number_of_block(moment, b);
    bool guessed = moment->guesses, was_lost = moment->is_lost, does = true;
    moment->guesses = moment->is_lost = false;
    for (int d = b; d > 0 && does; d = moment->all->dominators[d]) {
        const struct gcl_moment_known *known = place_of(moment, number_of_block(moment, d));
        if (holds(moment, number_of_block(moment, d), known)) {
            does = take(moment, known).offset != 0;
            break;
        }
        does = enters(moment, d);
    }
    if (moment->steps > 0)
        *place_of(moment, number) = (struct gcl_moment_known){
            number,          moment->guesses, moment->is_lost,
            turn_of(moment), moment->state,   {NULL, does ? 1 : 0},
        };
    moment->guesses |= guessed;
    moment->is_lost |= was_lost;
    return does;
}

bool gcl_moment_comes(struct gcl_moment *moment, int b) {
    moment->steps = STEPS;
    return comes(moment, b);
}
