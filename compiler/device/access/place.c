// Where pointers lead: an allocation and an offset, or a few of them under conditions.
//
// Shared memory, local variables and constant tables are seen by one block alone or never change;
// they are no accesses. What lies in parameters that are passed by value are arguments.
#include "device/access/place.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/guard.h"
#include "device/access/loop.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/shim.h"

enum {
    TERMS = 32,
    DEEPEST = 2500, ///< operands that are followed
};

static uint32_t zero(struct gcl_extraction *x) {
    return gcl_graph_constant(&x->graph, 64, 0);
}

static struct gcl_access_places single(struct gcl_extraction *x, enum gcl_access_place_kind kind,
                                       uint32_t index) {
    struct gcl_access_places places = {
        .count = 1,
        .list = {{.kind = kind, .index = index, .offset = zero(x), .condition = GCL_NOTHING}}};
    return places;
}

struct gcl_access_places gcl_access_places_anywhere(struct gcl_extraction *x,
                                                    enum gcl_reason_code code, LLVMValueRef where) {
    return single(x, GCL_PLACE_ANY, gcl_access_reason(x, code, where));
}

static bool same_base(const struct gcl_access_place *a, const struct gcl_access_place *b) {
    return a->kind == b->kind && a->index == b->index && a->variable == b->variable;
}

static uint64_t open_of(const struct gcl_extraction *x, const struct gcl_access_place *place) {
    uint64_t open = gcl_graph_at(&x->graph, place->offset)->open;
    if (place->condition != GCL_NOTHING)
        open |= gcl_graph_at(&x->graph, place->condition)->open;
    return place->kind == GCL_PLACE_OPEN ? open | UINT64_C(1) << place->index : open;
}

// Whether what the members of a place stand for exists: an offset is a node of 64 bits, a condition
// one of 1 bit.
G_GNUC_UNUSED static bool is_sound(const struct gcl_extraction *x,
                                   const struct gcl_access_place *place) {
    if (gcl_graph_at(&x->graph, place->offset)->width != 64 ||
        (place->condition != GCL_NOTHING && gcl_graph_at(&x->graph, place->condition)->width != 1))
        return false;
    switch (place->kind) {
    case GCL_PLACE_VARIABLE:
        return place->variable != NULL;
    case GCL_PLACE_LOADED:
        return place->index < x->records->len;
    case GCL_PLACE_ANY:
        return place->index < x->reasons->len;
    case GCL_PLACE_OPEN:
        return place->index < x->depth;
    default:
        return true;
    }
}

void gcl_access_add_place(struct gcl_extraction *x, struct gcl_access_places *places,
                          struct gcl_access_place place) {
    assert(is_sound(x, &place) && places->count <= GCL_PLACES);
    places->open |= open_of(x, &place);
    for (unsigned i = 0; i < places->count; i++) {
        const struct gcl_access_place *known = &places->list[i];
        if (same_base(known, &place) && known->offset == place.offset &&
            known->condition == place.condition)
            return;
    }
    if (places->count < GCL_PLACES) {
        places->list[places->count++] = place;
        return;
    }
    // More than that are all: which of them it is hardly matters any more.
    places->count = 1;
    places->list[0] = gcl_access_places_anywhere(x, GCL_REASON_BASE, x->function).list[0];
}

static void add_under(struct gcl_extraction *x, struct gcl_access_places *to,
                      const struct gcl_access_places *from, uint32_t condition) {
    for (unsigned i = 0; i < from->count; i++) {
        struct gcl_access_place place = from->list[i];
        place.condition =
            place.condition == GCL_NOTHING
                ? condition
                : gcl_graph_binary(&x->graph, GCL_NODE_AND, condition, place.condition);
        gcl_access_add_place(x, to, place);
    }
    to->open |= from->open;
}

static bool is_always_there(const struct gcl_access_places *places) {
    return places->count == 1 && places->list[0].condition == GCL_NOTHING;
}

static struct gcl_access_places select_places(struct gcl_extraction *x, uint32_t condition,
                                              const struct gcl_access_places *a,
                                              const struct gcl_access_places *b) {
    assert(gcl_graph_at(&x->graph, condition)->width == 1);
    struct gcl_access_places result = {.open = a->open | b->open};
    if (a->count == 0 || b->count == 0) {
        const uint64_t open = result.open;
        result = a->count == 0 ? *b : *a;
        result.open = open;
        return result;
    }
    if (is_always_there(a) && is_always_there(b) && same_base(a->list, b->list)) {
        struct gcl_access_place place = a->list[0];
        place.offset = gcl_graph_select(&x->graph, condition, place.offset, b->list[0].offset);
        place.loops |= b->list[0].loops;
        gcl_access_add_place(x, &result, place);
        return result;
    }
    add_under(x, &result, a, condition);
    add_under(x, &result, b, gcl_graph_not(&x->graph, condition));
    return result;
}

