// Builds one function for each region of a kernel: the way of one thread from a cut to the next.
//
// Before: gcl_cut_kernel and gcl_demote_kernel have run, so blocks share values only through
// allocas, there are no phis, and a block that ends with a cut has one successor, where a region
// starts. A region is a copy of all blocks that its first one reaches without passing a cut.
// Allocas that are only loaded and stored stay local to the region and are loaded from the block's
// frame where their value is live; all others (arrays, escaped ones) live in the frame for good.
// The frame keeps each variable as an array over the threads of the block.
#include "device/cut/regions.h"

#include <assert.h>
#include <string.h>

#include "device/cut/cut.h"
#include "device/ir/block.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/target.h"

// A local variable of the kernel.
struct local {
    LLVMValueRef alloca;
    LLVMTypeRef type;
    uint64_t size; ///< bytes a thread, a multiple of alignment
    uint32_t alignment;
    uint32_t offset; ///< in the frame, times the number of threads
    bool plain;      ///< only loaded and stored, as a whole
    bool framed;     ///< has a place in the frame
    bool shared;     ///< one copy serves the block: the value less `stride` times threadIdx.x
    int64_t stride;  ///< bytes for pointers
};

struct kernel_info {
    struct gcl_module *m;
    struct gcl_device_kernel *kernel;
    GPtrArray *blocks;       ///< LLVMBasicBlockRef
    GHashTable *block_index; ///< block -> index + 1
    GArray *locals;          ///< struct local
    GHashTable *local_index; ///< alloca -> index + 1
    GArray *entries;         ///< guint: index of the block where region r starts
    GHashTable *region_of;   ///< block that starts a region -> region
    GPtrArray *live;         ///< per block: a char per local, not 0 if it is live at its start
};

// A region of a kernel while it is copied to a function of its own.
struct copy {
    struct kernel_info *info;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMBasicBlockRef start;
    GHashTable *values;  ///< original value or block -> copy
    GPtrArray *members;  ///< blocks of the region, in order
    LLVMValueRef *home;  ///< per local: its alloca or place in the frame
    bool *used;          ///< per local: occurs in the region
    bool *stored;        ///< per local: stored to in the region
    GHashTable *targets; ///< regions in which threads go on, + 1
    struct gcl_block_thread thread;
    LLVMValueRef kept[2];   ///< where the block's one copy of locals is found, and left
    LLVMValueRef frame;     ///< where each thread's own are, but for arrays
    GArray *takes, *leaves; ///< struct gcl_device_kept
    guint region;
};

static bool is_lifetime(LLVMValueRef user) {
    return g_str_has_prefix(gcl_intrinsic_callee(user), "llvm.lifetime.");
}

static bool is_plain(LLVMValueRef alloca, LLVMTypeRef type) {
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
        bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != alloca &&
                     LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if (!is_lifetime(user) && ((!load && !store) || LLVMGetVolatile(user)))
            return false;
    }
    return true;
}

static void add_local(struct kernel_info *info, LLVMValueRef alloca) {
    struct gcl_module *m = info->m;
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    LLVMValueRef count = LLVMGetOperand(alloca, 0);
    if (!LLVMIsAConstantInt(count)) {
        gcl_module_error(m, GCL_CODE_VARIABLE_LENGTH, alloca,
                         "an array of variable length in a kernel");
        return;
    }
    struct local local = {.alloca = alloca, .type = type};
    const int64_t *stride = g_hash_table_lookup(info->kernel->shared_locals, alloca);
    local.shared = stride != NULL;
    local.stride = stride ? *stride : 0;
    local.alignment = LLVMGetAlignment(alloca);
    uint64_t size = LLVMABISizeOfType(m->layout, type) * LLVMConstIntGetZExtValue(count);
    local.size = (size + local.alignment - 1) / local.alignment * local.alignment;
    local.plain = LLVMConstIntGetZExtValue(count) == 1 && is_plain(alloca, type);
    g_array_append_val(info->locals, local);
    g_hash_table_insert(info->local_index, alloca, GUINT_TO_POINTER(info->locals->len));
}

static guint index_of(GHashTable *table, void *key) {
    return GPOINTER_TO_UINT(g_hash_table_lookup(table, key)) - 1;
}

