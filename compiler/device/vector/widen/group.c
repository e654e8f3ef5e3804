// Neighbours: loads or stores of members of one structure, such as a float4's, or of elements side
// by side, are done at once. Where the structures of all lanes lie one behind the other, that is a
// contiguous access, whose elements are sorted by shuffles; else members of 32 bits are gathered or
// scattered in pairs.
#include "device/vector/widen/group.h"

#include <assert.h>
#include <string.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/ir/uniformity.h"
#include "device/lower/sanitize.h"
#include "device/vector/widen/memory.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

enum { MOST = GCL_GROUP_MOST };

// Whether a group is one that can be sorted by halves, from members of one kind.
G_GNUC_UNUSED static bool is_sound(const struct gcl_group *g) {
    if (g->count < 1 || g->count > MOST || (g->count & (g->count - 1)) != 0 || g->distance < 0)
        return false;
    for (unsigned n = 0; n < g->count; n++) {
        if (LLVMGetInstructionOpcode(g->members[n]) != LLVMGetInstructionOpcode(g->first) ||
            LLVMGetInstructionParent(g->members[n]) != LLVMGetInstructionParent(g->first))
            return false;
    }
    return true;
}

// Finding.

static LLVMValueRef address_of(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

static bool is_plain(LLVMValueRef i) {
    return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

// Candidates by their distance from the first one in elements, which has place MOST.
struct run {
    LLVMValueRef found[2 * MOST + 1];
    LLVMValueRef order[2 * MOST + 1]; ///< as the program has them
    unsigned count;
};

// The number that an index is extended from, without the constant that is added to it, which
// `*more` gets. Only the extension of a sum that doesn't wrap is that much more than the number's.
static LLVMValueRef number_of(LLVMValueRef extension, int64_t *more) {
    LLVMValueRef sum = LLVMGetOperand(extension, 0);
    bool is_signed = LLVMIsASExtInst(extension) != NULL;
    *more = 0;
    if (!LLVMIsABinaryOperator(sum) || !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)))
        return sum;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
    bool is_exact = opcode == LLVMOr && LLVMGetIsDisjoint(sum);
    if (opcode == LLVMAdd)
        is_exact = is_signed ? LLVMGetNSW(sum) : LLVMGetNUW(sum);
    if (!is_exact)
        return sum;
    LLVMValueRef constant = LLVMGetOperand(sum, 1);
    *more = is_signed ? LLVMConstIntGetSExtValue(constant)
                      : (int64_t)LLVMConstIntGetZExtValue(constant);
    return LLVMGetOperand(sum, 0);
}

// Whether index `b` is a constant more than `a`, which `*more` gets.
static bool indexes_differ(LLVMValueRef a, LLVMValueRef b, int64_t *more) {
    bool extend =
        (LLVMIsASExtInst(a) && LLVMIsASExtInst(b)) || (LLVMIsAZExtInst(a) && LLVMIsAZExtInst(b));
    int64_t of_a, of_b;
    if (!extend || LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(a, 0))) > 32 ||
        number_of(a, &of_a) != number_of(b, &of_b))
        return false;
    *more = of_b - of_a;
    return true;
}

// The type that the last index of an address counts, where that is simple; else NULL.
static LLVMTypeRef counted_type(LLVMValueRef address) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    if (LLVMGetNumOperands(address) == 2)
        return type;
    return LLVMGetNumOperands(address) == 3 && LLVMGetTypeKind(type) == LLVMArrayTypeKind
               ? LLVMGetElementType(type)
               : NULL;
}

// Whether address `b` is a constant number of bytes behind `a`, which `*bytes` gets.
static bool addresses_differ(const struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b,
                             int64_t *bytes) {
    int64_t behind_a, behind_b, more = 0;
    a = gcl_shim_base(v->m->layout, a, &behind_a);
    b = gcl_shim_base(v->m->layout, b, &behind_b);
    *bytes = behind_b - behind_a;
    if (a == b)
        return true;
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b))
        return false;
    LLVMTypeRef type = counted_type(a);
    unsigned last = (unsigned)LLVMGetNumOperands(a) - 1;
    if (!type || counted_type(b) != type || LLVMGetNumOperands(b) != (int)last + 1 ||
        LLVMGetOperand(a, 0) != LLVMGetOperand(b, 0) ||
        LLVMGetOperand(a, last - 1) != LLVMGetOperand(b, last - 1) ||
        !indexes_differ(LLVMGetOperand(a, last), LLVMGetOperand(b, last), &more))
        return false;
    *bytes += more * (int64_t)LLVMABISizeOfType(v->m->layout, type);
    return true;
}

