// A plugin of clang's device pass: what has to be done to the IR before clang optimises it.
//
// The plugin isn't linked with LLVM: clang, which loads it, has LLVM's symbols.
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "device/lower/bools.h"
#include "device/lower/references.h"

using namespace llvm;

namespace {

struct Prepare : PassInfoMixin<Prepare> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        gcl_references_keep(wrap(&module));
        gcl_bools_widen(wrap(&module));
        return PreservedAnalyses::none();
    }
    static bool isRequired() {
        return true;
    }
};

void add_passes(PassBuilder &builder) {
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(Prepare()); });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "gcluster", "1", add_passes};
}
