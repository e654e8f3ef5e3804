// Mirrors are made before clang optimises anything. What passes do across functions stops at them,
// as they have `optnone` and are named in llvm.compiler.used.
#include "device/plugin/mirrors.h"

#include <llvm-c/Core.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "device/ir/mirror.h"

using namespace llvm;

bool gcl_mirrors_are_wanted(LLVMModuleRef module) {
    for (const DICompileUnit *unit : unwrap(module)->debug_compile_units()) {
        if (unit->getEmissionKind() == DICompileUnit::FullDebug &&
            unwrap(module)->getDwarfVersion() >= 5)
            return true;
    }
    return false;
}

namespace {

enum { SHARED_SPACE = 3 };

// A built-in variable, and the functions of our headers that say what it holds.
struct BuiltIn {
    const char *name, *type, *axis[3];
};

const BuiltIn built_ins[] = {
    {"threadIdx", "uint3", {"__gcl_tid_x", "__gcl_tid_y", "__gcl_tid_z"}},
    {"blockIdx", "uint3", {"__gcl_ctaid_x", "__gcl_ctaid_y", "__gcl_ctaid_z"}},
    {"blockDim", "dim3", {"__gcl_ntid_x", "__gcl_ntid_y", "__gcl_ntid_z"}},
    {"gridDim", "dim3", {"__gcl_nctaid_x", "__gcl_nctaid_y", "__gcl_nctaid_z"}},
};

// Adds locals to a mirror, for debuggers alone.
class Locals {
  public:
    explicit Locals(Function &mirror)
        : module(*mirror.getParent()), subprogram(*mirror.getSubprogram()),
          debug(module, false, subprogram.getUnit()),
          ir(&*mirror.getEntryBlock().getFirstInsertionPt()) {
        ir.SetCurrentDebugLocation(DebugLoc());
    }

    void add_built_in(const BuiltIn &variable) {
        Type *i32 = ir.getInt32Ty();
        auto *type = ArrayType::get(i32, 3);
        Value *place = ir.CreateAlloca(type, nullptr, variable.name);
        for (unsigned axis = 0; axis < 3; axis++) {
            FunctionCallee number =
                module.getOrInsertFunction(variable.axis[axis], FunctionType::get(i32, false));
            Value *value = ir.CreateCall(number);
            ir.CreateStore(value, ir.CreateConstInBoundsGEP2_32(type, place, 0, axis));
        }
        declare(variable.name, triple(variable.type), place, {});
    }

    // `shared` lies somewhere else in each block.
    void add_shared(GlobalVariable &shared, const DIGlobalVariable &variable) {
        Value *place = ir.CreateAlloca(ir.getPtrTy(), nullptr, variable.getName());
        ir.CreateStore(ConstantExpr::getAddrSpaceCast(&shared, ir.getPtrTy()), place);
        declare(variable.getName(), variable.getType(), place, {dwarf::DW_OP_deref});
    }

    // What the source declares as extern __shared__, of which clang describes nothing.
    void add_dynamic(GlobalVariable &shared) {
        DIType *element = find_type(shared.getValueType()->getArrayElementType());
        if (!element)
            return;
        DINodeArray bounds = debug.getOrCreateArray({debug.getOrCreateSubrange(0, -1)});
        DIType *type = debug.createArrayType(0, 0, element, bounds);
        Value *place = ir.CreateAlloca(ir.getPtrTy(), nullptr, shared.getName());
        ir.CreateStore(ConstantExpr::getAddrSpaceCast(&shared, ir.getPtrTy()), place);
        declare(shared.getName(), type, place, {dwarf::DW_OP_deref});
    }

  private:
    // The description of a type of the code generator's; nullptr if it may be any of several.
    DIType *find_type(Type *type) {
        if (type->isFloatTy())
            return debug.createBasicType("float", 32, dwarf::DW_ATE_float);
        if (type->isDoubleTy())
            return debug.createBasicType("double", 64, dwarf::DW_ATE_float);
        if (type->isIntegerTy(32))
            return debug.createBasicType("int", 32, dwarf::DW_ATE_signed);
        if (type->isIntegerTy(8))
            return debug.createBasicType("unsigned char", 8, dwarf::DW_ATE_unsigned_char);
        auto *record = dyn_cast<StructType>(type);
        StringRef name = record && record->hasName() ? record->getName() : "";
        if (!name.consume_front("struct.") && !name.consume_front("class."))
            return nullptr;
        DebugInfoFinder known;
        known.processModule(module);
        DIType *found = nullptr;
        for (DIType *candidate : known.types()) {
            auto *composite = dyn_cast<DICompositeType>(candidate);
            if (!composite || composite->isForwardDecl() || composite->getName() != name)
                continue;
            if (found)
                return nullptr;
            found = candidate;
        }
        return found;
    }

    DIType *triple(StringRef name) {
        DIType *number = debug.createBasicType("unsigned int", 32, dwarf::DW_ATE_unsigned);
        SmallVector<Metadata *, 3> members;
        for (unsigned axis = 0; axis < 3; axis++)
            members.push_back(debug.createMemberType(
                subprogram.getFile(), StringRef("xyz").substr(axis, 1), subprogram.getFile(), 0, 32,
                32, 32 * axis, DINode::FlagZero, number));
        return debug.createStructType(subprogram.getUnit(), name, subprogram.getFile(), 0, 96, 32,
                                      DINode::FlagZero, nullptr, debug.getOrCreateArray(members));
    }

