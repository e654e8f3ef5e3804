// A block size is known if it is constant for clang, or follows from variables that only ever have
// the value that they were initialised with: `int threads = 256;`, `dim3 block(threads, 2);`. A
// variable keeps its value if every use of it reads: clang's tree then has a conversion from lvalue
// to value, or to a constant reference, right above the use. What can't be seen through makes a
// shape unknown. A mistake here costs speed or room, never a result.
#include "frontend/shapes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/shape.h"
#include "frontend/cursor.h"

enum { DEPTH_LIMIT = 16 }; // of expressions and of variables that depend on each other

static bool is_named(CXCursor cursor, const char *name) {
    g_autofree char *spelling = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    return strcmp(spelling, name) == 0;
}

// Variables.

// A cursor on the way from a variable's scope down to its use.
struct step {
    struct step *outer;
    CXCursor cursor;
    CXCursor variable;
    bool changes; // in the outermost step
};

// What depends on a template's arguments need have no type, which libclang wouldn't survive below.
static bool is_same_type(CXCursor left, CXCursor right) {
    CXType a = clang_getCanonicalType(clang_getCursorType(left));
    CXType b = clang_getCanonicalType(clang_getCursorType(right));
    return a.kind != CXType_Invalid && b.kind != CXType_Invalid &&
           clang_equalTypes(clang_getUnqualifiedType(a), clang_getUnqualifiedType(b));
}

// Reading is an implicit conversion of the variable, or of a member of it, to its own type.
static bool is_read(const struct step *use) {
    const struct step *above = use->outer;
    for (; above; use = above, above = above->outer) {
        enum CXCursorKind kind = clang_getCursorKind(above->cursor);
        if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ParenExpr)
            return kind == CXCursor_UnexposedExpr && is_same_type(above->cursor, use->cursor);
    }
    return false;
}

static enum CXChildVisitResult see_inside(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct step *outer = data;
    struct step step = {.outer = outer, .cursor = cursor, .variable = outer->variable};
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        CXCursor target = clang_getCanonicalCursor(clang_getCursorReferenced(cursor));
        outer->changes |= clang_equalCursors(target, outer->variable) && !is_read(&step);
    } else {
        clang_visitChildren(cursor, see_inside, &step);
        outer->changes |= step.changes;
    }
    return outer->changes ? CXChildVisit_Break : CXChildVisit_Continue;
}

static bool is_changed(CXCursor variable) {
    CXCursor scope = clang_getCursorSemanticParent(variable);
    struct step outermost = {.variable = clang_getCanonicalCursor(variable)};
    if (clang_isConstQualifiedType(clang_getCursorType(variable)))
        return false;
    outermost.cursor = scope;
    if (gcl_cursor_is_function(clang_getCursorKind(scope)))
        clang_visitChildren(scope, see_inside, &outermost);
    else
        gcl_cursor_visit_tops(clang_Cursor_getTranslationUnit(variable), see_inside, &outermost);
    return outermost.changes;
}

// Calls.

struct argument_search {
    CXCursor function;
    unsigned index;
    CXCursor argument; ///< of the first call, or null
};

static enum CXChildVisitResult see_call_of(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct argument_search *search = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        CXCursor target = clang_getCanonicalCursor(clang_getCursorReferenced(cursor));
        if (clang_equalCursors(target, search->function))
            search->argument = clang_Cursor_getArgument(cursor, search->index);
    }
    return clang_Cursor_isNull(search->argument) ? CXChildVisit_Recurse : CXChildVisit_Break;
}

// What a parameter is in the first call of its function.
static CXCursor find_argument(CXCursor parameter) {
    CXCursor function = clang_getCursorSemanticParent(parameter);
    struct argument_search search = {clang_getCanonicalCursor(function), 0, clang_getNullCursor()};
    int count = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < count; i++) {
        if (clang_equalCursors(clang_Cursor_getArgument(function, (unsigned)i), parameter))
            search.index = (unsigned)i;
    }
    gcl_cursor_visit_tops(clang_Cursor_getTranslationUnit(parameter), see_call_of, &search);
    return search.argument;
}

