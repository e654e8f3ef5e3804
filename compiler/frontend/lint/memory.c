// The memory that a pointer leads to is known where one function shows all: the pointer is local,
// gets its values from cudaMalloc() alone, or from malloc(), new and its like alone, and nobody
// else has its address. Of any other pointer nothing is said.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/report.h"
#include "frontend/shapes.h"

enum { DEPTH_LIMIT = 8 };

enum memory {
    MEMORY_NONE = 0,   ///< no value yet, or null
    MEMORY_HOST = 1,   ///< the host's alone
    MEMORY_DEVICE = 2, ///< the device's alone
    MEMORY_OTHER = 4,  ///< not known, or both sides'
};

/// A local pointer.
struct pointer {
    CXCursor variable;
    unsigned memory;  ///< a sum: of all its values
    CXCursor size;    ///< bytes that cudaMalloc() was told, null if not known
    unsigned settled; ///< how often it was allocated
};

struct search {
    const struct gcl_lint *lint;
    GArray *pointers; ///< struct pointer
};

/// A cursor on the way from a function down.
struct step {
    struct step *outer;
    CXCursor cursor;
    struct search *search;
};

static struct pointer *find_pointer(const struct search *search, CXCursor variable) {
    CXCursor canonical = clang_getCanonicalCursor(variable);
    for (guint i = 0; i < search->pointers->len; i++) {
        struct pointer *pointer = &g_array_index(search->pointers, struct pointer, i);
        if (clang_equalCursors(pointer->variable, canonical))
            return pointer;
    }
    return NULL;
}

static enum CXTypeKind kind_of(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind;
}

static bool is_array(CXCursor cursor) {
    enum CXTypeKind kind = kind_of(cursor);
    return kind == CXType_ConstantArray || kind == CXType_VariableArray;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

static bool is_in_system(CXCursor call) {
    CXCursor function = clang_getCursorReferenced(call);
    return !gcl_cursor_is_null(function) &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(function));
}

static bool is_null(CXCursor value) {
    int64_t number;
    CXCursor inner = gcl_lint_strip(value);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    return kind == CXCursor_CXXNullPtrLiteralExpr || kind == CXCursor_GNUNullExpr ||
           (kind == CXCursor_IntegerLiteral && gcl_shapes_number(inner, NULL, &number) &&
            number == 0);
}

// `v.data()`, or `v[i]` for its address: of a vector of the function.
static unsigned memory_of_part(CXCursor call, const char *function) {
    CXCursor object = gcl_lint_vector_of(call, function);
    return gcl_cursor_is_null(object) ? MEMORY_OTHER : MEMORY_HOST;
}

static unsigned memory_of_call(CXCursor call) {
    static const char *const heap[] = {"malloc", "calloc", "aligned_alloc", NULL};
    g_autofree char *name = gcl_lint_callee(call);
    return is_one_of(name, heap) && is_in_system(call) ? MEMORY_HOST : memory_of_part(call, "data");
}

static unsigned memory_of_new(const struct search *search, CXCursor expression) {
    CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(expression)));
    bool is_plain = type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin;
    return is_plain && !search->lint->has_new ? MEMORY_HOST : MEMORY_OTHER;
}

static unsigned memory_of(const struct search *search, CXCursor expression, int depth);

// What `&…` leads to: a local variable, or a part of what is looked at.
static unsigned memory_of_address(const struct search *search, CXCursor object, int depth) {
    CXCursor inner = gcl_lint_strip(object);
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        return gcl_lint_is_own(clang_getCursorReferenced(inner)) &&
                       kind_of(inner) != CXType_LValueReference
                   ? MEMORY_HOST
                   : MEMORY_OTHER;
    case CXCursor_ArraySubscriptExpr:
        return memory_of(search, gcl_lint_operand(inner, false), depth - 1);
    case CXCursor_CallExpr:
        return memory_of_part(inner, "operator[]");
    default:
        return MEMORY_OTHER;
    }
}

