// What can't be widened is done lane by lane: a loop over the lanes that run, around the one
// instruction. Its operands wait in arrays, and so does what it returns.
#include "device/vector/widen/lanes.h"

#include <assert.h>
#include <string.h>

#include "device/cut/retries.h"
#include "device/ir/block.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/lower/sanitize.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/wide.h"
#include "device/vector/widen/widen.h"

// Notes for the user that `i` is done lane by lane.
static void remark(struct gcl_vector *v, LLVMValueRef i, const char *what) {
    bool is_only = v->kernel->shapes->len == 1 && gcl_lane_is_long(v->source);
    if (v->m->options->remarks && (v->rest || is_only))
        gcl_module_remark(v->m, v->kernel, i, what);
}

static LLVMBasicBlockRef new_block(struct gcl_vector *v, const char *name) {
    return LLVMAppendBasicBlockInContext(v->m->context, v->function, name);
}

static LLVMTypeRef bits_type(struct gcl_vector *v) {
    return LLVMIntTypeInContext(v->m->context, v->lanes);
}

struct gcl_lane_loop gcl_lane_loop_begin(struct gcl_vector *v, LLVMValueRef mask) {
    struct gcl_lane_loop loop = {.body = new_block(v, "lane")};
    LLVMValueRef bits = gcl_vector_mask_bits(v, mask);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, loop.body);
    LLVMPositionBuilderAtEnd(v->b, loop.body);
    loop.left = LLVMBuildPhi(v->b, bits_type(v), "left");
    LLVMAddIncoming(loop.left, &bits, &before, 1);
    LLVMTypeRef type = bits_type(v);
    LLVMValueRef arguments[] = {loop.left,
                                LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0)};
    LLVMValueRef lane = gcl_vector_call_intrinsic(v, "llvm.cttz", &type, 1, arguments, 2);
    loop.lane = LLVMBuildIntCast2(v->b, lane, gcl_i64(v->m), 0, "");
    return loop;
}

void gcl_lane_loop_end(struct gcl_vector *v, const struct gcl_lane_loop *loop) {
    assert(LLVMCountIncoming(loop->left) == 1); // from in front of the loop, so far
    LLVMBasicBlockRef behind = new_block(v, "lanes.done"), latch = LLVMGetInsertBlock(v->b);
    LLVMValueRef one = LLVMConstInt(bits_type(v), 1, 0);
    LLVMValueRef rest = LLVMBuildAnd(v->b, loop->left, LLVMBuildSub(v->b, loop->left, one, ""), "");
    LLVMValueRef more = LLVMBuildICmp(v->b, LLVMIntNE, rest, LLVMConstNull(bits_type(v)), "");
    LLVMAddIncoming(loop->left, &rest, &latch, 1);
    LLVMBuildCondBr(v->b, more, loop->body, behind);
    LLVMPositionBuilderAtEnd(v->b, behind);
}

// A bit takes a byte in memory; other odd integers have elements of their size in memory.
static LLVMTypeRef memory_type(struct gcl_vector *v, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return type;
    return LLVMIntTypeInContext(v->m->context, 8 * (unsigned)LLVMABISizeOfType(v->m->layout, type));
}

LLVMValueRef gcl_vector_array(struct gcl_vector *v, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value), memory = memory_type(v, type);
    bool widens = gcl_vector_widens(type);
    if (!widens && gcl_vector_info(v, value).variance == GCL_VARIANCE_DIVERGENT)
        return gcl_vector_lanes(v, value);
    LLVMValueRef array = gcl_vector_slot(v, LLVMArrayType2(memory, v->lanes), "array");
    if (!widens) { // the same for all lanes, in a type that has no vectors
        struct gcl_lane_loop loop = gcl_lane_loop_begin(v, NULL);
        LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, type, array, &loop.lane, 1, "");
        LLVMBuildStore(v->b, gcl_vector_scalar(v, value), place);
        gcl_lane_loop_end(v, &loop);
        return array;
    }
    LLVMValueRef lanes = gcl_vector_lanes(v, value);
    if (memory != type)
        lanes = LLVMBuildZExt(v->b, lanes, gcl_vector_type(v, memory), "");
    LLVMSetAlignment(LLVMBuildStore(v->b, lanes, array), 64);
    return array;
}

LLVMValueRef gcl_vector_element(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array,
                                LLVMValueRef lane) {
    assert(LLVMGetTypeKind(LLVMTypeOf(array)) == LLVMPointerTypeKind);
    assert(LLVMTypeOf(lane) == gcl_i64(v->m));
    LLVMTypeRef memory = memory_type(v, type);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, memory, array, &lane, 1, "");
    LLVMValueRef element = LLVMBuildLoad2(v->b, memory, place, "");
    return memory == type ? element : LLVMBuildTrunc(v->b, element, type, "");
}

