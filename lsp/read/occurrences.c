// clang's tree is walked once for all names. What it doesn't show is added: names in pragmas of
// gcluster, macros, and, as unknown, whatever else is spelt like a name.
#include "lsp/read/occurrences.h"

#include <assert.h>
#include <string.h>

#include "base/pragma.h"
#include "frontend/cursor.h"
#include "frontend/text/lexer.h"
#include "lsp/read/pattern.h"
#include "lsp/read/tree.h"
#include "lsp/read/view.h"

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

// `using a::b` declares no name of its own: the references in it stand for it.
static bool is_name(enum CXCursorKind kind) {
    return (clang_isDeclaration(kind) && kind != CXCursor_UsingDeclaration) ||
           clang_isReference(kind) || kind == CXCursor_DeclRefExpr ||
           kind == CXCursor_MemberRefExpr || kind == CXCursor_MacroExpansion ||
           kind == CXCursor_MacroDefinition;
}

// Which of several overloads is meant depends on the arguments of a template: `is_guess`, unless
// all are the system's.
static CXCursor choose(CXCursor overloads, bool *is_guess) {
    unsigned count = clang_getNumOverloadedDecls(overloads);
    for (unsigned i = 0; count > 1 && i < count; i++)
        *is_guess |= !clang_Location_isInSystemHeader(
            clang_getCursorLocation(clang_getOverloadedDecl(overloads, i)));
    return count > 0 ? clang_getOverloadedDecl(overloads, 0) : overloads;
}

// Of a name that `using` has brought, clang gives a declaration that libclang has no kind
// for: what is meant is found at the place of that declaration.
static CXCursor choose_behind_using(CXCursor overloads, bool *is_guess) {
    CXCursor found = choose(overloads, is_guess);
    if (clang_getCursorKind(found) != CXCursor_UnexposedDecl)
        return found;
    CXCursor named =
        clang_getCursor(clang_Cursor_getTranslationUnit(found), clang_getCursorLocation(found));
    return clang_getCursorKind(named) == CXCursor_OverloadedDeclRef ? choose(named, is_guess)
                                                                    : found;
}

static CXCursor target_of(CXCursor cursor, enum CXCursorKind kind, bool *is_guess) {
    CXCursor target = clang_isDeclaration(kind) || kind == CXCursor_MacroDefinition
                          ? cursor
                          : clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
        target = choose_behind_using(target, is_guess);
    return clang_getCanonicalCursor(gcl_pattern_of(target));
}

static bool is_called(CXCursor cursor, CXCursor parent, enum CXCursorKind kind) {
    return kind != CXCursor_TypeRef && clang_getCursorKind(parent) == CXCursor_CallExpr &&
           clang_equalCursors(clang_getCursorReferenced(cursor), clang_getCursorReferenced(parent));
}

// Expressions whose names clang leaves open, because they depend on a template's arguments.

static uint32_t skip(const char *text, uint32_t at, uint32_t end, const char *skipped) {
    while (at < end && strchr(skipped, text[at]))
        at++;
    return at;
}

static const char blanks[] = " \t\r\n";

// Behind "<a, b<c>>"; `at` itself if nothing of the kind begins there.
static uint32_t skip_arguments(const char *text, uint32_t at, uint32_t end) {
    int depth = 0;
    for (uint32_t i = at; i < end; i++) {
        depth += (text[i] == '<') - (text[i] == '>');
        if (depth == 0)
            return i == at ? at : i + 1;
    }
    return at;
}

// Where the name begins in `object->name`, for all that it is qualified with.
static uint32_t behind_object(const struct gcl_view *view, CXCursor expression, uint32_t begin,
                              uint32_t end) {
    CXCursor object = gcl_cursor_first_child(expression);
    uint32_t object_begin, object_end;
    bool has_one =
        clang_isExpression(clang_getCursorKind(object)) &&
        gcl_tree_extent(view, clang_getCursorExtent(object), &object_begin, &object_end) &&
        object_begin == begin && object_end < end;
    const char *text = gcl_line_table_data(view->text, NULL);
    uint32_t behind = has_one ? skip(text, object_end, end, blanks) : begin;
    return behind < end && strchr(".-", text[behind]) ? skip(text, behind, end, "->. \t\r\n")
                                                      : begin;
}

