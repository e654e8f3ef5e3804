// One table for both the outline of a text and the index, so that they name a declaration alike.
#include "lsp/read/symbol.h"

#include "lsp/read/tree.h"

int gcl_symbol_kind(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
        return GCL_SYMBOL_NAMESPACE;
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return GCL_SYMBOL_CLASS;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return GCL_SYMBOL_STRUCT;
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
    case CXCursor_Destructor:
        return GCL_SYMBOL_METHOD;
    case CXCursor_Constructor:
        return GCL_SYMBOL_CONSTRUCTOR;
    case CXCursor_FieldDecl:
        return GCL_SYMBOL_FIELD;
    case CXCursor_EnumDecl:
        return GCL_SYMBOL_ENUM;
    case CXCursor_EnumConstantDecl:
        return GCL_SYMBOL_ENUM_MEMBER;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
        return gcl_tree_is_kernel(cursor) ? GCL_SYMBOL_KERNEL : GCL_SYMBOL_FUNCTION;
    case CXCursor_VarDecl:
        return clang_isConstQualifiedType(clang_getCursorType(cursor)) ? GCL_SYMBOL_CONSTANT
                                                                       : GCL_SYMBOL_VARIABLE;
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return GCL_SYMBOL_TYPE_PARAMETER;
    default:
        return 0;
    }
}
