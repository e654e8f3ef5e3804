// One piece of code a region for each kind of processor. This is the one place that decides which
// variants a kernel has, and how each runs its threads.
#include "device/vector/variants.h"

#include <string.h>

#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shapes.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/vector/native.h"
#include "device/vector/scalar.h"
#include "device/vector/strips.h"
#include "device/vector/threads.h"
#include "device/vector/vector.h"
#include "device/vector/walks.h"

static void fix_field(LLVMValueRef field, LLVMValueRef value) {
    for (LLVMUseRef read = LLVMGetFirstUse(field); read; read = LLVMGetNextUse(read)) {
        if (LLVMIsALoadInst(LLVMGetUser(read)))
            LLVMReplaceAllUsesWith(LLVMGetUser(read), value);
    }
}

// Makes the sizes of the block constants in a lane function.
static void fix_size(struct gcl_module *m, LLVMValueRef lane, unsigned parameters,
                     const uint32_t size[3]) {
    LLVMValueRef block = LLVMGetParam(lane, parameters);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef field = LLVMGetUser(use);
        int64_t offset = LLVMIsAGetElementPtrInst(field) ? gcl_shim_offset(m->layout, field) : -1;
        int64_t axis = (offset - (int64_t)G_STRUCT_OFFSET(struct gcl_block, block_size)) / 4;
        if (offset == (int64_t)G_STRUCT_OFFSET(struct gcl_block, thread_count))
            fix_field(field, gcl_u32(m, size[0] * size[1] * size[2]));
        else if (offset >= (int64_t)G_STRUCT_OFFSET(struct gcl_block, block_size) && axis <= 2)
            fix_field(field, gcl_u32(m, size[axis]));
    }
}

static void add_shape(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      const uint32_t size[3]) {
    bool is_general = size[0] == 0;
    struct gcl_device_shape shape = {{size[0], size[1], size[2]},
                                     g_new(LLVMValueRef, kernel->regions->len)};
    for (guint r = 0; r < kernel->regions->len; r++) {
        LLVMValueRef lane = g_array_index(kernel->regions, struct gcl_device_region, r).lane;
        shape.lanes[r] = is_general ? lane : gcl_shim_clone_function(lane);
        if (!is_general)
            fix_size(m, shape.lanes[r], LLVMCountParams(kernel->function), size);
    }
    g_array_append_val(kernel->shapes, shape);
}

static unsigned length_of(const struct gcl_device_kernel *kernel) {
    unsigned length = 0;
    for (guint r = 0; r < kernel->regions->len; r++)
        length += gcl_lane_length(g_array_index(kernel->regions, struct gcl_device_region, r).lane);
    return length;
}

// Small blocks make small code, which long kernels can have too. Sizes without code of their own
// want good code for any size, like those that aren't known.
void gcl_variants_shape(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    // Code of more than LONG instructions for single sizes would make the object much larger, and
    // of more than HUGE for whole vectors as well.
    enum { FEW = 8, LONG = 1500, HUGE = 4000 };
    static const uint32_t any[3] = {0};
    unsigned length = length_of(kernel);
    kernel->once = length > HUGE;
    g_autoptr(GArray) shapes = gcl_shapes_find(m, kernel);
    kernel->any_size = shapes->len == 0;
    for (guint i = 0; i < shapes->len && kernel->vector; i++) {
        const struct gcl_shape *shape = &g_array_index(shapes, struct gcl_shape, i);
        const uint32_t *size = shape->block_size;
        bool is_small = size[0] * size[1] * size[2] <= FEW;
        if (gcl_shape_is_any(shape) || (length > LONG && !is_small))
            kernel->any_size = true;
        else
            add_shape(m, kernel, size);
    }
    add_shape(m, kernel, any);
}

void gcl_variants_choose_levels(struct gcl_module *m) {
    enum { LARGE = 8000 }; // instructions
    unsigned length = 0;
    for (guint k = 0; k < m->kernels->len; k++) {
        const struct gcl_device_kernel *kernel = m->kernels->pdata[k];
        for (guint r = 0; r < kernel->regions->len && kernel->vector; r++) {
            const struct gcl_device_region *region =
                &g_array_index(kernel->regions, struct gcl_device_region, r);
            length += region->has_warps ? gcl_lane_length(region->lane) : 0;
        }
    }
    if (length > LARGE && gcl_target_least(m)->level == GCL_CPU_V2)
        gcl_target_raise(m);
}

