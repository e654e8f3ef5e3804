// --sanitize: has threads tell the runtime of each access to memory that other blocks may see,
// right before it (gcluster/sanitize.h). What certainly is a thread's own, its block's, or a
// constant of the code, isn't told; of the rest the runtime knows by the address. With race or init
// the block's shared memory is told of as well; with race or sync, where threads wait and fence.
//
// Stands behind the inliner, whose passes have removed what is accessed twice in a row, and before
// anything that moves or widens accesses. That the runtime reads memory keeps stores where they
// are, in front of the next call and behind their own.
#include "device/lower/sanitize.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/source.h"
#include "device/ir/target.h"
#include "gcluster/sanitize.h"

// Fields of struct gcl_site.
enum { SITE_BEGIN = 5, SITE_LIMIT = 6, SITE_FIELDS = 15 };

// Functions of the runtime.
enum { ACCESS, ACCESS_RANGE, ACCESS_ROW, ACCESS_LANES, WAIT, FENCE, FUNCTIONS };

struct sanitizer {
    struct gcl_module *m;
    LLVMBuilderRef builder;
    LLVMTypeRef site_type;
    LLVMTypeRef types[FUNCTIONS];
    LLVMValueRef functions[FUNCTIONS];
    LLVMValueRef function; // that is told of at the moment
    GPtrArray *files;      // char *: names of the files that sites are in
    GPtrArray *texts;      // LLVMValueRef of each of `files`
    GHashTable *told;      // instructions that another one's access stands for
};

struct place {
    unsigned line;
    guint file;
};

// An access to memory that the runtime is told of in front of its instruction.
struct access {
    LLVMValueRef instruction;
    LLVMValueRef pointer;
    LLVMValueRef length; // NULL: `size` bytes
    uint64_t size;
    enum gcl_access_kind kind;
    uint32_t races;
};

// Whether threads of a block are told apart: they run one after the other then.
static bool is_by_thread(const struct gcl_module *m) {
    return (m->options->sanitize & (GCL_KERNEL_RACE | GCL_KERNEL_INIT)) != 0;
}

// Addresses.

static bool is_own_global(struct gcl_module *m, LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    int space = GPOINTER_TO_INT(g_hash_table_lookup(m->spaces, name));
    bool is_block_own = space == GCL_SPACE_SHARED && !is_by_thread(m);
    return is_block_own || LLVMIsGlobalConstant(global);
}

// Whether only the thread or its block has what `pointer` leads to.
static bool is_own(struct gcl_module *m, LLVMValueRef pointer, unsigned depth) {
    if (LLVMIsAAllocaInst(pointer))
        return true;
    if (LLVMIsAGlobalVariable(pointer))
        return is_own_global(m, pointer);
    if (LLVMIsAArgument(pointer)) {
        LLVMValueRef function = LLVMGetParamParent(pointer);
        for (unsigned i = 0; i < LLVMCountParams(function); i++) {
            if (LLVMGetParam(function, i) == pointer)
                return gcl_shim_byval(function, i) != NULL;
        }
    }
    bool is_address = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
                      (LLVMIsAConstantExpr(pointer) && LLVMGetNumOperands(pointer) > 0);
    return is_address && depth > 0 && is_own(m, LLVMGetOperand(pointer, 0), depth - 1);
}

// Whether `pointer` starts from a variable in shared memory.
static bool is_shared(struct gcl_module *m, LLVMValueRef pointer) {
    int64_t offset;
    size_t length;
    LLVMValueRef base = pointer;
    for (unsigned depth = 0; depth < 16 && LLVMIsAGetElementPtrInst(base); depth++)
        base = LLVMGetOperand(base, 0);
    base = gcl_shim_base(m->layout, base, &offset);
    return LLVMIsAGlobalVariable(base) &&
           GPOINTER_TO_INT(g_hash_table_lookup(m->spaces, LLVMGetValueName2(base, &length))) ==
               GCL_SPACE_SHARED;
}

// Calls.

static LLVMTypeRef make_site_type(struct gcl_module *m) {
    LLVMTypeRef i32 = gcl_i32(m), i64 = gcl_i64(m), ptr = gcl_ptr(m);
    LLVMTypeRef fields[] = {ptr, i32, i32, i32, i32, i64, i64, i64,
                            i64, i64, i64, i64, ptr, i32, i32};
    return LLVMStructTypeInContext(m->context, fields, G_N_ELEMENTS(fields), 0);
}

