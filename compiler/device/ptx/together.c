// What threads do together: exchanges within a warp, barriers, fences; and how they end.
#include <string.h>

#include "device/ptx/ptx.h"

static LLVMValueRef mask_of(struct gcl_ptx *p, const struct gcl_ptx_statement *s, unsigned index) {
    return gcl_ptx_has(s, "sync") ? gcl_ptx_operand(p, s, index, "u32") : gcl_u32(p->m, 0);
}

// shfl, see PTX ISA "shfl.sync": source lane and predicate follow from clamp and segment mask.
static bool shuffle(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef value = gcl_ptx_operand(p, s, 1, "u32"), by = gcl_ptx_operand(p, s, 2, "u32");
    LLVMValueRef c = gcl_ptx_operand(p, s, 3, "u32"), mask = mask_of(p, s, 4);
    if (!value || !by || !c || !mask || !gcl_ptx_result(s)[0])
        return false;
    LLVMBuilderRef b = p->b;
    LLVMValueRef lane = gcl_ptx_lane(p), five = gcl_u32(p->m, 31);
    LLVMValueRef segment = LLVMBuildAnd(b, LLVMBuildLShr(b, c, gcl_u32(p->m, 8), ""), five, "");
    LLVMValueRef outside = LLVMBuildNot(b, segment, "");
    LLVMValueRef first = LLVMBuildAnd(b, lane, segment, "");
    LLVMValueRef clamp = LLVMBuildAnd(b, LLVMBuildAnd(b, c, five, ""), outside, "");
    LLVMValueRef last = LLVMBuildOr(b, first, clamp, "");
    by = LLVMBuildAnd(b, by, five, "");
    LLVMValueRef source = NULL;
    LLVMIntPredicate valid = LLVMIntSLE;
    if (gcl_ptx_has(s, "up"))
        source = LLVMBuildSub(b, lane, by, ""), valid = LLVMIntSGE;
    else if (gcl_ptx_has(s, "down"))
        source = LLVMBuildAdd(b, lane, by, "");
    else if (gcl_ptx_has(s, "bfly"))
        source = LLVMBuildXor(b, lane, by, "");
    else if (gcl_ptx_has(s, "idx"))
        source = LLVMBuildOr(b, first, LLVMBuildAnd(b, by, outside, ""), "");
    if (!source)
        return false;
    LLVMValueRef is_valid = LLVMBuildICmp(b, valid, source, last, "");
    source = LLVMBuildSelect(b, is_valid, source, lane, "");
    LLVMValueRef arguments[] = {mask, LLVMBuildZExt(b, value, gcl_i64(p->m), ""), source};
    LLVMValueRef result = gcl_ptx_call(p, "__gcl_warp_shuffle", gcl_i64(p->m), arguments, 3);
    gcl_ptx_write(p, s, s->operands[0].names[0], LLVMBuildTrunc(b, result, gcl_i32(p->m), ""));
    if (s->operands[0].second)
        gcl_ptx_write(p, s, s->operands[0].second, is_valid);
    return true;
}

// vote: a ballot, or what follows from one.
static bool vote(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef condition = gcl_ptx_operand(p, s, 1, "pred"), mask = mask_of(p, s, 2);
    bool all = gcl_ptx_has(s, "all"), is_ballot = gcl_ptx_has(s, "ballot");
    if (!condition || !mask || s->predicate || !gcl_ptx_result(s)[0] ||
        (!is_ballot && !all && !gcl_ptx_has(s, "any")))
        return false;
    if (all)
        condition = LLVMBuildNot(p->b, condition, "");
    LLVMValueRef arguments[] = {mask, LLVMBuildZExt(p->b, condition, gcl_i32(p->m), "")};
    LLVMValueRef ballot = gcl_ptx_call(p, "__gcl_warp_ballot", gcl_i32(p->m), arguments, 2);
    LLVMIntPredicate how = all ? LLVMIntEQ : LLVMIntNE;
    if (!is_ballot)
        ballot = LLVMBuildICmp(p->b, how, ballot, gcl_u32(p->m, 0), "");
    gcl_ptx_write(p, s, s->operands[0].names[0], ballot);
    return true;
}

static bool ask_active(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef arguments[] = {gcl_u32(p->m, 0), gcl_u32(p->m, 1)};
    if (!gcl_ptx_result(s)[0])
        return false;
    gcl_ptx_write(p, s, s->operands[0].names[0],
                  gcl_ptx_call(p, "__gcl_warp_ballot", gcl_i32(p->m), arguments, 2));
    return true;
}

// match.any, and match.all with its predicate.
static bool match(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    bool is_wide = strcmp(gcl_ptx_type(s), "b64") == 0, all = gcl_ptx_has(s, "all");
    LLVMValueRef value = gcl_ptx_operand(p, s, 1, is_wide ? "u64" : "u32");
    LLVMValueRef mask = gcl_ptx_operand(p, s, 2, "u32");
    if (!value || !mask || s->predicate || !gcl_ptx_result(s)[0])
        return false;
    LLVMValueRef arguments[] = {mask, LLVMBuildIntCast2(p->b, value, gcl_i64(p->m), 0, "")};
    LLVMValueRef same = gcl_ptx_call(p, "__gcl_warp_match", gcl_i32(p->m), arguments, 2);
    if (all) {
        LLVMValueRef is_all = LLVMBuildICmp(p->b, LLVMIntEQ, same, mask, "");
        same = LLVMBuildSelect(p->b, is_all, mask, gcl_u32(p->m, 0), "");
        if (s->operands[0].second)
            gcl_ptx_write(p, s, s->operands[0].second, is_all);
    }
    gcl_ptx_write(p, s, s->operands[0].names[0], same);
    return true;
}