static void scan_blocks(struct kernel_info *info) {
    LLVMValueRef function = info->kernel->function;
    guint zero = 0;
    g_array_append_val(info->entries, zero);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        g_ptr_array_add(info->blocks, b);
        g_hash_table_insert(info->block_index, b, GUINT_TO_POINTER(info->blocks->len));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            assert(!LLVMIsAPHINode(i)); // gcl_demote_kernel has made locals of them
            if (LLVMIsAAllocaInst(i))
                add_local(info, i);
        }
    }
    for (guint i = 0; i < info->blocks->len; i++) {
        LLVMBasicBlockRef b = info->blocks->pdata[i];
        if (!gcl_cut_before(b))
            continue;
        assert(LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)) == 1);
        LLVMBasicBlockRef behind = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0);
        guint entry = index_of(info->block_index, behind);
        g_hash_table_insert(info->region_of, behind, GUINT_TO_POINTER(info->entries->len));
        g_array_append_val(info->entries, entry);
    }
}

// What one block does first to each local: 'l' it loads it, 's' it stores it, 0 neither.
static void find_first_accesses(struct kernel_info *info, LLVMBasicBlockRef block, char *access) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool load = LLVMIsALoadInst(i) != NULL;
        if (!load && !LLVMIsAStoreInst(i))
            continue;
        guint index = index_of(info->local_index, LLVMGetOperand(i, load ? 0 : 1));
        if (index != G_MAXUINT && !access[index])
            access[index] = load ? 'l' : 's';
    }
}

// live = loaded first, or not stored first and live behind: one byte a local, so that the loop runs
// many at a time.
static bool update_live(char *live, const char *access, const char *behind, guint count) {
    char changed = 0;
    for (guint l = 0; l < count; l++) {
        char now = (char)((access[l] == 'l') | ((access[l] == 0) & behind[l]));
        changed |= (char)(now ^ live[l]);
        live[l] = now;
    }
    return changed != 0;
}

static void add_successors(const struct kernel_info *info, guint block, char *behind) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(info->blocks->pdata[block]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        const char *live = info->live->pdata[index_of(info->block_index, LLVMGetSuccessor(end, s))];
        for (guint l = 0; l < info->locals->len; l++)
            behind[l] |= live[l];
    }
}

// Backwards data flow: a plain local is live where some path loads it before storing it.
static void find_live(struct kernel_info *info) {
    guint locals = info->locals->len, blocks = info->blocks->len;
    g_autoptr(GPtrArray) access = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *behind = g_malloc(locals + 1);
    for (guint b = 0; b < blocks; b++) {
        char *a = g_malloc0(locals + 1);
        find_first_accesses(info, info->blocks->pdata[b], a);
        g_ptr_array_add(access, a);
        g_ptr_array_add(info->live, g_malloc0(locals + 1));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (guint b = blocks; b-- > 0;) {
            memset(behind, 0, locals + 1);
            add_successors(info, b, behind);
            changed |= update_live(info->live->pdata[b], access->pdata[b], behind, locals);
        }
    }
}

static bool is_live(const struct kernel_info *info, guint region, guint local) {
    guint entry = g_array_index(info->entries, guint, region);
    return ((char *)info->live->pdata[entry])[local] != 0;
}

static void note_kept(GArray *kept, LLVMTypeRef type, uint32_t offset) {
    struct gcl_device_kept entry = {type, offset};
    g_array_append_val(kept, entry);
}

// A plain local's place in the frame.
struct slot {
    LLVMTypeRef type;
    uint32_t alignment;
    uint32_t offset;
    char *live; ///< per region: a local that has the place is live at its start
};

static void slot_clear(void *slot) {
    g_free(((struct slot *)slot)->live);
}

static bool is_free(const struct kernel_info *info, const struct slot *slot, guint l) {
    const struct local *local = &g_array_index(info->locals, struct local, l);
    if (slot->type != local->type || slot->alignment != local->alignment)
        return false;
    for (guint r = 1; r < info->entries->len; r++) {
        if (slot->live[r] && is_live(info, r, l))
            return false;
    }
    return true;
}