/// An evaluation under way.
struct evaluation {
    const struct gcl_shapes_known *known; ///< NULL: nothing is
    bool assumes;                         ///< something that isn't noted yet
    unsigned noted;                       ///< how often it has been noted
};

static bool may_assume(const struct evaluation *e) {
    return e->known && e->known->assumed;
}

// What the variable that `reference` names is initialised with, if that is its value for good or
// may be assumed to be.
static CXCursor value_of_variable(struct evaluation *e, CXCursor reference) {
    CXCursor variable = clang_getCursorReferenced(reference);
    if (clang_getCursorKind(variable) == CXCursor_ParmDecl && may_assume(e)) {
        e->assumes = true;
        return find_argument(variable);
    }
    if (clang_getCursorKind(variable) != CXCursor_VarDecl)
        return clang_getNullCursor();
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    bool may_differ = !clang_Cursor_isNull(value) && is_changed(variable);
    if (may_differ && !may_assume(e))
        return clang_getNullCursor();
    e->assumes |= may_differ;
    return value;
}

// Expressions.

static enum CXChildVisitResult take_operand(CXCursor cursor, CXCursor parent, CXClientData data) {
    CXCursor *operands = data; // two, null ones at first
    (void)parent;
    if (clang_isExpression(clang_getCursorKind(cursor))) {
        operands[0] = operands[1];
        operands[1] = cursor;
    }
    return CXChildVisit_Continue;
}

// The last two operands of an expression; the first is null if there is only one.
static void operands_of(CXCursor expression, CXCursor operands[2]) {
    operands[0] = operands[1] = clang_getNullCursor();
    clang_visitChildren(expression, take_operand, operands);
}

// Parentheses and conversions: what they are made of counts.
static bool is_transparent(enum CXCursorKind kind) {
    return kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
           kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
           kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CXXFunctionalCastExpr;
}

static bool evaluate_constant(CXCursor expression, int64_t *value) {
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    bool known = result && clang_EvalResult_getKind(result) == CXEval_Int;
    if (known)
        *value = clang_EvalResult_getAsLongLong(result);
    if (result)
        clang_EvalResult_dispose(result);
    return known;
}

static bool calculate(enum CXBinaryOperatorKind operation, int64_t a, int64_t b, int64_t *value) {
    static const int64_t LIMIT = INT64_C(1) << 31; // far from overflow
    if (a < 0 || b < 0 || a > LIMIT || b > LIMIT)
        return false;
    if (operation == CXBinaryOperator_Add)
        *value = a + b;
    else if (operation == CXBinaryOperator_Sub)
        *value = a - b;
    else if (operation == CXBinaryOperator_Mul)
        *value = a * b;
    else if (operation == CXBinaryOperator_Div && b > 0)
        *value = a / b;
    else
        return false;
    return true;
}

static bool evaluate_block(struct evaluation *e, CXCursor expression, int depth, uint32_t size[3]);
static bool evaluate(struct evaluation *e, CXCursor expression, int depth, int64_t *value);

// `block.x`
static bool evaluate_member(struct evaluation *e, CXCursor expression, int depth, int64_t *value) {
    static const char *const axes[] = {"x", "y", "z"};
    uint32_t size[3];
    CXCursor operands[2];
    operands_of(expression, operands);
    if (!evaluate_block(e, operands[1], depth, size))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!is_named(expression, axes[i]))
            continue;
        *value = size[i];
        return true;
    }
    return false;
}

static bool find_known(const struct gcl_shapes_known *known, CXCursor reference, int64_t *value) {
    CXCursor variable = clang_getCanonicalCursor(clang_getCursorReferenced(reference));
    for (guint i = 0; known && known->variables && i < known->variables->len; i++) {
        const struct gcl_shapes_variable *v =
            &g_array_index(known->variables, struct gcl_shapes_variable, i);
        if (!clang_equalCursors(v->variable, variable))
            continue;
        *value = v->value;
        return true;
    }
    return false;
}