// Code outside of the region may ask which thread is running, and runs for that one alone.
static void note_thread(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef lane) {
    if (!gcl_retries_asks_for_thread(i))
        return;
    LLVMValueRef thread = gcl_vector_thread(v, lane);
    LLVMBuildStore(v->b, thread, gcl_block_field(v->m, v->b, v->block, GCL_BLOCK_THREAD, 0));
    gcl_block_note_running(v->m, v->b, v->block, thread, gcl_u32(v->m, 1));
}

static LLVMValueRef result_array(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    if (!gcl_vector_widens(type))
        return gcl_vector_lanes(v, i); // its own slot
    return gcl_vector_slot(v, LLVMArrayType2(memory_type(v, type), v->lanes), "results");
}

static void keep_result(struct gcl_vector *v, LLVMValueRef array, LLVMValueRef lane,
                        LLVMValueRef result) {
    LLVMTypeRef type = LLVMTypeOf(result), memory = memory_type(v, type);
    if (memory != type)
        result = LLVMBuildZExt(v->b, result, memory, "");
    LLVMBuildStore(v->b, result, LLVMBuildInBoundsGEP2(v->b, memory, array, &lane, 1, ""));
}

static LLVMValueRef load_results(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array) {
    LLVMTypeRef memory = memory_type(v, type);
    LLVMValueRef lanes = LLVMBuildLoad2(v->b, gcl_vector_type(v, memory), array, "");
    LLVMSetAlignment(lanes, 64);
    return memory == type ? lanes : LLVMBuildTrunc(v->b, lanes, gcl_vector_type(v, type), "");
}

static bool is_common(const struct gcl_vector *v, LLVMValueRef operand) {
    return LLVMIsAConstant(operand) || gcl_vector_info(v, operand).variance <= GCL_VARIANCE_UNIFORM;
}

// Operands of one lane. Those that are arithmetic on others are worked out anew in the loop, so
// that only what they start from has to wait in memory, and as narrow as it is.
bool gcl_lane_loop_works_out(const struct gcl_vector *v, LLVMValueRef value) {
    return LLVMIsAInstruction(value) &&
           gcl_vector_info(v, value).variance == GCL_VARIANCE_DIVERGENT &&
           (LLVMIsAGetElementPtrInst(value) || LLVMIsAZExtInst(value) || LLVMIsASExtInst(value));
}

// Whether a value's lanes lie on a line that is known.
static bool is_linear(const struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    return info.variance == GCL_VARIANCE_AFFINE && !info.unsure;
}

// What is run lane by lane, and where it takes operands from.
struct work {
    LLVMValueRef *instructions;
    unsigned count;
    LLVMValueRef results; ///< array; NULL: nobody asks, or there are several instructions
    GHashTable *arrays;   ///< value -> array
    GHashTable *words;    ///< array -> the bytes of it that hold the chunk's next elements
    LLVMValueRef first;   ///< lane of the chunk
    unsigned chunk;       ///< lanes; 0: they come one by one, and not all
    unsigned *counts;     ///< per instruction: how many are done as one from it on; 0: it is done
    unsigned place;       ///< of the lane in the chunk
};

static void prepare_operand(struct gcl_vector *v, GHashTable *arrays, LLVMValueRef value) {
    if (g_hash_table_contains(arrays, value))
        return;
    if (is_common(v, value)) { // outside of the loop
        gcl_vector_scalar(v, value);
        return;
    }
    if (is_linear(v, value)) {
        gcl_vector_scalar(v, value);
        gcl_vector_y(v, value);
        return;
    }
    if (!gcl_lane_loop_works_out(v, value)) {
        g_hash_table_insert(arrays, value, gcl_vector_array(v, value));
        return;
    }
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        prepare_operand(v, arrays, LLVMGetOperand(value, (unsigned)n));
}

// Small elements of a chunk are loaded up to eight bytes at a time.
static LLVMValueRef element_of(struct gcl_vector *v, struct work *w, LLVMTypeRef type,
                               LLVMValueRef array, LLVMValueRef lane) {
    LLVMTypeRef memory = memory_type(v, type);
    unsigned size = (unsigned)LLVMABISizeOfType(v->m->layout, memory);
    unsigned bytes = MIN(w->chunk * size, 8), byte = bytes ? w->place * size % bytes : 0;
    if (size > 2 || bytes <= size || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return gcl_vector_element(v, type, array, lane);
    LLVMTypeRef wide = LLVMIntTypeInContext(v->m->context, 8 * bytes);
    LLVMValueRef word = g_hash_table_lookup(w->words, array);
    if (byte == 0) {
        LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, memory, array, &lane, 1, "");
        word = LLVMBuildLoad2(v->b, wide, place, "");
        LLVMSetAlignment(word, size);
        g_hash_table_insert(w->words, array, word);
    }
    word = LLVMBuildLShr(v->b, word, LLVMConstInt(wide, 8 * byte, 0), "");
    return LLVMBuildTrunc(v->b, word, type, "");
}

