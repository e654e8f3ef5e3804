// The only C++ of the compiler: a few doors into LLVM that its C API lacks.
#include "shim.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

void gcl_shim_expand_uses(LLVMValueRef global) {
    convertUsersOfConstantsToInstructions({cast<Constant>(unwrap(global))});
}

LLVMValueRef gcl_shim_base(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t *offset) {
    auto *value = unwrap(pointer);
    auto *global = value;
    APInt bytes(64, 0);
    if (value->getType()->isPointerTy())
        global = value->stripAndAccumulateConstantOffsets(*unwrap(layout), bytes, true);
    *offset = bytes.getSExtValue();
    return wrap(global);
}

LLVMMetadataRef gcl_shim_distinct_node(LLVMContextRef context, LLVMMetadataRef *operands,
                                       unsigned count, int self) {
    SmallVector<Metadata *, 4> list;
    if (self)
        list.push_back(nullptr);
    for (unsigned i = 0; i < count; i++)
        list.push_back(unwrap(operands[i]));
    MDNode *node = MDNode::getDistinct(*unwrap(context), list);
    if (self)
        node->replaceOperandWith(0, node);
    return wrap(static_cast<Metadata *>(node));
}

char *gcl_shim_base_name(const char *symbol) {
    ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(symbol) || !demangler.isFunction())
        return nullptr;
    return demangler.getFunctionBaseName(nullptr, nullptr);
}

void gcl_shim_use_init_array(LLVMTargetMachineRef machine) {
    reinterpret_cast<TargetMachine *>(machine)->Options.UseInitArray = true;
}

int gcl_shim_has_features(LLVMTargetMachineRef machine, const char *features) {
    return reinterpret_cast<TargetMachine *>(machine)->getMCSubtargetInfo()->checkFeatures(
        features);
}

LLVMValueRef gcl_shim_clone_function(LLVMValueRef function) {
    ValueToValueMapTy map;
    return wrap(CloneFunction(unwrap<Function>(function), map));
}

void gcl_shim_drop_metadata(LLVMValueRef instruction) {
    if (auto *i = dyn_cast<Instruction>(unwrap(instruction))) {
        i->dropUnknownNonDebugMetadata({LLVMContext::MD_invariant_load});
        i->setDebugLoc(DebugLoc());
    }
}

int64_t gcl_shim_offset(LLVMTargetDataRef layout, LLVMValueRef address) {
    APInt bytes(64, 0);
    auto *place = dyn_cast<GEPOperator>(unwrap(address));
    return place && place->accumulateConstantOffset(*unwrap(layout), bytes) ? bytes.getSExtValue()
                                                                            : -1;
}

LLVMTypeRef gcl_shim_byval(LLVMValueRef function, unsigned parameter) {
    Type *type = unwrap<Function>(function)->getParamByValType(parameter);
    return type ? wrap(type) : nullptr;
}

void gcl_shim_make_strict(LLVMValueRef instruction) {
    auto *i = unwrap<Instruction>(instruction);
    if (isa<FPMathOperator>(i))
        i->copyFastMathFlags(FastMathFlags());
}

LLVMValueRef gcl_shim_outline(LLVMValueRef first, LLVMBasicBlockRef *blocks, unsigned count) {
    auto *start = unwrap<Instruction>(first);
    SmallVector<BasicBlock *, 16> all = {start->getParent()->splitBasicBlock(start)};
    for (unsigned i = 0; i < count; i++)
        all.push_back(unwrap(blocks[i]));
    Function &function = *start->getFunction();
    DominatorTree tree(function);
    CodeExtractor extractor(all, &tree);
    CodeExtractorAnalysisCache cache(function);
    Function *outlined = extractor.isEligible() ? extractor.extractCodeRegion(cache) : nullptr;
    return outlined ? wrap(outlined->user_back()) : nullptr;
}

void gcl_shim_lower_atomic(LLVMValueRef instruction) {
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(unwrap(instruction)))
        lowerAtomicCmpXchgInst(exchange);
    else
        lowerAtomicRMWInst(cast<AtomicRMWInst>(unwrap(instruction)));
}

int gcl_shim_may_write(LLVMValueRef instruction) {
    return cast<Instruction>(unwrap(instruction))->mayWriteToMemory();
}

int gcl_shim_uses_memory(LLVMValueRef instruction) {
    return cast<Instruction>(unwrap(instruction))->mayReadOrWriteMemory();
}
