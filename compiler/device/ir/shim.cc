// The only C++ of the compiler: a few doors into LLVM that its C API lacks.
#include "device/ir/shim.h"

#include <cstdlib>
#include <cstring>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <memory>
#include <string>

#include "device/ir/mirror.h"

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

char *gcl_shim_base_name(const char *symbol) {
    ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(symbol) || !demangler.isFunction())
        return nullptr;
    return demangler.getFunctionBaseName(nullptr, nullptr);
}

char *gcl_shim_source_name(const char *symbol) {
    ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(symbol))
        return nullptr;
    if (!demangler.isFunction())
        return demangler.finishDemangle(nullptr, nullptr);
    char *base = demangler.getFunctionBaseName(nullptr, nullptr);
    char *full = demangler.finishDemangle(nullptr, nullptr);
    std::string name = base ? base : "", whole = full ? full : "";
    size_t end = whole.find(name + "<"), depth = 0;
    for (size_t i = end; name.size() && end != std::string::npos && i < whole.size(); i++) {
        depth += whole[i] == '<';
        depth -= whole[i] == '>';
        if (whole[i] == '>' && depth == 0) {
            name = whole.substr(end, i + 1 - end);
            break;
        }
    }
    free(base);
    free(full);
    return name.empty() ? nullptr : strdup(name.c_str());
}

/// The type without names and qualifiers of its own.
static const DIType *plain_type(const DIType *type) {
    while (auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
        if (derived->getTag() == dwarf::DW_TAG_pointer_type ||
            derived->getTag() == dwarf::DW_TAG_reference_type)
            break;
        type = derived->getBaseType();
    }
    return type;
}

/// Bytes of what a pointer points to.
static uint64_t element_size(const DIType *type) {
    auto *pointer = dyn_cast_or_null<DIDerivedType>(plain_type(type));
    const DIType *element = pointer ? plain_type(pointer->getBaseType()) : nullptr;
    return element ? element->getSizeInBits() / 8 : 0;
}

static void visit_fields(const DIType *type, const std::string &prefix, uint64_t offset,
                         gcl_shim_field *visit, void *context) {
    auto *record = dyn_cast_or_null<DICompositeType>(plain_type(type));
    bool is_record = record && (record->getTag() == dwarf::DW_TAG_structure_type ||
                                record->getTag() == dwarf::DW_TAG_class_type);
    if (!is_record)
        visit(context, prefix.c_str(), offset, element_size(type));
    for (auto *element : is_record ? record->getElements() : DINodeArray()) {
        auto *member = dyn_cast<DIDerivedType>(element);
        if (!member || member->isStaticMember())
            continue;
        std::string name = member->getName().str();
        if (member->getTag() == dwarf::DW_TAG_inheritance)
            name = prefix;
        else if (!prefix.empty())
            name = prefix + "." + name;
        visit_fields(member->getBaseType(), name, offset + member->getOffsetInBits() / 8, visit,
                     context);
    }
}

void gcl_shim_visit_fields(LLVMValueRef function, unsigned parameter, gcl_shim_field *visit,
                           void *context) {
    auto *subprogram = unwrap<Function>(function)->getSubprogram();
    auto types = subprogram && subprogram->getType() ? subprogram->getType()->getTypeArray()
                                                     : DITypeRefArray();
    if (parameter + 1 < types.size())
        visit_fields(types[parameter + 1], "", 0, visit, context);
}

static bool is_mirror(const Function &function) {
    return function.hasFnAttribute(GCL_MIRROR_MARK);
}

void gcl_shim_drop_variables(LLVMModuleRef module) {
    for (Function &function : *unwrap(module)) {
        if (is_mirror(function))
            continue;
        for (Instruction &i : instructions(function))
            i.dropDbgRecords();
    }
    for (Function &function : *unwrap(module)) {
        if (is_mirror(function))
            continue;
        for (Instruction &i : make_early_inc_range(instructions(function))) {
            if (isa<DbgVariableIntrinsic>(i))
                i.eraseFromParent();
        }
    }
}

