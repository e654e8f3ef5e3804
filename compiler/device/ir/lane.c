// What stages ask of a lane function, which takes the parameters of its kernel and, behind them,
// those of enum gcl_lane_parameter.
#include "device/ir/lane.h"

#include <assert.h>

enum { LONG = 400 }; // instructions

LLVMValueRef gcl_lane_block(LLVMValueRef lane) {
    assert(LLVMCountParams(lane) >= GCL_LANE_COUNT);
    return LLVMGetParam(lane, LLVMCountParams(lane) - GCL_LANE_COUNT + GCL_LANE_BLOCK);
}

void gcl_lane_thread(LLVMValueRef lane, LLVMValueRef thread[4]) {
    unsigned number = LLVMCountParams(lane) - GCL_LANE_COUNT + GCL_LANE_THREAD;
    for (unsigned i = 0; i < 4; i++)
        thread[i] = LLVMGetParam(lane, number + (i + 1) % 4);
}

bool gcl_lane_is_of_thread(LLVMValueRef lane, LLVMValueRef value) {
    unsigned number = LLVMCountParams(lane) - GCL_LANE_COUNT;
    for (unsigned i = GCL_LANE_THREAD; i < GCL_LANE_KEPT; i++) {
        if (value == LLVMGetParam(lane, number + i))
            return true;
    }
    return value == LLVMGetParam(lane, number + GCL_LANE_FRAME);
}

unsigned gcl_lane_length(LLVMValueRef lane) {
    unsigned length = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            length++;
    }
    return length;
}

bool gcl_lane_is_long(LLVMValueRef lane) {
    return gcl_lane_length(lane) > LONG;
}
