// Clang's tree is walked once. Each thing in it that does something, an assignment, a jump, a call
// with effects, has to be in tree-sitter's tree at the same place: what isn't comes from a macro,
// and copies of the text would be made without knowing of it.
#include "lsp/read/meaning.h"

#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"

enum { DEPTH_MAX = 8 }; // of calls that are looked into

struct gcl_meaning {
    const struct gcl_view *view;
    TSNode definition;
    GHashTable *names;    // offset -> CXCursor *: what is meant
    GHashTable *declared; // offsets of the names of variables declared here
    GArray *products;     // uint32_t: offsets at which products begin
    bool is_plain;        // the function has no effects but those that its text shows
};

// Variables.

bool gcl_meaning_is_local(CXCursor variable) {
    enum CXCursorKind kind = clang_getCursorKind(variable);
    if (kind == CXCursor_ParmDecl)
        return true;
    if (kind != CXCursor_VarDecl)
        return false;
    if (gcl_cursor_is_function(clang_getCursorKind(clang_getCursorSemanticParent(variable))))
        return true;
    g_autofree char *words = gcl_tree_qualifiers(variable);
    return strstr(words, "__shared__") != NULL;
}

bool gcl_meaning_is_array(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray || kind == CXType_DependentSizedArray;
}

// Functions.

// What a name means in a template that has no instance yet: the only function that it may stand
// for, or any of a library's; null if that isn't clear.
static CXCursor only_of(CXCursor meant) {
    if (clang_getCursorKind(meant) != CXCursor_OverloadedDeclRef)
        return meant;
    CXCursor first = clang_getOverloadedDecl(meant, 0);
    bool is_clear = clang_getNumOverloadedDecls(meant) == 1 ||
                    clang_Location_isInSystemHeader(clang_getCursorLocation(first));
    return is_clear ? first : clang_getNullCursor();
}

static CXCursor referenced(CXCursor cursor) {
    return only_of(clang_getCursorReferenced(cursor));
}

static CXCursor called(CXCursor call) {
    CXCursor function = referenced(call);
    return clang_Cursor_isNull(function) ? referenced(gcl_cursor_first_child(call)) : function;
}

static bool is_assignment(CXCursor cursor) {
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(cursor);
    return clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator ||
           (clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
            binary >= CXBinaryOperator_Assign);
}

static bool is_step(CXCursor cursor) {
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(cursor);
    return clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
           unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
}

// Whether an expression is a variable of the function itself, or a part of one.
static bool is_own(CXCursor lvalue) {
    bool is_element = false;
    while (!clang_Cursor_isNull(lvalue)) {
        CXCursor child = gcl_cursor_first_child(lvalue);
        switch ((unsigned)clang_getCursorKind(lvalue)) {
        case CXCursor_DeclRefExpr: {
            CXCursor variable = clang_getCursorReferenced(lvalue);
            CXType type = clang_getCanonicalType(clang_getCursorType(variable));
            return gcl_meaning_is_local(variable) && type.kind != CXType_LValueReference &&
                   type.kind != CXType_RValueReference &&
                   (!is_element || gcl_meaning_is_array(type));
        }
        case CXCursor_ArraySubscriptExpr:
            is_element = true;
            break;
        case CXCursor_MemberRefExpr:
            if (clang_Cursor_isNull(child) ||
                clang_getCanonicalType(clang_getCursorType(child)).kind == CXType_Pointer)
                return false;
            break;
        case CXCursor_ParenExpr:
        case CXCursor_UnexposedExpr:
            break;
        default:
            return false;
        }
        lvalue = child;
    }
    return false;
}

static bool is_pure(CXCursor function, unsigned depth);

struct effects {
    unsigned depth;
    bool found;
};

static enum CXChildVisitResult see_effect(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct effects *effects = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (is_assignment(cursor) || is_step(cursor))
        effects->found |= !is_own(gcl_cursor_first_child(cursor));
    if (kind == CXCursor_CallExpr)
        effects->found |= !is_pure(called(cursor), effects->depth + 1);
    effects->found |= kind == CXCursor_GCCAsmStmt || kind == CXCursor_CXXNewExpr ||
                      kind == CXCursor_CXXDeleteExpr || kind == CXCursor_LambdaExpr ||
                      clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
    return effects->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// Functions of CUDA whose result may be another one at the next call.
static bool is_of_the_moment(const char *name) {
    static const char *const begins[] = {
        "clock",  "globaltimer", "__activemask", "__match", "coalesced_threads",
        "malloc", "__nanosleep", "cuda"};
    for (size_t i = 0; i < G_N_ELEMENTS(begins); i++) {
        if (g_str_has_prefix(name, begins[i]))
            return true;
    }
    return false;
}

static enum CXChildVisitResult see_parameter(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_ParmDecl)
        return CXChildVisit_Continue;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    bool leads = type.kind == CXType_Pointer || type.kind == CXType_LValueReference;
    if (leads && !clang_isConstQualifiedType(clang_getPointeeType(type)))
        *(bool *)data = true;
    return CXChildVisit_Continue;
}