// LLVM's memory(read, argmem: readwrite, inaccessiblemem: readwrite), two bits for each kind of
// memory, and of the arguments only the site is written.
static void set_memory(struct gcl_module *m, LLVMValueRef function) {
    enum { READ = 1, READ_WRITE = 3, ARGUMENTS = 0, INACCESSIBLE = 2, OTHER = 4 };
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    unsigned readonly = LLVMGetEnumAttributeKindForName("readonly", strlen("readonly"));
    uint64_t value = READ_WRITE << ARGUMENTS | READ_WRITE << INACCESSIBLE | READ << OTHER;
    LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, memory, value));
    LLVMAddAttributeAtIndex(function, 1, LLVMCreateEnumAttribute(m->context, readonly, 0));
}

static LLVMValueRef load_field(struct sanitizer *s, LLVMValueRef site, unsigned field) {
    LLVMValueRef place = LLVMBuildStructGEP2(s->builder, s->site_type, site, field, "");
    return LLVMBuildLoad2(s->builder, gcl_i64(s->m), place, "");
}

// A function around gcl_device_access that mostly needn't call it. Inlined in the end
// (device/emit.c), so that stages before see one call instead of two blocks.
static void define_quick(struct sanitizer *s) {
    struct gcl_module *m = s->m;
    LLVMValueRef slow = s->functions[ACCESS];
    LLVMValueRef quick = LLVMAddFunction(m->module, GCL_TELL, s->types[ACCESS]);
    LLVMValueRef pointer = LLVMGetParam(quick, 0), site = LLVMGetParam(quick, 1);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, quick, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(m->context, quick, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(m->context, quick, "");
    LLVMSetLinkage(quick, LLVMInternalLinkage);
    gcl_module_add_attribute(m, quick, "alwaysinline");
    gcl_target_set(m, quick, gcl_target_least(m));

    LLVMPositionBuilderAtEnd(s->builder, entry);
    LLVMValueRef address = LLVMBuildPtrToInt(s->builder, pointer, gcl_i64(m), "");
    LLVMValueRef offset = LLVMBuildSub(s->builder, address, load_field(s, site, SITE_BEGIN), "");
    LLVMValueRef is_quick =
        LLVMBuildICmp(s->builder, LLVMIntULT, offset, load_field(s, site, SITE_LIMIT), "");
    LLVMBuildCondBr(s->builder, is_quick, done, call);
    LLVMPositionBuilderAtEnd(s->builder, call);
    LLVMBuildCall2(s->builder, s->types[ACCESS], slow, &(LLVMValueRef[]){pointer, site}[0], 2, "");
    LLVMBuildBr(s->builder, done);
    LLVMPositionBuilderAtEnd(s->builder, done);
    LLVMBuildRetVoid(s->builder);
    s->functions[ACCESS] = quick;
}

static void declare(struct sanitizer *s) {
    static const char *const names[FUNCTIONS] = {"gcl_device_access",     "gcl_device_access_range",
                                                 "gcl_device_access_row", "gcl_device_access_lanes",
                                                 "gcl_device_wait",       "gcl_device_fence"};
    LLVMTypeRef nothing = LLVMVoidTypeInContext(s->m->context);
    LLVMTypeRef parameters[] = {gcl_ptr(s->m), gcl_ptr(s->m), gcl_i64(s->m), gcl_i64(s->m)};
    static const unsigned counts[FUNCTIONS] = {2, 3, 4, 3, 1, 0};
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        s->types[f] = LLVMFunctionType(nothing, parameters, counts[f], 0);
        s->functions[f] = LLVMAddFunction(s->m->module, names[f], s->types[f]);
        gcl_module_add_attribute(s->m, s->functions[f], "nounwind");
        gcl_module_add_attribute(s->m, s->functions[f], "willreturn");
        if (f < WAIT)
            set_memory(s->m, s->functions[f]);
    }
}