static LLVMValueRef operand_of(struct gcl_vector *v, struct work *w, LLVMValueRef value,
                               LLVMValueRef lane) {
    if (is_common(v, value))
        return gcl_vector_scalar(v, value);
    if (is_linear(v, value))
        return gcl_vector_lane(v, value, lane);
    if (!gcl_lane_loop_works_out(v, value))
        return element_of(v, w, LLVMTypeOf(value), g_hash_table_lookup(w->arrays, value), lane);
    LLVMValueRef clone = LLVMInstructionClone(value);
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        LLVMSetOperand(clone, (unsigned)n,
                       operand_of(v, w, LLVMGetOperand(value, (unsigned)n), lane));
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    return clone;
}

static bool is_alone(const struct gcl_vector *v, LLVMValueRef i) {
    return gcl_block_is_alone(v->m, gcl_lane_block(v->source), i);
}

static void run_lane(struct gcl_vector *v, struct work *w, LLVMValueRef i, LLVMValueRef lane) {
    int count = LLVMGetNumOperands(i);
    g_autofree LLVMValueRef *operands = g_new(LLVMValueRef, count);
    note_thread(v, i, lane);
    for (int n = 0; n < count; n++)
        operands[n] = operand_of(v, w, LLVMGetOperand(i, (unsigned)n), lane);
    LLVMValueRef clone = LLVMInstructionClone(i);
    for (int n = 0; n < count; n++)
        LLVMSetOperand(clone, (unsigned)n, operands[n]);
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    if (w->results)
        keep_result(v, w->results, lane, clone);
    if (is_alone(v, i))
        gcl_shim_lower_atomic(clone);
}

static void run_instructions(struct gcl_vector *v, struct work *w, LLVMValueRef lane) {
    for (unsigned n = 0; n < w->count; n += w->counts[n]) {
        LLVMValueRef i = w->instructions[n];
        if (w->counts[n] > 1)
            gcl_wide_run(v, i, w->counts[n], operand_of(v, w, LLVMGetOperand(i, 0), lane),
                         g_hash_table_lookup(w->arrays, i), lane);
        else
            run_lane(v, w, i, lane);
    }
}

static void run_some(struct gcl_vector *v, struct work *w) {
    struct gcl_lane_loop loop = gcl_lane_loop_begin(v, v->mask);
    w->chunk = 0;
    run_instructions(v, w, loop.lane);
    gcl_lane_loop_end(v, &loop);
}

// All lanes, a chunk of them at a time: their addresses don't wait for each other.
static void run_all(struct gcl_vector *v, struct work *w) {
    enum { CHUNK = 16 };
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b), body = new_block(v, "chunk");
    w->chunk = MIN(v->lanes, w->count == 1 ? CHUNK : w->count == 2 ? CHUNK / 2 : CHUNK / 4);
    assert(v->lanes % w->chunk == 0);
    w->words = g_hash_table_new(g_direct_hash, g_direct_equal);
    LLVMBuildBr(v->b, body);
    LLVMPositionBuilderAtEnd(v->b, body);
    w->first = LLVMBuildPhi(v->b, gcl_i64(v->m), "first");
    for (w->place = 0; w->place < w->chunk; w->place++) {
        LLVMValueRef lane = LLVMBuildNUWAdd(v->b, w->first, gcl_u64(v->m, w->place), "");
        run_instructions(v, w, lane);
    }
    g_hash_table_destroy(w->words);
    LLVMValueRef from[] = {gcl_u64(v->m, 0),
                           LLVMBuildNUWAdd(v->b, w->first, gcl_u64(v->m, w->chunk), "")};
    LLVMBasicBlockRef blocks[] = {before, body}, behind = new_block(v, "chunks.done");
    LLVMAddIncoming(w->first, from, blocks, 2);
    LLVMValueRef more = LLVMBuildICmp(v->b, LLVMIntULT, from[1], gcl_u64(v->m, v->lanes), "");
    LLVMBuildCondBr(v->b, more, body, behind);
    LLVMPositionBuilderAtEnd(v->b, behind);
}

// Runs calls either way, for all lanes or some of them, where it isn't known which lanes run.
static void run_either(struct gcl_vector *v, struct work *w) {
    LLVMBasicBlockRef all = new_block(v, "all"), some = new_block(v, "some");
    LLVMBasicBlockRef behind = new_block(v, "behind");
    LLVMBuildCondBr(v->b, gcl_vector_all(v, v->mask), all, some);
    LLVMPositionBuilderAtEnd(v->b, all);
    run_all(v, w);
    LLVMBuildBr(v->b, behind);
    LLVMPositionBuilderAtEnd(v->b, some);
    run_some(v, w);
    LLVMBuildBr(v->b, behind);
    LLVMPositionBuilderAtEnd(v->b, behind);
}

