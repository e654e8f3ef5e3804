#include "occurrences.h"

#include <string.h>

#include "base/pragma.h"
#include "frontend/cursor.h"
#include "frontend/lexer.h"
#include "pattern.h"
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

// Which of several it is depends on the arguments of a template: `is_guess`, unless all are the
// system's.
static CXCursor choose(CXCursor overloads, bool *is_guess) {
    unsigned count = clang_getNumOverloadedDecls(overloads);
    for (unsigned i = 0; count > 1 && i < count; i++)
        *is_guess |= !clang_Location_isInSystemHeader(
            clang_getCursorLocation(clang_getOverloadedDecl(overloads, i)));
    return count > 0 ? clang_getOverloadedDecl(overloads, 0) : overloads;
}

static CXCursor target_of(CXCursor cursor, enum CXCursorKind kind, bool *is_guess) {
    CXCursor target = clang_isDeclaration(kind) || kind == CXCursor_MacroDefinition
                          ? cursor
                          : clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
        target = choose(target, is_guess);
    return clang_getCanonicalCursor(gcl_pattern_of(target));
}

static bool is_called(CXCursor cursor, CXCursor parent, enum CXCursorKind kind) {
    return kind != CXCursor_TypeRef && clang_getCursorKind(parent) == CXCursor_CallExpr &&
           clang_equalCursors(clang_getCursorReferenced(cursor), clang_getCursorReferenced(parent));
}

// `a.x` of which clang leaves x open, because the type of a depends on a template's arguments. If
// a is an instance of a template all the same, its x is most likely meant.
static void see_open_member(const struct walk *walk, CXCursor expression) {
    struct gcl_occurrence found = {0};
    CXCursor object = gcl_cursor_first_child(expression);
    uint32_t begin, end;
    if (gcl_cursor_is_null(object) ||
        !gcl_tree_extent(walk->view, clang_getCursorExtent(expression), &begin, &end) ||
        begin == end)
        return;
    gcl_lines_word(walk->view->text, end, &found.begin, &found.end);
    g_autofree char *name = gcl_lines_copy(walk->view->text, found.begin, found.end);
    found.target = clang_getCanonicalCursor(gcl_pattern_member(clang_getCursorType(object), name));
    if (found.end == end && *name && !gcl_cursor_is_null(found.target))
        g_array_append_val(walk->list, found);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct gcl_occurrence found = {.target = clang_getNullCursor()};
    uint32_t word_begin, word_end;
    if (kind == CXCursor_MemberRefExpr && gcl_cursor_is_null(clang_getCursorReferenced(cursor)))
        see_open_member(walk, cursor);
    if (!is_name(kind) || !gcl_tree_name(walk->view, cursor, &found.begin, &found.end))
        return CXChildVisit_Recurse;
    // A name that a macro makes stands where the macro is used, and isn't written there.
    gcl_lines_word(walk->view->text, found.begin, &word_begin, &word_end);
    if (word_begin != found.begin || word_end < found.begin || found.begin == word_end)
        return CXChildVisit_Recurse;
    found.end = word_end;
    found.target = target_of(cursor, kind, &found.is_guess);
    found.declares = clang_isDeclaration(kind);
    found.defines = found.declares && clang_isCursorDefinition(cursor);
    found.calls = is_called(cursor, parent, kind);
    if (!gcl_cursor_is_null(found.target))
        g_array_append_val(walk->list, found);
    return CXChildVisit_Recurse;
}

// Pragmas.

// The parameter of that name that is declared first behind a byte; of a pragma, its kernel's.
static const struct gcl_occurrence *parameter_behind(const GArray *list, guint count,
                                                     const struct gcl_view *view, uint32_t offset,
                                                     const char *name) {
    const char *text = gcl_lines_data(view->text, NULL);
    size_t length = strlen(name);
    for (guint i = 0; i < count; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (o->begin > offset && o->declares && o->end - o->begin == length &&
            clang_getCursorKind(o->target) == CXCursor_ParmDecl &&
            memcmp(text + o->begin, name, length) == 0)
            return o;
    }
    return NULL;
}

// "p.n": each of its names.
static void see_object(const struct gcl_view *view, GArray *list, guint count,
                       const struct gcl_pragma_object *object) {
    g_autofree char *text = gcl_lines_copy(view->text, object->begin, object->end);
    g_auto(GStrv) names = g_strsplit(text, ".", -1);
    struct gcl_occurrence found = {.begin = object->begin};
    for (char **name = names; *name; name++, found.begin = found.end + 1) {
        if (name == names) {
            const struct gcl_occurrence *parameter =
                parameter_behind(list, count, view, found.begin, *name);
            found.target = parameter ? parameter->target : clang_getNullCursor();
        } else {
            found.target = gcl_pattern_member(clang_getCursorType(found.target), *name);
        }
        found.end = found.begin + (uint32_t)strlen(*name);
        if (gcl_cursor_is_null(found.target))
            return;
        g_array_append_val(list, found);
    }
}

