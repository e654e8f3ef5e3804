// What the sanitizer is told of (lower/sanitize.c), for all lanes at once: one access where they
// share it, a row where they lie side by side, else a list of addresses. Lanes that may all go on
// without being told of are found by a comparison; for a row that is one of its ends.
#include "device/vector/widen/tell.h"

#include <assert.h>

#include "device/ir/block.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/lower/sanitize.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"
#include "gcluster/sanitize.h"

enum { MOST = 64 }; // lanes a call

struct telling {
    struct gcl_vector *v;
    LLVMValueRef address; ///< of the source
    LLVMValueRef site;
    int64_t size;
    int64_t stride; ///< of neighbouring lanes, if it is one
};

static LLVMValueRef load_field(const struct telling *t, size_t offset) {
    LLVMValueRef at = gcl_u64(t->v->m, offset);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(t->v->m->context);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(t->v->b, i8, t->site, &at, 1, "");
    return LLVMBuildLoad2(t->v->b, gcl_i64(t->v->m), place, "");
}

// An i1: a thread may access `address` and what lies up to `last` bytes behind it.
static LLVMValueRef is_free(const struct telling *t, LLVMValueRef address, LLVMValueRef last) {
    LLVMBuilderRef b = t->v->b;
    LLVMValueRef limit = load_field(t, G_STRUCT_OFFSET(struct gcl_site, limit));
    LLVMValueRef begin = load_field(t, G_STRUCT_OFFSET(struct gcl_site, begin));
    address = LLVMBuildPtrToInt(b, address, gcl_i64(t->v->m), "");
    LLVMValueRef first = LLVMBuildSub(b, address, begin, "");
    LLVMValueRef is_in = LLVMBuildICmp(b, LLVMIntULT, first, limit, "");
    if (!last)
        return is_in;
    last = LLVMBuildAdd(b, first, last, "");
    return LLVMBuildAnd(b, is_in, LLVMBuildICmp(b, LLVMIntULT, last, limit, ""), "");
}

// Whether accesses of lanes at addresses anywhere needn't be told.
static LLVMValueRef are_free(const struct telling *t, LLVMValueRef addresses) {
    struct gcl_vector *v = t->v;
    LLVMTypeRef i64s = gcl_vector_type(v, gcl_i64(v->m));
    LLVMValueRef limit = load_field(t, G_STRUCT_OFFSET(struct gcl_site, limit));
    LLVMValueRef begin = load_field(t, G_STRUCT_OFFSET(struct gcl_site, begin));
    LLVMValueRef offsets = LLVMBuildSub(v->b, LLVMBuildPtrToInt(v->b, addresses, i64s, ""),
                                        gcl_vector_splat(v, begin), "");
    LLVMValueRef is_out = LLVMBuildICmp(v->b, LLVMIntUGE, offsets, gcl_vector_splat(v, limit), "");
    return LLVMBuildNot(v->b, gcl_vector_any(v, gcl_vector_narrow(v, v->mask, is_out, true)), "");
}

static LLVMBasicBlockRef begin_unless(struct gcl_vector *v, LLVMValueRef condition) {
    LLVMBasicBlockRef tell = LLVMAppendBasicBlockInContext(v->m->context, v->function, "tell");
    LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(v->m->context, v->function, "told");
    LLVMBuildCondBr(v->b, condition, behind, tell);
    LLVMPositionBuilderAtEnd(v->b, tell);
    return behind;
}

static void end_unless(struct gcl_vector *v, LLVMBasicBlockRef behind) {
    LLVMBuildBr(v->b, behind);
    LLVMPositionBuilderAtEnd(v->b, behind);
}

// Calls the runtime with as many arguments as `name` takes; `lane` is the first one that it is
// about.
static void call(const struct telling *t, const char *name, LLVMValueRef address, LLVMValueRef bits,
                 LLVMValueRef lane) {
    struct gcl_vector *v = t->v;
    LLVMValueRef function = LLVMGetNamedFunction(v->m->module, name);
    assert(function && LLVMCountParams(function) <= 4);
    LLVMValueRef arguments[] = {address, t->site, bits, gcl_u64(v->m, (uint64_t)t->stride)};
    LLVMBuildStore(v->b, gcl_vector_thread(v, lane),
                   gcl_block_field(v->m, v->b, v->block, GCL_BLOCK_THREAD, 0));
    LLVMBuildCall2(v->b, LLVMGlobalGetValueType(function), function, arguments,
                   LLVMCountParams(function), "");
}