struct gcl_access_places gcl_access_shift_places(struct gcl_extraction *x,
                                                 const struct gcl_access_places *places,
                                                 uint32_t offset) {
    assert(gcl_graph_at(&x->graph, offset)->width == 64);
    struct gcl_access_places result = *places;
    for (unsigned i = 0; i < result.count; i++) {
        result.list[i].offset =
            gcl_graph_binary(&x->graph, GCL_NODE_ADD, result.list[i].offset, offset);
        result.open |= open_of(x, &result.list[i]);
    }
    return result;
}

// Offsets.

static uint32_t scale(struct gcl_extraction *x, LLVMValueRef index, LLVMTypeRef element) {
    uint32_t size =
        gcl_graph_constant(&x->graph, 64, (int64_t)LLVMABISizeOfType(x->m->layout, element));
    uint32_t node = gcl_graph_resize(&x->graph, gcl_access_value(x, index), 64);
    return gcl_graph_binary(&x->graph, GCL_NODE_MULTIPLY, node, size);
}

static uint32_t step_inside(struct gcl_extraction *x, LLVMTypeRef *type, LLVMValueRef index) {
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        assert(LLVMIsAConstantInt(index)); // as LLVM wants it of a structure's members
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        uint64_t offset = LLVMOffsetOfElement(x->m->layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return gcl_graph_constant(&x->graph, 64, (int64_t)offset);
    }
    *type = LLVMGetElementType(*type);
    return scale(x, index, *type);
}

static struct gcl_access_places of_element(struct gcl_extraction *x, LLVMValueRef address) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    uint32_t offset = scale(x, LLVMGetOperand(address, 1), type);
    for (int i = 2; i < LLVMGetNumOperands(address); i++)
        offset = gcl_graph_binary(&x->graph, GCL_NODE_ADD, offset,
                                  step_inside(x, &type, LLVMGetOperand(address, (unsigned)i)));
    return gcl_access_shift_places(x, gcl_access_find_places(x, LLVMGetOperand(address, 0)),
                                   offset);
}

// Sources of pointers.

static struct gcl_access_places of_global(struct gcl_extraction *x, LLVMValueRef constant) {
    size_t length;
    int64_t offset;
    LLVMValueRef global = gcl_shim_base(x->m->layout, constant, &offset);
    if (LLVMIsUndef(global) || LLVMIsAConstantPointerNull(global))
        return (struct gcl_access_places){.count = 0};
    if (!LLVMIsAGlobalVariable(global))
        return gcl_access_places_anywhere(x, GCL_REASON_BASE, constant);
    const char *name = LLVMGetValueName2(global, &length);
    int space = GPOINTER_TO_INT(g_hash_table_lookup(x->m->spaces, name));
    if (space == GCL_SPACE_SHARED)
        return single(x, GCL_PLACE_LOCAL, GCL_REASON_EXCHANGED_INDEX);
    if (LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global))
        return single(x, GCL_PLACE_LOCAL, GCL_REASON_OPERATION);
    struct gcl_access_places places = single(x, GCL_PLACE_VARIABLE, 0);
    places.list[0].variable = g_hash_table_lookup(x->m->owners, name);
    places.list[0].offset = gcl_graph_constant(&x->graph, 64, offset);
    if (!places.list[0].variable || LLVMIsDeclaration(global))
        return gcl_access_places_anywhere(x, GCL_REASON_BASE, constant);
    return places;
}

static struct gcl_access_places of_parameter(struct gcl_extraction *x, LLVMValueRef parameter) {
    for (unsigned i = 0; i < LLVMCountParams(x->function); i++) {
        if (LLVMGetParam(x->function, i) != parameter)
            continue;
        bool by_value = gcl_shim_byval(x->function, i) != NULL;
        return single(x, by_value ? GCL_PLACE_PARAMETER : GCL_PLACE_ARGUMENT,
                      gcl_parameter_offset(x->m, x->function, i));
    }
    return gcl_access_places_anywhere(x, GCL_REASON_BASE, parameter);
}

// The byte of the packed arguments that a place in a parameter is; false if it isn't known.
static bool find_byte(const struct gcl_extraction *x, const struct gcl_access_place *place,
                      uint32_t *byte) {
    int64_t offset;
    if (place->kind != GCL_PLACE_PARAMETER ||
        !gcl_graph_is_constant(&x->graph, place->offset, &offset))
        return false;
    *byte = place->index + (uint32_t)offset;
    return true;
}

static bool is_global(const struct gcl_access_place *place) {
    return place->kind == GCL_PLACE_ARGUMENT || place->kind == GCL_PLACE_VARIABLE ||
           place->kind == GCL_PLACE_LOADED;
}