static LLVMValueRef make_text(struct sanitizer *s, const char *text) {
    LLVMValueRef bytes = LLVMConstStringInContext2(s->m->context, text, strlen(text), 0);
    LLVMValueRef global = LLVMAddGlobal(s->m->module, LLVMTypeOf(bytes), "");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static guint file_number(struct sanitizer *s, const char *name) {
    guint number;
    if (g_ptr_array_find_with_equal_func(s->files, name, g_str_equal, &number))
        return number;
    g_ptr_array_add(s->files, g_strdup(name));
    return s->files->len - 1;
}

// Where an instruction stands in the source: a line, 0 if it isn't known, of one of s->files.
static struct place place_of(struct sanitizer *s, LLVMValueRef instruction) {
    struct gcl_source source = gcl_source_find(s->m, s->function, instruction);
    g_autofree char *file = source.file;
    return (struct place){.line = source.line, .file = file ? file_number(s, file) : 0};
}

static LLVMValueRef text_of(struct sanitizer *s, const struct place *place) {
    if (place->line == 0)
        return LLVMConstNull(gcl_ptr(s->m));
    assert(place->file < s->files->len); // with a line, a place has a file
    while (s->texts->len < s->files->len)
        g_ptr_array_add(s->texts, make_text(s, s->files->pdata[s->texts->len]));
    return s->texts->pdata[place->file];
}

static LLVMValueRef make_site(struct sanitizer *s, const struct access *a) {
    struct gcl_module *m = s->m;
    struct place place = place_of(s, a->instruction);
    LLVMValueRef fields[] = {text_of(s, &place), gcl_u32(m, place.line),
                             gcl_u32(m, (uint32_t)a->size), gcl_u32(m, a->kind),
                             gcl_u32(m, a->races)};
    LLVMValueRef all[SITE_FIELDS];
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
        all[i] = i < G_N_ELEMENTS(fields)
                     ? fields[i]
                     : LLVMConstNull(LLVMStructGetTypeAtIndex(s->site_type, i));
    LLVMValueRef site = LLVMAddGlobal(m->module, s->site_type, "");
    LLVMSetInitializer(site, LLVMConstStructInContext(m->context, all, G_N_ELEMENTS(all), 0));
    LLVMSetExternallyInitialized(site, 1);
    LLVMSetLinkage(site, LLVMPrivateLinkage);
    LLVMSetAlignment(site, 64);
    return site;
}

static void tell(struct sanitizer *s, struct access *a) {
    assert(LLVMGetTypeKind(LLVMTypeOf(a->pointer)) == LLVMPointerTypeKind);
    if (is_own(s->m, a->pointer, 16))
        return;
    a->races |= is_shared(s->m, a->pointer) ? GCL_RACE_SHARED : 0;
    LLVMPositionBuilderBefore(s->builder, a->instruction);
    LLVMValueRef arguments[] = {a->pointer, make_site(s, a), NULL};
    if (a->length)
        arguments[2] = LLVMBuildIntCast2(s->builder, a->length, gcl_i64(s->m), 0, "");
    unsigned f = a->length ? ACCESS_RANGE : ACCESS;
    LLVMBuildCall2(s->builder, s->types[f], s->functions[f], arguments, a->length ? 3 : 2, "");
}

// Neighbours: members of one structure, such as a float4's, or elements side by side, that one line
// of source accesses together are told of as one access.

enum { FAR = 32, MOST = 8 };

static LLVMTypeRef type_of(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

static LLVMValueRef address_of(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static bool is_alike(struct sanitizer *s, LLVMValueRef a, LLVMValueRef b) {
    struct place x = place_of(s, a);
    struct place y = place_of(s, b);
    return LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && type_of(a) == type_of(b) &&
           x.line == y.line && x.file == y.file &&
           LLVMGetOrdering(b) == LLVMAtomicOrderingNotAtomic && !LLVMGetVolatile(b);
}

// Notes in `found`, by distance in elements, `first` at MOST and the accesses behind `first` that
// are like it and beside it in memory, up to a call of a function: threads may never come back
// from that.
static void find_neighbours(struct sanitizer *s, LLVMValueRef first,
                            LLVMValueRef found[2 * MOST + 1]) {
    int64_t start, offset, size = (int64_t)LLVMStoreSizeOfType(s->m->layout, type_of(first));
    LLVMValueRef base = gcl_shim_base(s->m->layout, address_of(first), &start), i = first;
    for (unsigned steps = 0; i && steps < FAR; steps++, i = LLVMGetNextInstruction(i)) {
        if (LLVMIsACallInst(i) && !g_str_has_prefix(gcl_intrinsic_callee(i), "llvm."))
            return;
        if ((!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i)) || !is_alike(s, first, i) ||
            gcl_shim_base(s->m->layout, address_of(i), &offset) != base)
            continue;
        int64_t place = (offset - start) / size + MOST;
        if ((offset - start) % size == 0 && place >= 0 && place <= 2 * MOST)
            found[place] = i;
    }
}

// Widens `a`, a plain load or store, to its neighbours, which then need no telling. Not where
// threads are told apart: of two that store the same value to a place, the second is known by what
// stands at the place right behind its store.
static void join_neighbours(struct sanitizer *s, struct access *a) {
    LLVMValueRef found[2 * MOST + 1] = {NULL};
    unsigned begin = MOST, end = MOST + 1;
    find_neighbours(s, a->instruction, found);
    assert(found[MOST]); // the instruction itself, or one behind it at the same place
    while (begin > 0 && found[begin - 1])
        begin--;
    while (end <= 2 * MOST && found[end])
        end++;
    for (unsigned place = begin; place < end; place++)
        g_hash_table_add(s->told, found[place]);
    LLVMValueRef back = gcl_u64(s->m, (MOST - begin) * -a->size);
    LLVMPositionBuilderBefore(s->builder, a->instruction);
    if (begin < MOST)
        a->pointer = LLVMBuildGEP2(s->builder, LLVMInt8TypeInContext(s->m->context), a->pointer,
                                   &back, 1, "");
    a->size *= end - begin;
}

// Instructions.

static void tell_plain(struct sanitizer *s, struct access *a) {
    if (g_hash_table_contains(s->told, a->instruction))
        return;
    if (!is_by_thread(s->m))
        join_neighbours(s, a);
    tell(s, a);
}

static uint32_t volatility(LLVMValueRef i) {
    return LLVMGetVolatile(i) ? GCL_RACE_VOLATILE : 0;
}

// Whether what is loaded only goes to other memory, as when a structure is assigned.
static bool is_copied(LLVMValueRef i) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != i)
            return false;
    }
    return true;
}