// The memory to which the value of an expression leads.
static unsigned memory_of(const struct search *search, CXCursor expression, int depth) {
    CXCursor inner = gcl_lint_strip(expression);
    if (depth == 0 || gcl_cursor_is_null(inner))
        return MEMORY_OTHER;
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr: {
        CXCursor variable = clang_getCursorReferenced(inner);
        const struct pointer *pointer = find_pointer(search, variable);
        if (pointer)
            return pointer->memory;
        return gcl_lint_is_own(variable) && is_array(variable) ? MEMORY_HOST : MEMORY_OTHER;
    }
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf
                   ? memory_of_address(search, gcl_lint_operand(inner, true), depth)
                   : MEMORY_OTHER;
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_Add &&
                       kind_of(inner) == CXType_Pointer
                   ? memory_of(search, gcl_lint_operand(inner, false), depth - 1)
                   : MEMORY_OTHER;
    case CXCursor_CallExpr:
        return kind_of(inner) == CXType_Pointer ? memory_of_call(inner) : MEMORY_OTHER;
    case CXCursor_CXXNewExpr:
        return memory_of_new(search, inner);
    default:
        return MEMORY_OTHER;
    }
}

static unsigned memory_of_value(const struct search *search, CXCursor value) {
    return is_null(value) ? MEMORY_NONE : memory_of(search, value, DEPTH_LIMIT);
}

// Values of pointers.

// The call that `&pointer` is an argument of, as it stands or converted, with the argument's place.
static const struct step *call_above(const struct step *address) {
    const struct step *above = address->outer;
    while (above && (clang_getCursorKind(above->cursor) == CXCursor_UnexposedExpr ||
                     clang_getCursorKind(above->cursor) == CXCursor_ParenExpr ||
                     clang_getCursorKind(above->cursor) == CXCursor_CStyleCastExpr ||
                     clang_getCursorKind(above->cursor) == CXCursor_CXXReinterpretCastExpr))
        above = above->outer;
    return above && clang_getCursorKind(above->cursor) == CXCursor_CallExpr ? above : NULL;
}

static void see_address(struct pointer *pointer, const struct step *address) {
    const struct step *call = call_above(address);
    g_autofree char *name = call ? gcl_lint_callee(call->cursor) : g_strdup("");
    bool is_first = call && clang_Cursor_getNumArguments(call->cursor) >= 2 &&
                    clang_equalCursors(gcl_lint_strip(clang_Cursor_getArgument(call->cursor, 0)),
                                       address->cursor);
    if (!is_first || strcmp(name, "cudaMalloc") != 0 || !is_in_system(call->cursor)) {
        pointer->memory |= MEMORY_OTHER;
        return;
    }
    pointer->memory |= MEMORY_DEVICE;
    pointer->size = clang_Cursor_getArgument(call->cursor, 1);
    pointer->settled++;
}

// A conversion to a value, which loses `const`; one to a reference may add it.
static bool reads(const struct step *above, CXCursor use) {
    CXType type = clang_getCanonicalType(clang_getCursorType(above->cursor));
    CXType own = clang_getCanonicalType(clang_getCursorType(use));
    return clang_getCursorKind(above->cursor) == CXCursor_UnexposedExpr &&
           !clang_isConstQualifiedType(type) && type.kind != CXType_Invalid &&
           own.kind != CXType_Invalid &&
           clang_equalTypes(clang_getUnqualifiedType(type), clang_getUnqualifiedType(own));
}

// What one use of a pointer does to it.
static void see_use(struct pointer *pointer, const struct step *use) {
    const struct step *above = use->outer;
    while (above && clang_getCursorKind(above->cursor) == CXCursor_ParenExpr)
        above = above->outer;
    enum CXCursorKind kind = above ? clang_getCursorKind(above->cursor) : CXCursor_InvalidCode;
    // What a lambda does to what it captures is seen in its body.
    if (kind == CXCursor_LambdaExpr || (above && reads(above, use->cursor)))
        return;
    if (kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(above->cursor) == CXUnaryOperator_AddrOf) {
        see_address(pointer, above);
    } else if (kind == CXCursor_BinaryOperator &&
               clang_getCursorBinaryOperatorKind(above->cursor) == CXBinaryOperator_Assign &&
               clang_equalCursors(gcl_lint_strip(gcl_lint_operand(above->cursor, false)),
                                  use->cursor)) {
        pointer->memory |= memory_of_value(use->search, gcl_lint_operand(above->cursor, true));
    } else if (kind != CXCursor_UnaryExpr && kind != CXCursor_UnaryOperator &&
               kind != CXCursor_CompoundAssignOperator) {
        pointer->memory |= MEMORY_OTHER;
    }
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct step *outer = data, step = {outer, cursor, outer->search};
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl && gcl_lint_is_own(cursor) &&
        kind_of(cursor) == CXType_Pointer) {
        struct pointer pointer = {.variable = clang_getCanonicalCursor(cursor),
                                  .size = clang_getNullCursor()};
        CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);
        if (!gcl_cursor_is_null(value))
            pointer.memory = memory_of_value(step.search, value);
        g_array_append_val(step.search->pointers, pointer);
    } else if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        struct pointer *pointer = find_pointer(step.search, clang_getCursorReferenced(cursor));
        if (pointer)
            see_use(pointer, &step);
    }
    clang_visitChildren(cursor, collect, &step);
    return CXChildVisit_Continue;
}

