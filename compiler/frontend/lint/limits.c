// What nvcc's assembler refuses of a kernel, or warns of: arrays that are larger than GPUs have
// shared memory for, and constants that are set.
#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"

/// Bytes of shared memory whose size is known when a kernel is compiled, on all GPUs.
#define SHARED_MOST (48LL << 10)

struct look {
    const struct gcl_lint *lint;
    long long shared; ///< bytes of the arrays so far
};

static void see_variable(struct look *look, CXCursor variable) {
    long long size = clang_Type_getSizeOf(clang_getCursorType(variable)); // < 0: nobody knows yet
    if (size <= 0 || clang_Cursor_getStorageClass(variable) == CX_SC_Extern ||
        !gcl_lint_has_attribute(variable, CXCursor_CUDASharedAttr))
        return;
    long long before = look->shared;
    look->shared += size;
    if (before <= SHARED_MOST && look->shared > SHARED_MOST)
        gcl_lint_add(look->lint, variable, GCL_CODE_SHARED_SIZE,
                     "make them smaller; or declare one extern, with its bytes in the launch, and "
                     "raise cudaFuncAttributeMaxDynamicSharedMemorySize",
                     "the function's shared variables take %lld bytes so far, and GPUs have 49152 "
                     "for those of known size",
                     look->shared);
}

// The variable that an expression is a part of; null if a pointer leads to it.
static CXCursor variable_of(CXCursor expression) {
    CXCursor at = gcl_lint_strip(expression);
    enum CXCursorKind kind = clang_getCursorKind(at);
    while (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_MemberRefExpr) {
        at = gcl_lint_strip(gcl_lint_operand(at, false));
        CXType type = clang_getCanonicalType(clang_getCursorType(at));
        if (type.kind != (kind == CXCursor_MemberRefExpr ? CXType_Record : CXType_ConstantArray))
            return clang_getNullCursor();
        kind = clang_getCursorKind(at);
    }
    return kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(at) : clang_getNullCursor();
}

static bool is_change(CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(cursor);
    return kind == CXCursor_CompoundAssignOperator ||
           (kind == CXCursor_BinaryOperator &&
            clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign) ||
           (kind == CXCursor_UnaryOperator && unary >= CXUnaryOperator_PostInc &&
            unary <= CXUnaryOperator_PreDec);
}

static void see_change(const struct look *look, CXCursor change) {
    CXCursor variable = variable_of(gcl_lint_operand(change, false));
    if (clang_getCursorKind(variable) != CXCursor_VarDecl ||
        !gcl_lint_has_attribute(variable, CXCursor_CUDAConstantAttr))
        return;
    g_autofree char *name = gcl_cursor_name(variable);
    gcl_lint_add(look->lint, change, GCL_CODE_CONSTANT_SET,
                 "declare it __device__, or let the host set it with cudaMemcpyToSymbol()",
                 "'%s' is __constant__, which kernels can't set", name);
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        see_variable(data, cursor);
    else if (is_change(cursor))
        see_change(data, cursor);
    return CXChildVisit_Recurse;
}

void gcl_lint_limits(const struct gcl_lint *lint, CXCursor function) {
    struct look look = {.lint = lint};
    clang_visitChildren(function, see, &look);
}
