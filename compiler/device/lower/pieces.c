// Accesses of vectors that fill several registers become one access for each register, lowest
// address first. Instruction selection would split them as well, but leave the pieces in no order,
// and a processor that fetches ahead of what goes up (Zen 4) then waits for memory.
//
// Before: the optimised module. After: what the code generator is for.
#include "device/lower/pieces.h"

#include "device/ir/module.h"
#include "device/ir/target.h"

enum { MOST = 32 }; // pieces

// How many registers of `size` bytes an access of `type` fills; 1 if it stays as it is.
static unsigned piece_count(const struct gcl_module *m, LLVMValueRef access, LLVMTypeRef type,
                            unsigned size) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVolatile(access) ||
        LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic)
        return 1;
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned long long bits = LLVMSizeOfTypeInBits(m->layout, element);
    unsigned long long count = bits * LLVMGetVectorSize(type) / (8 * size);
    bool is_packed = bits == 8 * LLVMABISizeOfType(m->layout, element);
    bool splits = count > 1 && count <= MOST && (count & (count - 1)) == 0 &&
                  count * 8 * size == bits * LLVMGetVectorSize(type) && 8 * size % bits == 0;
    return is_packed && splits ? (unsigned)count : 1;
}

// `count` elements, from `first` on, of `low` with `high` behind it.
static LLVMValueRef shuffle(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef low,
                            LLVMValueRef high, unsigned first, unsigned count) {
    g_autofree LLVMValueRef *places = g_new(LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++)
        places[i] = gcl_u32(m, first + i);
    return LLVMBuildShuffleVector(b, low, high, LLVMConstVector(places, count), "");
}

static LLVMValueRef place_of(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef address,
                             unsigned offset) {
    LLVMValueRef bytes = gcl_u64(m, offset);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context);
    return offset > 0 ? LLVMBuildGEP2(b, i8, address, &bytes, 1, "") : address;
}

// What a piece has in common with the whole.
static void inherit(struct gcl_module *m, LLVMValueRef piece, LLVMValueRef whole, unsigned size) {
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(whole, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        LLVMSetMetadata(piece, LLVMValueMetadataEntriesGetKind(entries, i),
                        LLVMMetadataAsValue(m->context, node));
    }
    LLVMDisposeValueMetadataEntries(entries);
    LLVMSetAlignment(piece, MIN(LLVMGetAlignment(whole), size));
}

static void split_load(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef load, unsigned size) {
    LLVMTypeRef type = LLVMTypeOf(load), element = LLVMGetElementType(type);
    unsigned count = piece_count(m, load, type, size), length = LLVMGetVectorSize(type) / count;
    LLVMValueRef pieces[MOST];
    for (unsigned p = 0; p < count; p++) {
        LLVMValueRef place = place_of(m, b, LLVMGetOperand(load, 0), p * size);
        pieces[p] = LLVMBuildLoad2(b, LLVMVectorType(element, length), place, "");
        inherit(m, pieces[p], load, size);
    }
    for (; count > 1; count /= 2, length *= 2) {
        for (unsigned p = 0; p < count / 2; p++)
            pieces[p] = shuffle(m, b, pieces[2 * p], pieces[2 * p + 1], 0, 2 * length);
    }
    LLVMReplaceAllUsesWith(load, pieces[0]);
    LLVMInstructionEraseFromParent(load);
}

static void split_store(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef store, unsigned size) {
    LLVMValueRef value = LLVMGetOperand(store, 0), nothing = LLVMGetPoison(LLVMTypeOf(value));
    unsigned count = piece_count(m, store, LLVMTypeOf(value), size);
    unsigned length = LLVMGetVectorSize(LLVMTypeOf(value)) / count;
    for (unsigned p = 0; p < count; p++) {
        LLVMValueRef piece = shuffle(m, b, value, nothing, p * length, length);
        LLVMValueRef place = place_of(m, b, LLVMGetOperand(store, 1), p * size);
        inherit(m, LLVMBuildStore(b, piece, place), store, size);
    }
    LLVMInstructionEraseFromParent(store);
}

static void split(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef i, unsigned size) {
    LLVMPositionBuilderBefore(b, i);
    if (LLVMIsALoadInst(i) && piece_count(m, i, LLVMTypeOf(i), size) > 1)
        split_load(m, b, i, size);
    else if (LLVMIsAStoreInst(i) && piece_count(m, i, LLVMTypeOf(LLVMGetOperand(i, 0)), size) > 1)
        split_store(m, b, i, size);
}

void gcl_pieces_split(struct gcl_module *m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        unsigned size = gcl_target_register(gcl_target_level(m, f));
        for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) {
            LLVMValueRef next, i = LLVMGetFirstInstruction(k);
            for (; i; i = next) {
                next = LLVMGetNextInstruction(i);
                split(m, b, i, size);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