// Findings.

static char *name_in(const struct search *search, CXCursor expression) {
    return gcl_lint_source(search->lint, gcl_lint_strip(expression));
}

// A variable of the function that the kernel gets by reference.
static void check_reference(const struct search *search, CXCursor kernel, unsigned index,
                            CXCursor argument) {
    CXCursor parameter = clang_Cursor_getArgument(kernel, index);
    CXCursor variable = clang_getCursorReferenced(gcl_lint_strip(argument));
    if (gcl_cursor_is_null(parameter) || kind_of(parameter) != CXType_LValueReference ||
        clang_getCursorKind(gcl_lint_strip(argument)) != CXCursor_DeclRefExpr ||
        !gcl_lint_is_own(variable) || kind_of(variable) == CXType_LValueReference)
        return;
    g_autofree char *name = name_in(search, argument);
    gcl_lint_add(search->lint, argument, GCL_CODE_HOST_POINTER,
                 "pass it by value, or a pointer to memory of cudaMalloc()",
                 "kernel is given '%s' by reference, which is memory of the host", name);
}

static void check_arguments(const struct search *search, CXCursor launch) {
    CXCursor kernel = clang_getCursorReferenced(launch);
    if (search->lint->shares_memory)
        return;
    for (int i = 0; i < clang_Cursor_getNumArguments(launch); i++) {
        CXCursor argument = clang_Cursor_getArgument(launch, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        if (!gcl_cursor_is_null(kernel))
            check_reference(search, kernel, (unsigned)i, argument);
        if (type.kind != CXType_Pointer || memory_of(search, argument, DEPTH_LIMIT) != MEMORY_HOST)
            continue;
        g_autofree char *name = name_in(search, argument);
        gcl_lint_add(search->lint, argument, GCL_CODE_HOST_POINTER,
                     "give it memory of cudaMalloc(), and copy there",
                     "kernel is given '%s', which leads to memory of the host", name);
    }
}

// Whether what a pointer leads to is read or written, not only named.
static bool is_accessed(const struct step *place) {
    CXCursor use = place->cursor;
    for (const struct step *above = place->outer; above; above = above->outer) {
        switch (clang_getCursorKind(above->cursor)) {
        case CXCursor_ParenExpr:
            break;
        case CXCursor_MemberRefExpr:
            use = above->cursor;
            break;
        case CXCursor_UnexposedExpr:
            return reads(above, use);
        case CXCursor_CompoundAssignOperator:
            return true;
        case CXCursor_BinaryOperator:
            return clang_getCursorBinaryOperatorKind(above->cursor) == CXBinaryOperator_Assign;
        case CXCursor_UnaryOperator: {
            enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(above->cursor);
            return kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec;
        }
        default:
            return false;
        }
    }
    return false;
}

// The pointer through which an expression names memory; null if it doesn't.
static CXCursor pointer_of(CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_ArraySubscriptExpr ||
        (kind == CXCursor_UnaryOperator &&
         clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref))
        return gcl_lint_operand(cursor, false);
    CXCursor base =
        kind == CXCursor_MemberRefExpr ? gcl_lint_operand(cursor, false) : clang_getNullCursor();
    return !gcl_cursor_is_null(base) && kind_of(base) == CXType_Pointer ? base
                                                                        : clang_getNullCursor();
}

static void check_access(const struct step *step) {
    CXCursor base = pointer_of(step->cursor);
    if (gcl_cursor_is_null(base) || kind_of(base) != CXType_Pointer ||
        memory_of(step->search, base, DEPTH_LIMIT) != MEMORY_DEVICE || !is_accessed(step))
        return;
    g_autofree char *name = name_in(step->search, base);
    gcl_lint_add(step->search->lint, step->cursor, GCL_CODE_DEVICE_POINTER,
                 "copy it with cudaMemcpy(), or allocate it with cudaMallocManaged()",
                 "the host uses what '%s' leads to, which is memory of the device", name);
}