// redux.sync of 32 bits.
static bool reduce(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const operations[] = {"add", "and", "or", "xor", "min", "max"};
    const char *type = gcl_ptx_type(s);
    LLVMValueRef value =
        gcl_ptx_bits(type) == 32 && !gcl_ptx_is_real(type) ? gcl_ptx_operand(p, s, 1, type) : NULL;
    LLVMValueRef mask = gcl_ptx_operand(p, s, 2, "u32");
    if (!value || !mask || s->predicate || !gcl_ptx_result(s)[0])
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
        if (!gcl_ptx_has(s, operations[i]))
            continue;
        bool is_signed = gcl_ptx_is_signed(type);
        const char *suffix = i < 4 ? "" : is_signed ? "_signed" : "_unsigned";
        g_autofree char *name = g_strconcat("__gcl_warp_reduce_", operations[i], suffix, NULL);
        LLVMValueRef arguments[] = {mask,
                                    LLVMBuildIntCast2(p->b, value, gcl_i64(p->m), is_signed, "")};
        LLVMValueRef result = gcl_ptx_call(p, name, gcl_i64(p->m), arguments, 2);
        gcl_ptx_write(p, s, s->operands[0].names[0],
                      LLVMBuildTrunc(p->b, result, gcl_i32(p->m), ""));
        return true;
    }
    return false;
}

static bool is_barrier_zero(const struct gcl_ptx_operand *o) {
    return !o->is_address && strcmp(o->names[0], "0") == 0;
}

// A barrier of the whole block; others, and those for some threads, aren't known.
static bool wait(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const char *const elsewhere[] = {"cluster", "arrive", NULL};
    if (s->predicate || gcl_ptx_has_any(s, elsewhere))
        return false;
    if (gcl_ptx_has(s, "warp")) {
        LLVMValueRef mask = gcl_ptx_operand(p, s, 0, "u32");
        if (mask)
            gcl_ptx_call(p, "__gcl_warp_sync", gcl_ptx_void(p), &mask, 1);
        return mask != NULL;
    }
    if (gcl_ptx_has(s, "sync") && s->operand_count == 1 && is_barrier_zero(&s->operands[0])) {
        gcl_ptx_call(p, "__gcl_barrier", gcl_ptx_void(p), NULL, 0);
        return true;
    }
    bool counts = gcl_ptx_has(s, "popc");
    LLVMValueRef condition = gcl_ptx_operand(p, s, 2, "pred");
    if (!gcl_ptx_has(s, "red") || s->operand_count != 3 || !condition ||
        !is_barrier_zero(&s->operands[1]) || !gcl_ptx_result(s)[0])
        return false;
    LLVMValueRef value = LLVMBuildZExt(p->b, condition, gcl_i32(p->m), "");
    const char *name = counts                  ? "__gcl_barrier_count"
                       : gcl_ptx_has(s, "and") ? "__gcl_barrier_and"
                                               : "__gcl_barrier_or";
    LLVMValueRef result = gcl_ptx_call(p, name, gcl_i32(p->m), &value, 1);
    if (!counts)
        result = LLVMBuildICmp(p->b, LLVMIntNE, result, gcl_u32(p->m, 0), "");
    gcl_ptx_write(p, s, s->operands[0].names[0], result);
    return true;
}

// The copies that asynchronous proxies would make are done when they are asked for.
static bool fence(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    if (gcl_ptx_has(s, "mbarrier_init") || gcl_ptx_has(s, "tensormap::generic"))
        return false;
    bool in_block = gcl_ptx_has(s, "cta"); // which one core runs
    LLVMBuildFence(p->b, LLVMAtomicOrderingSequentiallyConsistent, in_block, "");
    return true;
}

static bool end(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    if (s->predicate)
        return false;
    gcl_ptx_call(p, s->words[0][0] == 't' ? "gcl_device_trap" : "__gcl_exit", gcl_ptx_void(p), NULL,
                 0);
    return true;
}

static bool pause_thread(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef time = gcl_ptx_operand(p, s, 0, "u32");
    if (!time || s->predicate)
        return false;
    gcl_ptx_call(p, "gcl_device_nanosleep", gcl_ptx_void(p), &time, 1);
    return true;
}

// Where kernels may begin before those that they follow have ended, and how registers are shared
// out: neither is done here.
static bool nothing(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    (void)p;
    (void)s;
    return true;
}

bool gcl_ptx_together_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    static const struct {
        const char *name;
        bool (*translate)(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
    } table[] = {
        {"shfl", shuffle},
        {"vote", vote},
        {"activemask", ask_active},
        {"match", match},
        {"redux", reduce},
        {"bar", wait},
        {"barrier", wait},
        {"membar", fence},
        {"fence", fence},
        {"trap", end},
        {"exit", end},
        {"nanosleep", pause_thread},
        {"griddepcontrol", nothing},
        {"setmaxnreg", nothing},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(s->words[0], table[i].name) == 0)
            return table[i].translate(p, s);
    }
    return false;
}
