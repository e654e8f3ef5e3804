// A pause goes through the slots: what lives in the loop, or behind it, and comes from before it or
// from the iteration before is in slots at the end of an iteration, and is copied to the state of
// the vector; called again, the function copies it back and jumps to the loop's header. Slots of
// what the loop itself works out are written anew in each iteration before they are read.
//
// A few iterations at a time share what a pause costs, and still leave memory in an order that
// processors expect.
#include "device/vector/widen/pause.h"

#include <assert.h>

#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/value.h"

enum { STEPS = 4 }; // iterations: best of 1, 2, 4 and 8 for a stencil on a cube

bool gcl_vector_has_steps(const struct gcl_uniformity *u, const struct gcl_cfg *cfg) {
    return cfg->loop_count == 1 && !u->divergent_loops[0] && cfg->loops[0].exit != GCL_NOWHERE;
}

static LLVMBasicBlockRef new_block(struct gcl_vector *v, const char *name) {
    return LLVMAppendBasicBlockInContext(v->m->context, v->function, name);
}

void gcl_vector_begin_steps(struct gcl_vector *v) {
    assert(v->cfg->loop_count == 1 && !v->loops[0].diverges);
    v->iterated = new_block(v, "iterated");
    v->resume = new_block(v, "resume");
    LLVMBasicBlockRef fresh = new_block(v, "fresh");
    LLVMValueRef is = LLVMBuildLoad2(v->b, gcl_i32(v->m), v->state, "");
    LLVMValueRef paused =
        LLVMBuildICmp(v->b, LLVMIntEQ, is, gcl_u32(v->m, GCL_STATE_PAUSED), "paused");
    LLVMValueRef alone =
        LLVMBuildICmp(v->b, LLVMIntEQ, is, gcl_u32(v->m, GCL_STATE_ALONE), "alone");
    v->turns = gcl_vector_slot(v, gcl_i32(v->m), "turns");
    LLVMValueRef many = gcl_u32(v->m, UINT32_MAX), few = gcl_u32(v->m, STEPS);
    LLVMBuildStore(v->b, LLVMBuildSelect(v->b, alone, many, few, ""), v->turns);
    LLVMBuildCondBr(v->b, paused, v->resume, fresh);
    LLVMPositionBuilderAtEnd(v->b, fresh);
}

// Whether all that reads `value` is a phi at the loop's start, before its first iteration.
static bool only_starts(const struct gcl_vector *v, LLVMValueRef value) {
    LLVMBasicBlockRef header = v->cfg->blocks[v->cfg->loops[0].header].block;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != header)
            return false;
    }
    return true;
}

// Whether the slots of `value` have to outlast an iteration: it is older than the loop, a phi at
// its start, or one behind it, which lanes that don't come to the loop have given their part.
static bool outlasts(const struct gcl_vector *v, LLVMValueRef value) {
    int header = v->cfg->loops[0].header;
    int block = gcl_cfg_index(v->cfg, LLVMGetInstructionParent(value));
    if (LLVMIsAPHINode(value))
        return block <= header || v->cfg->blocks[block].loop == GCL_NOWHERE;
    return block < header && !(LLVMIsALoadInst(value) && only_starts(v, value));
}

static void add(GPtrArray *slots, LLVMValueRef slot) {
    if (slot)
        g_ptr_array_add(slots, slot);
}

// In the order of the source, so that the same source gives the same code.
static GPtrArray *find_slots(const struct gcl_vector *v) {
    GPtrArray *slots = g_ptr_array_new();
    for (int b = 0; b < v->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(v->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            const struct gcl_vector_value *kept = g_hash_table_lookup(v->slots, i);
            if (!kept || !outlasts(v, i))
                continue;
            add(slots, kept->scalar);
            add(slots, kept->y);
            add(slots, kept->vector);
        }
        if (v->cfg->blocks[b].loop == GCL_NOWHERE && b > v->cfg->loops[0].header)
            add(slots, v->blocks[b].mask);
        add(slots, v->blocks[b].loop_mask);
    }
    add(slots, v->loops[0].live);
    return slots;
}

// Copies slots to the state, or back.
static void copy(struct gcl_vector *v, const GPtrArray *slots, bool back) {
    enum { LINE = 64 };
    uint64_t end = LINE;
    for (guint s = 0; s < slots->len; s++) {
        LLVMValueRef slot = slots->pdata[s];
        LLVMTypeRef type = LLVMGetAllocatedType(slot), i8 = LLVMInt8TypeInContext(v->m->context);
        uint64_t size = LLVMABISizeOfType(v->m->layout, type);
        uint64_t alignment = size >= LINE ? LINE : 8;
        end = (end + alignment - 1) / alignment * alignment;
        LLVMValueRef offset = gcl_u64(v->m, end);
        LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, i8, v->state, &offset, 1, "");
        LLVMValueRef read = LLVMBuildLoad2(v->b, type, back ? place : slot, "");
        LLVMValueRef written = LLVMBuildStore(v->b, read, back ? slot : place);
        LLVMSetAlignment(back ? read : written, (unsigned)MIN(alignment, 8));
        end += size;
    }
    v->state_size = (end + LINE - 1) / LINE * LINE;
}

void gcl_vector_end_steps(struct gcl_vector *v) {
    g_autoptr(GPtrArray) slots = find_slots(v);
    LLVMBasicBlockRef header = v->blocks[v->cfg->loops[0].header].label;
    LLVMBasicBlockRef pause = new_block(v, "pause");
    LLVMPositionBuilderAtEnd(v->b, v->iterated);
    LLVMValueRef left =
        LLVMBuildSub(v->b, LLVMBuildLoad2(v->b, gcl_i32(v->m), v->turns, ""), gcl_u32(v->m, 1), "");
    LLVMBuildStore(v->b, left, v->turns);
    LLVMBuildCondBr(v->b, LLVMBuildICmp(v->b, LLVMIntNE, left, gcl_u32(v->m, 0), ""), header,
                    pause);
    LLVMPositionBuilderAtEnd(v->b, pause);
    copy(v, slots, false);
    LLVMBuildStore(v->b, gcl_u32(v->m, GCL_STATE_PAUSED), v->state);
    LLVMBuildRet(v->b, gcl_u32(v->m, GCL_PAUSED));
    LLVMPositionBuilderAtEnd(v->b, v->resume);
    copy(v, slots, true);
    LLVMBuildBr(v->b, header);
}