// Whether a library's function, of which there is only the signature, is taken for pure.
static bool looks_pure(CXCursor function) {
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    bool changes = false;
    clang_visitChildren(function, see_parameter, &changes);
    if (strstr(name, "sync"))
        return true;
    return !changes && !is_of_the_moment(name) && !g_str_has_prefix(name, "atomic") &&
           !clang_Cursor_isVariadic(function) &&
           clang_getCanonicalType(clang_getCursorResultType(function)).kind != CXType_Void;
}

static bool is_pure(CXCursor function, unsigned depth) {
    enum CXCursorKind kind = clang_getCursorKind(function);
    if (kind == CXCursor_Constructor)
        return true;
    if (clang_Cursor_isNull(function) || !gcl_cursor_is_function(kind) || depth > DEPTH_MAX)
        return false;
    CXSourceLocation place = clang_getCursorLocation(function);
    if (clang_Location_isInSystemHeader(place))
        return looks_pure(function);
    CXCursor body = clang_getCursorDefinition(function);
    struct effects effects = {.depth = depth};
    if (clang_Cursor_isNull(body) ||
        (kind == CXCursor_CXXMethod && !clang_CXXMethod_isConst(function)))
        return false;
    clang_visitChildren(body, see_effect, &effects);
    return !effects.found;
}

bool gcl_meaning_is_pure(CXCursor function) {
    return is_pure(function, 0);
}

// The walk.

// Whether the text has a node of that type which begins there; of calls, one of that name.
static bool has_node(const struct gcl_meaning *meaning, uint32_t begin, const char *type,
                     const char *name) {
    TSNode node = ts_node_descendant_for_byte_range(meaning->definition, begin, begin + 1);
    for (; !ts_node_is_null(node) && ts_node_start_byte(node) == begin;
         node = ts_node_parent(node)) {
        if (!gcl_node_is(node, type))
            continue;
        if (!name)
            return true;
        g_autofree char *own = gcl_node_text(meaning->view->text, gcl_node_field(node, "function"));
        own[strcspn(own, "<")] = '\0';
        if (g_str_has_suffix(own, name))
            return true;
    }
    return false;
}

static const char *node_type(CXCursor cursor) {
    if (is_assignment(cursor))
        return "assignment_expression";
    if (is_step(cursor))
        return "update_expression";
    switch ((unsigned)clang_getCursorKind(cursor)) {
    case CXCursor_IfStmt:
        return "if_statement";
    case CXCursor_ForStmt:
        return "for_statement";
    case CXCursor_WhileStmt:
        return "while_statement";
    case CXCursor_DoStmt:
        return "do_statement";
    case CXCursor_SwitchStmt:
        return "switch_statement";
    case CXCursor_ReturnStmt:
        return "return_statement";
    case CXCursor_BreakStmt:
        return "break_statement";
    case CXCursor_ContinueStmt:
        return "continue_statement";
    case CXCursor_GotoStmt:
        return "goto_statement";
    case CXCursor_GCCAsmStmt:
        return "gnu_asm_expression";
    case CXCursor_DeclStmt:
        return "declaration";
    default:
        return NULL;
    }
}

static bool is_visible(const struct gcl_meaning *meaning, CXCursor cursor) {
    const char *type = node_type(cursor);
    g_autofree char *name = NULL;
    uint32_t begin;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        CXCursor function = called(cursor);
        if (clang_Cursor_isNull(function) || is_pure(function, 0))
            return true;
        name = gcl_cursor_take_text(clang_getCursorSpelling(function));
        type = "call_expression";
        if (g_str_has_prefix(name, "operator")) {
            g_clear_pointer(&name, g_free);
            type = "assignment_expression";
        }
    }
    if (!type)
        return true;
    return gcl_tree_offset(meaning->view, clang_getRangeStart(clang_getCursorExtent(cursor)),
                           &begin) &&
           has_node(meaning, begin, type, name);
}

