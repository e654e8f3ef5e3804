// A variable that keeps its first value is what that is. One that a loop's head counts is what it
// begins with, plus something that is the same in all lanes that are still in the loop. Any other
// variable that changes isn't known.
#include "frontend/lint/values.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/shapes.h"

enum { DEPTH_LIMIT = 16, NOWHERE = -1 };

/// A `for` loop; its head is what stands before its body.
struct loop {
    unsigned begin, body, end;
};

/// A use of a variable that isn't only a read.
struct change {
    CXCursor variable;
    enum { CHANGE_ASSIGNS, CHANGE_STEPS, CHANGE_OTHER } kind;
    CXCursor value; ///< what is assigned, or by how much it steps; null: by 1
    unsigned offset;
    int loop; ///< index of the loop in whose head it stands, or NOWHERE
};

/// A cursor on the way from the kernel down.
struct step {
    const struct step *outer;
    CXCursor cursor;
    struct gcl_lint_values *values;
    int head; ///< the loop of whose head the cursor is a part, or NOWHERE
};

// Looking through the kernel.

// 't', 'b', 'n' or 'g' for a member of threadIdx, blockIdx, blockDim or gridDim; 0: it is none.
static char index_of(CXCursor expression) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    CXCursor object = clang_getCursorKind(expression) == CXCursor_MemberRefExpr
                          ? gcl_lint_operand(expression, false)
                          : clang_getNullCursor();
    CXCursor variable = gcl_cursor_is_null(object) ? object : clang_getCursorReferenced(object);
    if (clang_getCursorKind(object) != CXCursor_DeclRefExpr ||
        !clang_Location_isInSystemHeader(clang_getCursorLocation(variable)))
        return '\0';
    g_autofree char *name = gcl_cursor_name(variable);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(name, names[i]) == 0)
            return "tbng"[i];
    }
    return '\0';
}

// 0, 1 or 2 for .x, .y and .z; NOWHERE where a macro hides it.
static int axis_of(CXCursor index) {
    g_autofree char *text = gcl_lint_text(index);
    const char *point = strstr(text, " . ");
    bool is_axis = point && point[3] >= 'x' && point[3] <= 'z' && point[4] == '\0';
    return is_axis ? point[3] - 'x' : NOWHERE;
}

static bool is_variable(CXCursor target) {
    return clang_getCursorKind(target) == CXCursor_VarDecl ||
           clang_getCursorKind(target) == CXCursor_ParmDecl;
}

// Reading is a conversion of the variable, or of a member of it, to its own type.
static bool is_read(const struct step *use) {
    const struct step *above = use->outer;
    for (; above; use = above, above = above->outer) {
        enum CXCursorKind kind = clang_getCursorKind(above->cursor);
        if (kind == CXCursor_MemberRefExpr || kind == CXCursor_ParenExpr)
            continue;
        CXType type = clang_getCanonicalType(clang_getCursorType(above->cursor));
        CXType own = clang_getCanonicalType(clang_getCursorType(use->cursor));
        return kind == CXCursor_UnexposedExpr && type.kind != CXType_Invalid &&
               own.kind != CXType_Invalid &&
               clang_equalTypes(clang_getUnqualifiedType(type), clang_getUnqualifiedType(own));
    }
    return false;
}

static struct change change_of(const struct step *use, CXCursor variable) {
    struct change change = {variable, CHANGE_OTHER, clang_getNullCursor(),
                            gcl_lint_begin(use->cursor), use->head};
    const CXCursor above = use->outer->cursor;
    bool is_target = clang_equalCursors(gcl_lint_operand(above, false), use->cursor);
    if (clang_getCursorKind(above) == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(above);
        if (kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec)
            change.kind = CHANGE_STEPS;
    } else if (clang_getCursorKind(above) == CXCursor_CompoundAssignOperator && is_target) {
        change.kind = CHANGE_STEPS;
        change.value = gcl_lint_operand(above, true);
    } else if (clang_getCursorKind(above) == CXCursor_BinaryOperator && is_target &&
               clang_getCursorBinaryOperatorKind(above) == CXBinaryOperator_Assign) {
        change.kind = CHANGE_ASSIGNS;
        change.value = gcl_lint_operand(above, true);
    }
    return change;
}