static uint64_t loops_of(const struct gcl_extraction *x, const struct gcl_access_place *place) {
    return place->loops | gcl_graph_at(&x->graph, place->offset)->loops;
}

static bool is_plain(LLVMValueRef load) {
    return !LLVMGetVolatile(load) && LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic;
}

static struct gcl_access_places load_from(struct gcl_extraction *x, LLVMValueRef load,
                                          const struct gcl_access_places *from) {
    const struct gcl_access_place *place = &from->list[0];
    uint32_t byte;
    if (from->count == 0)
        return (struct gcl_access_places){.count = 0};
    if (from->count == 1 && find_byte(x, place, &byte))
        return single(x, GCL_PLACE_ARGUMENT, byte);
    for (unsigned i = 0; i < from->count; i++) {
        if (from->list[i].kind == GCL_PLACE_LOCAL || from->list[i].kind == GCL_PLACE_PARAMETER)
            return gcl_access_places_anywhere(x, GCL_REASON_BASE, load);
    }
    if (from->count > 1 || !is_global(place) || !is_plain(load))
        return gcl_access_places_anywhere(x, GCL_REASON_LOADED_POINTER, load);
    struct gcl_access_places result =
        single(x, GCL_PLACE_LOADED, gcl_access_record(x, load, GCL_ROLE_WHOLE, 0));
    result.list[0].loops = loops_of(x, place);
    return result;
}

static struct gcl_access_places of_loaded(struct gcl_extraction *x, LLVMValueRef load) {
    const struct gcl_access_places *from = gcl_access_find_places(x, LLVMGetOperand(load, 0));
    struct gcl_access_places result = load_from(x, load, from);
    result.open |= from->open;
    return result;
}

// A number that becomes a pointer: one that was a pointer before, and an offset.

static bool may_be_base(const struct gcl_graph_node *n) {
    return n->width == 64 && (n->kind == GCL_NODE_ARGUMENT || n->kind == GCL_NODE_LOAD);
}

static struct gcl_access_places of_number(struct gcl_extraction *x, LLVMValueRef conversion) {
    uint32_t node =
        gcl_graph_resize(&x->graph, gcl_access_value(x, LLVMGetOperand(conversion, 0)), 64);
    uint32_t terms[TERMS], offset = zero(x), base = GCL_NOTHING;
    unsigned count = gcl_graph_terms(&x->graph, node, terms, TERMS), bases = 0;
    for (unsigned i = 0; i < count && count <= TERMS; i++) {
        bool is_base = may_be_base(gcl_graph_at(&x->graph, terms[i]));
        bases += is_base;
        if (is_base)
            base = terms[i];
        else
            offset = gcl_graph_binary(&x->graph, GCL_NODE_ADD, offset, terms[i]);
    }
    struct gcl_access_places result = gcl_access_places_anywhere(x, GCL_REASON_BASE, conversion);
    result.open = gcl_graph_at(&x->graph, node)->open;
    if (bases != 1)
        return result;
    const struct gcl_graph_node *n = gcl_graph_at(&x->graph, base);
    result.list[0] = (struct gcl_access_place){
        .kind = n->kind == GCL_NODE_LOAD ? GCL_PLACE_LOADED : GCL_PLACE_ARGUMENT,
        .index = n->a,
        .offset = offset,
        .condition = GCL_NOTHING,
        .loops = n->loops};
    return result;
}

static struct gcl_access_places of_call(struct gcl_extraction *x, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    if (intrinsic && (intrinsic->kind == GCL_INTRINSIC_SHARED ||
                      intrinsic->kind == GCL_INTRINSIC_DYNAMIC_SHARED))
        return single(x, GCL_PLACE_LOCAL, GCL_REASON_EXCHANGED_INDEX);
    bool allocates = strcmp(gcl_intrinsic_callee(call), "gcl_device_malloc") == 0;
    return gcl_access_places_anywhere(x, allocates ? GCL_REASON_DEVICE_MALLOC : GCL_REASON_BASE,
                                      call);
}

// Choices.

static struct gcl_access_places of_select(struct gcl_extraction *x, LLVMValueRef i) {
    uint32_t condition = gcl_access_value(x, LLVMGetOperand(i, 0));
    const struct gcl_access_places *a = gcl_access_find_places(x, LLVMGetOperand(i, 1));
    return select_places(x, condition, a, gcl_access_find_places(x, LLVMGetOperand(i, 2)));
}

// Behind a loop. A pointer that was loaded in it isn't that of a certain iteration any more.
static void leave(struct gcl_extraction *x, struct gcl_access_places *places, int from, int to,
                  LLVMValueRef where) {
    uint64_t left = gcl_access_loops(x, from, to);
    for (unsigned i = 0; i < places->count; i++) {
        struct gcl_access_place *place = &places->list[i];
        place->offset = gcl_access_leave(x, place->offset, from, to, where);
        if (place->loops & left)
            place->offset = places->open
                                ? gcl_access_pending(x, 64, places->open)
                                : gcl_access_unknown(x, GCL_REASON_LOADED_POINTER, 64, where);
        if (place->condition != GCL_NOTHING)
            place->condition = gcl_access_leave(x, place->condition, from, to, where);
    }
}

