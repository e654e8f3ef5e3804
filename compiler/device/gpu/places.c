// Variables live at global addresses, the same for all devices' code, so GPU code has no place for
// them: a use loads the address from `gcl_addresses` first, once a function. Those loads are of
// constant memory, which costs about as much as a register.
//
// A load from a __constant__ variable whose address leads there by casts and indices alone reads
// the variable's copy in the constant bank. Any other use gets the address that the variable has
// everywhere: a pointer in memory means the same to every device.
#include "device/gpu/places.h"

#include <assert.h>
#include <string.h>

#include "device/ir/shim.h"
#include "device/lower/image.h"

enum { BANK_SIZE = 65536 }; // bytes of constant memory that a module's variables may take

struct places {
    struct gcl_gpu *g;
    LLVMBuilderRef builder;
    GHashTable *numbers;    ///< symbol of a variable -> its number + 1
    GHashTable *image;      ///< symbol of what the image has -> uint64_t *: its offset
    LLVMValueRef addresses; ///< gcl_addresses
    uint64_t bank_size;     ///< bytes
};

static const char *name_of(LLVMValueRef global) {
    size_t length;
    return LLVMGetValueName2(global, &length);
}

static void collect_variables(struct places *p) {
    const struct gcl_module *cpu = p->g->cpu;
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint i = 0; i < cpu->variables->len; i++)
        g_hash_table_insert(numbers, cpu->variables->pdata[i], GUINT_TO_POINTER(i + 1));
    GHashTableIter owners;
    gpointer symbol, variable;
    g_hash_table_iter_init(&owners, cpu->owners);
    while (g_hash_table_iter_next(&owners, &symbol, &variable)) {
        gpointer number = g_hash_table_lookup(numbers, variable);
        if (number)
            g_hash_table_insert(p->numbers, symbol, number);
    }
}

static void collect_image(struct places *p) {
    const struct gcl_module *cpu = p->g->cpu;
    GHashTableIter offsets;
    gpointer global, unused;
    g_hash_table_iter_init(&offsets, cpu->image.offsets);
    while (g_hash_table_iter_next(&offsets, &global, &unused)) {
        uint64_t *offset = g_new(uint64_t, 1);
        gcl_image_offset(cpu, global, offset);
        g_hash_table_insert(p->image, g_strdup(name_of(global)), offset);
    }
}

static LLVMValueRef add_constant(struct places *p, const char *name, LLVMTypeRef type) {
    LLVMValueRef global =
        LLVMAddGlobalInAddressSpace(p->g->m.module, type, name, GCL_SPACE_CONSTANT);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetExternallyInitialized(global, 1);
    return global;
}

static LLVMValueRef function_of(LLVMValueRef instruction) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

// Entry `number` of gcl_addresses as a pointer to global memory, at the start of a function, where
// allocas stay together.
static LLVMValueRef load_address(struct places *p, LLVMValueRef function, guint number) {
    struct gcl_module *m = &p->g->m;
    LLVMTypeRef global = LLVMPointerTypeInContext(m->context, GCL_SPACE_GLOBAL);
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(p->builder, at);
    LLVMValueRef indices[] = {gcl_u64(m, 0), gcl_u64(m, number)};
    LLVMValueRef place = LLVMBuildInBoundsGEP2(p->builder, LLVMGlobalGetValueType(p->addresses),
                                               p->addresses, indices, 2, "");
    LLVMValueRef address = LLVMBuildLoad2(p->builder, gcl_i64(m), place, "");
    gcl_module_mark(m, address, "invariant.load");
    return LLVMBuildIntToPtr(p->builder, address, global, "");
}

/// A global whose uses become those of an address.
struct moved {
    LLVMValueRef global;
    guint number;       ///< of its entry in gcl_addresses
    uint64_t offset;    ///< bytes from there
    GHashTable *starts; ///< function -> its address there, as a generic pointer
};

static LLVMValueRef start_of(struct places *p, struct moved *moved, LLVMValueRef function) {
    LLVMValueRef start = g_hash_table_lookup(moved->starts, function);
    if (start)
        return start;
    struct gcl_module *m = &p->g->m;
    LLVMValueRef offset = gcl_u64(m, moved->offset);
    start = load_address(p, function, moved->number);
    start =
        LLVMBuildInBoundsGEP2(p->builder, LLVMInt8TypeInContext(m->context), start, &offset, 1, "");
    start = LLVMBuildAddrSpaceCast(p->builder, start, gcl_ptr(m), "");
    g_hash_table_insert(moved->starts, function, start);
    return start;
}

static bool is_derived(LLVMValueRef user, LLVMValueRef pointer) {
    return LLVMIsAAddrSpaceCastInst(user) ||
           (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer);
}

// What `pointer`, which leads into the global by casts and indices, is from where the global is.
static LLVMValueRef move_pointer(struct places *p, struct moved *moved, LLVMValueRef pointer,
                                 LLVMValueRef function) {
    if (pointer == moved->global)
        return start_of(p, moved, function);
    LLVMValueRef base = move_pointer(p, moved, LLVMGetOperand(pointer, 0), function);
    if (LLVMIsAAddrSpaceCastInst(pointer))
        return base;
    assert(LLVMIsAGetElementPtrInst(pointer));
    LLVMValueRef indices[8];
    unsigned count = (unsigned)LLVMGetNumOperands(pointer) - 1;
    assert(count <= G_N_ELEMENTS(indices));
    for (unsigned i = 0; i < count; i++)
        indices[i] = LLVMGetOperand(pointer, i + 1);
    LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(pointer));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    return LLVMIsInBounds(pointer)
               ? LLVMBuildInBoundsGEP2(p->builder, type, base, indices, count, "")
               : LLVMBuildGEP2(p->builder, type, base, indices, count, "");
}