// Of variables that have each other's values, the one that comes first says it for all.
static bool evaluate_variable(struct evaluation *e, CXCursor reference, int depth, int64_t *value) {
    bool assumed = e->assumes;
    unsigned noted = e->noted;
    if (find_known(e->known, reference, value))
        return true;
    e->assumes = false;
    bool known = evaluate(e, value_of_variable(e, reference), depth, value);
    if (known && e->assumes && e->noted == noted) {
        char *name = gcl_cursor_take_text(clang_getCursorSpelling(reference));
        char *text = g_strdup_printf("%s = %" G_GINT64_FORMAT, name, *value);
        if (g_ptr_array_find_with_equal_func(e->known->assumed, text, g_str_equal, NULL))
            g_free(text);
        else
            g_ptr_array_add(e->known->assumed, text);
        g_free(name);
        e->noted++;
    }
    e->assumes = assumed;
    return known;
}

static enum CXChildVisitResult take_branch(CXCursor cursor, CXCursor parent, CXClientData data) {
    CXCursor *branches = data; // three, null ones at first
    (void)parent;
    for (int i = 0; i < 3; i++) {
        if (!clang_Cursor_isNull(branches[i]))
            continue;
        branches[i] = cursor;
        break;
    }
    return CXChildVisit_Continue;
}

// `argc > 1 ? atoi(argv[1]) : 512`: the branch that is known, where a variable may be assumed to
// have that value.
static bool evaluate_choice(struct evaluation *e, CXCursor expression, int depth, int64_t *value) {
    CXCursor parts[3] = {clang_getNullCursor(), clang_getNullCursor(), clang_getNullCursor()};
    if (!may_assume(e))
        return false;
    clang_visitChildren(expression, take_branch, parts);
    e->assumes = true;
    return evaluate(e, parts[2], depth, value) || evaluate(e, parts[1], depth, value);
}

static bool evaluate(struct evaluation *e, CXCursor expression, int depth, int64_t *value) {
    enum CXCursorKind kind = clang_getCursorKind(expression);
    CXCursor operands[2];
    int64_t left, right;
    if (depth == 0 || !clang_isExpression(kind))
        return false;
    if (evaluate_constant(expression, value))
        return true;
    if (kind == CXCursor_DeclRefExpr)
        return evaluate_variable(e, expression, depth - 1, value);
    if (kind == CXCursor_MemberRefExpr)
        return evaluate_member(e, expression, depth - 1, value);
    if (kind == CXCursor_ConditionalOperator)
        return evaluate_choice(e, expression, depth - 1, value);
    operands_of(expression, operands);
    if (is_transparent(kind) || kind == CXCursor_InitListExpr)
        return clang_Cursor_isNull(operands[0]) && evaluate(e, operands[1], depth - 1, value);
    return kind == CXCursor_BinaryOperator && evaluate(e, operands[0], depth - 1, &left) &&
           evaluate(e, operands[1], depth - 1, &right) &&
           calculate(clang_getCursorBinaryOperatorKind(expression), left, right, value);
}

static bool is_dim3(CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    return is_named(clang_getTypeDeclaration(type), "dim3");
}

// A constructor of dim3: another dim3, or up to three numbers.
static bool evaluate_construction(struct evaluation *e, CXCursor call, int depth,
                                  uint32_t size[3]) {
    int count = clang_Cursor_getNumArguments(call);
    if (count == 1 && is_dim3(clang_Cursor_getArgument(call, 0)))
        return evaluate_block(e, clang_Cursor_getArgument(call, 0), depth, size);
    for (int i = 0; i < 3; i++) {
        int64_t value = 1;
        if (i < count && !evaluate(e, clang_Cursor_getArgument(call, (unsigned)i), depth, &value))
            return false;
        if (value < 0 || value > UINT32_MAX)
            return false;
        size[i] = (uint32_t)value;
    }
    return count >= 0 && count <= 3;
}