// Locals of which one at a time is kept have one place: what a loop around a barrier changes is a
// variable before its sum and another one behind.
static uint32_t find_place(const struct kernel_info *info, GArray *slots, guint l, uint32_t *end) {
    const struct local *local = &g_array_index(info->locals, struct local, l);
    struct slot *slot = NULL;
    for (guint s = 0; s < slots->len && !slot; s++) {
        if (is_free(info, &g_array_index(slots, struct slot, s), l))
            slot = &g_array_index(slots, struct slot, s);
    }
    if (!slot) {
        struct slot new = {local->type, local->alignment, *end, g_malloc0(info->entries->len)};
        *end += (uint32_t)local->size;
        note_kept(info->kernel->framed, local->type, new.offset);
        g_array_append_val(slots, new);
        slot = &g_array_index(slots, struct slot, slots->len - 1);
    }
    for (guint r = 1; r < info->entries->len; r++)
        slot->live[r] |= is_live(info, r, l);
    return slot->offset;
}

static bool needs_place(const struct kernel_info *info, guint l) {
    bool needs = !g_array_index(info->locals, struct local, l).plain;
    for (guint r = 1; r < info->entries->len && !needs; r++)
        needs = is_live(info, r, l);
    return needs && info->entries->len > 1;
}

// Largest alignment first, so that each array starts aligned whatever the number of threads. What
// the block has one copy of lies in front of the arrays.
static void place_locals(struct kernel_info *info) {
    uint32_t offset = 0, shared = 0;
    g_autoptr(GArray) slots = g_array_new(FALSE, FALSE, sizeof(struct slot));
    g_array_set_clear_func(slots, slot_clear);
    for (uint32_t alignment = 128; alignment > 0; alignment /= 2) {
        for (guint l = 0; l < info->locals->len; l++) {
            struct local *local = &g_array_index(info->locals, struct local, l);
            if (local->alignment != alignment || !needs_place(info, l))
                continue;
            local->framed = true;
            if (local->plain && !local->shared) {
                local->offset = find_place(info, slots, l, &offset);
                continue;
            }
            uint32_t *end = local->shared ? &shared : &offset;
            local->offset = *end;
            *end += (uint32_t)local->size;
            assert(local->offset % local->alignment == 0);
            if (local->shared)
                note_kept(info->kernel->kept, local->type, local->offset);
        }
    }
    info->kernel->frame_size = offset;
    info->kernel->kept_size = (shared + 127) / 128 * 128;
}

static void visit(struct kernel_info *info, guint block, bool *seen) {
    if (seen[block])
        return;
    seen[block] = true;
    LLVMBasicBlockRef b = info->blocks->pdata[block];
    if (gcl_cut_before(b))
        return;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        visit(info, index_of(info->block_index, LLVMGetSuccessor(end, s)), seen);
}

static void find_members(struct copy *copy) {
    struct kernel_info *info = copy->info;
    g_autofree bool *seen = g_new0(bool, info->blocks->len);
    visit(info, g_array_index(info->entries, guint, copy->region), seen);
    for (guint b = 0; b < info->blocks->len; b++) {
        if (seen[b])
            g_ptr_array_add(copy->members, info->blocks->pdata[b]);
    }
}

static void copy_attributes(struct gcl_module *m, LLVMValueRef from, LLVMValueRef to) {
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = 1; i <= LLVMCountParams(from); i++) {
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(from, i, noalias);
        if (attribute)
            LLVMAddAttributeAtIndex(to, i, attribute);
    }
    gcl_target_set(m, to, gcl_target_least(m));
    static const char *const flags[] = {"nounwind", "alwaysinline"};
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(flags[i], strlen(flags[i]));
        LLVMAddAttributeAtIndex(to, (unsigned)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(m->context, kind, 0));
    }
}