    void declare(StringRef name, DIType *type, Value *place, ArrayRef<uint64_t> expression) {
        auto *variable =
            DILocalVariable::get(module.getContext(), &subprogram, name, subprogram.getFile(),
                                 subprogram.getLine(), type, 0, DINode::FlagZero, 0, nullptr);
        auto *where = DILocation::get(module.getContext(), subprogram.getLine(), 0, &subprogram);
        debug.insertDeclare(place, variable, debug.createExpression(expression), where,
                            &*ir.GetInsertPoint());
    }

    Module &module;
    DISubprogram &subprogram;
    DIBuilder debug;
    IRBuilder<> ir;
};

// Calls `visit` for each shared variable that a function declares.
template <typename Visit> void visit_shared(Module &module, DISubprogram *of, Visit visit) {
    for (GlobalVariable &global : module.globals()) {
        SmallVector<DIGlobalVariableExpression *, 1> known;
        if (global.getAddressSpace() != SHARED_SPACE)
            continue;
        global.getDebugInfo(known);
        for (DIGlobalVariableExpression *expression : known) {
            DIGlobalVariable *variable = expression->getVariable();
            auto *scope = dyn_cast_or_null<DILocalScope>(variable->getScope());
            if (scope && scope->getSubprogram() == of)
                visit(global, *variable);
        }
    }
}

bool mentions(const User &user, const GlobalVariable &variable) {
    for (const Use &operand : user.operands()) {
        auto *constant = dyn_cast<Constant>(operand);
        if (constant == &variable ||
            (constant && !isa<GlobalValue>(constant) && mentions(*constant, variable)))
            return true;
    }
    return false;
}

// Calls `visit` for each array of dynamic shared memory that a function uses by a plain name.
template <typename Visit> void visit_dynamic(Function &function, Visit visit) {
    for (GlobalVariable &global : function.getParent()->globals()) {
        if (global.getAddressSpace() != SHARED_SPACE || !global.isDeclaration() ||
            !global.getValueType()->isArrayTy() || global.getName().starts_with("_Z"))
            continue;
        for (Instruction &i : instructions(function)) {
            if (mentions(i, global)) {
                visit(global);
                break;
            }
        }
    }
}

void add_locals(Function &function, Function &mirror) {
    if (!mirror.getSubprogram())
        return;
    Locals locals(mirror);
    for (const BuiltIn &variable : built_ins)
        locals.add_built_in(variable);
    visit_shared(*mirror.getParent(), function.getSubprogram(),
                 [&](GlobalVariable &shared, const DIGlobalVariable &variable) {
                     locals.add_shared(shared, variable);
                 });
    visit_dynamic(function, [&](GlobalVariable &shared) { locals.add_dynamic(shared); });
}

// Where a variable's life ends its memory could be another one's, which nobody looks for.
void drop_lifetimes(Function &mirror) {
    for (Instruction &i : make_early_inc_range(instructions(mirror))) {
        if (i.isLifetimeStartOrEnd())
            i.eraseFromParent();
    }
}

void set_attributes(Function &mirror) {
    for (Attribute::AttrKind kind : {Attribute::AlwaysInline, Attribute::InlineHint,
                                     Attribute::OptimizeForSize, Attribute::MinSize})
        mirror.removeFnAttr(kind);
    mirror.addFnAttr(Attribute::NoInline);
    mirror.addFnAttr(Attribute::OptimizeNone);
    mirror.addFnAttr(GCL_MIRROR_MARK);
    mirror.addFnAttr("frame-pointer", "all");
}

// Our headers are compiled without a description: debuggers step over what comes from there. But
// what the program has them call is the program's.
SetVector<Function *> find_described(Module &module) {
    SetVector<Function *> found;
    for (Function &function : module) {
        if (!function.isDeclarationForLinker() && function.getSubprogram())
            found.insert(&function);
    }
    for (unsigned i = 0; i < found.size(); i++) {
        for (User *user : found[i]->users()) {
            auto *call = dyn_cast<CallBase>(user);
            if (call && !call->getFunction()->isDeclarationForLinker())
                found.insert(call->getFunction());
        }
    }
    return found;
}

// A function whose address is taken is the same for all code.
void redirect_calls(Function &mirror, const DenseMap<Function *, Function *> &mirrors) {
    for (Instruction &i : instructions(mirror)) {
        auto *call = dyn_cast<CallBase>(&i);
        Function *called = call ? mirrors.lookup(call->getCalledFunction()) : nullptr;
        if (called)
            call->setCalledFunction(called);
    }
}

void clone(Function &function, Function &mirror, const DenseMap<Function *, Function *> &mirrors) {
    ValueToValueMapTy map;
    SmallVector<ReturnInst *, 4> returns;
    for (auto [from, to] : zip(function.args(), mirror.args())) {
        to.setName(from.getName());
        map[&from] = &to;
    }
    CloneFunctionInto(&mirror, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    redirect_calls(mirror, mirrors);
    set_attributes(mirror);
    drop_lifetimes(mirror);
    add_locals(function, mirror);
}

} // namespace

void gcl_mirrors_make(LLVMModuleRef of) {
    Module &module = *unwrap(of);
    DenseMap<Function *, Function *> mirrors;
    SmallVector<GlobalValue *, 64> kept;
    SetVector<Function *> functions = find_described(module);
    for (Function *function : functions) {
        mirrors[function] = Function::Create(function->getFunctionType(), function->getLinkage(),
                                             function->getAddressSpace(),
                                             function->getName() + GCL_MIRROR_SUFFIX, &module);
        kept.push_back(mirrors[function]);
    }
    for (Function *function : functions)
        clone(*function, *mirrors[function], mirrors);
    appendToCompilerUsed(module, kept);
}