static void see_reference(const struct step *use) {
    CXCursor target = clang_getCursorReferenced(use->cursor);
    struct gcl_lint_values *values = use->values;
    if (!is_variable(target))
        return;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(target))) {
        bool is_member = index_of(use->outer->cursor) != '\0';
        g_autofree char *name = gcl_cursor_name(target);
        values->has_several_axes |=
            strcmp(name, "threadIdx") == 0 && (!is_member || axis_of(use->outer->cursor) != 0);
    } else if (!is_read(use)) {
        struct change change = change_of(use, clang_getCanonicalCursor(target));
        g_array_append_val(values->changes, change);
    }
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct step *outer = data;
    struct step step = {outer, cursor, outer->values, outer->head};
    GArray *loops = step.values->loops;
    if (clang_getCursorKind(parent) == CXCursor_ForStmt) {
        const struct loop *loop = &g_array_index(loops, struct loop, outer->head);
        if (gcl_lint_begin(cursor) >= loop->body)
            step.head = NOWHERE;
    }
    if (clang_getCursorKind(cursor) == CXCursor_ForStmt) {
        CXCursor body = cursor;
        clang_visitChildren(cursor, take_last, &body);
        struct loop loop = {gcl_lint_begin(cursor), gcl_lint_begin(body), gcl_lint_end(cursor)};
        step.head = (int)loops->len;
        g_array_append_val(loops, loop);
    } else if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        see_reference(&step);
    }
    clang_visitChildren(cursor, see, &step);
    return CXChildVisit_Continue;
}

static void look_through(struct gcl_lint_values *values, CXCursor function) {
    struct step outermost = {NULL, function, values, NOWHERE};
    clang_visitChildren(function, see, &outermost);
}

void gcl_lint_values_init(struct gcl_lint_values *values, CXCursor kernel,
                          const uint32_t block[3]) {
    *values = (struct gcl_lint_values){
        .block = {block[0], block[1], block[2]},
        .function = kernel,
        .changes = g_array_new(FALSE, FALSE, sizeof(struct change)),
        .loops = g_array_new(FALSE, FALSE, sizeof(struct loop)),
    };
    look_through(values, kernel);
}

void gcl_lint_values_enter(struct gcl_lint_values *values, CXCursor function,
                           const struct gcl_lint_values *caller, CXCursor call) {
    gcl_lint_values_init(values, function, caller->block);
    values->caller = caller;
    values->call = call;
}

void gcl_lint_values_finish(struct gcl_lint_values *values) {
    g_array_unref(values->changes);
    g_array_unref(values->loops);
}

// Whether a parameter, or a variable of the kernel, keeps the value that it has got at first.
static bool keeps_value(const struct gcl_lint_values *values, CXCursor variable) {
    CXCursor canonical = clang_getCanonicalCursor(variable);
    for (guint i = 0; i < values->changes->len; i++) {
        if (clang_equalCursors(g_array_index(values->changes, struct change, i).variable,
                               canonical))
            return false;
    }
    return true;
}

CXCursor gcl_lint_values_argument(const struct gcl_lint_values *values, CXCursor parameter) {
    int count = clang_Cursor_getNumArguments(values->function);
    bool is_reference = clang_getCursorType(parameter).kind == CXType_LValueReference;
    if (!values->caller || (!is_reference && !keeps_value(values, parameter)))
        return clang_getNullCursor();
    for (int i = 0; i < count && i < clang_Cursor_getNumArguments(values->call); i++) {
        CXCursor own = clang_Cursor_getArgument(values->function, (unsigned)i);
        if (clang_equalCursors(own, parameter))
            return clang_Cursor_getArgument(values->call, (unsigned)i);
    }
    return clang_getNullCursor();
}

// Threads of the first warp, which stand for those of all.

int gcl_lint_values_lanes(const struct gcl_lint_values *values) {
    uint64_t threads = (uint64_t)values->block[0] * values->block[1] * values->block[2];
    return threads > 0 && threads < GCL_LANES ? (int)threads : GCL_LANES;
}