static LLVMValueRef first_lane(struct gcl_vector *v) {
    if (!v->mask)
        return gcl_u64(v->m, 0);
    LLVMValueRef bits = gcl_vector_mask_bits(v, v->mask);
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef arguments[] = {bits, LLVMConstNull(LLVMInt1TypeInContext(v->m->context))};
    LLVMValueRef lane = gcl_vector_call_intrinsic(v, "llvm.cttz", &type, 1, arguments, 2);
    return LLVMBuildIntCast2(v->b, lane, gcl_i64(v->m), 0, "");
}

// The mask of lanes from `first` on, as an i64.
static LLVMValueRef bits_of(struct gcl_vector *v, unsigned first, unsigned count) {
    assert(count > 0 && count <= MOST);
    if (!v->mask)
        return gcl_u64(v->m, UINT64_MAX >> (MOST - count));
    LLVMValueRef part = count == v->lanes ? v->mask : gcl_vector_part(v, v->mask, first, count);
    LLVMValueRef bits =
        LLVMBuildBitCast(v->b, part, LLVMIntTypeInContext(v->m->context, count), "");
    return LLVMBuildIntCast2(v->b, bits, gcl_i64(v->m), 0, "");
}

static void tell_one(const struct telling *t) {
    LLVMValueRef address = gcl_vector_scalar(t->v, t->address);
    LLVMBasicBlockRef behind = begin_unless(t->v, is_free(t, address, NULL));
    call(t, "gcl_device_access", address, NULL, first_lane(t->v));
    end_unless(t->v, behind);
}

static void tell_row(const struct telling *t, LLVMValueRef address, unsigned first,
                     unsigned count) {
    assert(count <= MOST && first + count <= t->v->lanes);
    LLVMValueRef last = gcl_u64(t->v->m, (uint64_t)t->stride * (count - 1));
    LLVMBasicBlockRef behind = begin_unless(t->v, is_free(t, address, last));
    call(t, "gcl_device_access_row", address, bits_of(t->v, first, count), gcl_u64(t->v->m, first));
    end_unless(t->v, behind);
}

// How many lanes from the first on lie side by side, or overlap, as do all groups of as many; 1:
// not known.
static unsigned row_length(const struct telling *t) {
    struct gcl_vector *v = t->v;
    struct gcl_value_info info = gcl_vector_info(v, t->address);
    if (info.variance != GCL_VARIANCE_AFFINE || info.unsure || t->stride <= 0 ||
        t->stride > t->size)
        return 1;
    LLVMValueRef y = gcl_vector_y(v, t->address);
    bool is_one = v->geometry.kind != GCL_GEOMETRY_ROWS ||
                  (y && LLVMIsAConstantInt(y) &&
                   LLVMConstIntGetSExtValue(y) == t->stride * (int64_t)v->geometry.row);
    return MIN(is_one ? v->lanes : v->geometry.row, MOST);
}

static void tell_rows(const struct telling *t, unsigned length) {
    assert(t->v->lanes % length == 0);
    LLVMValueRef base = gcl_vector_scalar(t->v, t->address);
    for (unsigned first = 0; first < t->v->lanes; first += length) {
        LLVMValueRef lane = gcl_u64(t->v->m, first);
        tell_row(t, first > 0 ? gcl_vector_lane(t->v, t->address, lane) : base, first, length);
    }
}

static void tell_lanes(const struct telling *t) {
    struct gcl_vector *v = t->v;
    LLVMValueRef addresses = gcl_vector_lanes(v, t->address);
    LLVMBasicBlockRef behind = begin_unless(v, are_free(t, addresses));
    LLVMValueRef list = gcl_vector_slot(v, LLVMArrayType2(gcl_ptr(v->m), v->lanes), "addresses");
    LLVMSetAlignment(LLVMBuildStore(v->b, addresses, list), MOST);
    for (unsigned first = 0; first < v->lanes; first += MOST) {
        LLVMValueRef at = gcl_u64(v->m, first);
        LLVMValueRef part = LLVMBuildInBoundsGEP2(v->b, gcl_ptr(v->m), list, &at, 1, "");
        call(t, "gcl_device_access_lanes", part, bits_of(v, first, MIN(v->lanes, MOST)), at);
    }
    end_unless(v, behind);
}

void gcl_vector_tell(struct gcl_vector *v, LLVMValueRef i) {
    struct telling t = {.v = v, .address = LLVMGetOperand(i, 0), .site = LLVMGetOperand(i, 1)};
    LLVMValueRef size = LLVMGetOperand(LLVMGetInitializer(t.site), GCL_SITE_SIZE);
    t.size = (int64_t)LLVMConstIntGetZExtValue(size);
    t.stride = gcl_vector_info(v, t.address).x_stride;
    if (gcl_vector_info(v, t.address).variance == GCL_VARIANCE_UNIFORM) {
        tell_one(&t);
        return;
    }
    unsigned length = row_length(&t);
    if (length > 1)
        tell_rows(&t, length);
    else
        tell_lanes(&t);
}