// Notes `i` if it is like `first`, and a whole number of elements away. What loads the same as an
// earlier one finds its neighbours taken.
static bool note(const struct gcl_vector *v, struct run *run, LLVMValueRef first, LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMGetInstructionOpcode(first) || !is_plain(i) ||
        type_of(i) != type_of(first) || g_hash_table_contains(v->groups, i))
        return false;
    int64_t bytes, size = (int64_t)LLVMABISizeOfType(v->m->layout, type_of(first));
    if (!addresses_differ(v, address_of(first), address_of(i), &bytes) || bytes % size != 0)
        return false;
    int64_t place = bytes / size + MOST;
    if (place < 0 || place > 2 * MOST || run->found[place])
        return false;
    assert(run->count < G_N_ELEMENTS(run->order));
    run->found[place] = i;
    run->order[run->count++] = i;
    return true;
}

// What may be done together with `first`: nothing between them may see a difference.
static void find_run(const struct gcl_vector *v, struct run *run, LLVMValueRef first) {
    enum { FAR = 64 };
    bool stores = LLVMIsAStoreInst(first) != NULL;
    LLVMValueRef i = first;
    for (unsigned steps = 0; i && steps < FAR; steps++, i = LLVMGetNextInstruction(i)) {
        if (!note(v, run, first, i) && !gcl_sanitize_tells(i) &&
            (stores ? gcl_shim_uses_memory(i) : gcl_shim_may_write(i)))
            return;
    }
}

static bool holds(const struct run *run, unsigned from, unsigned count) {
    for (unsigned n = from; n < from + count; n++) {
        if (n > 2 * MOST || !run->found[n])
            return false;
    }
    return true;
}

static void fill(const struct gcl_vector *v, struct gcl_group *g, const struct run *run,
                 unsigned from, unsigned count) {
    assert(from <= MOST && MOST < from + count); // the first one is a member
    unsigned first = 0;
    g->count = count;
    memcpy(g->members, &run->found[from], count * sizeof *g->members);
    while (g->members[first] != run->order[0])
        first++;
    g->first = run->order[0];
    g->distance = first * (int64_t)LLVMABISizeOfType(v->m->layout, type_of(g->first));
    for (unsigned n = 0; n < run->count; n++) {
        for (unsigned k = 0; k < count; k++)
            g->last = run->order[n] == g->members[k] ? run->order[n] : g->last;
    }
}

// Groups follow each other from where the run starts.
static void choose(const struct gcl_vector *v, struct gcl_group *g, const struct run *run,
                   unsigned count) {
    unsigned start = MOST;
    while (start > 0 && run->found[start - 1])
        start--;
    unsigned from = start + (MOST - start) / count * count;
    if (holds(run, from, count))
        fill(v, g, run, from, count);
}

static void find(struct gcl_vector *v, struct gcl_group *g, LLVMValueRef i) {
    struct run run = {0};
    g->members[0] = g->first = g->last = i;
    g->count = 1;
    if (gcl_vector_info(v, address_of(i)).variance == GCL_VARIANCE_UNIFORM || !is_plain(i))
        return;
    find_run(v, &run, i);
    for (unsigned count = MOST; count > 1 && g->count == 1; count /= 2) {
        if (run.count >= count && gcl_vector_may_group(v, i, count))
            choose(v, g, &run, count);
    }
}

struct gcl_group *gcl_group_of(struct gcl_vector *v, LLVMValueRef i) {
    struct gcl_group *g = g_hash_table_lookup(v->groups, i);
    if (g)
        return g;
    g = g_rc_box_new0(struct gcl_group);
    find(v, g, i);
    assert(is_sound(g));
    for (unsigned n = 0; n < g->count; n++) {
        assert(!g_hash_table_contains(v->groups, g->members[n])); // groups are disjoint
        g_hash_table_insert(v->groups, g->members[n], g_rc_box_acquire(g));
    }
    g_rc_box_release(g);
    return g;
}

// Sorting.

// Elements a register.
static unsigned register_length(const struct gcl_vector *v, LLVMTypeRef type) {
    unsigned bytes = gcl_target_register(v->variant->target->level);
    return MIN(v->lanes, bytes / (unsigned)LLVMABISizeOfType(v->m->layout, type));
}