// A coordinate counts `lane / before`, and begins anew at `extent`.
static struct gcl_lanes count_lanes(uint64_t before, uint64_t extent, uint64_t threads) {
    struct gcl_lanes lanes = {.is_known = true};
    if (extent == 1)
        return gcl_lanes_number(0);
    for (int i = 0; i < GCL_LANES; i++)
        lanes.at[i] = (int64_t)((uint64_t)i / before % extent);
    if (threads <= GCL_LANES || (before < GCL_LANES && GCL_LANES % (before * extent) == 0))
        return lanes;
    if (before % GCL_LANES == 0)
        return gcl_lanes_uniform();
    bool is_whole = before * extent % GCL_LANES == 0 && GCL_LANES % before == 0;
    lanes.unit = is_whole ? (int64_t)(GCL_LANES / before) : 0;
    lanes.is_known = is_whole;
    return lanes;
}

static struct gcl_lanes thread_index(const struct gcl_lint_values *values, int axis) {
    const uint32_t *block = values->block;
    uint64_t before = 1;
    if (axis == NOWHERE || (block[0] == 0 && axis > 0))
        return (struct gcl_lanes){0};
    if (block[0] == 0)
        return count_lanes(1, UINT64_C(1) << 16, UINT64_C(1) << 16);
    for (int i = 0; i < axis; i++)
        before *= block[i];
    return count_lanes(before, block[axis], (uint64_t)block[0] * block[1] * block[2]);
}

static struct gcl_lanes value_of_index(const struct gcl_lint_values *values, CXCursor member,
                                       char index) {
    int axis = axis_of(member);
    if (index == 't')
        return thread_index(values, axis);
    if (index == 'n' && axis != NOWHERE && values->block[0] > 0)
        return gcl_lanes_number(values->block[axis]);
    return gcl_lanes_uniform();
}

// Variables.

static struct gcl_lanes find(const struct gcl_lint_values *values, CXCursor expression, int depth);

static bool is_in(const struct loop *loop, unsigned offset) {
    return offset >= loop->begin && offset < loop->end;
}

// The innermost loop around a place whose head declares a variable or assigns to it.
static int loop_of(const struct gcl_lint_values *values, CXCursor variable, unsigned offset) {
    unsigned declared = gcl_lint_begin(variable);
    int found = NOWHERE;
    for (guint i = 0; i < values->loops->len; i++) {
        const struct loop *loop = &g_array_index(values->loops, struct loop, i);
        bool begins = declared >= loop->begin && declared < loop->body;
        for (guint j = 0; j < values->changes->len && !begins; j++) {
            const struct change *change = &g_array_index(values->changes, struct change, j);
            begins = change->loop == (int)i && change->kind == CHANGE_ASSIGNS &&
                     clang_equalCursors(change->variable, variable);
        }
        if (begins && is_in(loop, offset))
            found = (int)i;
    }
    return found;
}

// What a loop's variable is, where nothing but the loop's head changes it.
static struct gcl_lanes count_in_loop(const struct gcl_lint_values *values, CXCursor variable,
                                      int index, int depth) {
    const struct loop *loop = &g_array_index(values->loops, struct loop, index);
    unsigned declared = gcl_lint_begin(variable);
    CXCursor first = declared >= loop->begin && declared < loop->body
                         ? clang_Cursor_getVarDeclInitializer(variable)
                         : clang_getNullCursor();
    bool is_even = true; // each step is the same in all lanes
    for (guint i = 0; i < values->changes->len; i++) {
        const struct change *change = &g_array_index(values->changes, struct change, i);
        if (!clang_equalCursors(change->variable, variable) || !is_in(loop, change->offset))
            continue;
        if (change->loop != index || change->kind == CHANGE_OTHER ||
            (change->kind == CHANGE_ASSIGNS && !gcl_cursor_is_null(first)))
            return (struct gcl_lanes){0};
        if (change->kind == CHANGE_ASSIGNS)
            first = change->value;
        else if (!gcl_cursor_is_null(change->value)) {
            struct gcl_lanes by = find(values, change->value, depth - 1);
            is_even &= gcl_lanes_are_uniform(&by);
        }
    }
    struct gcl_lanes begin = find(values, first, depth - 1), steps = gcl_lanes_uniform();
    return is_even ? gcl_lanes_apply(CXBinaryOperator_Add, &begin, &steps) : (struct gcl_lanes){0};
}