static void check_side(const struct search *search, CXCursor argument, unsigned wrong,
                       const char *kind) {
    bool may_be_both = wrong == MEMORY_HOST && search->lint->shares_memory;
    if (may_be_both || memory_of(search, argument, DEPTH_LIMIT) != wrong)
        return;
    g_autofree char *name = name_in(search, argument);
    gcl_lint_add(search->lint, argument, GCL_CODE_COPY_KIND,
                 "the target comes first, then the source; cudaMemcpyDefault finds out",
                 "%s, but '%s' leads to memory of the %s", kind, name,
                 wrong == MEMORY_HOST ? "host" : "device");
}

static void check_kind(const struct search *search, CXCursor call) {
    static const struct {
        const char *name;
        unsigned target, source; // what they must not be
    } kinds[] = {
        {"cudaMemcpyHostToHost", MEMORY_DEVICE, MEMORY_DEVICE},
        {"cudaMemcpyHostToDevice", MEMORY_HOST, MEMORY_DEVICE},
        {"cudaMemcpyDeviceToHost", MEMORY_DEVICE, MEMORY_HOST},
        {"cudaMemcpyDeviceToDevice", MEMORY_HOST, MEMORY_HOST},
    };
    int64_t kind;
    CXCursor argument = clang_Cursor_getArgument(call, 3);
    if (gcl_cursor_is_null(argument) || !gcl_lint_is_local(argument, DEPTH_LIMIT) ||
        !gcl_shapes_number(argument, NULL, &kind) || kind < 0 ||
        kind >= (int64_t)G_N_ELEMENTS(kinds))
        return;
    check_side(search, clang_Cursor_getArgument(call, 0), kinds[kind].target, kinds[kind].name);
    check_side(search, clang_Cursor_getArgument(call, 1), kinds[kind].source, kinds[kind].name);
}

// Sizes.

struct constancy {
    bool is_constant;
};

static enum CXChildVisitResult see_changes(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct constancy *constancy = data;
    CXCursor target = clang_getCursorReferenced(cursor);
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        constancy->is_constant &=
            clang_getCursorKind(target) == CXCursor_EnumConstantDecl ||
            ((gcl_lint_is_own(target) || clang_getCursorKind(target) == CXCursor_ParmDecl ||
              clang_isConstQualifiedType(clang_getCursorType(target))) &&
             gcl_shapes_keeps_value(target));
        break;
    case CXCursor_CallExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        constancy->is_constant = false;
        break;
    default:
        break;
    }
    return constancy->is_constant ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool keeps_value(CXCursor expression) {
    struct constancy constancy = {true};
    see_changes(expression, expression, &constancy);
    if (constancy.is_constant)
        clang_visitChildren(expression, see_changes, &constancy);
    return constancy.is_constant;
}

// The number of elements in `n * sizeof(T)`; null if a size isn't written so.
static CXCursor elements_of(CXCursor size) {
    CXCursor inner = gcl_lint_strip(size);
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator ||
        clang_getCursorBinaryOperatorKind(inner) != CXBinaryOperator_Mul)
        return clang_getNullCursor();
    CXCursor sides[2] = {gcl_lint_strip(gcl_lint_operand(inner, false)),
                         gcl_lint_strip(gcl_lint_operand(inner, true))};
    for (int i = 0; i < 2; i++) {
        int64_t bytes;
        if (clang_getCursorKind(sides[i]) == CXCursor_UnaryExpr &&
            gcl_shapes_number(sides[i], NULL, &bytes) && bytes > 1)
            return sides[1 - i];
    }
    return clang_getNullCursor();
}

// Whether two expressions are written alike, macros expanded, of what keeps its value.
static bool is_same(CXCursor left, CXCursor right, int depth) {
    CXCursor a = gcl_lint_strip(left), b = gcl_lint_strip(right);
    enum CXCursorKind kind = clang_getCursorKind(a);
    int64_t value, other;
    if (depth == 0 || gcl_cursor_is_null(a) || kind != clang_getCursorKind(b))
        return false;
    switch (kind) {
    case CXCursor_IntegerLiteral:
        return gcl_shapes_number(a, NULL, &value) && gcl_shapes_number(b, NULL, &other) &&
               value == other;
    case CXCursor_DeclRefExpr:
        return clang_equalCursors(clang_getCursorReferenced(a), clang_getCursorReferenced(b));
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(a) == clang_getCursorBinaryOperatorKind(b) &&
               is_same(gcl_lint_operand(a, false), gcl_lint_operand(b, false), depth - 1) &&
               is_same(gcl_lint_operand(a, true), gcl_lint_operand(b, true), depth - 1);
    default:
        return false;
    }
}

