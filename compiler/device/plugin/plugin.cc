// A plugin of clang's device pass: what has to be done to the IR before clang optimises it, and
// what clang mustn't do then.
//
// The plugin isn't linked with LLVM: clang, which loads it, has LLVM's symbols.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "device/lower/bools.h"
#include "device/plugin/mirrors.h"
#include "device/plugin/references.h"

using namespace llvm;

namespace {

struct Prepare : PassInfoMixin<Prepare> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        gcl_references_keep(wrap(&module));
        gcl_bools_widen(wrap(&module));
        if (gcl_mirrors_are_wanted(wrap(&module)))
            gcl_mirrors_make(wrap(&module));
        return PreservedAnalyses::none();
    }
    static bool isRequired() {
        return true;
    }
};

bool is_barrier(const Instruction &i) {
    const auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("__gcl_barrier");
}

bool has_barrier(const Loop &loop) {
    for (const BasicBlock *block : loop.blocks()) {
        for (const Instruction &i : *block) {
            if (is_barrier(i))
                return true;
        }
    }
    return false;
}

// `#pragma unroll` without a number wants a loop gone. Where that would be too long a few rounds
// would be copied instead: with a barrier in each, they gain nothing from each other on a CPU, and
// all code between barriers would be there once for each.
struct KeepRolled : PassInfoMixin<KeepRolled> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
            bool is_whole = findOptionMDForLoop(loop, "llvm.loop.unroll.full") ||
                            findOptionMDForLoop(loop, "llvm.loop.unroll.enable");
            if (is_whole && has_barrier(*loop))
                loop->setLoopAlreadyUnrolled();
        }
        return PreservedAnalyses::all();
    }
};

void add_passes(PassBuilder &builder) {
    // Loops that can be unrolled as a whole have been, and no others.
    builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(createModuleToFunctionPassAdaptor(KeepRolled()));
    });
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(Prepare()); });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "gcluster", "1", add_passes};
}