// A pragma names parameters of the kernel that follows, of which clang sees nothing.
static void add_pragmas(const struct gcl_view *view, GArray *list) {
    guint count = list->len;
    for (guint i = 0; i < view->unit->pragmas->len; i++) {
        const struct gcl_pragma *pragma = view->unit->pragmas->pdata[i];
        const struct gcl_pragma_clause *clause = &pragma->clause;
        if (strcmp(pragma->path, view->path) != 0)
            continue;
        if (clause->object.name)
            see_object(view, list, count, &clause->object);
        for (guint n = 0; clause->nodes && n < clause->nodes->len; n++) {
            const struct gcl_pragma_node *node =
                &g_array_index(clause->nodes, struct gcl_pragma_node, n);
            if (node->kind == GCL_PRAGMA_NODE_OBJECT)
                see_object(view, list, count, &node->object);
        }
    }
}

// Macros, and what else the tree doesn't have.

// clang-format off
static const char *const keywords[] = {
    "__constant__", "__device__", "__forceinline__", "__global__", "__host__", "__restrict__",
    "__shared__", "alignas", "alignof", "asm", "auto", "bool", "break", "case", "catch", "char",
    "class", "const", "const_cast", "constexpr", "continue", "decltype", "default", "define",
    "delete", "do", "double", "elif", "else", "endif", "enum", "explicit", "extern", "false",
    "float", "for", "friend", "goto", "if", "ifdef", "ifndef", "include", "inline", "int", "long",
    "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "override", "pragma",
    "private", "protected", "public", "register", "reinterpret_cast", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
    "template", "this", "throw", "true", "try", "typedef", "typename", "undef", "union",
    "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", NULL};
// clang-format on

struct rest {
    const struct gcl_view *view;
    GArray *list, *unknown;
    GHashTable *others; // words that are no macros
};

// Asking clang about each name takes long, so one that was no macro stays none, except behind
// #define. To clang all of a macro's text is the macro.
static bool add_macro(const struct rest *rest, const struct gcl_token *token, const char *word,
                      bool is_defined) {
    struct gcl_occurrence found = {.begin = token->begin, .end = token->end};
    if (!is_defined && g_hash_table_contains(rest->others, word))
        return false;
    CXCursor cursor = gcl_tree_cursor(rest->view, token->begin);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    found.declares = found.defines = kind == CXCursor_MacroDefinition;
    if ((kind != CXCursor_MacroDefinition && kind != CXCursor_MacroExpansion) ||
        strcmp(name, word) != 0) {
        g_hash_table_add(rest->others, g_strdup(word));
        return false;
    }
    found.target = target_of(cursor, kind, &found.is_guess);
    g_array_append_val(rest->list, found);
    return true;
}

static void add_rest(const struct rest *rest) {
    size_t size;
    const char *text = gcl_lines_data(rest->view->text, &size);
    g_autoptr(GArray) tokens = gcl_lex(text, size);
    guint next = 0, count = rest->list->len; // what is appended isn't sorted in yet
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        if (token->kind != GCL_TOKEN_IDENTIFIER)
            continue;
        while (next < count &&
               g_array_index(rest->list, struct gcl_occurrence, next).begin < token->begin)
            next++;
        if (next < count &&
            g_array_index(rest->list, struct gcl_occurrence, next).begin == token->begin)
            continue;
        g_autofree char *word = gcl_lines_copy(rest->view->text, token->begin, token->end);
        bool is_defined = i > 0 && gcl_token_is(token - 1, text, "define");
        struct gcl_unknown_name name = {token->begin, token->end};
        if (!add_macro(rest, token, word, is_defined) && !g_strv_contains(keywords, word))
            g_array_append_val(rest->unknown, name);
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
    g_autoptr(GHashTable) others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GArray *unknown = g_array_new(FALSE, FALSE, sizeof(struct gcl_unknown_name));
    gcl_tree_visit(view, visit, &walk);
    g_array_sort(walk.list, compare);
    add_pragmas(view, walk.list);
    g_array_sort(walk.list, compare);
    remove_repeated(walk.list);
    add_rest(&(struct rest){view, walk.list, unknown, others});
    g_array_sort(walk.list, compare);
    view->occurrences = g_new(struct gcl_occurrences, 1);
    *view->occurrences = (struct gcl_occurrences){walk.list, unknown};
    return view->occurrences;
}

void gcl_occurrences_destroy(struct gcl_occurrences *occurrences) {
    if (!occurrences)
        return;
    g_array_unref(occurrences->list);
    g_array_unref(occurrences->unknown);
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

bool gcl_occurrences_is_member(const struct gcl_view *view, uint32_t begin) {
    const char *text = gcl_lines_data(view->text, NULL);
    while (begin > 0 && g_ascii_isspace(text[begin - 1]))
        begin--;
    return begin > 0 && (text[begin - 1] == '.' ||
                         (begin > 1 && text[begin - 2] == '-' && text[begin - 1] == '>'));
}
