// Places are bytes from the beginning of an array, or of what a kernel's pointer leads to, which is
// global memory: a kernel can be given no other.
#include "frontend/lint/place.h"

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"

enum { DEPTH_LIMIT = 16 };

static struct gcl_lint_place find_place(const struct gcl_lint_values *values, CXCursor lvalue,
                                        int depth);

static CXType type_of(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

static bool is_array(CXType type) {
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

static struct gcl_lint_place begin_of(enum gcl_lint_space space, CXCursor variable) {
    return (struct gcl_lint_place){space, variable, gcl_lanes_number(0), {.kind = CXType_Invalid}};
}

static struct gcl_lint_place nowhere(void) {
    return begin_of(GCL_SPACE_OTHER, clang_getNullCursor());
}

// Goes `count` elements on from a place.
static struct gcl_lint_place move(const struct gcl_lint_values *values, struct gcl_lint_place place,
                                  CXCursor count, CXType element,
                                  enum CXBinaryOperatorKind direction) {
    struct gcl_lanes index = gcl_lint_values_find(values, count);
    long long size = clang_Type_getSizeOf(element);
    if (place.space == GCL_SPACE_OTHER || size <= 0)
        return nowhere();
    struct gcl_lanes bytes = gcl_lanes_scale(&index, size);
    place.offset = gcl_lanes_apply(direction, &place.offset, &bytes);
    if (clang_getCanonicalType(element).kind == CXType_Record && !gcl_lanes_are_uniform(&index))
        place.record = clang_getUnqualifiedType(clang_getCanonicalType(element));
    return gcl_lanes_have_distance(&place.offset) ? place : nowhere();
}

// Variables.

static struct gcl_lint_place place_of_variable(CXCursor variable) {
    if (clang_getCursorKind(variable) != CXCursor_VarDecl)
        return nowhere();
    if (gcl_lint_has_attribute(variable, CXCursor_CUDASharedAttr))
        return begin_of(GCL_SPACE_SHARED, clang_getCanonicalCursor(variable));
    if (gcl_lint_has_attribute(variable, CXCursor_CUDADeviceAttr))
        return begin_of(GCL_SPACE_GLOBAL, clang_getCanonicalCursor(variable));
    return nowhere();
}

// Pointers.

// What a variable is at first: what the caller gives, of which `*values` are then the caller's, or
// its initial value. Null: that isn't known.
static CXCursor origin_of(const struct gcl_lint_values **values, CXCursor variable) {
    CXCursor argument = gcl_lint_values_argument(*values, variable);
    if (gcl_cursor_is_null(argument))
        return gcl_lint_values_only(*values, variable);
    *values = (*values)->caller;
    return argument;
}

static struct gcl_lint_place find_pointer(const struct gcl_lint_values *values, CXCursor expression,
                                          int depth) {
    CXCursor inner = gcl_lint_strip(expression);
    CXType type = gcl_cursor_is_null(inner) ? (CXType){.kind = CXType_Invalid} : type_of(inner);
    if (depth == 0 || type.kind == CXType_Invalid)
        return nowhere();
    if (is_array(type))
        return find_place(values, inner, depth - 1);
    if (type.kind != CXType_Pointer)
        return nowhere();
    if (gcl_lint_values_are_given(values, inner))
        return begin_of(GCL_SPACE_GLOBAL, clang_getCursorReferenced(inner));
    enum CXBinaryOperatorKind operation = clang_getCursorBinaryOperatorKind(inner);
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        inner = origin_of(&values, clang_getCursorReferenced(inner));
        return find_pointer(values, inner, depth - 1);
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf
                   ? find_place(values, gcl_lint_operand(inner, true), depth - 1)
                   : nowhere();
    case CXCursor_BinaryOperator:
        if (operation != CXBinaryOperator_Add && operation != CXBinaryOperator_Sub)
            return nowhere();
        return move(values, find_pointer(values, gcl_lint_operand(inner, false), depth - 1),
                    gcl_lint_operand(inner, true), clang_getPointeeType(type), operation);
    default:
        return nowhere();
    }
}

// Lvalues.

static struct gcl_lint_place place_of_member(const struct gcl_lint_values *values, CXCursor member,
                                             int depth) {
    CXCursor object = gcl_lint_operand(member, false);
    CXCursor field = clang_getCursorReferenced(member);
    if (gcl_cursor_is_null(object) || clang_getCursorKind(field) != CXCursor_FieldDecl)
        return nowhere();
    struct gcl_lint_place place = type_of(object).kind == CXType_Pointer
                                      ? find_pointer(values, object, depth - 1)
                                      : find_place(values, object, depth - 1);
    long long bits = clang_Cursor_getOffsetOfField(field);
    if (place.space == GCL_SPACE_OTHER || bits < 0)
        return nowhere();
    struct gcl_lanes bytes = gcl_lanes_number(bits / 8);
    place.offset = gcl_lanes_apply(CXBinaryOperator_Add, &place.offset, &bytes);
    return place;
}

static struct gcl_lint_place find_place(const struct gcl_lint_values *values, CXCursor lvalue,
                                        int depth) {
    CXCursor inner = gcl_lint_strip(lvalue), variable;
    if (depth == 0 || gcl_cursor_is_null(inner))
        return nowhere();
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        variable = clang_getCursorReferenced(inner);
        if (type_of(variable).kind != CXType_LValueReference)
            return place_of_variable(variable);
        inner = origin_of(&values, variable); // which it is bound to
        return find_place(values, inner, depth - 1);
    case CXCursor_ArraySubscriptExpr:
        return move(values, find_pointer(values, gcl_lint_operand(inner, false), depth - 1),
                    gcl_lint_operand(inner, true), clang_getCursorType(inner),
                    CXBinaryOperator_Add);
    case CXCursor_MemberRefExpr:
        return place_of_member(values, inner, depth);
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref
                   ? find_pointer(values, gcl_lint_operand(inner, true), depth - 1)
                   : nowhere();
    default:
        return nowhere();
    }
}

struct gcl_lint_place gcl_lint_place_find(const struct gcl_lint_values *values, CXCursor lvalue) {
    return find_place(values, lvalue, DEPTH_LIMIT);
}

struct gcl_lint_place gcl_lint_place_find_pointer(const struct gcl_lint_values *values,
                                                  CXCursor pointer) {
    return find_pointer(values, pointer, DEPTH_LIMIT);
}