static bool is_plain_load(LLVMValueRef user) {
    return LLVMIsALoadInst(user) && !LLVMGetVolatile(user) &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
}

// A use of a pointer: operand `operand` of `user`.
struct use {
    LLVMValueRef user, pointer;
    unsigned operand;
};

// Lists the uses of what is derived from `pointer`; with `is_banked` without plain loads. Returns
// the number of plain loads.
static unsigned list_uses(LLVMValueRef pointer, bool is_banked, GArray *uses) {
    unsigned loads = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            continue;
        if (is_derived(user, pointer)) {
            loads += list_uses(user, is_banked, uses);
            continue;
        }
        loads += is_plain_load(user);
        for (unsigned i = 0;
             !(is_banked && is_plain_load(user)) && i < (unsigned)LLVMGetNumOperands(user); i++) {
            struct use use = {user, pointer, i};
            bool is_callee = LLVMIsACallInst(user) && LLVMIsAFunction(pointer) &&
                             i + 1 == (unsigned)LLVMGetNumOperands(user);
            if (LLVMGetOperand(user, i) == pointer && !is_callee)
                g_array_append_val(uses, use);
        }
    }
    return loads;
}

// Makes uses of a global those of its address; `bank`: the copy that plain loads read, or NULL.
static void move(struct places *p, struct moved *moved, LLVMValueRef bank) {
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(struct use));
    moved->starts = g_hash_table_new(g_direct_hash, g_direct_equal);
    list_uses(moved->global, bank != NULL, uses);
    for (guint i = 0; i < uses->len; i++) {
        struct use use = g_array_index(uses, struct use, i);
        LLVMValueRef place = move_pointer(p, moved, use.pointer, function_of(use.user));
        if (LLVMGetOperand(use.user, use.operand) == use.pointer)
            LLVMSetOperand(use.user, use.operand, place);
    }
    g_hash_table_unref(moved->starts);
}

// The variable's copy in the constant bank, if it may have one and something reads that.
static LLVMValueRef make_bank(struct places *p, LLVMValueRef global, guint number) {
    struct gcl_device_variable *variable = p->g->cpu->variables->pdata[number];
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t alignment = LLVMGetAlignment(global) ? LLVMGetAlignment(global) : 16;
    uint64_t begin = (p->bank_size + alignment - 1) / alignment * alignment;
    uint64_t end = begin + LLVMABISizeOfType(p->g->m.layout, type);
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(struct use));
    if (!(variable->flags & GCL_VARIABLE_CONSTANT) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != GCL_SPACE_CONSTANT || end > BANK_SIZE ||
        list_uses(global, true, uses) == 0)
        return NULL;
    p->bank_size = end;
    variable->flags |= GCL_VARIABLE_BANKED;
    g_autofree char *name = g_strdup_printf("gcl_constant_%u", number);
    LLVMValueRef bank = add_constant(p, name, type);
    LLVMSetAlignment(bank, (unsigned)alignment);
    return bank;
}

static void lower_global(struct places *p, LLVMValueRef global) {
    const char *name = name_of(global);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(p->numbers, name));
    const uint64_t *offset = g_hash_table_lookup(p->image, name);
    if (number == 0 && !offset)
        return;
    struct moved moved = {.global = global};
    gcl_shim_expand_uses(global);
    if (number > 0) {
        moved.number = number - 1;
        LLVMValueRef bank = make_bank(p, global, moved.number);
        move(p, &moved, bank);
        if (bank)
            LLVMReplaceAllUsesWith(global, bank);
    } else {
        moved.number = p->g->cpu->variables->len;
        moved.offset = *offset;
        move(p, &moved, NULL);
    }
}

// What has its place elsewhere goes, with what it was initialised with.
static void delete_moved(struct places *p) {
    struct gcl_module *m = &p->g->m;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (g_hash_table_contains(p->numbers, name_of(g)) ||
            g_hash_table_contains(p->image, name_of(g)))
            gcl_shim_drop_body(g);
    }
    gcl_module_run_passes(m, "globaldce");
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!LLVMGetFirstUse(g) && (LLVMIsDeclaration(g) || g == p->addresses))
            LLVMDeleteGlobal(g);
    }
}

void gcl_gpu_places_lower(struct gcl_gpu *g) {
    guint count = g->cpu->variables->len + (g->cpu->image.slot ? 1 : 0);
    struct places p = {
        .g = g,
        .builder = LLVMCreateBuilderInContext(g->m.context),
        .numbers = g_hash_table_new(g_str_hash, g_str_equal),
        .image = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .bank_size = count * sizeof(uint64_t),
    };
    p.addresses = add_constant(&p, "gcl_addresses", LLVMArrayType2(gcl_i64(&g->m), count));
    collect_variables(&p);
    collect_image(&p);
    for (LLVMValueRef v = LLVMGetFirstGlobal(g->m.module); v; v = LLVMGetNextGlobal(v))
        lower_global(&p, v);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f))
        lower_global(&p, f);
    delete_moved(&p);
    g_hash_table_unref(p.numbers);
    g_hash_table_unref(p.image);
    LLVMDisposeBuilder(p.builder);
}