static bool has_wide_elements(CXCursor argument) {
    CXType type = clang_getCanonicalType(clang_getCursorType(gcl_lint_strip(argument)));
    CXType element =
        type.kind == CXType_Pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type);
    return element.kind != CXType_Void && clang_Type_getSizeOf(element) > 1;
}

// Says that of two sizes of the same memory only `bytes` counts bytes, if `count` is the number of
// elements in it.
static bool compare_sizes(const struct search *search, CXCursor bytes, CXCursor count,
                          CXCursor at) {
    CXCursor elements = elements_of(bytes);
    if (gcl_cursor_is_null(elements) || !is_same(elements, count, DEPTH_LIMIT) ||
        !keeps_value(elements))
        return false;
    g_autofree char *number = gcl_lint_source(search->lint, gcl_lint_strip(count));
    g_autofree char *whole = gcl_lint_source(search->lint, gcl_lint_strip(bytes));
    gcl_lint_add(search->lint, at, GCL_CODE_COPY_SIZE, "sizes are bytes: multiply by sizeof",
                 "this memory has %s bytes in one call, and %s in another", number, whole);
    return true;
}

// `sizeof(p)` of the pointer itself, which is 8 whatever it leads to.
static void check_sizeof(const struct search *search, CXCursor pointer, CXCursor size) {
    CXCursor named = gcl_lint_strip(pointer), operation = gcl_lint_strip(size);
    CXType type = clang_getCanonicalType(clang_getCursorType(named));
    CXCursor measured = clang_getCursorKind(operation) == CXCursor_UnaryExpr
                            ? gcl_lint_strip(gcl_lint_operand(operation, true))
                            : clang_getNullCursor();
    if (gcl_cursor_is_null(measured) || type.kind != CXType_Pointer ||
        clang_getCursorKind(named) != CXCursor_DeclRefExpr ||
        !is_same(named, measured, DEPTH_LIMIT) ||
        clang_Type_getSizeOf(clang_getPointeeType(type)) == clang_Type_getSizeOf(type))
        return;
    g_autofree char *name = name_in(search, named);
    gcl_lint_add(search->lint, size, GCL_CODE_COPY_SIZE,
                 "multiply the number of elements by the size of one",
                 "sizeof(%s) is the size of the pointer, not of what it leads to", name);
}

// `n` bytes, where memory for `n` elements was asked for, or the other way round.
static void check_size(const struct search *search, CXCursor pointer_argument, CXCursor size) {
    CXCursor target = gcl_lint_strip(pointer_argument);
    const struct pointer *pointer = find_pointer(search, clang_getCursorReferenced(target));
    check_sizeof(search, target, size);
    if (clang_getCursorKind(target) == CXCursor_DeclRefExpr && pointer &&
        pointer->memory == MEMORY_DEVICE && pointer->settled == 1 &&
        has_wide_elements(pointer_argument) && !compare_sizes(search, pointer->size, size, size))
        compare_sizes(search, size, pointer->size, pointer->size);
}

static void check_call(const struct search *search, CXCursor call) {
    static const char *const copies[] = {"cudaMemcpy", "cudaMemcpyAsync", NULL};
    static const char *const fills[] = {"cudaMemset", "cudaMemsetAsync", NULL};
    g_autofree char *name = gcl_lint_callee(call);
    if (!g_str_has_prefix(name, "cuda") || !is_in_system(call) ||
        clang_Cursor_getNumArguments(call) < 3)
        return;
    if (is_one_of(name, copies)) {
        check_kind(search, call);
        check_size(search, clang_Cursor_getArgument(call, 0), clang_Cursor_getArgument(call, 2));
        check_size(search, clang_Cursor_getArgument(call, 1), clang_Cursor_getArgument(call, 2));
    } else if (is_one_of(name, fills)) {
        check_size(search, clang_Cursor_getArgument(call, 0), clang_Cursor_getArgument(call, 2));
    }
}

// Variables of the device.

static enum CXChildVisitResult see_space(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CUDADeviceAttr || kind == CXCursor_CUDAConstantAttr)
        *(unsigned *)data |= 1;
    else if (clang_isAttribute(kind))
        *(unsigned *)data |= 2; // __managed__, or nobody knows what
    return CXChildVisit_Continue;
}