static void declare_lane(struct copy *copy) {
    struct gcl_module *m = copy->info->m;
    LLVMValueRef kernel = copy->info->kernel->function;
    unsigned count = LLVMCountParams(kernel);
    g_autofree LLVMTypeRef *types = g_new(LLVMTypeRef, count + GCL_LANE_COUNT);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(LLVMGetParam(kernel, i));
    types[count] = gcl_ptr(m);
    for (unsigned i = 1; i <= 4; i++)
        types[count + i] = gcl_i32(m);
    for (unsigned i = GCL_LANE_KEPT; i < GCL_LANE_COUNT; i++)
        types[count + i] = gcl_ptr(m);

    g_autofree char *name =
        g_strdup_printf("%s.region%u.lane", copy->info->kernel->name, copy->region);
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, count + GCL_LANE_COUNT, 0);
    copy->function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(copy->function, LLVMInternalLinkage);
    copy_attributes(m, kernel, copy->function);
    for (unsigned i = 0; i < count; i++)
        g_hash_table_insert(copy->values, LLVMGetParam(kernel, i), LLVMGetParam(copy->function, i));
    copy->thread.block = LLVMGetParam(copy->function, count);
    copy->thread.number = LLVMGetParam(copy->function, count + 1);
    for (unsigned i = 0; i < 3; i++)
        copy->thread.axis[i] = LLVMGetParam(copy->function, count + 2 + i);
    for (unsigned i = 0; i < 2; i++)
        copy->kept[i] = LLVMGetParam(copy->function, count + GCL_LANE_KEPT + i);
    copy->frame = LLVMGetParam(copy->function, count + GCL_LANE_FRAME);
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7); // no array is in there
    LLVMAddAttributeAtIndex(copy->function, count + GCL_LANE_FRAME + 1,
                            LLVMCreateEnumAttribute(m->context, noalias, 0));
}

// The place of a local in the frame: frame + offset * threads + size * thread.
static LLVMValueRef frame_place(struct copy *copy, const struct local *local) {
    struct gcl_module *m = copy->info->m;
    LLVMBuilderRef b = copy->builder;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context), i64 = gcl_i64(m);
    LLVMValueRef frame =
        local->plain ? copy->frame : gcl_block_load(m, b, copy->thread.block, GCL_BLOCK_FRAME, 0);
    LLVMValueRef threads = LLVMBuildZExt(
        b, gcl_block_load(m, b, copy->thread.block, GCL_BLOCK_THREAD_COUNT, 0), i64, "");
    LLVMValueRef thread = LLVMBuildZExt(b, copy->thread.number, i64, "");
    LLVMValueRef offset = LLVMBuildAdd(b, LLVMBuildMul(b, threads, gcl_u64(m, local->offset), ""),
                                       LLVMBuildMul(b, thread, gcl_u64(m, local->size), ""), "");
    offset = LLVMBuildAdd(b, offset, gcl_u64(m, copy->info->kernel->kept_size), "");
    return LLVMBuildInBoundsGEP2(b, i8, frame, &offset, 1, "");
}

// `sign` times stride * threadIdx.x more than `value`.
static LLVMValueRef add_stride(struct copy *copy, const struct local *local, LLVMValueRef value,
                               int sign) {
    struct gcl_module *m = copy->info->m;
    LLVMBuilderRef b = copy->builder;
    bool is_pointer = LLVMGetTypeKind(local->type) == LLVMPointerTypeKind;
    if (local->stride == 0)
        return value;
    LLVMTypeRef type = is_pointer ? gcl_i64(m) : local->type;
    LLVMValueRef x = LLVMBuildIntCast2(b, copy->thread.axis[0], type, 0, "");
    LLVMValueRef factor = LLVMConstInt(type, (uint64_t)(sign * local->stride), 1);
    LLVMValueRef distance = LLVMBuildMul(b, x, factor, "");
    if (is_pointer)
        return LLVMBuildGEP2(b, LLVMInt8TypeInContext(m->context), value, &distance, 1, "");
    return LLVMBuildAdd(b, value, distance, "");
}

static LLVMValueRef shared_place(struct copy *copy, const struct local *local, LLVMValueRef base) {
    LLVMValueRef offset = gcl_u64(copy->info->m, local->offset);
    return LLVMBuildInBoundsGEP2(copy->builder, LLVMInt8TypeInContext(copy->info->m->context), base,
                                 &offset, 1, "");
}

