// How many lanes vectors have, how they lie over the block, and which functions a region gets.
//
// How the lanes lie over the block follows from its shape where that is known, and from what the
// kernel does: warp operations need vectors that are warps. Where x doesn't follow the lane, the
// vectors of a warp take the rest, with coordinates of their own for every lane.
#include "device/vector/choose.h"

#include <assert.h>

#include "device/ir/block.h"
#include "device/ir/cfg.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/target.h"
#include "device/ir/uniformity.h"
#include "device/ir/variant.h"
#include "device/vector/vector.h"
#include "device/vector/widen/pause.h"
#include "device/vector/widen/value.h"

enum { WARP = 32 };               // lanes
enum { SHORT = 200, LONG = 800 }; // instructions of a lane function

// Whether vectors are parts of rows, or whole rows.
static bool tile(const uint32_t size[3], unsigned lanes) {
    uint32_t plane = size[0] * size[1];
    return size[0] % lanes == 0 || (lanes % size[0] == 0 && size[0] > 1 && lanes <= plane &&
                                    (size[2] == 1 || plane % lanes == 0));
}

// Whether the code loads or stores numbers of 64 bits that fill twice as many registers.
static bool has_doubles(LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
            if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
                LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind)
                return true;
        }
    }
    return false;
}

// Whether a lane function reads more than what the runtime says of its block.
static bool reads_memory(LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef place = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : gcl_lane_block(lane);
            while (LLVMIsAGetElementPtrInst(place))
                place = LLVMGetOperand(place, 0);
            if (place != gcl_lane_block(lane))
                return true;
        }
    }
    return false;
}

// Vectors that fill four registers: enough to hide latencies, few enough that loops keep what they
// need in registers, and that arrays which are walked along are each read a few lines at a time.
// Long code has more to keep, and would grow with the lanes.
unsigned gcl_choose_lanes(const struct gcl_vector_build *b, LLVMValueRef lane) {
    uint32_t level = b->variant->target->level, length = gcl_lane_length(lane);
    bool steps = b->kernel->steps;
    const uint32_t *size = b->variant->block_size;
    unsigned lanes = gcl_target_register(level); // of 4 bytes, in 4 registers
    if (b->kernel->has_warps)
        return WARP;
    if (length > SHORT)
        lanes /= length > LONG ? 4 : 2;
    else if (level == GCL_CPU_V4 && size[1] > 1 && size[0] < lanes && reads_memory(lane))
        lanes *= 2; // rows read what they share once
    else if (has_doubles(lane))
        lanes /= 2;
    if (!gcl_variant_is_shaped(b->variant))
        return lanes;
    if (b->kernel->strips)
        lanes = MIN(lanes, MAX((steps ? 1 : GCL_STRIP_ROWS) * size[0], GCL_LEAST_LANES));
    for (unsigned fitting = lanes; fitting >= GCL_LEAST_LANES && fitting >= MIN(size[0] / 4, 16);
         fitting /= 2) {
        if (tile(size, fitting))
            return fitting;
    }
    while (lanes > size[0] && lanes > GCL_LEAST_LANES)
        lanes /= 2;
    return lanes;
}

// Code for part of the lanes fills one register: it would grow with the lanes, few of which run.
// Without support for masks by the processor there is no such code.
unsigned gcl_choose_masked_lanes(const struct gcl_vector_build *b) {
    uint32_t level = b->variant->target->level;
    if (b->region->has_warps)
        return WARP;
    if (b->variant->by_threads || b->region->walks)
        return 0;
    return level == GCL_CPU_V4 ? 16 : level == GCL_CPU_V3 ? 8 : 0;
}

struct gcl_lane_geometry gcl_choose_geometry(const struct gcl_vector_build *b, bool is_full) {
    bool has_warps = is_full ? b->kernel->has_warps : b->region->has_warps;
    assert(b->lanes > 0 && (!has_warps || b->lanes == WARP));
    const uint32_t *size = b->variant->block_size;
    unsigned lanes = b->lanes;
    struct gcl_lane_geometry row = {GCL_GEOMETRY_ROW, lanes, lanes, has_warps};
    struct gcl_lane_geometry any = {GCL_GEOMETRY_ANY, lanes, lanes, true};
    if (!gcl_variant_is_shaped(b->variant))
        return has_warps && !is_full ? any : row;
    if (size[0] % lanes == 0 || (has_warps && size[1] * size[2] == 1))
        return row;
    if (tile(size, lanes))
        return (struct gcl_lane_geometry){GCL_GEOMETRY_ROWS, lanes, size[0], true};
    return has_warps ? any : row;
}

