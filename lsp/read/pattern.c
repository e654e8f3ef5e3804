// libclang has no way from an instance's member to its template's but for classes and functions;
// other members are found again by where they stand, which is the same in both.
#include "lsp/read/pattern.h"

#include <stdbool.h>
#include <string.h>

#include "frontend/cursor.h"

/// What is looked for in a template: the member that stands where an instance has its own.
struct member {
    CXSourceLocation location;
    enum CXCursorKind kind;
    CXCursor found;
};

static enum CXChildVisitResult see_same(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct member *wanted = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != wanted->kind ||
        !clang_equalLocations(clang_getCursorLocation(cursor), wanted->location))
        return CXChildVisit_Continue;
    wanted->found = cursor;
    return CXChildVisit_Break;
}

// clang knows where instances of classes and functions come from, but not so of fields, types and
// constants in them.
static CXCursor member_of_pattern(CXCursor member) {
    CXCursor parent = clang_getCursorSemanticParent(member);
    if (gcl_cursor_is_null(parent) || !clang_isDeclaration(clang_getCursorKind(parent)))
        return clang_getNullCursor();
    CXCursor pattern = gcl_pattern_of(parent);
    if (clang_equalCursors(pattern, parent))
        return clang_getNullCursor();
    struct member wanted = {clang_getCursorLocation(member), clang_getCursorKind(member),
                            clang_getNullCursor()};
    clang_visitChildren(pattern, see_same, &wanted);
    return wanted.found;
}

CXCursor gcl_pattern_of(CXCursor declaration) {
    if (gcl_cursor_is_null(declaration))
        return declaration;
    CXCursor general = clang_getSpecializedCursorTemplate(declaration);
    if (gcl_cursor_is_null(general))
        general = member_of_pattern(declaration);
    return gcl_cursor_is_null(general) || clang_equalCursors(general, declaration)
               ? declaration
               : gcl_pattern_of(general);
}

struct search {
    const char *name;
    CXCursor found;
    int count;
};

static void search_class(struct search *search, CXType type);

static enum CXChildVisitResult see_member(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    (void)parent;
    if (!clang_isDeclaration(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    CXString name = clang_getCursorSpelling(cursor);
    if (strcmp(clang_getCString(name), search->name) == 0 && search->count++ == 0)
        search->found = cursor;
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_base(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier)
        search_class(data, clang_getCursorType(cursor));
    return CXChildVisit_Continue;
}

static void search_class(struct search *search, CXType type) {
    CXCursor class = gcl_pattern_of(clang_getTypeDeclaration(type));
    if (gcl_cursor_is_null(class))
        return;
    clang_visitChildren(class, see_member, search);
    if (search->count == 0)
        clang_visitChildren(class, see_base, search);
}

CXCursor gcl_pattern_member(CXType type, const char *name, bool *is_guess) {
    struct search search = {name, clang_getNullCursor(), 0};
    while (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
           type.kind == CXType_RValueReference)
        type = clang_getPointeeType(type);
    search_class(&search, type);
    *is_guess |= search.count > 1;
    return search.found;
}