static bool evaluate_block(struct evaluation *e, CXCursor expression, int depth, uint32_t size[3]) {
    enum CXCursorKind kind = clang_getCursorKind(expression);
    CXCursor operands[2];
    if (depth == 0 || !clang_isExpression(kind) || !is_dim3(expression))
        return false;
    if (kind == CXCursor_DeclRefExpr)
        return evaluate_block(e, value_of_variable(&(struct evaluation){0}, expression), depth - 1,
                              size);
    if (kind == CXCursor_CallExpr)
        return clang_getCursorKind(clang_getCursorReferenced(expression)) == CXCursor_Constructor &&
               evaluate_construction(e, expression, depth - 1, size);
    operands_of(expression, operands);
    return is_transparent(kind) && evaluate_block(e, operands[1], depth - 1, size);
}

// The name of a function at the heart of an expression, or of a variable; null if there is none.
static CXCursor reference_in(CXCursor expression, int depth) {
    enum CXCursorKind kind = clang_getCursorKind(expression);
    CXCursor operands[2];
    if (depth == 0 || !clang_isExpression(kind))
        return clang_getNullCursor();
    if (kind == CXCursor_DeclRefExpr)
        return expression;
    operands_of(expression, operands);
    if (!is_transparent(kind) && kind != CXCursor_UnaryOperator)
        return clang_getNullCursor();
    return reference_in(operands[1], depth - 1);
}

bool gcl_shapes_extent(CXCursor expression, const struct gcl_shapes_known *known,
                       uint32_t extent[3]) {
    struct evaluation e = {.known = known};
    return evaluate_block(&e, expression, DEPTH_LIMIT, extent) && !e.assumes;
}

bool gcl_shapes_size(CXCursor expression, const struct gcl_shapes_known *known, uint32_t size[3]) {
    return gcl_shapes_extent(expression, known, size) && size[0] && size[1] && size[2];
}

bool gcl_shapes_keeps_value(CXCursor variable) {
    return !is_changed(variable);
}

bool gcl_shapes_number(CXCursor expression, const struct gcl_shapes_known *known, int64_t *value) {
    struct evaluation e = {.known = known};
    return evaluate(&e, expression, DEPTH_LIMIT, value) && !e.assumes;
}

CXCursor gcl_shapes_variable(CXCursor expression) {
    CXCursor reference = reference_in(expression, DEPTH_LIMIT);
    if (clang_Cursor_isNull(reference))
        return reference;
    return clang_getCanonicalCursor(clang_getCursorReferenced(reference));
}

// Kernels.

struct gcl_shapes_mention {
    unsigned hash; // of its cursor
    char *kernel;
};

static bool names_function(CXCursor target) {
    return gcl_cursor_is_function(clang_getCursorKind(target)) ||
           clang_getCursorKind(target) == CXCursor_OverloadedDeclRef;
}

// The name of the function that an expression stands for, to be freed; NULL if that isn't known.
static char *function_name(CXCursor expression, int depth) {
    CXCursor reference = reference_in(expression, depth);
    if (clang_Cursor_isNull(reference))
        return NULL;
    CXCursor target = clang_getCursorReferenced(reference);
    if (!names_function(target))
        return function_name(value_of_variable(&(struct evaluation){0}, reference), depth - 1);
    return gcl_cursor_take_text(clang_getCursorSpelling(target));
}

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(bool *)data = clang_getCursorKind(cursor) == CXCursor_CUDAGlobalAttr;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Continue;
}

static bool is_kernel(CXCursor target) {
    bool found = false;
    if (clang_getCursorKind(target) != CXCursor_OverloadedDeclRef) {
        clang_visitChildren(target, find_attribute, &found);
        return found;
    }
    for (unsigned i = 0; i < clang_getNumOverloadedDecls(target) && !found; i++)
        found = is_kernel(clang_getOverloadedDecl(target, i));
    return found;
}

