// What `reduces(+: p)` says: whatever changes p, by atomic operations of any kind or by loads and
// stores, comes to that operation on what lies there, and nobody relies on the values in between.
#include "device/access/reduce.h"

#include "device/access/build.h"
#include "device/access/builder.h"
#include "device/access/declare.h"
#include "device/access/memory.h"
#include "device/access/value.h"

struct reducing {
    struct gcl_extraction *x;
    const struct gcl_pragma *pragma;
    GArray *drafts;
    GArray *stays;
};

static struct gcl_access_draft *draft_at(const struct reducing *r, guint i) {
    struct gcl_access_draft *draft = &g_array_index(r->drafts, struct gcl_access_draft, i);
    bool is_about = draft->target.kind == GCL_TARGET_ARGUMENT && !draft->pragma &&
                    draft->target.index == gcl_declared_pointer(r->x, &r->pragma->clause);
    return is_about ? draft : NULL;
}

// The first access of a kind, NULL if there is none.
static struct gcl_access_draft *find(const struct reducing *r, enum gcl_access_kind kind) {
    for (guint i = 0; i < r->drafts->len; i++) {
        struct gcl_access_draft *draft = draft_at(r, i);
        if (draft && draft->effect.kind == kind)
            return draft;
    }
    return NULL;
}

// Which of the pragma's operations one of the program's is.
static enum gcl_pragma_reduction word_of(enum gcl_reduction reduction) {
    static const uint8_t words[] = {
        [GCL_REDUCTION_ADD] = GCL_PRAGMA_REDUCTION_ADD,
        [GCL_REDUCTION_FADD] = GCL_PRAGMA_REDUCTION_ADD,
        [GCL_REDUCTION_AND] = GCL_PRAGMA_REDUCTION_AND,
        [GCL_REDUCTION_OR] = GCL_PRAGMA_REDUCTION_OR,
        [GCL_REDUCTION_XOR] = GCL_PRAGMA_REDUCTION_XOR,
        [GCL_REDUCTION_UMIN] = GCL_PRAGMA_REDUCTION_MIN,
        [GCL_REDUCTION_SMIN] = GCL_PRAGMA_REDUCTION_MIN,
        [GCL_REDUCTION_FMIN] = GCL_PRAGMA_REDUCTION_MIN,
        [GCL_REDUCTION_UMAX] = GCL_PRAGMA_REDUCTION_MAX,
        [GCL_REDUCTION_SMAX] = GCL_PRAGMA_REDUCTION_MAX,
        [GCL_REDUCTION_FMAX] = GCL_PRAGMA_REDUCTION_MAX,
    };
    return (enum gcl_pragma_reduction)words[reduction];
}

// An atomic operation that certainly is another one. By a compare-and-swap anything can be done.
static struct gcl_access_draft *find_other(const struct reducing *r) {
    for (guint i = 0; i < r->drafts->len; i++) {
        struct gcl_access_draft *draft = draft_at(r, i);
        enum gcl_reduction reduction;
        if (!draft || !LLVMIsAAtomicRMWInst(draft->effect.instruction))
            continue;
        if (!gcl_access_reduction(draft->effect.instruction, &reduction) ||
            word_of(reduction) != r->pragma->clause.reduction)
            return draft;
    }
    return NULL;
}

static bool contradict(const struct reducing *r, const struct gcl_access_draft *draft,
                       const char *what, const char *how) {
    struct gcl_source_position place = gcl_access_source(r->x, draft->effect.instruction);
    gcl_declared_contradiction(r->x, r->pragma, &place,
                               "remove it, and let the compiler see what is reduced",
                               "the kernel %s '%s'%s", what, r->pragma->clause.object.name, how);
    return false;
}

static bool check(const struct reducing *r) {
    const struct gcl_access_draft *read = find(r, GCL_ACCESS_READ),
                                  *write = find(r, GCL_ACCESS_WRITE);
    const struct gcl_access_draft *other = find_other(r);
    if (other)
        return contradict(r, other, "has another atomic operation on", "");
    if (write && !read)
        return contradict(r, write, "writes to", " without reading it");
    if (read && !write && !find(r, GCL_ACCESS_REDUCE) && !find(r, GCL_ACCESS_ATOMIC))
        return contradict(r, read, "only reads", "");
    return true;
}