// The name in an expression that clang leaves open: the last one of `object->template
// outer<int>::name<3>`.
static bool find_open_name(const struct gcl_view *view, CXCursor expression,
                           struct gcl_occurrence *found) {
    const char *text = gcl_line_table_data(view->text, NULL);
    uint32_t at, end;
    if (!gcl_tree_extent(view, clang_getCursorExtent(expression), &at, &end) ||
        !gcl_tree_is_written(expression))
        return false;
    for (at = behind_object(view, expression, at, end); at < end;) {
        at = skip(text, at, end, ": \t\r\n");
        gcl_line_table_word(view->text, at, &found->begin, &found->end);
        if (found->begin != at || found->end == at)
            return false;
        at = skip(text, found->end, end, blanks);
        bool is_keyword = strncmp(text + found->begin, "template", found->end - found->begin) == 0;
        uint32_t behind = skip(text, skip_arguments(text, at, end), end, blanks);
        if (!is_keyword && (behind >= end || text[behind] != ':'))
            return true;
        at = is_keyword ? at : behind;
    }
    return false;
}

static CXType type_of_object(const struct gcl_view *view, CXCursor expression);

// What an expression's open name most likely is. Of a member: if the object is an instance of a
// template, that of the template.
static CXCursor open_target(const struct gcl_view *view, CXCursor expression,
                            struct gcl_occurrence *found) {
    CXCursor reference = clang_getCursorReferenced(expression);
    if (!find_open_name(view, expression, found))
        return clang_getNullCursor();
    if (clang_getCursorKind(reference) == CXCursor_OverloadedDeclRef)
        return choose_behind_using(reference, &found->is_guess);
    g_autofree char *name = gcl_line_table_copy(view->text, found->begin, found->end);
    return gcl_pattern_member(type_of_object(view, expression), name, &found->is_guess);
}

static CXType type_of_object(const struct gcl_view *view, CXCursor expression) {
    CXCursor object = gcl_cursor_first_child(expression);
    struct gcl_occurrence unused = {0};
    bool is_open = clang_getCursorKind(object) == CXCursor_MemberRefExpr &&
                   gcl_cursor_is_null(clang_getCursorReferenced(object));
    return clang_getCursorType(is_open ? open_target(view, object, &unused) : object);
}

static void see_open(const struct walk *walk, CXCursor expression, CXCursor parent) {
    struct gcl_occurrence found = {
        .calls = clang_getCursorKind(parent) == CXCursor_CallExpr &&
                 clang_equalCursors(gcl_cursor_first_child(parent), expression)};
    found.target =
        clang_getCanonicalCursor(gcl_pattern_of(open_target(walk->view, expression, &found)));
    if (gcl_cursor_is_null(found.target))
        return;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(found.target));
    g_autofree char *written = gcl_line_table_copy(walk->view->text, found.begin, found.end);
    if (strcmp(name, written) == 0)
        g_array_append_val(walk->list, found);
}