static LLVMValueRef shuffle(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b, unsigned first,
                            unsigned step, unsigned wrap) {
    unsigned length = LLVMGetVectorSize(LLVMTypeOf(a));
    g_autofree LLVMValueRef *places = g_new(LLVMValueRef, length);
    for (unsigned l = 0; l < length; l++)
        places[l] = gcl_u32(v->m, wrap ? first + l / 2 + l % 2 * wrap : first + l * step);
    return LLVMBuildShuffleVector(v->b, a, b, LLVMConstVector(places, length), "");
}

// Parts every second element of the registers, again and again: the first of each structure, …
static void sort(struct gcl_vector *v, LLVMValueRef *registers, unsigned count) {
    LLVMValueRef even[MOST], odd[MOST];
    if (count == 1)
        return;
    for (unsigned n = 0; n < count / 2; n++) {
        even[n] = shuffle(v, registers[2 * n], registers[2 * n + 1], 0, 2, 0);
        odd[n] = shuffle(v, registers[2 * n], registers[2 * n + 1], 1, 2, 0);
    }
    sort(v, even, count / 2);
    sort(v, odd, count / 2);
    for (unsigned n = 0; n < count; n++)
        registers[n] = n % 2 ? odd[n / 2] : even[n / 2];
}

// The way back.
static void merge(struct gcl_vector *v, LLVMValueRef *registers, unsigned count) {
    LLVMValueRef even[MOST], odd[MOST];
    if (count == 1)
        return;
    unsigned length = LLVMGetVectorSize(LLVMTypeOf(registers[0]));
    for (unsigned n = 0; n < count; n++)
        (n % 2 ? odd : even)[n / 2] = registers[n];
    merge(v, even, count / 2);
    merge(v, odd, count / 2);
    for (unsigned n = 0; n < count / 2; n++) {
        registers[2 * n] = shuffle(v, even[n], odd[n], 0, 0, length);
        registers[2 * n + 1] = shuffle(v, even[n], odd[n], length / 2, 0, length);
    }
}

void gcl_group_sort(struct gcl_vector *v, struct gcl_group *g, LLVMValueRef joined) {
    assert(LLVMGetVectorSize(LLVMTypeOf(joined)) == v->lanes * g->count && !g->lanes[0]);
    g->lanes[0] = joined;
    if (g->count == 1)
        return;
    unsigned length = register_length(v, LLVMGetElementType(LLVMTypeOf(joined)));
    unsigned pieces = v->lanes / length;
    g_autofree LLVMValueRef *members = g_new(LLVMValueRef, g->count * pieces);
    for (unsigned p = 0; p < pieces; p++) {
        LLVMValueRef registers[MOST];
        for (unsigned n = 0; n < g->count; n++)
            registers[n] = gcl_vector_part(v, joined, (p * g->count + n) * length, length);
        sort(v, registers, g->count);
        for (unsigned n = 0; n < g->count; n++)
            members[n * pieces + p] = registers[n];
    }
    for (unsigned n = 0; n < g->count; n++)
        g->lanes[n] = gcl_vector_join(v, &members[n * pieces], pieces);
}

LLVMValueRef gcl_group_interleave(struct gcl_vector *v, LLVMValueRef *vectors, unsigned count) {
    assert(count >= 1 && count <= MOST && (count & (count - 1)) == 0);
    unsigned length = register_length(v, LLVMGetElementType(LLVMTypeOf(vectors[0])));
    unsigned pieces = v->lanes / length;
    g_autofree LLVMValueRef *all = g_new(LLVMValueRef, count * pieces);
    for (unsigned p = 0; p < pieces; p++) {
        LLVMValueRef *registers = &all[p * count];
        for (unsigned n = 0; n < count; n++)
            registers[n] = gcl_vector_part(v, vectors[n], p * length, length);
        merge(v, registers, count);
    }
    return gcl_vector_join(v, all, count * pieces);
}

LLVMValueRef gcl_group_merge(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef vectors[MOST];
    if (g->count == 1)
        return gcl_vector_lanes(v, LLVMGetOperand(g->last, 0));
    for (unsigned n = 0; n < g->count; n++)
        vectors[n] = gcl_vector_lanes(v, LLVMGetOperand(g->members[n], 0));
    return gcl_group_interleave(v, vectors, g->count);
}
