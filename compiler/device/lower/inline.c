// Moves into each kernel what has to be part of it. A cut only works in the kernel itself, because
// a thread's place in the program is one number, so every function that reaches a cut, or
// has a loop in which its threads wait, is inlined; so is what reads the thread's number or shared
// memory, and what is short, for speed. What stays a function (recursion, function pointers, large
// bodies) asks the runtime for its block.
#include "device/lower/inline.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

enum {
    SHORT = 400,
    LARGE = 4000,     // for GPUs, where a call costs more
    LARGEST = 100000, // beyond that the analysis follows no calls, and knows nothing of them
};

// What is known of one function.
struct function {
    GPtrArray *callees; ///< defined functions that it calls
    LLVMValueRef first_cut;
    LLVMValueRef exchange; ///< a store where threads may rely on warps in step, else NULL
    unsigned instructions;
    bool reaches_cut;
    bool uses_thread;
    bool reaches_thread; ///< it, or what it calls
    bool recursive;
    bool address_taken;
    bool may_wait; ///< has a loop in which its threads may wait for others
};

static void function_free(void *data) {
    struct function *f = data;
    g_ptr_array_free(f->callees, TRUE);
    g_free(f);
}

static void scan_call(struct function *f, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    if (intrinsic) {
        f->uses_thread = f->reaches_thread = true;
        if (intrinsic->kind == GCL_INTRINSIC_CUT) {
            f->reaches_cut = true;
            f->first_cut = call;
        }
    } else if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee)) {
        g_ptr_array_add(f->callees, callee);
    }
}

static bool is_address_taken(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return true;
    }
    return false;
}

static bool is_to_others(LLVMValueRef i) {
    assert(LLVMIsALoadInst(i) || LLVMIsAStoreInst(i));
    LLVMValueRef address = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMGetVolatile(i) && !LLVMIsAAllocaInst(address);
}

// The first volatile store of a function that has volatile loads too: exchanges from the time when
// warps ran in step. Where they are is only known in a kernel.
static LLVMValueRef find_exchange(LLVMValueRef function) {
    LLVMValueRef store = NULL;
    bool loads = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            loads |= LLVMIsALoadInst(i) && is_to_others(i);
            if (!store && LLVMIsAStoreInst(i) && is_to_others(i))
                store = i;
        }
    }
    return loads ? store : NULL;
}

// Whether `value` is worked out in its block from a look at memory that may stay as it is.
static bool follows_look(LLVMValueRef value, LLVMBasicBlockRef block, unsigned depth) {
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != block || depth == 0)
        return false;
    if (LLVMIsALoadInst(value))
        return LLVMGetVolatile(value) || LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAAtomicRMWInst(value))
        return true;
    if (LLVMIsAAtomicCmpXchgInst(value))
        return LLVMIsAConstant(LLVMGetOperand(value, 1)) ||
               LLVMIsAArgument(LLVMGetOperand(value, 1));
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (follows_look(LLVMGetOperand(value, (unsigned)i), block, depth - 1))
            return true;
    }
    return false;
}

// Whether a block branches on a look at memory and one of its branches leads straight back: what
// waits is a loop of one or two blocks. What it is exactly is only asked in a kernel (cut/polls.c).
static bool is_wait(LLVMBasicBlockRef block) {
    enum { DEPTH = 6 };
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        !follows_look(LLVMGetCondition(end), block, DEPTH))
        return false;
    for (unsigned s = 0; s < 2; s++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
        LLVMValueRef next_end = LLVMGetBasicBlockTerminator(next);
        for (unsigned t = 0; t < LLVMGetNumSuccessors(next_end); t++) {
            if (next == block || LLVMGetSuccessor(next_end, t) == block)
                return true;
        }
    }
    return false;
}

static struct function *scan(LLVMValueRef value) {
    struct function *f = g_new0(struct function, 1);
    f->callees = g_ptr_array_new();
    f->address_taken = is_address_taken(value);
    f->exchange = find_exchange(value);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(value); b; b = LLVMGetNextBasicBlock(b)) {
        f->may_wait |= is_wait(b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            f->instructions++;
            if (LLVMIsACallInst(i))
                scan_call(f, i);
        }
    }
    return f;
}

static bool reaches(GHashTable *functions, GHashTable *seen, LLVMValueRef from, LLVMValueRef to) {
    const struct function *f = g_hash_table_lookup(functions, from);
    for (guint i = 0; f && i < f->callees->len; i++) {
        LLVMValueRef callee = f->callees->pdata[i];
        if (callee == to)
            return true;
        if (g_hash_table_add(seen, callee) && reaches(functions, seen, callee, to))
            return true;
    }
    return false;
}

// What a function reaches by one of its callees; false if that is nothing new.
static bool take_over(struct function *f, const struct function *callee) {
    bool cut = callee->reaches_cut && !f->reaches_cut;
    bool thread = callee->reaches_thread && !f->reaches_thread;
    if (cut)
        f->first_cut = callee->first_cut;
    f->reaches_cut |= cut;
    f->reaches_thread |= thread;
    return cut || thread;
}

