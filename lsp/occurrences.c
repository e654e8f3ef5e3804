#include "occurrences.h"

#include "frontend/lexer.h"
#include "tree.h"
#include "worker.h"

struct walk {
    const struct gcl_view *view;
    GArray *list;
};

static int compare(const void *left, const void *right) {
    const struct gcl_occurrence *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (int)b->declares - (int)a->declares;
}

static bool is_name(enum CXCursorKind kind) {
    return clang_isDeclaration(kind) || clang_isReference(kind) || kind == CXCursor_DeclRefExpr ||
           kind == CXCursor_MemberRefExpr || kind == CXCursor_MacroExpansion ||
           kind == CXCursor_MacroDefinition;
}

static CXCursor target_of(CXCursor cursor, enum CXCursorKind kind) {
    CXCursor target = clang_isDeclaration(kind) || kind == CXCursor_MacroDefinition
                          ? cursor
                          : clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef &&
        clang_getNumOverloadedDecls(target) > 0)
        target = clang_getOverloadedDecl(target, 0);
    return clang_getCanonicalCursor(target);
}

static bool is_called(CXCursor cursor, CXCursor parent, enum CXCursorKind kind) {
    return kind != CXCursor_TypeRef && clang_getCursorKind(parent) == CXCursor_CallExpr &&
           clang_equalCursors(clang_getCursorReferenced(cursor), clang_getCursorReferenced(parent));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct gcl_occurrence found = {.target = clang_getNullCursor()};
    uint32_t word_begin, word_end;
    if (!is_name(kind) || !gcl_tree_name(walk->view, cursor, &found.begin, &found.end))
        return CXChildVisit_Recurse;
    // A name that a macro makes stands where the macro is used, and isn't written there.
    gcl_lines_word(walk->view->text, found.begin, &word_begin, &word_end);
    if (word_begin != found.begin || word_end < found.begin || found.begin == word_end)
        return CXChildVisit_Recurse;
    found.end = word_end;
    found.target = target_of(cursor, kind);
    found.declares = clang_isDeclaration(kind);
    found.defines = found.declares && clang_isCursorDefinition(cursor);
    found.calls = is_called(cursor, parent, kind);
    if (!clang_Cursor_isNull(found.target) && !clang_isInvalid(clang_getCursorKind(found.target)))
        g_array_append_val(walk->list, found);
    return CXChildVisit_Recurse;
}

// Macros aren't in the tree. Asking clang about each name takes long, so one that was none stays
// none, except behind #define.
static void add_macros(const struct gcl_view *view, GArray *list) {
    g_autoptr(GHashTable) others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t size;
    const char *text = gcl_lines_data(view->text, &size);
    g_autoptr(GArray) tokens = gcl_lex(text, size);
    guint next = 0, count = list->len; // what is appended isn't sorted in yet
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        struct gcl_occurrence found = {.begin = token->begin, .end = token->end};
        g_autofree char *word = g_strndup(text + token->begin, token->end - token->begin);
        while (next < count &&
               g_array_index(list, struct gcl_occurrence, next).begin < token->begin)
            next++;
        bool is_known =
            next < count && g_array_index(list, struct gcl_occurrence, next).begin == token->begin;
        bool is_defined = i > 0 && gcl_token_is(token - 1, text, "define");
        if (token->kind != GCL_TOKEN_IDENTIFIER || is_known ||
            (!is_defined && g_hash_table_contains(others, word)))
            continue;
        CXCursor cursor = gcl_tree_cursor(view, token->begin);
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        found.declares = found.defines = kind == CXCursor_MacroDefinition;
        if (kind == CXCursor_MacroDefinition || kind == CXCursor_MacroExpansion) {
            found.target = target_of(cursor, kind);
            g_array_append_val(list, found);
        } else {
            g_hash_table_add(others, g_steal_pointer(&word));
        }
    }
}

// Of several at one place the declaration counts, or the first.
static void remove_repeated(GArray *list) {
    guint kept = 0;
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *occurrence = &g_array_index(list, struct gcl_occurrence, i);
        if (kept > 0 &&
            g_array_index(list, struct gcl_occurrence, kept - 1).begin == occurrence->begin)
            continue;
        g_array_index(list, struct gcl_occurrence, kept++) = *occurrence;
    }
    g_array_set_size(list, kept);
}

const struct gcl_occurrences *gcl_occurrences_of(struct gcl_view *view) {
    if (view->occurrences)
        return view->occurrences;
    struct walk walk = {view, g_array_new(FALSE, FALSE, sizeof(struct gcl_occurrence))};
    gcl_tree_visit(view, visit, &walk);
    g_array_sort(walk.list, compare);
    remove_repeated(walk.list);
    add_macros(view, walk.list);
    g_array_sort(walk.list, compare);
    view->occurrences = g_new(struct gcl_occurrences, 1);
    *view->occurrences = (struct gcl_occurrences){walk.list};
    return view->occurrences;
}

void gcl_occurrences_destroy(struct gcl_occurrences *occurrences) {
    if (!occurrences)
        return;
    g_array_unref(occurrences->list);
    g_free(occurrences);
}

const struct gcl_occurrence *gcl_occurrences_at(struct gcl_view *view, uint32_t offset) {
    const GArray *list = gcl_occurrences_of(view)->list;
    guint low = 0, high = list->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const struct gcl_occurrence *found = &g_array_index(list, struct gcl_occurrence, middle);
        if (offset >= found->begin && offset <= found->end)
            return found;
        if (found->begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