CXCursor gcl_lint_values_only(const struct gcl_lint_values *values, CXCursor variable) {
    if (clang_getCursorKind(variable) != CXCursor_VarDecl)
        return clang_getNullCursor();
    CXCursor found = clang_Cursor_getVarDeclInitializer(variable);
    for (guint i = 0; i < values->changes->len; i++) {
        const struct change *change = &g_array_index(values->changes, struct change, i);
        if (!clang_equalCursors(change->variable, variable))
            continue;
        if (change->kind != CHANGE_ASSIGNS || !gcl_cursor_is_null(found))
            return clang_getNullCursor();
        found = change->value;
    }
    return found;
}

static struct gcl_lanes value_of_parameter(const struct gcl_lint_values *values, CXCursor parameter,
                                           int depth) {
    CXCursor argument = gcl_lint_values_argument(values, parameter);
    if (!keeps_value(values, parameter))
        return (struct gcl_lanes){0};
    if (!gcl_cursor_is_null(argument))
        return find(values->caller, argument, depth - 1);
    return values->caller ? (struct gcl_lanes){0} : gcl_lanes_uniform();
}

static struct gcl_lanes value_of_variable(const struct gcl_lint_values *values, CXCursor reference,
                                          int depth) {
    CXCursor variable = clang_getCanonicalCursor(clang_getCursorReferenced(reference));
    int64_t number;
    bool is_local =
        gcl_cursor_is_function(clang_getCursorKind(clang_getCursorSemanticParent(variable)));
    if (clang_getCursorKind(variable) == CXCursor_ParmDecl)
        return value_of_parameter(values, variable, depth);
    if (!is_local && clang_isConstQualifiedType(clang_getCursorType(variable)) &&
        gcl_shapes_number(reference, NULL, &number))
        return gcl_lanes_number(number);
    if (!is_local || gcl_lint_has_attribute(variable, CXCursor_CUDASharedAttr))
        return gcl_lanes_uniform(); // of the device: all lanes read it at once
    int loop = loop_of(values, variable, gcl_lint_begin(reference));
    return loop == NOWHERE ? find(values, gcl_lint_values_only(values, variable), depth - 1)
                           : count_in_loop(values, variable, loop, depth);
}

// Expressions.

static bool is_integer(CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    return type.kind == CXType_Bool ||
           (type.kind >= CXType_UShort && type.kind <= CXType_UInt128) ||
           (type.kind >= CXType_Short && type.kind <= CXType_Int128) || type.kind == CXType_Enum;
}

bool gcl_lint_values_are_given(const struct gcl_lint_values *values, CXCursor expression) {
    CXCursor object = gcl_lint_strip(expression);
    while (clang_getCursorKind(object) == CXCursor_MemberRefExpr)
        object = gcl_lint_strip(gcl_lint_operand(object, false));
    CXCursor variable = clang_getCursorReferenced(object);
    if (clang_getCursorKind(object) != CXCursor_DeclRefExpr ||
        clang_getCursorKind(variable) != CXCursor_ParmDecl)
        return false;
    if (!values->caller)
        return keeps_value(values, variable);
    CXCursor argument = gcl_lint_values_argument(values, variable);
    return !gcl_cursor_is_null(argument) && gcl_lint_values_are_given(values->caller, argument);
}

static struct gcl_lanes value_of_member(const struct gcl_lint_values *values, CXCursor member) {
    char index = index_of(member);
    if (index != '\0')
        return value_of_index(values, member, index);
    return is_integer(member) && gcl_lint_values_are_given(values, member) ? gcl_lanes_uniform()
                                                                           : (struct gcl_lanes){0};
}