static bool is_open(CXCursor cursor, enum CXCursorKind kind) {
    CXCursor reference = clang_getCursorReferenced(cursor);
    return (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) &&
           (gcl_cursor_is_null(reference) ||
            clang_getCursorKind(reference) == CXCursor_OverloadedDeclRef);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct gcl_occurrence found = {.target = clang_getNullCursor()};
    uint32_t word_begin, word_end;
    if (is_name(kind) && is_open(cursor, kind)) {
        see_open(walk, cursor, parent);
        return CXChildVisit_Recurse;
    }
    if (!is_name(kind) || !gcl_tree_name(walk->view, cursor, &found.begin, &found.end) ||
        !gcl_tree_is_written(cursor))
        return CXChildVisit_Recurse;
    gcl_line_table_word(walk->view->text, found.begin, &word_begin, &word_end);
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

// The parameter of that name that is declared first behind a byte: behind a pragma, the parameter
// of its kernel.
static const struct gcl_occurrence *parameter_behind(const GArray *list, guint count,
                                                     const struct gcl_view *view, uint32_t offset,
                                                     const char *name) {
    const char *text = gcl_line_table_data(view->text, NULL);
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
    g_autofree char *text = gcl_line_table_copy(view->text, object->begin, object->end);
    g_auto(GStrv) names = g_strsplit(text, ".", -1);
    struct gcl_occurrence found = {.begin = object->begin};
    for (char **name = names; *name; name++, found.begin = found.end + 1) {
        if (name == names) {
            const struct gcl_occurrence *parameter =
                parameter_behind(list, count, view, found.begin, *name);
            found.target = parameter ? parameter->target : clang_getNullCursor();
        } else {
            found.target =
                gcl_pattern_member(clang_getCursorType(found.target), *name, &found.is_guess);
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
    const char *text = gcl_line_table_data(rest->view->text, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(text, size);
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
        g_autofree char *word = gcl_line_table_copy(rest->view->text, token->begin, token->end);
        bool is_defined = i > 0 && gcl_token_is(token - 1, text, "define");
        struct gcl_unknown_name name = {token->begin, token->end};
        assert(token->begin < token->end && token->end <= size);
        if (!add_macro(rest, token, word, is_defined) && !g_strv_contains(keywords, word))
            g_array_append_val(rest->unknown, name);
    }
}

// Leaves one occurrence at each place: the declaration, or the first.
static void remove_repeated(GArray *list) {
    guint kept = 0;
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *occurrence = &g_array_index(list, struct gcl_occurrence, i);
        if (kept > 0 &&
            g_array_index(list, struct gcl_occurrence, kept - 1).begin == occurrence->begin)
            continue;
        assert(kept == 0 ||
               g_array_index(list, struct gcl_occurrence, kept - 1).begin < occurrence->begin);
        g_array_index(list, struct gcl_occurrence, kept++) = *occurrence;
    }
    g_array_set_size(list, kept);
}

static void find_all(struct gcl_view *view) {
    struct walk walk = {view, g_array_new(FALSE, FALSE, sizeof(struct gcl_occurrence))};
    g_autoptr(GHashTable) others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GArray *unknown = g_array_new(FALSE, FALSE, sizeof(struct gcl_unknown_name));
    assert(view->is_current && view->unit && !view->occurrences && !view->unknown_names);
    gcl_tree_visit(view, visit, &walk);
    g_array_sort(walk.list, compare);
    add_pragmas(view, walk.list);
    g_array_sort(walk.list, compare);
    remove_repeated(walk.list);
    add_rest(&(struct rest){view, walk.list, unknown, others});
    g_array_sort(walk.list, compare);
    view->occurrences = walk.list;
    view->unknown_names = unknown;
}

const GArray *gcl_occurrences_of(struct gcl_view *view) {
    if (!view->occurrences)
        find_all(view);
    return view->occurrences;
}

const GArray *gcl_occurrences_unknown(struct gcl_view *view) {
    if (!view->unknown_names)
        find_all(view);
    return view->unknown_names;
}

const struct gcl_occurrence *gcl_occurrences_at(struct gcl_view *view, uint32_t offset) {
    const GArray *list = gcl_occurrences_of(view);
    guint low = 0, high = list->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const struct gcl_occurrence *found = &g_array_index(list, struct gcl_occurrence, middle);
        assert(found->begin < found->end);
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
    const char *text = gcl_line_table_data(view->text, NULL);
    while (begin > 0 && g_ascii_isspace(text[begin - 1]))
        begin--;
    return begin > 0 && (text[begin - 1] == '.' ||
                         (begin > 1 && text[begin - 2] == '-' && text[begin - 1] == '>'));
}