void gcl_shim_describe_behind(LLVMValueRef variable, LLVMValueRef slot) {
    auto *global = unwrap<GlobalVariable>(variable);
    SmallVector<DIGlobalVariableExpression *, 1> known;
    global->getDebugInfo(known);
    global->eraseMetadata(LLVMContext::MD_dbg);
    LLVMContext &context = global->getContext();
    for (DIGlobalVariableExpression *of : known)
        unwrap<GlobalVariable>(slot)->addDebugInfo(DIGlobalVariableExpression::get(
            context, of->getVariable(), DIExpression::get(context, {dwarf::DW_OP_deref})));
}

void gcl_shim_describe_mirrors_alone(LLVMModuleRef module) {
    for (Function &function : *unwrap(module)) {
        if (!is_mirror(function))
            stripDebugInfo(function);
    }
}

using Origins = DenseMap<const Function *, DISubprogram *>;

// What a function has been made of: by the first instruction that has a place, or that calls what
// has an origin.
static DISubprogram *find_origin(const Function &function, const Origins &known) {
    for (const Instruction &i : instructions(function)) {
        const DILocation *place = i.getDebugLoc();
        auto *call = dyn_cast<CallBase>(&i);
        if (DISubprogram *of = place  ? place->getInlinedAtScope()->getSubprogram()
                               : call ? known.lookup(call->getCalledFunction())
                                      : nullptr)
            return of;
    }
    return nullptr;
}

static Origins find_origins(const Module &module) {
    Origins known;
    for (bool changes = true; changes;) {
        changes = false;
        for (const Function &function : module) {
            DISubprogram *of = known.lookup(&function) ? nullptr : find_origin(function, known);
            changes |= of != nullptr;
            if (of)
                known[&function] = of;
        }
    }
    return known;
}

// What has been inlined is part of the function, at its own lines.
static DebugLoc place_in(DISubprogram *subprogram, const DebugLoc &place) {
    LLVMContext &context = subprogram->getContext();
    if (!place)
        return DILocation::get(context, 0, 0, subprogram);
    DILocalScope *scope = subprogram;
    if (place->getFile() != subprogram->getFile())
        scope = DILexicalBlockFile::get(context, subprogram, place->getFile(), 0);
    return DILocation::get(context, place->getLine(), place->getColumn(), scope);
}

void gcl_shim_describe_lines(LLVMModuleRef module) {
    const Origins origins = find_origins(*unwrap(module));
    for (Function &function : *unwrap(module)) {
        DISubprogram *origin = origins.lookup(&function);
        if (!origin)
            continue;
        auto *subprogram = DISubprogram::getDistinct(
            function.getContext(), origin->getScope(), origin->getName(), "", origin->getFile(),
            origin->getLine(), origin->getType(), origin->getScopeLine(), nullptr, 0, 0,
            DINode::FlagZero, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit,
            origin->getUnit());
        for (Instruction &i : instructions(function)) {
            if (i.getDebugLoc() || isa<CallBase>(i))
                i.setDebugLoc(place_in(subprogram, i.getDebugLoc()));
            updateLoopMetadataDebugLocations(
                i, [](Metadata *part) { return isa<DILocation>(part) ? nullptr : part; });
        }
        function.setSubprogram(subprogram);
    }
}

void gcl_shim_forget_used_mirrors(LLVMModuleRef module) {
    removeFromUsedLists(*unwrap(module), [](Constant *constant) {
        auto *function = dyn_cast<Function>(constant->stripPointerCasts());
        return function && is_mirror(*function);
    });
}

void gcl_shim_use_mirrors(LLVMModuleRef module) {
    SmallVector<GlobalValue *, 64> mirrors;
    for (Function &function : *unwrap(module)) {
        if (is_mirror(function))
            mirrors.push_back(&function);
    }
    appendToCompilerUsed(*unwrap(module), mirrors);
}

char *gcl_shim_qualified_name(const char *symbol) {
    ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(symbol) || !demangler.isFunction())
        return nullptr;
    char *context = demangler.getFunctionDeclContextName(nullptr, nullptr);
    char *base = demangler.getFunctionBaseName(nullptr, nullptr);
    std::string name = context && *context ? std::string(context) + "::" + base : base;
    free(context);
    free(base);
    return strdup(name.c_str());
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

