// Finds loops in which a thread waits for another one by reading memory, and cuts them: threads of
// a block run one after the other here, so whoever waits must let the others go first.
//
// The same search finds loops in which a thread waits for a lock. They need no cut, but a kernel
// that has one must not run in vectors: who waits keeps the other lanes from giving the lock back.
//
// A loop that polls reads volatile or atomically, writes nothing, holds no other cut, and leaves
// depending on what it read. Loops around a compare-and-swap are not among them: who holds a lock
// gives it back within its own turn.
#include <string.h>

#include "intrinsics.h"
#include "module.h"
#include "regions.h"

static bool reads_shared_state(LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (!LLVMIsAAtomicRMWInst(i))
        return false;
    LLVMValueRef operand = LLVMGetOperand(i, 1);
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    return LLVMIsNull(operand) &&
           (operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpOr);
}

// Anything by which a loop does more than wait. Sleeping and looking at a clock is waiting.
static bool works(LLVMValueRef i) {
    size_t length;
    if (LLVMIsAStoreInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return true;
    if (LLVMIsAAtomicRMWInst(i))
        return !reads_shared_state(i);
    if (!LLVMIsACallInst(i))
        return false;
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(i);
    if (intrinsic)
        return intrinsic->kind == GCL_INTRINSIC_CUT;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return strcmp(name, "gcl_device_nanosleep") != 0 && strcmp(name, "gcl_device_clock") != 0 &&
           strcmp(name, "gcl_device_globaltimer") != 0;
}

// Marks the blocks from which `block` is reached without passing the loop's header.
static void collect(GHashTable *body, GHashTable *predecessors, LLVMBasicBlockRef block) {
    if (!g_hash_table_add(body, block))
        return;
    GPtrArray *list = g_hash_table_lookup(predecessors, block);
    for (guint i = 0; list && i < list->len; i++)
        collect(body, predecessors, list->pdata[i]);
}

// What takes a lock: an exchange, or a compare-and-swap that expects a constant. One that expects
// what it has read before is a loop that somebody gets out of at every turn.
static bool takes_lock(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMIsAConstant(LLVMGetOperand(i, 1)) != NULL;
    return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
}

static bool depends(GHashTable *body, GHashTable *seen, LLVMValueRef value,
                    bool (*on)(LLVMValueRef)) {
    if (!LLVMIsAInstruction(value) ||
        !g_hash_table_contains(body, LLVMGetInstructionParent(value)) ||
        !g_hash_table_add(seen, value))
        return false;
    if (on(value))
        return true;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (depends(body, seen, LLVMGetOperand(value, (unsigned)i), on))
            return true;
    }
    return false;
}

// Whether the loop is left at the end of `block`, depending on such an instruction.
static bool leaves_by(GHashTable *body, LLVMBasicBlockRef block, bool (*on)(LLVMValueRef)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool leaves = false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        leaves |= !g_hash_table_contains(body, LLVMGetSuccessor(end, s));
    if (!leaves || LLVMGetNumSuccessors(end) < 2)
        return false;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    return depends(body, seen, LLVMGetOperand(end, 0), on);
}

static bool is_polling(GHashTable *body) {
    bool leaves = false;
    GHashTableIter iterator;
    void *block;
    g_hash_table_iter_init(&iterator, body);
    while (g_hash_table_iter_next(&iterator, &block, NULL)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (works(i))
                return false;
        }
        leaves |= leaves_by(body, block, reads_shared_state);
    }
    return leaves;
}

static bool is_locking(GHashTable *body) {
    GHashTableIter iterator;
    void *block;
    g_hash_table_iter_init(&iterator, body);
    while (g_hash_table_iter_next(&iterator, &block, NULL)) {
        if (leaves_by(body, block, takes_lock))
            return true;
    }
    return false;
}

static GHashTable *find_predecessors(LLVMValueRef function) {
    GHashTable *table = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL,
                                              (GDestroyNotify)g_ptr_array_unref);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, s);
            GPtrArray *list = g_hash_table_lookup(table, successor);
            if (!list) {
                list = g_ptr_array_new();
                g_hash_table_insert(table, successor, list);
            }
            g_ptr_array_add(list, b);
        }
    }
    return table;
}

// Depth-first search for edges that lead back to a block on the way from the entry.
struct search {
    GHashTable *on_way;
    GHashTable *done;
    GHashTable *predecessors;
    GPtrArray *latches; ///< ends of polling loops
    bool locks;         ///< there is a loop in which a thread waits for a lock
};

static void visit(struct search *s, LLVMBasicBlockRef block) {
    g_hash_table_add(s->on_way, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (g_hash_table_contains(s->on_way, next)) {
            g_autoptr(GHashTable) body = g_hash_table_new(g_direct_hash, g_direct_equal);
            g_hash_table_add(body, next);
            collect(body, s->predecessors, block);
            if (is_polling(body))
                g_ptr_array_add(s->latches, block);
            s->locks |= is_locking(body);
        } else if (!g_hash_table_contains(s->done, next)) {
            visit(s, next);
        }
    }
    g_hash_table_remove(s->on_way, block);
    g_hash_table_add(s->done, block);
}

static void add_yield(struct gcl_module *m, LLVMBasicBlockRef latch) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMValueRef yield = LLVMGetNamedFunction(m->module, "__gcl_yield");
    if (!yield)
        yield = LLVMAddFunction(m->module, "__gcl_yield", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(latch));
    LLVMBuildCall2(builder, type, yield, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

void gcl_polls_cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct search s = {
        .on_way = g_hash_table_new(g_direct_hash, g_direct_equal),
        .done = g_hash_table_new(g_direct_hash, g_direct_equal),
        .predecessors = find_predecessors(kernel->function),
        .latches = g_ptr_array_new(),
    };
    visit(&s, LLVMGetEntryBasicBlock(kernel->function));
    for (guint i = 0; i < s.latches->len; i++)
        add_yield(m, s.latches->pdata[i]);
    kernel->polls = s.latches->len > 0;
    kernel->locks = s.locks;
    g_hash_table_destroy(s.on_way);
    g_hash_table_destroy(s.done);
    g_hash_table_destroy(s.predecessors);
    g_ptr_array_free(s.latches, TRUE);
}