// Spreads what is reached from callees to callers until nothing changes.
static void propagate(GHashTable *functions) {
    bool changed = true;
    while (changed) {
        changed = false;
        GHashTableIter iterator;
        void *key, *data;
        g_hash_table_iter_init(&iterator, functions);
        while (g_hash_table_iter_next(&iterator, &key, &data)) {
            struct function *f = data;
            for (guint i = 0; i < f->callees->len; i++) {
                struct function *callee = g_hash_table_lookup(functions, f->callees->pdata[i]);
                changed |= callee && take_over(f, callee);
            }
        }
    }
}

static void remove_attribute(LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, kind);
}

static void set_inline(struct gcl_module *m, LLVMValueRef function) {
    remove_attribute(function, "noinline");
    remove_attribute(function, "optnone");
    gcl_module_add_attribute(m, function, "alwaysinline");
}

static bool is_marked_noinline(LLVMValueRef function) {
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
    return LLVMGetEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, kind) !=
           NULL;
}

// What stays a function runs lane by lane.
static void warn_of_exchange(struct gcl_module *m, LLVMValueRef function,
                             const struct function *f) {
    assert(f->exchange && (f->recursive || f->address_taken));
    g_autofree char *file = NULL;
    struct gcl_source_location place = gcl_module_place(m, f->exchange, &file);
    size_t length;
    g_autofree char *name = gcl_shim_source_name(LLVMGetValueName2(function, &length));
    gcl_diagnostics_add(m->diagnostics, GCL_CODE_OUT_OF_STEP, &place,
                        "add __syncwarp() between accesses of different lanes, and call it from no "
                        "pointer and not from itself",
                        "relies on warps in step, which can't be kept in %s: it is %s",
                        name ? name : LLVMGetValueName2(function, &length),
                        f->recursive ? "recursive" : "called through a pointer");
}

static void decide(struct gcl_module *m, LLVMValueRef function, const struct function *f) {
    assert(f->reaches_cut == (f->first_cut != NULL));
    if (gcl_mirror_is(function)) {
        if (f->reaches_cut && !f->recursive)
            set_inline(m, function);
        return;
    }
    if (f->reaches_cut && f->recursive) {
        gcl_module_error(m, GCL_CODE_CUT_IN_RECURSION, f->first_cut,
                         "threads wait for each other inside the recursive function %s",
                         LLVMGetValueName(function));
    } else if (f->reaches_cut && f->address_taken) {
        gcl_module_error(m, GCL_CODE_CUT_BEHIND_POINTER, f->first_cut,
                         "threads wait for each other inside %s, which is called through a pointer",
                         LLVMGetValueName(function));
    } else if (f->reaches_cut || ((f->exchange || f->may_wait) && !f->recursive)) {
        set_inline(m, function);
    } else if (!f->recursive && !is_marked_noinline(function) &&
               (f->uses_thread || f->instructions < SHORT)) {
        set_inline(m, function);
    }
}

// How many instructions a function has once all it calls is part of it.
static unsigned count_all(GHashTable *sizes, LLVMValueRef function) {
    gpointer known;
    uint64_t size = 0;
    if (LLVMIsDeclaration(function))
        return 0;
    if (g_hash_table_lookup_extended(sizes, function, NULL, &known))
        return GPOINTER_TO_UINT(known);
    g_hash_table_insert(sizes, function, GUINT_TO_POINTER(LARGEST)); // recursion
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            size++;
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)))
                size += count_all(sizes, LLVMGetCalledValue(i));
        }
    }
    size = MIN(size, LARGEST);
    g_hash_table_insert(sizes, function, GUINT_TO_POINTER((unsigned)size));
    return (unsigned)size;
}

void gcl_inline_mark_all(struct gcl_module *m) {
    g_autoptr(GHashTable) sizes = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        remove_attribute(f, "optnone");
        if (strstr(LLVMGetValueName2(f, &length), GCL_TEXTURE_FUNCTION) || LLVMIsDeclaration(f) ||
            LLVMGetLinkage(f) == LLVMExternalLinkage || count_all(sizes, f) >= LARGEST)
            continue;
        set_inline(m, f);
    }
}

void gcl_inline_mark_willing(struct gcl_module *m) {
    g_autoptr(GHashTable) sizes = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        bool is_local = !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMInternalLinkage;
        if (is_local && !is_marked_noinline(f) && count_all(sizes, f) < LARGE)
            set_inline(m, f);
    }
}

void gcl_inline(struct gcl_module *m) {
    g_autoptr(GHashTable) functions =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, function_free);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            g_hash_table_insert(functions, f, scan(f));
    }
    propagate(functions);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        struct function *known = g_hash_table_lookup(functions, f);
        if (!known || gcl_module_kernel(m, f) || gcl_module_mirror_kernel(m, f))
            continue;
        g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
        known->recursive = reaches(functions, seen, f, f);
        decide(m, f, known);
        if (known->exchange && !gcl_mirror_is(f) && !known->reaches_cut &&
            (known->recursive || known->address_taken))
            warn_of_exchange(m, f, known);
        if (known->reaches_thread) // clang saw one thread, for which it does follow from nothing
            remove_attribute(f, "memory");
    }
    if (!m->failed)
        gcl_module_run_passes(m, GCL_INLINE);
}
