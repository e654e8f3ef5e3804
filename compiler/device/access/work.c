// An estimate, good for powers of two: what a kind of instruction takes for each thread of a vector
// on a core of these days, times how often its block runs, as if all conditions held: vectors do
// both sides of a branch. The figures come from kernels of tests/bench/pays: stencils and the
// product of matrices come out right, what waits for memory three times too fast.
#include "device/access/work.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "device/ir/shim.h"

#define PLAIN_NS 0.006 // an operation in registers
#define SLOW_NS 0.1    // a division, a root
#define CALL_NS 0.2    // a function of the mathematical library, or of the device
#define ATOMIC_NS 1.0  // an atomic operation
#define BYTE_NS 0.0125 // of memory that is read or written

struct sum {
    struct gcl_explained_work work;
    bool is_unknown;
};

/// Whether a function says which thread, block or size it is.
static bool is_index(const char *name) {
    static const char *const names[] = {"__gcl_tid_", "__gcl_ntid_", "__gcl_ctaid_",
                                        "__gcl_nctaid_"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_has_prefix(name, names[i]))
            return true;
    }
    return false;
}

static double cost_of_call(LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t length = 0;
    const char *name = LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
    bool is_free = g_str_has_prefix(name, "llvm.dbg") || g_str_has_prefix(name, "llvm.lifetime") ||
                   g_str_has_prefix(name, "llvm.assume") || is_index(name);
    bool is_plain = g_str_has_prefix(name, "llvm.") && !g_str_has_prefix(name, "llvm.sqrt");
    return is_free ? 0 : is_plain ? PLAIN_NS : CALL_NS;
}

static double cost_of_memory(LLVMValueRef instruction, LLVMTypeRef type) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
    return PLAIN_NS + BYTE_NS * (double)LLVMABISizeOfType(layout, type);
}

static double cost_of(LLVMValueRef instruction) {
    switch ((unsigned)LLVMGetInstructionOpcode(instruction)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMRet:
    case LLVMAlloca:
    case LLVMBitCast:
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return 0;
    case LLVMLoad:
        return cost_of_memory(instruction, LLVMTypeOf(instruction));
    case LLVMStore:
        return cost_of_memory(instruction, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
        return SLOW_NS;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return ATOMIC_NS;
    case LLVMCall:
        return cost_of_call(instruction);
    default:
        return PLAIN_NS;
    }
}

static bool has_parameters(const struct gcl_explained_term *term,
                           const struct gcl_shim_trips *trips) {
    const unsigned *a = term->parameters, *b = trips->parameters;
    if (term->count != trips->parameter_count)
        return false;
    if (term->count < 2)
        return term->count == 0 || a[0] == b[0];
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/// The term for rounds of these parameters; NULL: there are too many.
static struct gcl_explained_term *find_term(struct gcl_explained_work *work,
                                            const struct gcl_shim_trips *trips) {
    for (unsigned i = 0; i < work->count; i++) {
        if (has_parameters(&work->terms[i], trips))
            return &work->terms[i];
    }
    if (work->count == G_N_ELEMENTS(work->terms))
        return NULL;
    struct gcl_explained_term *term = &work->terms[work->count++];
    term->count = trips->parameter_count;
    memcpy(term->parameters, trips->parameters, sizeof term->parameters);
    return term;
}

static void add_block(void *context, LLVMBasicBlockRef block, const struct gcl_shim_trips *trips) {
    struct sum *sum = context;
    double ns = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        ns += cost_of(i);
    assert(ns >= 0);
    struct gcl_explained_term *term = trips ? find_term(&sum->work, trips) : NULL;
    if (term)
        term->ns += trips->factor * ns;
    sum->is_unknown |= !term;
}

struct gcl_explained_work gcl_access_work(LLVMValueRef kernel) {
    struct sum sum = {.is_unknown = false};
    gcl_shim_visit_trips(kernel, add_block, &sum);
    if (sum.is_unknown)
        sum.work.count = 0;
    return sum.work;
}