bool gcl_choose_may_part(const struct gcl_device_kernel *kernel) {
    for (guint r = 0; r < kernel->regions->len; r++) {
        if (g_array_index(kernel->regions, struct gcl_device_region, r).diverges)
            return true;
    }
    return false;
}

// Long code for blocks of any size is compiled once.
// Whether a region is worth code for whole vectors. Code for any size is not, beside code for all
// sizes that launches have, as far as the source says.
bool gcl_choose_wants_full(const struct gcl_vector_build *b) {
    const uint32_t *size = b->variant->block_size;
    if (b->variant->target->level == GCL_CPU_V2 || b->variant->by_threads || b->region->walks)
        return false;
    if (!gcl_variant_is_shaped(b->variant))
        return b->kernel->any_size && !b->kernel->once && !gcl_lane_is_long(b->lane);
    enum gcl_lane_geometry_kind kind = gcl_choose_geometry(b, true).kind;
    return kind == GCL_GEOMETRY_ROW ? size[0] >= b->lanes : size[0] * size[1] * size[2] >= b->lanes;
}

// Whether what the block's threads keep across cuts fits in half of the registers, so that nothing
// of it need ever be stored.
bool gcl_choose_holds_frame(struct gcl_vector_build *b) {
    const struct gcl_device_kernel *kernel = b->kernel;
    const uint32_t *size = b->variant->block_size;
    uint32_t threads = gcl_variant_threads(b->variant), bytes = 0;
    uint32_t most = b->variant->target->level == GCL_CPU_V4 ? 1024 : 256;
    if (!gcl_variant_is_shaped(b->variant) || b->variant->target->level < GCL_CPU_V3)
        return false;
    for (guint i = 0; i < kernel->framed->len; i++) {
        LLVMTypeRef type = g_array_index(kernel->framed, struct gcl_device_kept, i).type;
        uint32_t element = (uint32_t)LLVMABISizeOfType(b->m->layout, type);
        if (!gcl_vector_widens(type) || LLVMSizeOfTypeInBits(b->m->layout, type) != 8 * element)
            return false;
        bytes += element * threads;
    }
    unsigned lanes = 0;
    for (guint r = 0; r < kernel->regions->len; r++) {
        if (g_array_index(kernel->regions, struct gcl_device_region, r).walks)
            return false;
        b->lanes = gcl_choose_lanes(b, b->variant->lanes[r]);
        enum gcl_lane_geometry_kind kind = gcl_choose_geometry(b, true).kind;
        if (gcl_lane_is_long(b->variant->lanes[r]) || kind == GCL_GEOMETRY_ANY ||
            (lanes && lanes != b->lanes) || (kind == GCL_GEOMETRY_ROW && size[0] % b->lanes != 0))
            return false;
        lanes = b->lanes;
    }
    return bytes > 0 && bytes <= most && (threads == lanes || threads == 2 * lanes);
}

// Whether a region does little but write to memory that others see. Processors write whole lines
// of that without reading them first, but not with other stores in between.
bool gcl_choose_streams(const struct gcl_vector_build *b) {
    struct gcl_cfg *cfg = gcl_cfg_create(b->lane);
    bool has_loops = cfg->loop_count > 0, writes = false;
    gcl_cfg_destroy(cfg);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->lane); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            writes |= LLVMIsAStoreInst(i) &&
                      !gcl_block_is_shared(b->m, gcl_lane_block(b->lane), LLVMGetOperand(i, 1));
    }
    return writes && !has_loops && !b->kernel->has_warps;
}

bool gcl_choose_pauses(const struct gcl_vector_build *b) {
    const uint32_t *size = b->variant->block_size;
    struct gcl_lane_geometry geometry = gcl_choose_geometry(b, true);
    bool is_filled = geometry.kind == GCL_GEOMETRY_ROW
                         ? size[0] % b->lanes == 0
                         : gcl_variant_threads(b->variant) % b->lanes == 0;
    if (!b->kernel->steps || !gcl_variant_is_shaped(b->variant) || !is_filled)
        return false;
    LLVMValueRef thread[4];
    gcl_lane_thread(b->lane, thread);
    struct gcl_uniformity *u = gcl_uniformity_create(b->m, b->lane, b->cfg, geometry, thread, true);
    bool pauses = gcl_vector_has_steps(u, b->cfg);
    gcl_uniformity_destroy(u);
    return pauses;
}