static struct gcl_lanes value_of_call(const struct gcl_lint_values *values, CXCursor call,
                                      int depth) {
    g_autofree char *name = gcl_lint_callee(call);
    bool is_product = strcmp(name, "__mul24") == 0 || strcmp(name, "__umul24") == 0;
    bool is_choice = strcmp(name, "min") == 0 || strcmp(name, "max") == 0;
    if (clang_Cursor_getNumArguments(call) != 2 || (!is_product && !is_choice))
        return (struct gcl_lanes){0};
    struct gcl_lanes left = find(values, clang_Cursor_getArgument(call, 0), depth - 1);
    struct gcl_lanes right = find(values, clang_Cursor_getArgument(call, 1), depth - 1);
    if (is_product)
        return gcl_lanes_apply(CXBinaryOperator_Mul, &left, &right);
    return gcl_lanes_are_uniform(&left) && gcl_lanes_are_uniform(&right) ? gcl_lanes_uniform()
                                                                         : (struct gcl_lanes){0};
}

static struct gcl_lanes value_of_reference(const struct gcl_lint_values *values, CXCursor reference,
                                           int depth) {
    CXCursor target = clang_getCursorReferenced(reference);
    switch (clang_getCursorKind(target)) {
    case CXCursor_EnumConstantDecl:
        return gcl_lanes_number(clang_getEnumConstantDeclValue(target));
    case CXCursor_NonTypeTemplateParameter:
        return gcl_lanes_uniform();
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        return value_of_variable(values, reference, depth);
    default:
        return (struct gcl_lanes){0};
    }
}

static struct gcl_lanes value_of_operation(const struct gcl_lint_values *values,
                                           CXCursor expression, int depth) {
    enum CXBinaryOperatorKind operation = clang_getCursorBinaryOperatorKind(expression);
    CXCursor first = gcl_lint_operand(expression, false), last = gcl_lint_operand(expression, true);
    struct gcl_lanes left = find(values, first, depth - 1);
    if (!gcl_lanes_have_distance(&left))
        return left;
    struct gcl_lanes right = find(values, last, depth - 1);
    struct gcl_lanes result = gcl_lanes_apply(operation, &left, &right);
    if (operation != CXBinaryOperator_Mul || gcl_lanes_have_distance(&result))
        return result;
    if (gcl_lanes_are_uniform(&right))
        return gcl_lanes_multiply(&left, last);
    return gcl_lanes_are_uniform(&left) ? gcl_lanes_multiply(&right, first) : result;
}

static struct gcl_lanes find(const struct gcl_lint_values *values, CXCursor expression, int depth) {
    struct gcl_lanes value;
    int64_t number;
    // What clang has of `threadIdx.x` is of a type of its own.
    bool is_member = clang_getCursorKind(expression) == CXCursor_MemberRefExpr;
    if (depth <= 0 || gcl_cursor_is_null(expression) || (!is_member && !is_integer(expression)))
        return (struct gcl_lanes){0};
    switch (clang_getCursorKind(expression)) {
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return find(values, gcl_lint_operand(expression, true), depth - 1);
    case CXCursor_IntegerLiteral:
    case CXCursor_UnaryExpr: // sizeof
        return gcl_shapes_number(expression, NULL, &number) ? gcl_lanes_number(number)
                                                            : (struct gcl_lanes){0};
    case CXCursor_UnaryOperator:
        value = find(values, gcl_lint_operand(expression, true), depth - 1);
        return clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_Minus
                   ? gcl_lanes_scale(&value, -1)
                   : (struct gcl_lanes){0};
    case CXCursor_BinaryOperator:
        return value_of_operation(values, expression, depth);
    case CXCursor_DeclRefExpr:
        return value_of_reference(values, expression, depth);
    case CXCursor_MemberRefExpr:
        return value_of_member(values, expression);
    case CXCursor_CallExpr:
        return value_of_call(values, expression, depth);
    default:
        return (struct gcl_lanes){0};
    }
}

struct gcl_lanes gcl_lint_values_find(const struct gcl_lint_values *values, CXCursor expression) {
    return find(values, expression, DEPTH_LIMIT);
}