LLVMValueRef gcl_shim_add_parameter(LLVMValueRef function, LLVMTypeRef byval) {
    auto *old = unwrap<Function>(function);
    SmallVector<Type *, 8> types(old->getFunctionType()->params());
    types.push_back(PointerType::get(old->getContext(), 0));
    auto *type = FunctionType::get(old->getReturnType(), types, old->isVarArg());
    auto *made = Function::Create(type, old->getLinkage(), old->getAddressSpace(), "");
    old->getParent()->getFunctionList().insert(old->getIterator(), made);
    made->copyAttributesFrom(old);
    made->setSubprogram(old->getSubprogram());
    made->takeName(old);
    made->splice(made->begin(), old);
    for (auto [from, to] : zip(old->args(), made->args())) {
        from.replaceAllUsesWith(&to);
        to.takeName(&from);
    }
    unsigned index = made->arg_size() - 1;
    if (byval)
        made->addParamAttr(index, Attribute::getWithByValType(made->getContext(), unwrap(byval)));
    made->addParamAttr(index, Attribute::NoAlias);
    made->addParamAttr(index, Attribute::ReadOnly);
    made->removeFnAttr(Attribute::Memory);
    old->replaceAllUsesWith(made);
    old->eraseFromParent();
    return wrap(made);
}

void gcl_shim_add_argument(LLVMValueRef call, LLVMValueRef function, LLVMValueRef argument) {
    auto *old = unwrap<CallInst>(call);
    auto *callee = unwrap<Function>(function);
    SmallVector<Value *, 8> arguments(old->args());
    arguments.push_back(unwrap(argument));
    auto *made =
        CallInst::Create(callee->getFunctionType(), callee, arguments, "", old->getIterator());
    made->setAttributes(old->getAttributes());
    made->removeFnAttr(Attribute::Memory);
    made->setCallingConv(old->getCallingConv());
    made->copyMetadata(*old);
    if (isa<FPMathOperator>(made))
        made->copyFastMathFlags(old);
    old->replaceAllUsesWith(made);
    old->eraseFromParent();
}

void gcl_shim_split_call(LLVMValueRef call, LLVMValueRef function) {
    auto *made = unwrap<CallInst>(call);
    auto *callee = unwrap<Function>(function);
    if (isLegalToPromote(*made, callee))
        promoteCallWithIfThenElse(*made, callee);
}

void gcl_shim_set_flag(LLVMModuleRef module, const char *name, uint32_t value) {
    unwrap(module)->setModuleFlag(Module::Override, name, value);
}

int gcl_shim_link_needed(LLVMModuleRef module, LLVMModuleRef library) {
    return !Linker::linkModules(*unwrap(module), std::unique_ptr<Module>(unwrap(library)),
                                Linker::LinkOnlyNeeded);
}

void gcl_shim_drop_body(LLVMValueRef global) {
    auto *object = cast<GlobalObject>(unwrap(global));
    object->setComdat(nullptr);
    if (auto *function = dyn_cast<Function>(object)) {
        function->deleteBody();
    } else {
        cast<GlobalVariable>(object)->setInitializer(nullptr);
        object->setLinkage(GlobalValue::ExternalLinkage);
    }
}

void gcl_shim_split_block(LLVMValueRef before) {
    auto *instruction = unwrap<Instruction>(before);
    BlockAddress::get(instruction->getParent()->splitBasicBlock(instruction));
}

LLVMBasicBlockRef gcl_shim_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    return wrap(SplitEdge(unwrap(from), unwrap(to)));
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

// Trips. A number that a loop runs is told in its leading term: `n - 1` is n, `max(n, 1)` is n.

static bool find_number(const SCEV *value, gcl_shim_trips &number);

// The operands of a sum or maximum without its constants, which have to be one.
static bool find_main(const SCEVNAryExpr *list, gcl_shim_trips &number) {
    const SCEV *main = nullptr;
    for (const SCEV *operand : list->operands()) {
        if (isa<SCEVConstant>(operand))
            continue;
        if (main)
            return false;
        main = operand;
    }
    return main && find_number(main, number);
}

