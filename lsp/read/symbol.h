// What kinds of symbols outlines, the index and the call hierarchy tell apart.
#ifndef GCL_LSP_SYMBOL_H
#define GCL_LSP_SYMBOL_H

#include <clang-c/Index.h>

/// LSP's SymbolKind, as far as it is used here.
enum gcl_symbol {
    GCL_SYMBOL_NAMESPACE = 3,
    GCL_SYMBOL_CLASS = 5,
    GCL_SYMBOL_METHOD = 6,
    GCL_SYMBOL_FIELD = 8,
    GCL_SYMBOL_CONSTRUCTOR = 9,
    GCL_SYMBOL_ENUM = 10,
    GCL_SYMBOL_FUNCTION = 12,
    GCL_SYMBOL_VARIABLE = 13,
    GCL_SYMBOL_CONSTANT = 14,
    GCL_SYMBOL_ENUM_MEMBER = 22,
    GCL_SYMBOL_STRUCT = 23,
    GCL_SYMBOL_KERNEL = 24, ///< LSP's Event, which nothing else here is: editors give it an icon
    GCL_SYMBOL_TYPE_PARAMETER = 26
};
/// The SymbolKind of a declaration; 0: it is none that people look for.
int gcl_symbol_kind(CXCursor cursor);

#endif