static void note(struct gcl_meaning *meaning, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    uint32_t at;
    if (!gcl_tree_offset(meaning->view, clang_getCursorLocation(cursor), &at))
        return;
    if (kind == CXCursor_VarDecl)
        g_hash_table_add(meaning->declared, GUINT_TO_POINTER(at));
    CXCursor meant = clang_getNullCursor();
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr || kind == CXCursor_TypeRef)
        meant = referenced(cursor);
    if (kind == CXCursor_OverloadedDeclRef)
        meant = only_of(cursor);
    if (!clang_Cursor_isNull(meant))
        g_hash_table_insert(meaning->names, GUINT_TO_POINTER(at), g_memdup2(&meant, sizeof meant));
}

// Whether a type may be a floating-point one: those of templates' parameters may.
static bool may_float(CXType type) {
    type = clang_getCanonicalType(type);
    bool is_integer = type.kind >= CXType_Bool && type.kind <= CXType_Int128;
    return !is_integer && type.kind != CXType_Void && type.kind != CXType_Pointer &&
           type.kind != CXType_Enum && type.kind != CXType_NullPtr;
}

bool gcl_meaning_is_floating(CXCursor variable) {
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    while (gcl_meaning_is_array(type))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return may_float(type);
}

// Notes a product once for each that it may be: a call of the program's own function may have any
// number inside, for which two stand.
static void note_products(struct gcl_meaning *meaning, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(cursor);
    uint32_t at;
    unsigned count = binary == CXBinaryOperator_Mul || binary == CXBinaryOperator_MulAssign ||
                     binary == CXBinaryOperator_Div || binary == CXBinaryOperator_DivAssign;
    CXType type = clang_getCursorType(cursor);
    if (kind == CXCursor_CallExpr) {
        CXCursor function = called(cursor);
        if (!clang_Cursor_isNull(function))
            type = clang_getCursorResultType(function);
        count = clang_Location_isInSystemHeader(clang_getCursorLocation(function)) ? 1 : 2;
    }
    if (!may_float(type) ||
        !gcl_tree_offset(meaning->view, clang_getRangeStart(clang_getCursorExtent(cursor)), &at))
        return;
    for (; count > 0; count--)
        g_array_append_val(meaning->products, at);
}

unsigned gcl_meaning_products(const struct gcl_meaning *meaning, uint32_t begin, uint32_t end) {
    unsigned count = 0;
    assert(begin <= end && meaning->is_plain);
    for (guint i = 0; i < meaning->products->len; i++) {
        uint32_t at = g_array_index(meaning->products, uint32_t, i);
        count += begin <= at && at < end;
    }
    return count;
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct gcl_meaning *meaning = data;
    (void)parent;
    note(meaning, cursor);
    note_products(meaning, cursor);
    meaning->is_plain = is_visible(meaning, cursor);
    return meaning->is_plain ? CXChildVisit_Recurse : CXChildVisit_Break;
}

struct gcl_meaning *gcl_meaning_create(const struct gcl_view *view, CXCursor function,
                                       TSNode definition) {
    assert(view->is_current && !ts_node_is_null(definition));
    struct gcl_meaning *meaning = g_new(struct gcl_meaning, 1);
    *meaning = (struct gcl_meaning){view,
                                    definition,
                                    g_hash_table_new_full(NULL, NULL, NULL, g_free),
                                    g_hash_table_new(NULL, NULL),
                                    g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                                    true};
    clang_visitChildren(function, see, meaning);
    if (meaning->is_plain)
        return meaning;
    gcl_meaning_destroy(meaning);
    return NULL;
}

void gcl_meaning_destroy(struct gcl_meaning *meaning) {
    if (!meaning)
        return;
    g_hash_table_unref(meaning->names);
    g_hash_table_unref(meaning->declared);
    g_array_unref(meaning->products);
    g_free(meaning);
}

CXCursor gcl_meaning_of(const struct gcl_meaning *meaning, uint32_t offset) {
    const CXCursor *meant = g_hash_table_lookup(meaning->names, GUINT_TO_POINTER(offset));
    uint32_t begin, end;
    if (!meant)
        return clang_getNullCursor();
    gcl_line_table_word(meaning->view->text, offset, &begin, &end);
    const char *text = gcl_line_table_data(meaning->view->text, NULL);
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(*meant));
    bool is_it = strlen(name) == end - begin && memcmp(text + begin, name, end - begin) == 0;
    return is_it ? *meant : clang_getNullCursor(); // else the name is in a macro's body
}

bool gcl_meaning_is_macro(const struct gcl_meaning *meaning, uint32_t offset) {
    CXCursor cursor = gcl_tree_cursor(meaning->view, offset);
    return clang_getCursorKind(cursor) == CXCursor_MacroExpansion;
}

bool gcl_meaning_declares(const struct gcl_meaning *meaning, uint32_t offset) {
    return g_hash_table_contains(meaning->declared, GUINT_TO_POINTER(offset));
}
