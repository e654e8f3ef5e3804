// Loads, stores, atomic operations, copies, and addresses. All memory is in one address space but
// for shared memory, whose addresses count from where that of the block begins, as on GPUs: so they
// fit into 32 bits. A statement with a predicate that doesn't hold is done to memory of the
// thread's own.
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ptx/ptx.h"

static LLVMTypeRef byte_type(struct gcl_ptx *p) {
    return gcl_ptx_integer(p, 8);
}

// Where shared memory of the block begins.
static LLVMValueRef shared_base(struct gcl_ptx *p) {
    LLVMValueRef function = gcl_intrinsic_declare(p->m, "__gcl_shared", gcl_ptr(p->m));
    return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef move_pointer(struct gcl_ptx *p, LLVMValueRef pointer, LLVMValueRef bytes) {
    return LLVMBuildGEP2(p->b, byte_type(p), pointer, &bytes, 1, "");
}

// What a register holds as a pointer, which it is in the program where it comes from there.
static LLVMValueRef generic_pointer(struct gcl_ptx *p, const char *name) {
    bool is_input = name[0] == '$' && !g_hash_table_contains(p->registers, name);
    unsigned index = is_input ? (unsigned)strtoul(name + 1, NULL, 10) - p->outputs : 0;
    if (is_input && index < LLVMGetNumArgOperands(p->call)) {
        LLVMValueRef operand = LLVMGetOperand(p->call, index);
        if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind)
            return operand;
    }
    LLVMValueRef bits = gcl_ptx_read_as(p, name, "u64");
    return bits ? LLVMBuildIntToPtr(p->b, bits, gcl_ptr(p->m), "") : NULL;
}

static LLVMValueRef shared_pointer(struct gcl_ptx *p, const char *name) {
    LLVMValueRef bits = gcl_ptx_read_as(p, name, "u32");
    if (!bits)
        return NULL;
    return move_pointer(p, shared_base(p), LLVMBuildZExt(p->b, bits, gcl_i64(p->m), ""));
}

LLVMValueRef gcl_ptx_address(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                             const struct gcl_ptx_operand *o, bool is_shared, unsigned size) {
    if (!o->is_address)
        return NULL;
    LLVMValueRef at = is_shared ? shared_pointer(p, o->names[0]) : generic_pointer(p, o->names[0]);
    LLVMValueRef condition = gcl_ptx_condition(p, s);
    if (at && o->offset != 0)
        at = move_pointer(p, at, gcl_u64(p->m, (uint64_t)o->offset));
    if (at && condition)
        at = LLVMBuildSelect(p->b, condition, at, gcl_ptx_local(p, byte_type(p), size), "");
    return at;
}

// Whether a statement is about shared memory; with two addresses, the first.
static bool is_shared(const struct gcl_ptx_statement *s) {
    return gcl_ptx_has(s, "shared") || gcl_ptx_has(s, "shared::cta");
}

// Memory that isn't reached by plain addresses here.
static bool is_elsewhere(const struct gcl_ptx_statement *s) {
    static const char *const spaces[] = {
        "local",         "param",     "const",       "shared::cluster",
        "param::kernel", "tensormap", "param::func", NULL};
    return gcl_ptx_has_any(s, spaces);
}

static bool sees_others(const struct gcl_ptx_statement *s) {
    // Those that go past the first-level cache are written for that, too.
    static const char *const words[] = {"volatile", "cv",   "cg",      "relaxed",
                                        "acquire",  "mmio", "release", NULL};
    return gcl_ptx_has_any(s, words);
}

static void fence(struct gcl_ptx *p, bool in_block) {
    LLVMBuildFence(p->b, LLVMAtomicOrderingSequentiallyConsistent, in_block, "");
}

static LLVMValueRef element(struct gcl_ptx *p, LLVMTypeRef type, LLVMValueRef at, unsigned i) {
    LLVMValueRef index = gcl_u64(p->m, i);
    return i == 0 ? at : LLVMBuildGEP2(p->b, type, at, &index, 1, "");
}

static void load(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef at) {
    const char *type = gcl_ptx_type(s);
    unsigned wide = gcl_ptx_bits(type) == 64 ? 64 : 32;
    LLVMTypeRef wanted = gcl_ptx_llvm_type(p, type);
    LLVMValueRef values[GCL_PTX_NAMES];
    const struct gcl_ptx_operand *o = &s->operands[0];
    for (unsigned i = 0; i < o->count; i++) {
        values[i] = LLVMBuildLoad2(p->b, wanted, element(p, wanted, at, i), "");
        LLVMSetVolatile(values[i], sees_others(s));
        values[i] = LLVMBuildIntCast2(p->b, gcl_ptx_as_bits(p, values[i]), gcl_ptx_integer(p, wide),
                                      gcl_ptx_is_signed(type), "");
    }
    if (gcl_ptx_has(s, "acquire"))
        fence(p, gcl_ptx_has(s, "cta"));
    for (unsigned i = 0; i < o->count; i++)
        gcl_ptx_write(p, s, o->names[i], values[i]);
}