static void build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                  const struct gcl_device_target *target, const struct gcl_device_shape *shape,
                  LLVMValueRef *rests, bool by_threads) {
    struct gcl_device_variant variant = {
        .target = target,
        .by_threads = by_threads,
        .lanes = shape->lanes,
        .functions = g_new0(LLVMValueRef, kernel->regions->len),
    };
    memcpy(variant.block_size, shape->block_size, sizeof variant.block_size);
    if (kernel->vector)
        gcl_vector_build(m, kernel, &variant, rests);
    else
        gcl_scalar_build(m, kernel, &variant);
    g_array_append_val(kernel->variants, variant);
}

// Whether blocks may have short rows along x, as far as launches are known.
static bool may_be_narrow(const struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    enum { FEW = 4 };
    g_autoptr(GArray) launched = gcl_shapes_find(m, kernel);
    bool is_narrow = launched->len == 0;
    for (guint i = 0; i < launched->len; i++) {
        const struct gcl_shape *shape = &g_array_index(launched, struct gcl_shape, i);
        is_narrow |= gcl_shape_is_any(shape) || shape->block_size[0] < FEW;
    }
    return is_narrow;
}

const struct gcl_device_target *gcl_variants_by_threads(const struct gcl_module *m,
                                                        const struct gcl_device_kernel *kernel) {
    for (size_t t = 0; t < m->target_count; t++) {
        bool is_there = m->targets[t].level == GCL_CPU_V2; // without vectors anyway
        if (kernel->vector && !kernel->has_warps && m->targets[t].level == kernel->settled &&
            gcl_target_least(m)->level == GCL_CPU_V2 && (is_there || may_be_narrow(m, kernel)))
            return &m->targets[t];
    }
    return NULL;
}

// Code for one kind of processor. Those without masked access to memory get none for single sizes.
static void build_target(struct gcl_module *m, struct gcl_device_kernel *kernel,
                         const struct gcl_device_target *target, bool by_threads) {
    guint general = kernel->shapes->len - 1;
    const struct gcl_device_shape *shapes = (const struct gcl_device_shape *)kernel->shapes->data;
    bool is_general = by_threads || target->level == GCL_CPU_V2;
    struct gcl_device_variant any = {
        .target = target, .lanes = shapes[general].lanes, .by_threads = by_threads};
    g_autofree LLVMValueRef *rests =
        kernel->vector ? gcl_vector_build_rests(m, kernel, &any) : NULL;
    for (guint s = is_general ? general : 0; s <= general; s++)
        build(m, kernel, target, &shapes[s], rests, by_threads);
}

void gcl_variants_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    if (kernel->native) {
        gcl_native_build(m, kernel);
        return;
    }
    if (kernel->mirror) {
        gcl_threads_build(m, kernel);
        return;
    }
    gcl_strips_choose(m, kernel);
    for (guint r = 0; r < kernel->regions->len; r++) {
        struct gcl_device_region *region =
            &g_array_index(kernel->regions, struct gcl_device_region, r);
        region->walks = gcl_walks_suit(m, kernel, region);
    }
    for (size_t t = 0; t < m->target_count && !m->failed; t++)
        build_target(m, kernel, &m->targets[t], false);
    const struct gcl_device_target *threaded = gcl_variants_by_threads(m, kernel);
    if (threaded && threaded->level > GCL_CPU_V2 && !m->failed)
        build_target(m, kernel, threaded, true);
    for (guint s = 0; s < kernel->shapes->len && kernel->vector; s++) {
        const struct gcl_device_shape *shape =
            &g_array_index(kernel->shapes, struct gcl_device_shape, s);
        for (guint r = 0; r < kernel->regions->len; r++) {
            if (!LLVMGetFirstUse(shape->lanes[r]))
                LLVMDeleteFunction(shape->lanes[r]);
        }
    }
}