static LLVMValueRef load_local(struct copy *copy, const struct local *local) {
    LLVMValueRef place =
        local->shared ? shared_place(copy, local, copy->kept[0]) : frame_place(copy, local);
    LLVMValueRef load = LLVMBuildLoad2(copy->builder, local->type, place, "");
    if (!local->shared) {
        gcl_module_mark(copy->info->m, load, "gcl.frame");
        return load;
    }
    note_kept(copy->takes, local->type, local->offset);
    gcl_module_mark(copy->info->m, load, "gcl.kept"); // it is the copy that changes
    return add_stride(copy, local, load, 1);
}

static void store_local(struct copy *copy, const struct local *local, LLVMValueRef value) {
    if (!local->shared) {
        LLVMBuildStore(copy->builder, value, frame_place(copy, local));
        return;
    }
    note_kept(copy->leaves, local->type, local->offset);
    LLVMBuildStore(copy->builder, add_stride(copy, local, value, -1),
                   shared_place(copy, local, copy->kept[1]));
}

static LLVMValueRef make_alloca(struct copy *copy, const struct local *local) {
    LLVMValueRef clone = LLVMInstructionClone(local->alloca);
    LLVMInsertIntoBuilder(copy->builder, clone);
    return clone;
}

static void note_operands(struct copy *copy, LLVMValueRef v) {
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        guint local = index_of(copy->info->local_index, LLVMGetOperand(v, (unsigned)i));
        if (local == G_MAXUINT)
            continue;
        copy->used[local] = true;
        copy->stored[local] |= LLVMIsAStoreInst(v) && i == 1;
    }
}

static void note_uses(struct copy *copy) {
    for (guint i = 0; i < copy->members->len; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(copy->members->pdata[i]);
        for (; v; v = LLVMGetNextInstruction(v))
            note_operands(copy, v);
    }
}

// Gives each local its home and loads what is live from the frame.
static void build_start(struct copy *copy) {
    struct kernel_info *info = copy->info;
    copy->start = LLVMAppendBasicBlockInContext(info->m->context, copy->function, "start");
    LLVMPositionBuilderAtEnd(copy->builder, copy->start);
    for (guint l = 0; l < info->locals->len; l++) {
        const struct local *local = &g_array_index(info->locals, struct local, l);
        bool in_frame = local->framed && !local->plain;
        if (!copy->used[l])
            continue;
        copy->home[l] = in_frame ? frame_place(copy, local) : make_alloca(copy, local);
        g_hash_table_insert(copy->values, local->alloca, copy->home[l]);
        if (local->framed && local->plain && copy->region > 0 && is_live(info, copy->region, l)) {
            LLVMBuildStore(copy->builder, load_local(copy, local), copy->home[l]);
        }
    }
}

static void declare_blocks(struct copy *copy) {
    for (guint i = 0; i < copy->members->len; i++) {
        LLVMBasicBlockRef clone =
            LLVMAppendBasicBlockInContext(copy->info->m->context, copy->function, "");
        g_hash_table_insert(copy->values, copy->members->pdata[i], clone);
    }
}

static LLVMValueRef mapped(struct copy *copy, LLVMValueRef value) {
    void *found = g_hash_table_lookup(copy->values, value);
    return found ? found : value;
}

static void store_operand(struct copy *copy, enum gcl_block_field field, LLVMValueRef value) {
    struct gcl_module *m = copy->info->m;
    LLVMValueRef place =
        gcl_block_element(m, copy->builder, copy->thread.block, field, copy->thread.number);
    LLVMTypeRef type = field == GCL_BLOCK_VALUE ? gcl_i64(m) : gcl_i32(m);
    LLVMBuildStore(copy->builder, LLVMBuildIntCast2(copy->builder, value, type, 0, ""), place);
}

static void store_operands(struct copy *copy, LLVMValueRef cut) {
    enum gcl_cut_form form = gcl_intrinsic_find(cut)->form;
    unsigned next = 0;
    if (form >= GCL_FORM_MASK)
        store_operand(copy, GCL_BLOCK_MASK, mapped(copy, LLVMGetOperand(cut, next++)));
    if (form == GCL_FORM_VALUE || form >= GCL_FORM_MASK_VALUE)
        store_operand(copy, GCL_BLOCK_VALUE, mapped(copy, LLVMGetOperand(cut, next++)));
    if (form == GCL_FORM_MASK_VALUE_LANE)
        store_operand(copy, GCL_BLOCK_LANE, mapped(copy, LLVMGetOperand(cut, next)));
}