static void see_name(struct gcl_shapes_search *search, CXCursor reference) {
    CXCursor target = clang_getCursorReferenced(reference);
    if (!names_function(target) || !is_kernel(target))
        return;
    struct gcl_shapes_mention mention = {clang_hashCursor(reference),
                                         gcl_cursor_take_text(clang_getCursorSpelling(target))};
    g_array_append_val(search->mentions, mention);
}

// Kernels that a header declares are there for other files; templates and inline functions too,
// since a program has one stub of each, whichever file's code it runs.
static void see_kernel(struct gcl_shapes_search *search, CXCursor function) {
    if (clang_getCursorLinkage(function) != CXLinkage_External ||
        clang_Location_isFromMainFile(clang_getCursorLocation(function)))
        return;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    gcl_shapes_add_any(search->shapes, name);
}

// Launches.

// Notes that a use of a kernel's name is accounted for.
static void settle_name(struct gcl_shapes_search *search, CXCursor expression) {
    CXCursor reference = reference_in(expression, DEPTH_LIMIT);
    if (!clang_Cursor_isNull(reference))
        g_hash_table_add(search->settled, GUINT_TO_POINTER(clang_hashCursor(reference)));
}

static void see_launch(struct gcl_shapes_search *search, CXCursor kernel, CXCursor block) {
    uint32_t size[3];
    g_autofree char *name = function_name(kernel, DEPTH_LIMIT);
    settle_name(search, kernel);
    if (name && gcl_shapes_size(block, NULL, size))
        gcl_shapes_add(search->shapes, name, size);
    else if (name)
        gcl_shapes_add_any(search->shapes, name);
}

static void see_call(struct gcl_shapes_search *search, CXCursor call, CXCursor parent) {
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(call));
    CXCursor kernel = clang_getNullCursor();
    if (strcmp(name, "__cudaPushCallConfiguration") == 0) {
        see_launch(search, gcl_cursor_first_child(parent), clang_Cursor_getArgument(call, 1));
    } else if (strcmp(name, "cudaLaunchKernel") == 0 ||
               strcmp(name, "cudaLaunchCooperativeKernel") == 0) {
        kernel = clang_Cursor_getArgument(call, 0);
        see_launch(search, kernel, clang_Cursor_getArgument(call, 2));
    } else if (g_str_has_prefix(name, "cudaFunc") || g_str_has_prefix(name, "cudaOccupancy")) {
        // These functions ask and set, and keep no pointer to the kernel.
        for (int i = 0; i < clang_Cursor_getNumArguments(call); i++)
            settle_name(search, clang_Cursor_getArgument(call, (unsigned)i));
    }
}

// The search.

static void clear_mention(gpointer data) {
    struct gcl_shapes_mention *mention = data;
    g_free(mention->kernel);
}

void gcl_shapes_search_begin(struct gcl_shapes_search *search, GArray *shapes) {
    *search = (struct gcl_shapes_search){
        .shapes = shapes,
        .mentions = g_array_new(FALSE, FALSE, sizeof(struct gcl_shapes_mention)),
        .settled = g_hash_table_new(g_direct_hash, g_direct_equal),
    };
    g_array_set_clear_func(search->mentions, clear_mention);
}

void gcl_shapes_search_see(struct gcl_shapes_search *search, CXCursor cursor, CXCursor parent) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CallExpr)
        see_call(search, cursor, parent);
    else if (kind == CXCursor_DeclRefExpr)
        see_name(search, cursor);
    else if (kind == CXCursor_CUDAGlobalAttr)
        see_kernel(search, parent);
}

void gcl_shapes_search_end(struct gcl_shapes_search *search) {
    for (guint i = 0; i < search->mentions->len; i++) {
        const struct gcl_shapes_mention *mention =
            &g_array_index(search->mentions, struct gcl_shapes_mention, i);
        if (!g_hash_table_contains(search->settled, GUINT_TO_POINTER(mention->hash)))
            gcl_shapes_add_any(search->shapes, mention->kernel);
    }
    g_array_unref(search->mentions);
    g_hash_table_unref(search->settled);
}