static bool store(struct gcl_ptx *p, const struct gcl_ptx_statement *s, LLVMValueRef at) {
    const char *type = gcl_ptx_type(s);
    LLVMTypeRef wanted = gcl_ptx_llvm_type(p, type);
    const struct gcl_ptx_operand *o = &s->operands[1];
    if (gcl_ptx_has(s, "release"))
        fence(p, gcl_ptx_has(s, "cta"));
    for (unsigned i = 0; i < o->count; i++) {
        LLVMValueRef value = gcl_ptx_read_as(p, o->names[i], type);
        if (!value)
            return false;
        LLVMValueRef made = LLVMBuildStore(p->b, value, element(p, wanted, at, i));
        LLVMSetVolatile(made, gcl_ptx_has(s, "volatile"));
    }
    return true;
}

// Loads and stores of one or several values. A cache policy may stand behind.
static bool access_memory(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    bool loads = s->words[0][0] == 'l';
    const char *type = gcl_ptx_type(s);
    unsigned count = gcl_ptx_has(s, "v8")   ? 8
                     : gcl_ptx_has(s, "v4") ? 4
                     : gcl_ptx_has(s, "v2") ? 2
                                            : 1;
    unsigned policy = gcl_ptx_has(s, "L2::cache_hint");
    const struct gcl_ptx_operand *o = &s->operands[loads ? 0 : 1];
    if (s->operand_count != 2 + policy || gcl_ptx_bits(type) < 8 || is_elsewhere(s) ||
        o->count != count || o->is_address)
        return false;
    LLVMValueRef at = gcl_ptx_address(p, s, &s->operands[loads ? 1 : 0], is_shared(s),
                                      count * gcl_ptx_bits(type) / 8);
    if (!at)
        return false;
    if (!loads)
        return store(p, s, at);
    load(p, s, at);
    return true;
}