static void go_on(struct copy *copy, uint32_t region) {
    assert(region == GCL_EXIT || region < copy->info->entries->len);
    g_hash_table_add(copy->targets, GUINT_TO_POINTER(region + 1));
    LLVMBuildRet(copy->builder, gcl_u32(copy->info->m, region));
}

// The end of a region: operands and live locals go where the next one finds them.
static void leave(struct copy *copy, LLVMValueRef cut) {
    struct kernel_info *info = copy->info;
    LLVMValueRef end = LLVMGetNextInstruction(cut);
    guint next = GPOINTER_TO_UINT(g_hash_table_lookup(info->region_of, LLVMGetSuccessor(end, 0)));
    if (gcl_intrinsic_find(cut)->cut == GCL_CUT_ENTRY) { // the thread ends here
        go_on(copy, GCL_EXIT);
        return;
    }
    store_operands(copy, cut);
    for (guint l = 0; l < info->locals->len; l++) {
        const struct local *local = &g_array_index(info->locals, struct local, l);
        if (!local->framed || !local->plain || !copy->stored[l] || !is_live(info, next, l))
            continue;
        LLVMValueRef value = LLVMBuildLoad2(copy->builder, local->type, copy->home[l], "");
        store_local(copy, local, value);
    }
    go_on(copy, next);
}

static bool is_cut_result(LLVMValueRef call) {
    return strcmp(gcl_intrinsic_callee(call), "__gcl_cut_result") == 0;
}

static LLVMValueRef copy_call(struct copy *copy, LLVMValueRef call) {
    struct gcl_module *m = copy->info->m;
    if (is_cut_result(call)) {
        LLVMValueRef place = gcl_block_element(m, copy->builder, copy->thread.block,
                                               GCL_BLOCK_VALUE, copy->thread.number);
        return LLVMBuildLoad2(copy->builder, gcl_i64(m), place, "");
    }
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    if (!intrinsic || intrinsic->kind == GCL_INTRINSIC_CUT) // a warp operation that isn't a cut
        return NULL;
    LLVMBuilderRef early = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(early, LLVMGetBasicBlockTerminator(copy->start));
    LLVMValueRef value = gcl_block_intrinsic(m, early, &copy->thread, call);
    LLVMDisposeBuilder(early);
    return value;
}

static void copy_instruction(struct copy *copy, LLVMValueRef i) {
    LLVMValueRef special = LLVMIsACallInst(i) ? copy_call(copy, i) : NULL;
    if (special) {
        g_hash_table_insert(copy->values, i, special);
        return;
    }
    LLVMValueRef clone = LLVMInstructionClone(i);
    for (int operand = 0; operand < LLVMGetNumOperands(i); operand++) {
        LLVMValueRef value = LLVMGetOperand(i, (unsigned)operand);
        if (LLVMValueIsBasicBlock(value))
            value = LLVMBasicBlockAsValue(
                g_hash_table_lookup(copy->values, LLVMValueAsBasicBlock(value)));
        else
            value = mapped(copy, value);
        LLVMSetOperand(clone, (unsigned)operand, value);
    }
    LLVMInsertIntoBuilder(copy->builder, clone);
    g_hash_table_insert(copy->values, i, clone);
}

static void copy_block(struct copy *copy, LLVMBasicBlockRef block) {
    LLVMValueRef cut = gcl_cut_before(block);
    LLVMPositionBuilderAtEnd(copy->builder, g_hash_table_lookup(copy->values, block));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (i == cut) {
            leave(copy, cut);
            return;
        }
        if (LLVMIsAReturnInst(i))
            go_on(copy, GCL_EXIT);
        else if (!LLVMIsAAllocaInst(i) && !is_lifetime(i))
            copy_instruction(copy, i);
    }
}