static void tell_load(struct sanitizer *s, LLVMValueRef i) {
    bool is_atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    uint32_t plain = GCL_RACE_READ | volatility(i) | (is_copied(i) ? GCL_RACE_COPIES : 0);
    struct access access = {.instruction = i,
                            .pointer = address_of(i),
                            .size = LLVMStoreSizeOfType(s->m->layout, type_of(i)),
                            .kind = GCL_ACCESS_READ,
                            .races = is_atomic ? 0 : plain};
    (is_atomic || LLVMGetVolatile(i) ? tell : tell_plain)(s, &access);
}

static void tell_store(struct sanitizer *s, LLVMValueRef i) {
    bool is_atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    struct access access = {.instruction = i,
                            .pointer = address_of(i),
                            .size = LLVMStoreSizeOfType(s->m->layout, type_of(i)),
                            .kind = GCL_ACCESS_WRITE,
                            .races = is_atomic ? GCL_RACE_ATOMIC : GCL_RACE_WRITE | volatility(i)};
    (is_atomic || LLVMGetVolatile(i) ? tell : tell_plain)(s, &access);
}

static enum gcl_access_kind atomic_kind(LLVMValueRef i) {
    if (!LLVMIsAAtomicRMWInst(i) || LLVMGetFirstUse(i))
        return GCL_ACCESS_ATOMIC;
    return LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg ? GCL_ACCESS_WRITE
                                                              : GCL_ACCESS_REDUCE;
}

static void tell_atomic(struct sanitizer *s, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    tell(s, &(struct access){.instruction = i,
                             .pointer = LLVMGetOperand(i, 0),
                             .size = LLVMStoreSizeOfType(s->m->layout, type),
                             .kind = atomic_kind(i),
                             .races = GCL_RACE_ATOMIC});
}

static void tell_move(struct sanitizer *s, LLVMValueRef i, unsigned operand,
                      enum gcl_access_kind kind) {
    tell(s, &(struct access){.instruction = i,
                             .pointer = LLVMGetOperand(i, operand),
                             .length = LLVMGetOperand(i, 2),
                             .kind = kind,
                             .races = kind == GCL_ACCESS_READ ? GCL_RACE_READ | GCL_RACE_COPIES
                                                              : GCL_RACE_WRITE});
}

// Waiting.

static bool tells_waits(const struct sanitizer *s) {
    return (s->m->options->sanitize & (GCL_KERNEL_RACE | GCL_KERNEL_SYNC)) != 0;
}

static void tell_place(struct sanitizer *s, LLVMValueRef i) {
    const struct access wait = {.instruction = i};
    LLVMPositionBuilderBefore(s->builder, i);
    LLVMValueRef site = make_site(s, &wait);
    LLVMBuildCall2(s->builder, s->types[WAIT], s->functions[WAIT], &site, 1, "");
}

static bool is_wait(LLVMValueRef i) {
    const struct gcl_intrinsic *intrinsic = LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
    return intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut != GCL_CUT_ENTRY &&
           intrinsic->cut != GCL_CUT_YIELD;
}

static void tell_fence(struct sanitizer *s, LLVMValueRef i) {
    LLVMPositionBuilderBefore(s->builder, i);
    if (tells_waits(s))
        LLVMBuildCall2(s->builder, s->types[FENCE], s->functions[FENCE], NULL, 0, "");
}