static bool find_product(const SCEVMulExpr *product, gcl_shim_trips &number) {
    number = {1, {}, 0};
    for (const SCEV *operand : product->operands()) {
        gcl_shim_trips factor;
        if (!find_number(operand, factor) || number.parameter_count + factor.parameter_count > 2)
            return false;
        number.factor *= factor.factor;
        for (unsigned i = 0; i < factor.parameter_count; i++)
            number.parameters[number.parameter_count++] = factor.parameters[i];
    }
    return true;
}

static bool find_number(const SCEV *value, gcl_shim_trips &number) {
    number = {1, {}, 0};
    if (auto *constant = dyn_cast<SCEVConstant>(value)) {
        number.factor = static_cast<double>(constant->getAPInt().getSExtValue());
        return true;
    }
    if (auto *cast = dyn_cast<SCEVCastExpr>(value))
        return find_number(cast->getOperand(), number);
    if (auto *product = dyn_cast<SCEVMulExpr>(value))
        return find_product(product, number);
    if (isa<SCEVAddExpr>(value) || isa<SCEVSMaxExpr>(value) || isa<SCEVUMaxExpr>(value))
        return find_main(cast<SCEVNAryExpr>(value), number);
    if (auto *quotient = dyn_cast<SCEVUDivExpr>(value)) {
        auto *divisor = dyn_cast<SCEVConstant>(quotient->getRHS());
        if (!divisor || !find_number(quotient->getLHS(), number))
            return false;
        number.factor /= static_cast<double>(divisor->getAPInt().getZExtValue());
        return true;
    }
    auto *unknown = dyn_cast<SCEVUnknown>(value);
    auto *argument = unknown ? dyn_cast<Argument>(unknown->getValue()) : nullptr;
    if (!argument)
        return false;
    number = {1, {argument->getArgNo()}, 1};
    return true;
}

// Multiplies by how often each loop around the block runs.
static bool find_trips(ScalarEvolution &evolution, const Loop *loop, gcl_shim_trips &trips) {
    trips = {1, {}, 0};
    for (; loop; loop = loop->getParentLoop()) {
        const SCEV *count = evolution.getBackedgeTakenCount(loop);
        gcl_shim_trips rounds;
        if (isa<SCEVCouldNotCompute>(count) || !find_number(count, rounds))
            return false;
        if (rounds.parameter_count == 0)
            rounds.factor += 1;
        if (rounds.factor <= 0 || trips.parameter_count + rounds.parameter_count > 2)
            return false;
        trips.factor *= rounds.factor;
        for (unsigned i = 0; i < rounds.parameter_count; i++)
            trips.parameters[trips.parameter_count++] = rounds.parameters[i];
    }
    return true;
}

void gcl_shim_visit_trips(LLVMValueRef function, gcl_shim_trip *visit, void *context) {
    auto &f = *cast<Function>(unwrap(function));
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(f);
    TargetLibraryInfoImpl names(Triple(f.getParent()->getTargetTriple()));
    TargetLibraryInfo library(names);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    for (BasicBlock &block : f) {
        gcl_shim_trips trips;
        bool is_known = find_trips(evolution, loops.getLoopFor(&block), trips);
        visit(context, wrap(&block), is_known ? &trips : nullptr);
    }
}

int gcl_shim_dominates(LLVMValueRef before, LLVMValueRef instruction) {
    auto *first = cast<Instruction>(unwrap(before));
    DominatorTree tree(*first->getFunction());
    return tree.dominates(first, cast<Instruction>(unwrap(instruction)));
}

int gcl_shim_is_below(LLVMValueRef instruction, LLVMValueRef integer, uint64_t bound) {
    auto *user = cast<Instruction>(unwrap(instruction));
    const DataLayout &layout = user->getModule()->getDataLayout();
    KnownBits bits = computeKnownBits(unwrap(integer), layout, 0, nullptr, user);
    return bits.getMaxValue().ult(bound);
}

LLVMValueRef gcl_shim_splat(LLVMTypeRef type, uint64_t value) {
    return wrap(ConstantInt::get(unwrap(type), value));
}