static bool find_operation(const struct gcl_ptx_statement *s, const char *type,
                           LLVMAtomicRMWBinOp *operation) {
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp plain, is_signed;
    } table[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
        {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
        {"min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin},
        {"max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (!gcl_ptx_has(s, table[i].name))
            continue;
        *operation = gcl_ptx_is_signed(type) ? table[i].is_signed : table[i].plain;
        if (gcl_ptx_is_real(type))
            *operation = LLVMAtomicRMWBinOpFAdd;
        return !gcl_ptx_is_real(type) || i == 0;
    }
    return false;
}

static LLVMValueRef swap_if(struct gcl_ptx *p, const struct gcl_ptx_statement *s, unsigned first,
                            LLVMValueRef at) {
    LLVMValueRef expected = gcl_ptx_operand(p, s, first, gcl_ptx_type(s));
    LLVMValueRef wanted = gcl_ptx_operand(p, s, first + 1, gcl_ptx_type(s));
    if (!expected || !wanted)
        return NULL;
    LLVMValueRef both =
        LLVMBuildAtomicCmpXchg(p->b, at, expected, wanted, LLVMAtomicOrderingSequentiallyConsistent,
                               LLVMAtomicOrderingMonotonic, 0);
    return LLVMBuildExtractValue(p->b, both, 0, "");
}

// atom returns what was there before, red doesn't.
static bool update(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const ordered[] = {"acquire", "release", "acq_rel", NULL};
    bool returns = strcmp(s->words[0], "atom") == 0, is_ordered = gcl_ptx_has_any(s, ordered);
    const char *type = gcl_ptx_type(s);
    unsigned bits = gcl_ptx_bits(type);
    LLVMAtomicRMWBinOp operation;
    LLVMValueRef old;
    if (bits < 32 || is_elsewhere(s) || s->operand_count < 2u + returns ||
        (returns && !gcl_ptx_result(s)[0]))
        return false;
    LLVMValueRef at = gcl_ptx_address(p, s, &s->operands[returns], is_shared(s), bits / 8);
    if (!at)
        return false;
    if (is_ordered)
        fence(p, gcl_ptx_has(s, "cta"));
    if (gcl_ptx_has(s, "cas")) {
        old = swap_if(p, s, returns + 1u, at);
    } else {
        LLVMValueRef value = gcl_ptx_operand(p, s, returns + 1u, type);
        if (!value || s->operand_count != 2u + returns || !find_operation(s, type, &operation))
            return false;
        old = LLVMBuildAtomicRMW(p->b, operation, at, value, LLVMAtomicOrderingMonotonic, 0);
    }
    if (is_ordered)
        fence(p, gcl_ptx_has(s, "cta"));
    if (old && returns)
        gcl_ptx_write(p, s, s->operands[0].names[0], old);
    return old != NULL;
}

// cvta.shared, cvta.to.shared; those of other spaces change nothing.
static bool convert_address(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef value = s->operand_count == 2 ? gcl_ptx_operand(p, s, 1, "u64") : NULL;
    if (!value || !gcl_ptx_result(s)[0] || gcl_ptx_has(s, "shared::cluster"))
        return false;
    if (is_shared(s)) {
        LLVMValueRef base = gcl_ptx_as_bits(p, shared_base(p));
        value = gcl_ptx_has(s, "to") ? LLVMBuildSub(p->b, value, base, "")
                                     : LLVMBuildAdd(p->b, value, base, "");
    }
    gcl_ptx_write(p, s, s->operands[0].names[0], value);
    return true;
}

static LLVMValueRef is_inside(struct gcl_ptx *p, LLVMValueRef at, LLVMValueRef begin,
                              LLVMValueRef size) {
    return LLVMBuildICmp(p->b, LLVMIntULT, LLVMBuildSub(p->b, at, begin, ""), size, "");
}

// Shared memory lies in one piece: the variables, then what the launch asks for.
static LLVMValueRef is_in_shared(struct gcl_ptx *p, LLVMValueRef at) {
    LLVMValueRef dynamic = gcl_intrinsic_declare(p->m, "__gcl_dynamic_shared", gcl_ptr(p->m));
    LLVMValueRef length = gcl_intrinsic_declare(p->m, "__gcl_dynamic_shared_size", gcl_i32(p->m));
    LLVMValueRef size = LLVMBuildCall2(p->b, LLVMGlobalGetValueType(length), length, NULL, 0, "");
    LLVMValueRef begin = gcl_ptx_as_bits(p, shared_base(p));
    LLVMValueRef end = gcl_ptx_as_bits(
        p, LLVMBuildCall2(p->b, LLVMGlobalGetValueType(dynamic), dynamic, NULL, 0, ""));
    end = LLVMBuildAdd(p->b, end, LLVMBuildZExt(p->b, size, gcl_i64(p->m), ""), "");
    return is_inside(p, at, begin, LLVMBuildSub(p->b, end, begin, ""));
}

static LLVMValueRef is_in_constant(struct gcl_ptx *p, LLVMValueRef at) {
    LLVMValueRef result = LLVMConstNull(gcl_ptx_integer(p, 1));
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->m->module); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        void *space = g_hash_table_lookup(p->m->spaces, LLVMGetValueName2(g, &length));
        if (GPOINTER_TO_INT(space) != GCL_SPACE_CONSTANT || LLVMIsDeclaration(g))
            continue;
        uint64_t size = LLVMABISizeOfType(p->m->layout, LLVMGlobalGetValueType(g));
        LLVMValueRef inside = is_inside(p, at, gcl_ptx_as_bits(p, g), gcl_u64(p->m, size));
        result = LLVMBuildOr(p->b, result, inside, "");
    }
    return result;
}

static LLVMValueRef is_in_local(struct gcl_ptx *p, LLVMValueRef at) {
    LLVMValueRef pointer = LLVMBuildIntToPtr(p->b, at, gcl_ptr(p->m), "");
    LLVMValueRef answer = gcl_ptx_call(p, "gcl_device_is_local", gcl_i32(p->m), &pointer, 1);
    return LLVMBuildICmp(p->b, LLVMIntNE, answer, gcl_u32(p->m, 0), "");
}

// isspacep: what is in none of the other spaces is global.
static bool ask_space(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef at = s->operand_count == 2 ? gcl_ptx_operand(p, s, 1, "u64") : NULL;
    LLVMValueRef answer = NULL;
    if (!at || !gcl_ptx_result(s)[0])
        return false;
    if (is_shared(s))
        answer = is_in_shared(p, at);
    else if (gcl_ptx_has(s, "const"))
        answer = is_in_constant(p, at);
    else if (gcl_ptx_has(s, "local"))
        answer = is_in_local(p, at);
    else if (gcl_ptx_has(s, "global"))
        answer = LLVMBuildNot(
            p->b,
            LLVMBuildOr(p->b, LLVMBuildOr(p->b, is_in_shared(p, at), is_in_constant(p, at), ""),
                        is_in_local(p, at), ""),
            "");
    if (answer)
        gcl_ptx_write(p, s, s->operands[0].names[0], answer);
    return answer != NULL;
}

static LLVMValueRef load_word(struct gcl_ptx *p, LLVMValueRef from, unsigned i) {
    LLVMTypeRef word = gcl_i32(p->m);
    LLVMValueRef value = LLVMBuildLoad2(p->b, word, element(p, word, from, i), "");
    LLVMSetAlignment(value, 4);
    return value;
}