// An atomic operation that releases what its thread did before.
static bool releases(LLVMValueRef i) {
    LLVMAtomicOrdering order =
        LLVMIsAAtomicCmpXchgInst(i) ? LLVMGetCmpXchgSuccessOrdering(i) : LLVMGetOrdering(i);
    return order == LLVMAtomicOrderingRelease || order == LLVMAtomicOrderingAcquireRelease ||
           order == LLVMAtomicOrderingSequentiallyConsistent;
}

static void tell_call(struct sanitizer *s, LLVMValueRef i) {
    if (is_wait(i) && tells_waits(s))
        tell_place(s, i);
    const char *name = gcl_intrinsic_callee(i);
    bool copies = g_str_has_prefix(name, "llvm.memcpy.") || g_str_has_prefix(name, "llvm.memmove.");
    if (copies)
        tell_move(s, i, 1, GCL_ACCESS_READ);
    if (copies || g_str_has_prefix(name, "llvm.memset."))
        tell_move(s, i, 0, GCL_ACCESS_WRITE);
}

static void tell_of(struct sanitizer *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        tell_load(s, i);
        break;
    case LLVMStore:
        if (releases(i))
            tell_fence(s, i);
        tell_store(s, i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (releases(i))
            tell_fence(s, i);
        tell_atomic(s, i);
        break;
    case LLVMFence:
        tell_fence(s, i);
        break;
    case LLVMCall:
        tell_call(s, i);
        break;
    default:
        break;
    }
}

// Branches behind which some threads still come to a barrier, and others don't: where a thread that
// has ended was seen last.

static bool has_wait(LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (is_wait(i))
            return true;
    }
    return false;
}

// How many successors of `b` are in `blocks`.
static unsigned count_successors(GHashTable *blocks, LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    unsigned count = 0;
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
        count += g_hash_table_contains(blocks, LLVMGetSuccessor(end, n)) ? 1 : 0;
    return count;
}

static void tell_of_branches(struct sanitizer *s, LLVMValueRef function) {
    g_autoptr(GHashTable) come = g_hash_table_new(g_direct_hash, g_direct_equal);
    LLVMBasicBlockRef b;
    for (bool changed = true; changed;) {
        changed = false;
        for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
            if (!g_hash_table_contains(come, b) && (has_wait(b) || count_successors(come, b) > 0))
                changed = g_hash_table_add(come, b);
        }
    }
    for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        unsigned count = count_successors(come, b);
        if (count > 0 && count < LLVMGetNumSuccessors(end))
            tell_place(s, end);
    }
}

static void tell_of_all(struct sanitizer *s, LLVMValueRef function) {
    s->function = function;
    if (s->m->options->sanitize & GCL_KERNEL_SYNC)
        tell_of_branches(s, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            tell_of(s, i);
    }
}

bool gcl_sanitize_tells(LLVMValueRef i) {
    return strcmp(gcl_intrinsic_callee(i), GCL_TELL) == 0;
}

void gcl_sanitize(struct gcl_module *m) {
    struct sanitizer s = {.m = m,
                          .builder = LLVMCreateBuilderInContext(m->context),
                          .site_type = make_site_type(m),
                          .files = g_ptr_array_new_with_free_func(g_free),
                          .texts = g_ptr_array_new(),
                          .told = g_hash_table_new(g_direct_hash, g_direct_equal)};
    declare(&s);
    define_quick(&s);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (f != s.functions[ACCESS])
            tell_of_all(&s, f);
    }
    g_hash_table_destroy(s.told);
    g_ptr_array_free(s.files, TRUE);
    g_ptr_array_free(s.texts, TRUE);
    LLVMDisposeBuilder(s.builder);
}

// Makes variables of one file seem to be known elsewhere, too, and returns them: LLVM would make
// one that a single kernel uses, and stores to first, a local variable of each thread.
static GPtrArray *publish_variables(struct gcl_module *m) {
    GPtrArray *published = g_ptr_array_new();
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetLinkage(g) != LLVMInternalLinkage || LLVMIsGlobalConstant(g))
            continue;
        LLVMSetLinkage(g, LLVMExternalLinkage);
        g_ptr_array_add(published, g);
    }
    return published;
}

void gcl_sanitize_optimize(struct gcl_module *m) {
    static const char mark[] = "sanitize_thread";
    unsigned kind = LLVMGetEnumAttributeKindForName(mark, sizeof mark - 1);
    g_autoptr(GPtrArray) published = publish_variables(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            gcl_module_add_attribute(m, f, mark);
    }
    gcl_module_run_passes(m, "default<O1>");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, kind);
    for (guint i = 0; i < published->len; i++)
        LLVMSetLinkage(published->pdata[i], LLVMInternalLinkage);
}