static bool asks_for_thread(const struct work *w) {
    for (unsigned n = 0; n < w->count; n++) {
        if (gcl_retries_asks_for_thread(w->instructions[n]))
            return true;
    }
    return false;
}

// Finds what is done as one, and has operands wait.
static void prepare(struct gcl_vector *v, struct work *w) {
    for (unsigned n = 0; n < w->count; n += w->counts[n]) {
        LLVMValueRef i = w->instructions[n];
        bool may_be_wide = LLVMIsAAtomicRMWInst(i) && is_alone(v, i) && !w->results;
        w->counts[n] = may_be_wide ? gcl_wide_count(v, &w->instructions[n], w->count - n) : 1;
        for (int o = 0; o < (w->counts[n] > 1 ? 1 : LLVMGetNumOperands(i)); o++)
            prepare_operand(v, w->arrays, LLVMGetOperand(i, (unsigned)o));
        if (w->counts[n] > 1)
            g_hash_table_insert(w->arrays, i, gcl_wide_array(v, &w->instructions[n], w->counts[n]));
    }
}

static void run(struct gcl_vector *v, struct work *w, const char *why) {
    assert(w->count > 0 && (!w->results || w->count == 1));
    LLVMValueRef running = NULL; // what note_thread overwrites
    g_autoptr(GHashTable) arrays = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autofree unsigned *counts = g_new0(unsigned, w->count);
    w->arrays = arrays;
    w->counts = counts;
    for (unsigned n = 0; n < w->count; n++)
        remark(v, w->instructions[n], why);
    prepare(v, w);
    if (asks_for_thread(w))
        running = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_RUNNING, 0);
    if (is_alone(v, w->instructions[0]))
        run_either(v, w);
    else
        run_some(v, w);
    if (running)
        gcl_block_set_running(v->m, v->b, v->block, running);
}

// The array of results, NULL if there are none.
static LLVMValueRef run_lanes(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    struct work work = {.instructions = &i, .count = 1, .results = result_array(v, i)};
    run(v, &work, why);
    return work.results;
}

LLVMValueRef gcl_vector_by_lane(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    return load_results(v, LLVMTypeOf(i), run_lanes(v, i, why));
}

void gcl_vector_one_by_one(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    LLVMValueRef results = run_lanes(v, i, why);
    if (!results)
        return;
    if (gcl_vector_widens(LLVMTypeOf(i)))
        results = load_results(v, LLVMTypeOf(i), results);
    gcl_vector_define(v, i, (struct gcl_vector_value){.vector = results});
}

// Waiting: operations on shared memory whose results nobody asks for wait for the next one, so that
// each lane does all of them at once, and what waits for what it has just changed is far apart.

// Whether memory that `i` reads can't be shared: what kernels get as arguments isn't.
static bool reads_elsewhere(const struct gcl_vector *v, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i))
        return !gcl_shim_uses_memory(i);
    LLVMValueRef address = LLVMGetOperand(i, 0);
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    for (unsigned n = 0; n < v->block_at; n++) {
        if (address == LLVMGetParam(v->source, n))
            return true;
    }
    return false;
}

static bool may_wait(const struct gcl_vector *v, LLVMValueRef i) {
    return LLVMIsAAtomicRMWInst(i) && !LLVMGetFirstUse(i) && is_alone(v, i) &&
           gcl_vector_info(v, LLVMGetOperand(i, 0)).variance != GCL_VARIANCE_UNIFORM;
}

// Whether another one follows, and nothing in between sees a difference.
static bool is_followed(const struct gcl_vector *v, LLVMValueRef i) {
    enum { FAR = 32 };
    for (unsigned steps = 0; steps < FAR; steps++) {
        i = LLVMGetNextInstruction(i);
        if (!i || may_wait(v, i))
            return i != NULL;
        if (!gcl_sanitize_tells(i) && (gcl_shim_may_write(i) || !reads_elsewhere(v, i)))
            return false;
    }
    return false;
}

bool gcl_vector_together(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    enum { MOST = 8 };
    if (!may_wait(v, i))
        return false;
    g_ptr_array_add(v->waiting, i);
    assert(LLVMGetInstructionParent(v->waiting->pdata[0]) == LLVMGetInstructionParent(i));
    if (v->waiting->len < MOST && is_followed(v, i))
        return true;
    struct work work = {.instructions = (LLVMValueRef *)v->waiting->pdata,
                        .count = v->waiting->len};
    run(v, &work, why);
    g_ptr_array_set_size(v->waiting, 0);
    return true;
}