static struct gcl_access_places of_phi(struct gcl_extraction *x, LLVMValueRef phi) {
    int block = gcl_access_block(x, phi), loop = gcl_access_loop_at(x, block);
    struct gcl_access_places result = {.count = 0};
    if (loop != GCL_NOWHERE)
        return gcl_access_pointer_recurrence(x, phi, loop);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        int from = gcl_cfg_index(x->cfg, LLVMGetIncomingBlock(phi, i));
        if (from < 0)
            continue;
        struct gcl_access_places places = *gcl_access_find_places(x, LLVMGetIncomingValue(phi, i));
        leave(x, &places, from, block, phi);
        if (result.count == 0)
            result = places;
        else
            result = select_places(x, gcl_access_choice(x, from, block), &places, &result);
    }
    return result;
}

static struct gcl_access_places find(struct gcl_extraction *x, LLVMValueRef pointer) {
    if (LLVMIsAArgument(pointer))
        return of_parameter(x, pointer);
    if (LLVMIsAConstant(pointer))
        return of_global(x, pointer);
    switch (LLVMGetInstructionOpcode(pointer)) {
    case LLVMGetElementPtr:
        return of_element(x, pointer);
    case LLVMBitCast:
    case LLVMFreeze:
        return *gcl_access_find_places(x, LLVMGetOperand(pointer, 0));
    case LLVMSelect:
        return of_select(x, pointer);
    case LLVMPHI:
        return of_phi(x, pointer);
    case LLVMLoad:
        return of_loaded(x, pointer);
    case LLVMAlloca:
        return single(x, GCL_PLACE_LOCAL, GCL_REASON_OPERATION);
    case LLVMIntToPtr:
        return of_number(x, pointer);
    case LLVMCall:
        return of_call(x, pointer);
    default:
        return gcl_access_places_anywhere(x, GCL_REASON_BASE, pointer);
    }
}

static const struct gcl_access_places *remember(struct gcl_extraction *x, LLVMValueRef value,
                                                const struct gcl_access_places *places) {
    assert((places->open >> x->depth) == 0); // what follows from a closed phi isn't remembered
    for (unsigned i = 0; i < places->count; i++)
        assert(is_sound(x, &places->list[i]));
    struct gcl_access_places *kept = g_memdup2(places, sizeof *places);
    g_ptr_array_add(x->kept, kept);
    g_hash_table_insert(places->open ? x->open_places : x->places, value, kept);
    return kept;
}

const struct gcl_access_places *gcl_access_find_places(struct gcl_extraction *x,
                                                       LLVMValueRef pointer) {
    GHashTable *const tables[] = {x->places, x->open_phi_places, x->open_places};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        const struct gcl_access_places *known = g_hash_table_lookup(tables[i], pointer);
        if (known)
            return known;
    }
    bool is_single = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind;
    x->nesting++;
    struct gcl_access_places places = is_single && x->nesting < DEEPEST
                                          ? find(x, pointer)
                                          : gcl_access_places_anywhere(x, GCL_REASON_BASE, pointer);
    x->nesting--;
    return remember(x, pointer, &places);
}

uint32_t gcl_access_loaded(struct gcl_extraction *x, LLVMValueRef load, unsigned width,
                           enum gcl_record_role role, uint32_t lane, uint32_t extra) {
    assert(LLVMIsALoadInst(load) && (role == GCL_ROLE_LANE || (lane == 0 && extra == 0)));
    const struct gcl_access_places *from = gcl_access_find_places(x, LLVMGetOperand(load, 0));
    const struct gcl_access_place *place = &from->list[0];
    uint32_t byte;
    if (from->count == 1 && find_byte(x, place, &byte))
        return gcl_graph_leaf(&x->graph, GCL_NODE_ARGUMENT, width, byte + extra, 0);
    if (from->open && (from->count != 1 || !is_global(place)))
        return gcl_access_pending(x, width, from->open);
    if (from->count == 1 && place->kind == GCL_PLACE_LOCAL)
        return gcl_access_unknown(x, (enum gcl_reason_code)place->index, width, load);
    if (from->count == 1 && place->kind == GCL_PLACE_PARAMETER)
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, load);
    if (from->count != 1 || !is_global(place) || !is_plain(load))
        return gcl_access_unknown(x, GCL_REASON_DATA_INDEX, width, load);
    return gcl_graph_load(&x->graph, width, gcl_access_record(x, load, role, lane),
                          loops_of(x, place), from->open);
}