static struct gcl_cut describe_cut(struct kernel_info *info, guint region) {
    if (region == 0)
        return (struct gcl_cut){.kind = GCL_CUT_ENTRY};
    LLVMBasicBlockRef entry = info->blocks->pdata[g_array_index(info->entries, guint, region)];
    for (guint b = 0; b < info->blocks->len; b++) {
        LLVMValueRef cut = gcl_cut_before(info->blocks->pdata[b]);
        if (!cut || LLVMGetSuccessor(LLVMGetNextInstruction(cut), 0) != entry)
            continue;
        const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(cut);
        return (struct gcl_cut){.kind = intrinsic->cut,
                                .operation = intrinsic->operation,
                                .line = gcl_module_line_number(info->m, cut)};
    }
    return (struct gcl_cut){.kind = GCL_CUT_ENTRY};
}

// Whether the lanes of a warp have to run together. Where none waits for another one between two
// cuts they need not: what one may see of another lies behind a cut, or behind a warp operation.
static bool relies_on_warps(const struct copy *copy) {
    const struct gcl_device_kernel *kernel = copy->info->kernel;
    if (!kernel->has_warps || kernel->in_step)
        return kernel->has_warps;
    for (guint b = 0; b < copy->members->len; b++) {
        LLVMBasicBlockRef block = copy->members->pdata[b];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (gcl_cut_is_warp_operation(i))
                return true;
        }
    }
    return false;
}

static void build_region(struct kernel_info *info, guint region) {
    struct copy copy = {
        .info = info,
        .region = region,
        .builder = LLVMCreateBuilderInContext(info->m->context),
        .values = g_hash_table_new(g_direct_hash, g_direct_equal),
        .members = g_ptr_array_new(),
        .home = g_new0(LLVMValueRef, info->locals->len + 1),
        .used = g_new0(bool, info->locals->len + 1),
        .stored = g_new0(bool, info->locals->len + 1),
        .targets = g_hash_table_new(g_direct_hash, g_direct_equal),
        .takes = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept)),
        .leaves = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept)),
    };
    find_members(&copy);
    note_uses(&copy);
    declare_lane(&copy);
    build_start(&copy);
    declare_blocks(&copy);
    LLVMBasicBlockRef entry = info->blocks->pdata[g_array_index(info->entries, guint, region)];
    LLVMBuildBr(copy.builder, g_hash_table_lookup(copy.values, entry));
    for (guint i = 0; i < copy.members->len; i++)
        copy_block(&copy, copy.members->pdata[i]);

    struct gcl_device_region result = {
        .cut = describe_cut(info, region),
        .lane = copy.function,
        .diverges = g_hash_table_size(copy.targets) > 1,
        .has_warps = relies_on_warps(&copy),
        .takes = copy.takes,
        .leaves = copy.leaves,
    };
    g_array_append_val(info->kernel->regions, result);
    LLVMDisposeBuilder(copy.builder);
    g_hash_table_destroy(copy.values);
    g_hash_table_destroy(copy.targets);
    g_ptr_array_free(copy.members, TRUE);
    g_free(copy.home);
    g_free(copy.used);
    g_free(copy.stored);
}

void gcl_regions_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct kernel_info info = {
        .m = m,
        .kernel = kernel,
        .blocks = g_ptr_array_new(),
        .block_index = g_hash_table_new(g_direct_hash, g_direct_equal),
        .locals = g_array_new(FALSE, TRUE, sizeof(struct local)),
        .local_index = g_hash_table_new(g_direct_hash, g_direct_equal),
        .entries = g_array_new(FALSE, TRUE, sizeof(guint)),
        .region_of = g_hash_table_new(g_direct_hash, g_direct_equal),
        .live = g_ptr_array_new_with_free_func(g_free),
    };
    scan_blocks(&info);
    find_live(&info);
    place_locals(&info);
    for (guint r = 0; r < info.entries->len && !m->failed; r++)
        build_region(&info, r);
    assert(m->failed || kernel->regions->len == info.entries->len);
    g_ptr_array_free(info.blocks, TRUE);
    g_hash_table_destroy(info.block_index);
    g_array_free(info.locals, TRUE);
    g_hash_table_destroy(info.local_index);
    g_array_free(info.entries, TRUE);
    g_hash_table_destroy(info.region_of);
    g_ptr_array_free(info.live, TRUE);
}