// `&v` of a variable of the device, as it is passed: a cast would choose another function.
static bool is_address_of_symbol(CXCursor argument) {
    unsigned space = 0;
    while (clang_getCursorKind(argument) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(argument) == CXCursor_ParenExpr)
        argument = gcl_lint_operand(argument, true);
    if (clang_getCursorKind(argument) != CXCursor_UnaryOperator ||
        clang_getCursorUnaryOperatorKind(argument) != CXUnaryOperator_AddrOf)
        return false;
    CXCursor variable = clang_getCursorReferenced(gcl_lint_operand(argument, true));
    if (clang_getCursorKind(variable) == CXCursor_VarDecl)
        clang_visitChildren(variable, see_space, &space);
    return space == 1;
}

// A string was a symbol's name until CUDA 5. An address is taken for a variable that holds one.
static void check_symbol(const struct search *search, CXCursor call) {
    static const char *const at[] = {"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync",
                                     "cudaGetSymbolSize"};
    g_autofree char *name = gcl_lint_callee(call);
    int count = clang_Cursor_getNumArguments(call), index = -1;
    for (size_t i = 0; i < G_N_ELEMENTS(at); i++) {
        if (strcmp(name, at[i]) == 0)
            index = strcmp(name, "cudaGetSymbolSize") == 0 ? 1 : 0;
    }
    if (g_str_has_prefix(name, "cudaMemcpyFromSymbol") || strcmp(name, "cudaGetSymbolAddress") == 0)
        index = 1;
    if (index < 0 || index >= count)
        return;
    CXCursor argument = clang_Cursor_getArgument(call, (unsigned)index);
    CXCursor symbol = gcl_lint_strip(argument);
    if (is_address_of_symbol(argument))
        gcl_lint_add(search->lint, argument, GCL_CODE_SYMBOL_NAME, "write the variable, without &",
                     "%s() takes a variable, not its address", name);
    if (clang_getCursorKind(symbol) == CXCursor_StringLiteral)
        gcl_lint_add(search->lint, symbol, GCL_CODE_SYMBOL_NAME,
                     "write the variable, without quotes", "%s() takes a variable, not its name",
                     name);
}

// A variable, or an element of one.
static CXCursor variable_of(CXCursor cursor) {
    CXCursor inner = clang_getCursorKind(cursor) == CXCursor_ArraySubscriptExpr
                         ? gcl_lint_strip(gcl_lint_operand(cursor, false))
                         : cursor;
    return clang_getCursorKind(inner) == CXCursor_DeclRefExpr ? clang_getCursorReferenced(inner)
                                                              : clang_getNullCursor();
}

static void check_variable(const struct step *step) {
    CXCursor variable = variable_of(step->cursor);
    unsigned space = 0;
    if (clang_getCursorKind(variable) != CXCursor_VarDecl ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(variable)) ||
        (kind_of(variable) == CXType_Pointer &&
         clang_getCursorKind(step->cursor) == CXCursor_ArraySubscriptExpr) ||
        clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(variable))))
        return;
    clang_visitChildren(variable, see_space, &space);
    if (space != 1 || !is_accessed(step))
        return;
    g_autofree char *name = gcl_cursor_name(variable);
    gcl_lint_add(step->search->lint, step->cursor, GCL_CODE_DEVICE_VARIABLE,
                 "use cudaMemcpyToSymbol() and cudaMemcpyFromSymbol()",
                 "the host uses '%s', which is a variable of the device", name);
}

// The second walk.

static enum CXChildVisitResult check(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct step *outer = data, step = {outer, cursor, outer->search};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    // Lambdas may run on the device; what sizeof names isn't computed.
    if (kind == CXCursor_LambdaExpr || kind == CXCursor_UnaryExpr || kind == CXCursor_StructDecl ||
        kind == CXCursor_ClassDecl)
        return CXChildVisit_Continue;
    if (kind == CXCursor_CallExpr) {
        g_autofree char *name = gcl_lint_callee(cursor);
        if (strcmp(name, "__cudaPushCallConfiguration") == 0)
            check_arguments(step.search, outer->cursor);
        check_call(step.search, cursor);
        check_symbol(step.search, cursor);
    }
    check_variable(&step);
    check_access(&step);
    clang_visitChildren(cursor, check, &step);
    return CXChildVisit_Continue;
}

void gcl_lint_memory(const struct gcl_lint *lint, CXCursor function) {
    struct search search = {lint, g_array_new(FALSE, FALSE, sizeof(struct pointer))};
    struct step outermost = {NULL, function, &search};
    clang_visitChildren(function, collect, &outermost);
    clang_visitChildren(function, check, &outermost);
    g_array_unref(search.pointers);
}