// Word number `i`, of which nothing is read from byte number `bytes` of `from` on.
static LLVMValueRef load_part(struct gcl_ptx *p, LLVMValueRef from, LLVMValueRef bytes,
                              unsigned i) {
    LLVMTypeRef word = gcl_i32(p->m);
    LLVMValueRef first = gcl_u32(p->m, 4 * i), all = gcl_u32(p->m, UINT32_MAX);
    LLVMValueRef is_read = LLVMBuildICmp(p->b, LLVMIntUGT, bytes, first, "");
    LLVMValueRef place =
        LLVMBuildSelect(p->b, is_read, element(p, word, from, i), gcl_ptx_local(p, word, 1), "");
    LLVMValueRef rest = LLVMBuildSub(p->b, bytes, first, "");
    LLVMValueRef is_part = LLVMBuildICmp(p->b, LLVMIntULT, rest, gcl_u32(p->m, 4), "");
    LLVMValueRef bits =
        LLVMBuildMul(p->b, LLVMBuildAnd(p->b, rest, gcl_u32(p->m, 3), ""), gcl_u32(p->m, 8), "");
    LLVMValueRef low = LLVMBuildNot(p->b, LLVMBuildShl(p->b, all, bits, ""), "");
    LLVMValueRef kept = LLVMBuildSelect(p->b, is_part, low, all, "");
    LLVMValueRef value = LLVMBuildAnd(p->b, load_word(p, place, 0), kept, "");
    return LLVMBuildSelect(p->b, is_read, value, LLVMConstNull(word), "");
}

// The operand behind the size: how many bytes are read, or a predicate by which none are.
static LLVMValueRef bytes_read(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                               LLVMValueRef size) {
    LLVMValueRef bits = gcl_ptx_read(p, s->operands[3].names[0]);
    if (!bits || LLVMGetIntTypeWidth(LLVMTypeOf(bits)) > 1)
        return gcl_ptx_operand(p, s, 3, "u32");
    LLVMValueRef is_ignored = gcl_ptx_operand(p, s, 3, "pred");
    return size ? LLVMBuildSelect(p->b, is_ignored, gcl_u32(p->m, 0), size, "") : NULL;
}

// cp.async [shared], [global], size{, bytes to read}{, policy}: it is done at once, which is as
// early as it may be. What isn't read of the size is 0.
static bool copy(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const waits[] = {"commit_group", "wait_group", "wait_all", NULL};
    static const char *const others[] = {"bulk", "mbarrier", NULL};
    if (gcl_ptx_has_any(s, waits) && !gcl_ptx_has(s, "bulk"))
        return true;
    unsigned policy = gcl_ptx_has(s, "L2::cache_hint"), count = s->operand_count - policy;
    if (gcl_ptx_has_any(s, others) || count < 3 || count > 4 || !is_shared(s))
        return false;
    LLVMValueRef size = gcl_ptx_operand(p, s, 2, "u32");
    LLVMValueRef bytes = count == 4 ? bytes_read(p, s, size) : size;
    LLVMValueRef to = gcl_ptx_address(p, s, &s->operands[0], true, 16);
    LLVMValueRef from = gcl_ptx_address(p, s, &s->operands[1], false, 16);
    if (!size || !bytes || !to || !from || !LLVMIsAConstantInt(size))
        return false;
    unsigned long long n = LLVMConstIntGetZExtValue(size);
    if (n != 4 && n != 8 && n != 16)
        return false;
    for (unsigned i = 0; i < n / 4; i++) {
        LLVMValueRef value = count == 4 ? load_part(p, from, bytes, i) : load_word(p, from, i);
        LLVMValueRef made = LLVMBuildStore(p->b, value, element(p, gcl_i32(p->m), to, i));
        LLVMSetAlignment(made, 4);
    }
    return true;
}

// What only says something to caches.
static bool is_advice(const struct gcl_ptx_statement *s) {
    static const char *const names[] = {"prefetch", "prefetchu", "applypriority", NULL};
    return g_strv_contains(names, s->words[0]);
}

bool gcl_ptx_memory_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const accesses[] = {"ld", "ldu", "st", NULL};
    const char *name = s->words[0];
    if (g_strv_contains(accesses, name))
        return access_memory(p, s);
    if (strcmp(name, "atom") == 0 || strcmp(name, "red") == 0)
        return update(p, s);
    if (strcmp(name, "cvta") == 0)
        return convert_address(p, s);
    if (strcmp(name, "isspacep") == 0)
        return ask_space(p, s);
    if (strcmp(name, "cp") == 0 && gcl_ptx_has(s, "async"))
        return copy(p, s);
    if (strcmp(name, "createpolicy") == 0 && gcl_ptx_result(s)[0]) {
        gcl_ptx_write(p, s, s->operands[0].names[0], gcl_u64(p->m, 0));
        return true;
    }
    return is_advice(s);
}