// What an element is if it comes from the template's arguments: an access by its own type tells.
static enum gcl_pragma_type type_of(const struct reducing *r) {
    const struct gcl_pragma_object *object = &r->pragma->clause.object;
    if (object->type != GCL_PRAGMA_TYPE_UNKNOWN)
        return (enum gcl_pragma_type)object->type;
    for (guint i = 0; i < r->drafts->len; i++) {
        const struct gcl_access_draft *draft = draft_at(r, i);
        LLVMValueRef instruction = draft ? draft->effect.instruction : NULL;
        if (!instruction || LLVMIsAAtomicCmpXchgInst(instruction))
            continue;
        LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 0)
                                                                    : instruction);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind)
            return GCL_PRAGMA_TYPE_FLOAT;
    }
    return GCL_PRAGMA_TYPE_UNKNOWN;
}

// The operation on elements as they are; false if it isn't known what they are.
static bool find_operation(const struct reducing *r, enum gcl_reduction *reduction) {
    static const uint8_t plain[] = {
        [GCL_PRAGMA_REDUCTION_ADD] = GCL_REDUCTION_ADD,
        [GCL_PRAGMA_REDUCTION_AND] = GCL_REDUCTION_AND,
        [GCL_PRAGMA_REDUCTION_OR] = GCL_REDUCTION_OR,
        [GCL_PRAGMA_REDUCTION_XOR] = GCL_REDUCTION_XOR,
        [GCL_PRAGMA_REDUCTION_MIN] = GCL_REDUCTION_SMIN,
        [GCL_PRAGMA_REDUCTION_MAX] = GCL_REDUCTION_SMAX,
    };
    const struct gcl_access_draft *known = find(r, GCL_ACCESS_REDUCE);
    enum gcl_pragma_type type = type_of(r);
    uint8_t word = r->pragma->clause.reduction;
    bool is_min = word == GCL_PRAGMA_REDUCTION_MIN, is_max = word == GCL_PRAGMA_REDUCTION_MAX;
    *reduction = known ? known->effect.reduction : (enum gcl_reduction)plain[word];
    if (known)
        return true;
    if (type == GCL_PRAGMA_TYPE_FLOAT)
        *reduction = is_min ? GCL_REDUCTION_FMIN : is_max ? GCL_REDUCTION_FMAX : GCL_REDUCTION_FADD;
    else if (type == GCL_PRAGMA_TYPE_UNSIGNED && (is_min || is_max))
        *reduction = is_min ? GCL_REDUCTION_UMIN : GCL_REDUCTION_UMAX;
    return type == GCL_PRAGMA_TYPE_FLOAT || type == GCL_PRAGMA_TYPE_SIGNED ||
           type == GCL_PRAGMA_TYPE_UNSIGNED;
}

// No longer keeps access `i` the kernel on one node.
static void release(const struct reducing *r, guint i) {
    for (guint s = r->stays->len; s-- > 0;) {
        if (g_array_index(r->stays, struct gcl_reason, s).access == i)
            g_array_remove_index(r->stays, s);
    }
}

void gcl_access_reduce(struct gcl_extraction *x, const struct gcl_pragma *pragma, GArray *drafts,
                       GArray *stays) {
    const struct reducing r = {x, pragma, drafts, stays};
    enum gcl_reduction reduction;
    if (!check(&r))
        return;
    if (!find_operation(&r, &reduction)) {
        if (find(&r, GCL_ACCESS_WRITE) || find(&r, GCL_ACCESS_ATOMIC))
            gcl_declared_ignored(x, pragma, "it isn't known what its elements are");
        return;
    }
    bool updates = find(&r, GCL_ACCESS_WRITE) || find(&r, GCL_ACCESS_ATOMIC);
    for (guint i = 0; i < drafts->len; i++) {
        struct gcl_access_draft *draft = draft_at(&r, i);
        if (!draft || (draft->effect.kind == GCL_ACCESS_READ && !updates))
            continue;
        draft->effect.kind = GCL_ACCESS_REDUCE;
        draft->effect.reduction = reduction;
        draft->effect.reason = 0;
        release(&r, i);
    }
}
