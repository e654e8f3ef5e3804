// Accesses of a kernel for which a warp needs many transactions: to global memory, because its
// threads touch bytes that are far apart, and to shared memory, because they touch different words
// of the same bank.
//
// Only where the distance is known, or known but for factors that all threads have alike, and all
// threads of a warp take part: behind conditions that may let few threads through nothing is looked
// at. Elements of up to 16 bytes one instruction may fetch as a whole, whichever members are named.
//
// A function of the device is looked at as often as the kernel calls it, with the arguments that it
// gets there.
#include <stdlib.h>
#include <string.h>

#include "base/shape.h"
#include "frontend/cursor.h"
#include "frontend/lint/banks.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/lint/place.h"

enum { SECTOR = 32, VECTOR = 16, CONFLICTS = 4, CALL_DEPTH = 3, CALL_LIMIT = 64 };

/// What has been said of a variable.
struct told {
    CXCursor variable;
    int64_t stride;
    char *words; ///< what it is if it isn't known, or NULL
};

/// The way through a kernel, or through a function that it calls.
struct walk {
    const struct gcl_lint *lint;
    CXCursor kernel;
    struct gcl_lint_values values;
    GArray *told;
    const char *whose; ///< " of 'kernel'" in a function that it calls, else ""
    int depth;         ///< calls on the way
    int *entered;      ///< functions, one for each call
};

/// A cursor on the way down.
struct step {
    const struct step *outer;
    CXCursor cursor;
    struct walk *walk;
    bool is_for_few; ///< perhaps only some threads of a warp come here
};

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data);

// What an access costs.

// By how many bytes neighbours in a row of the block differ; 0: they don't, or not all by as many.
static int64_t stride_of(const struct walk *walk, const struct gcl_lanes *offset) {
    int row = walk->values.block[0] ? (int)MIN(walk->values.block[0], GCL_LANES) : GCL_LANES;
    int count = gcl_lint_values_lanes(&walk->values);
    int64_t stride = offset->at[1] - offset->at[0];
    for (int i = 1; i < count; i++) {
        if (i % row != 0 && offset->at[i] - offset->at[i - 1] != stride)
            return 0;
    }
    return row > 1 && count > 1 ? stride : 0;
}

static int compare(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// How many pieces of 32 bytes the lanes touch; the first lane's is taken to begin with one.
static unsigned count_sectors(const struct gcl_lanes *offset, int lanes, int64_t size) {
    int64_t sectors[2 * GCL_LANES];
    unsigned count = 0;
    for (int i = 0; i < lanes; i++) {
        int64_t first = offset->at[i] - offset->at[0] + (INT64_C(1) << 50);
        sectors[2 * i] = first / SECTOR;
        sectors[2 * i + 1] = (first + size - 1) / SECTOR;
    }
    qsort(sectors, 2 * (size_t)lanes, sizeof(int64_t), compare);
    for (int i = 0; i < 2 * lanes; i++)
        count += i == 0 || sectors[i] != sectors[i - 1];
    return count;
}

// As many sectors as lanes touch that access neighbouring elements.
static unsigned least_sectors(int lanes, int64_t size) {
    return (unsigned)((lanes * size + SECTOR - 1) / SECTOR);
}

// Findings.

static void told_finish(void *told) {
    g_free(((struct told *)told)->words);
}

static bool is_new(const struct walk *walk, const struct gcl_lint_place *place, int64_t stride,
                   const char *words) {
    for (guint i = 0; i < walk->told->len; i++) {
        const struct told *told = &g_array_index(walk->told, struct told, i);
        if (told->stride == stride && clang_equalCursors(told->variable, place->variable) &&
            g_strcmp0(told->words, words) == 0)
            return false;
    }
    struct told told = {place->variable, stride, g_strdup(words)};
    g_array_append_val(walk->told, told);
    return true;
}

// Blocks of fewer threads than a warp has may be launched where their size isn't known.
static const char *at_most(const struct walk *walk) {
    return walk->values.block[0] == 0 ? "up to " : "";
}

// Two instructions fetch all members of a double4, of which one fetches 16 bytes.
static bool is_pair_of_vectors(CXType record) {
    return clang_Type_getAlignOf(record) >= VECTOR && clang_Type_getSizeOf(record) <= 2 * VECTOR;
}

#define NEIGHBOURS                                                                                 \
    "have neighbouring threads access neighbouring elements, or go through shared memory"

// A stride as a product of the program's own words, to be freed; NULL if a macro hides one.
static char *name_stride(const struct walk *walk, const struct gcl_lanes *offset, int64_t stride) {
    GString *text = g_string_new(NULL);
    for (int i = 0; i < offset->factor_count; i++) {
        g_autofree char *name = gcl_lint_name(walk->lint, offset->factors[i]);
        if (!name) {
            g_string_free(text, TRUE);
            return NULL;
        }
        g_string_append_printf(text, "%s%s", i > 0 ? " * " : "", name);
    }
    if (stride != 1)
        g_string_append_printf(text, " * %" G_GINT64_FORMAT, (gint64)stride);
    return g_string_free(text, FALSE);
}

// The distance is a multiple of factors that may be small.
static void check_multiple(const struct walk *walk, CXCursor access,
                           const struct gcl_lint_place *place, int64_t size, const char *verb) {
    int lanes = gcl_lint_values_lanes(&walk->values);
    int64_t stride = llabs(stride_of(walk, &place->offset));
    struct gcl_lanes far = place->offset;
    for (int i = 0; i < GCL_LANES && stride > 0; i++)
        far.at[i] = place->offset.at[i] / stride * SECTOR;
    unsigned count = count_sectors(&far, lanes, size);
    unsigned least = least_sectors(lanes, size);
    g_autofree char *words = stride > 0 ? name_stride(walk, &place->offset, stride) : NULL;
    if (!words || count < 2 * least || !is_new(walk, place, stride, words))
        return;
    gcl_lint_add(walk->lint, access, GCL_CODE_UNCOALESCED, NEIGHBOURS,
                 "neighbouring threads%s %s %s bytes apart: up to %u transactions of 32 bytes a "
                 "warp instead of %u",
                 walk->whose, verb, words, count, least);
}

static void check_global(const struct walk *walk, CXCursor access,
                         const struct gcl_lint_place *place, int64_t size, const char *verb) {
    int lanes = gcl_lint_values_lanes(&walk->values);
    int64_t stride = stride_of(walk, &place->offset);
    unsigned count = count_sectors(&place->offset, lanes, size);
    unsigned least = least_sectors(lanes, size);
    bool is_record = place->record.kind != CXType_Invalid &&
                     clang_Type_getSizeOf(place->record) == llabs(stride);
    if (llabs(stride) <= VECTOR || count < 2 * least ||
        (is_record && is_pair_of_vectors(place->record)) || !is_new(walk, place, stride, NULL))
        return;
    g_autofree char *record =
        is_record ? gcl_cursor_take_text(clang_getTypeSpelling(place->record)) : g_strdup("");
    gcl_lint_add(walk->lint, access, GCL_CODE_UNCOALESCED,
                 is_record ? "keep each member in an array of its own" : NEIGHBOURS,
                 "neighbouring threads%s %s %" G_GINT64_FORMAT " bytes apart%s%s%s: %s%u "
                 "transactions of 32 bytes a warp instead of %u",
                 walk->whose, verb, (gint64)llabs(stride), is_record ? ", the size of '" : "",
                 record, is_record ? "'" : "", at_most(walk), count, least);
}

static void check_shared(const struct walk *walk, CXCursor access,
                         const struct gcl_lint_place *place, int64_t size) {
    int lanes = gcl_lint_values_lanes(&walk->values);
    int64_t stride = stride_of(walk, &place->offset);
    unsigned count = gcl_lint_count_conflicts(&place->offset, lanes, size);
    if (llabs(stride) <= VECTOR || count < CONFLICTS || !is_new(walk, place, stride, NULL))
        return;
    struct gcl_lint_padding padding = gcl_lint_padding_find(&walk->values, access);
    g_autofree char *help =
        padding.helps ? g_strdup_printf("pad the row by one element, to %" G_GINT64_FORMAT,
                                        (gint64)padding.row)
                      : g_strdup("have neighbouring threads access neighbouring elements");
    struct gcl_diagnostic *added = gcl_lint_add(
        walk->lint, access, GCL_CODE_BANK_CONFLICT, help,
        "threads of a warp%s hit the same bank %s%u times (stride of %" G_GINT64_FORMAT " bytes)",
        walk->whose, at_most(walk), count, (gint64)llabs(stride));
    if (added && padding.helps)
        gcl_lint_padding_mend(walk->lint, walk->kernel, &padding, added);
}

// What becomes of an lvalue's memory; NULL: that is not looked at, as of `&a[i]`.
static const char *verb_of(const struct step *access) {
    const struct step *above = access->outer;
    while (above && clang_getCursorKind(above->cursor) == CXCursor_ParenExpr)
        above = above->outer;
    if (!above)
        return NULL;
    CXType type = clang_getCanonicalType(clang_getCursorType(above->cursor));
    CXType own = clang_getCanonicalType(clang_getCursorType(access->cursor));
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(above->cursor);
    bool is_target =
        clang_equalCursors(gcl_lint_strip(gcl_lint_operand(above->cursor, false)), access->cursor);
    switch (clang_getCursorKind(above->cursor)) {
    case CXCursor_UnexposedExpr:
        return type.kind != CXType_Invalid && clang_equalTypes(clang_getUnqualifiedType(type),
                                                               clang_getUnqualifiedType(own))
                   ? "read"
                   : NULL;
    case CXCursor_BinaryOperator:
        return is_target &&
                       clang_getCursorBinaryOperatorKind(above->cursor) == CXBinaryOperator_Assign
                   ? "write"
                   : NULL;
    case CXCursor_CompoundAssignOperator:
        return is_target ? "update" : NULL;
    case CXCursor_UnaryOperator:
        return kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec ? "update" : NULL;
    default:
        return NULL;
    }
}

// Bytes of a scalar; 0: it is none, or one of a size that isn't known.
static int64_t size_of_scalar(CXCursor value) {
    CXType type = clang_getCanonicalType(clang_getCursorType(value));
    bool is_scalar = (type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
                      type.kind != CXType_Dependent) ||
                     type.kind == CXType_Pointer || type.kind == CXType_Enum;
    return is_scalar ? MAX(clang_Type_getSizeOf(type), 0) : 0;
}

static void check_place(const struct step *access, const struct gcl_lint_place *place,
                        const char *verb) {
    int64_t size = size_of_scalar(access->cursor);
    if (place->space == GCL_SPACE_GLOBAL && !place->offset.is_known)
        check_multiple(access->walk, access->cursor, place, size, verb);
    else if (place->space == GCL_SPACE_GLOBAL)
        check_global(access->walk, access->cursor, place, size, verb);
    else if (place->space == GCL_SPACE_SHARED && place->offset.is_known)
        check_shared(access->walk, access->cursor, place, size);
}

static void check_access(const struct step *access) {
    const char *verb = size_of_scalar(access->cursor) > 0 ? verb_of(access) : NULL;
    if (!verb)
        return;
    struct gcl_lint_place place = gcl_lint_place_find(&access->walk->values, access->cursor);
    check_place(access, &place, verb);
}

// `__ldg(&a[i])` and its like.
static void check_load(const struct step *call) {
    static const char *const names[] = {"__ldg",  "__ldca", "__ldcg", "__ldcs",
                                        "__ldcv", "__ldlu", NULL};
    if (clang_Cursor_getNumArguments(call->cursor) != 1 || size_of_scalar(call->cursor) == 0)
        return;
    g_autofree char *name = gcl_lint_callee(call->cursor);
    if (!name || !g_strv_contains(names, name))
        return;
    struct gcl_lint_place place =
        gcl_lint_place_find_pointer(&call->walk->values, clang_Cursor_getArgument(call->cursor, 0));
    check_place(call, &place, "read");
}

// The way through the kernel.

enum { PARTS = 8 };

struct parts {
    CXCursor at[PARTS];
    int count;
};

static enum CXChildVisitResult take_part(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct parts *parts = data;
    (void)parent;
    if (parts->count < PARTS)
        parts->at[parts->count] = cursor;
    parts->count++;
    return CXChildVisit_Continue;
}

static struct parts parts_of(CXCursor cursor) {
    struct parts parts = {.count = 0};
    clang_visitChildren(cursor, take_part, &parts);
    parts.count = MIN(parts.count, PARTS);
    return parts;
}

static void go_on(const struct step *step, CXCursor part, bool is_for_few) {
    struct step next = *step;
    next.is_for_few |= is_for_few;
    see(part, step->cursor, &next);
}

static bool passes(const struct step *step, CXCursor condition, bool wanted) {
    return gcl_lint_lets_warps_through(&step->walk->values, condition, wanted);
}

// `if (a) b; else c;`, and `a ? b : c`
static void see_choice(const struct step *step) {
    struct parts parts = parts_of(step->cursor);
    bool is_plain = parts.count > 1 && parts.count <= 3;
    for (int i = 0; i < parts.count; i++)
        go_on(step, parts.at[i], i > 0 && (!is_plain || !passes(step, parts.at[0], i == 1)));
}

static bool is_loop(enum CXCursorKind kind) {
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
}

struct exits {
    bool returns, breaks;
};

static enum CXChildVisitResult see_exit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct exits *exits = data, inner = {false, false};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    exits->returns |= kind == CXCursor_ReturnStmt || kind == CXCursor_GotoStmt;
    exits->breaks |= kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt;
    if (kind == CXCursor_LambdaExpr || clang_isExpression(kind))
        return CXChildVisit_Continue;
    if (!is_loop(kind))
        return CXChildVisit_Recurse;
    clang_visitChildren(cursor, see_exit, &inner);
    exits->returns |= inner.returns;
    return CXChildVisit_Continue;
}

static struct exits exits_of(CXCursor statement) {
    struct exits exits = {false, false};
    if (is_loop(clang_getCursorKind(statement))) {
        clang_visitChildren(statement, see_exit, &exits);
        exits.breaks = false;
    } else {
        see_exit(statement, statement, &exits);
        clang_visitChildren(statement, see_exit, &exits);
    }
    return exits;
}

// Whether only some threads may come behind a statement: `if (…) return;` says which do.
static bool parts_threads(const struct step *step, CXCursor statement) {
    struct exits exits = exits_of(statement);
    struct parts parts = parts_of(statement);
    if (!exits.returns && !exits.breaks)
        return false;
    return clang_getCursorKind(statement) != CXCursor_IfStmt || parts.count != 2 ||
           !passes(step, parts.at[0], false);
}

static enum CXChildVisitResult take_all(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    g_array_append_val((GArray *)data, cursor);
    return CXChildVisit_Continue;
}

static void see_block(const struct step *step) {
    struct step rest = *step;
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    clang_visitChildren(step->cursor, take_all, parts);
    for (guint i = 0; i < parts->len; i++) {
        CXCursor statement = g_array_index(parts, CXCursor, i);
        go_on(&rest, statement, false);
        rest.is_for_few |= parts_threads(&rest, statement);
    }
    g_array_unref(parts);
}

// In a loop that threads leave one by one, few may be left.
static void see_loop(const struct step *step) {
    struct parts parts = parts_of(step->cursor);
    struct exits exits = {false, false};
    bool is_for_few = false;
    int body = clang_getCursorKind(step->cursor) == CXCursor_DoStmt ? 0 : parts.count - 1;
    if (parts.count == 0)
        return;
    clang_visitChildren(parts.at[body], see_exit, &exits);
    for (int i = 0; i < parts.count; i++) {
        bool is_condition =
            i != body && clang_isExpression(clang_getCursorKind(parts.at[i])) &&
            clang_getCanonicalType(clang_getCursorType(parts.at[i])).kind == CXType_Bool;
        is_for_few |= is_condition && !passes(step, parts.at[i], true);
    }
    for (int i = 0; i < parts.count; i++)
        go_on(step, parts.at[i], i == body && (is_for_few || exits.returns || exits.breaks));
}

static bool chooses(CXCursor cursor) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    return clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
           (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr);
}

static void see_chain(const struct step *step) {
    CXCursor left = gcl_lint_operand(step->cursor, false);
    bool is_and = clang_getCursorBinaryOperatorKind(step->cursor) == CXBinaryOperator_LAnd;
    go_on(step, left, false);
    go_on(step, gcl_lint_operand(step->cursor, true), !passes(step, left, is_and));
}

static bool is_operator(CXCursor function) {
    g_autofree char *name = gcl_cursor_name(function);
    return g_str_has_prefix(name, "operator");
}

// Whether a function can reach memory of its caller's.
static bool takes_memory(CXCursor function) {
    int count = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
        enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(parameter)).kind;
        if (kind == CXType_Pointer || kind == CXType_LValueReference)
            return true;
    }
    return false;
}

// Goes through a function of the program's that is called; operators of vectors, which stand in
// headers of helpers, say nothing about how they are used.
static void see_called(const struct step *call) {
    const struct walk *outer = call->walk;
    CXCursor function = clang_getCursorReferenced(call->cursor);
    CXCursor definition =
        gcl_cursor_is_null(function) ? function : clang_getCursorDefinition(function);
    if (gcl_cursor_is_null(definition) ||
        clang_getCursorKind(definition) != CXCursor_FunctionDecl || is_operator(definition) ||
        outer->depth == CALL_DEPTH ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(definition)) ||
        !takes_memory(definition) || *outer->entered == CALL_LIMIT)
        return;
    g_autofree char *kernel = gcl_cursor_name(outer->kernel);
    g_autofree char *whose = g_strdup_printf(" of '%s'", kernel);
    struct walk walk = *outer;
    struct step outermost = {NULL, definition, &walk, false};
    walk.whose = whose;
    walk.depth++;
    ++*walk.entered;
    gcl_lint_values_enter(&walk.values, definition, &outer->values, call->cursor);
    if (walk.values.block[0] > 0 || !walk.values.has_several_axes)
        clang_visitChildren(definition, see, &outermost);
    gcl_lint_values_finish(&walk.values);
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct step *outer = data;
    struct step step = {outer, cursor, outer->walk, outer->is_for_few};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_LambdaExpr || kind == CXCursor_UnaryExpr || kind == CXCursor_SwitchStmt ||
        step.is_for_few)
        return CXChildVisit_Continue;
    if (kind == CXCursor_IfStmt || kind == CXCursor_ConditionalOperator)
        see_choice(&step);
    else if (kind == CXCursor_CompoundStmt)
        see_block(&step);
    else if (is_loop(kind))
        see_loop(&step);
    else if (chooses(cursor))
        see_chain(&step);
    else {
        if (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_MemberRefExpr ||
            kind == CXCursor_UnaryOperator)
            check_access(&step);
        else if (kind == CXCursor_CallExpr)
            check_load(&step);
        clang_visitChildren(cursor, see, &step);
        if (kind == CXCursor_CallExpr)
            see_called(&step);
    }
    return CXChildVisit_Continue;
}

// Launches.

// The size of a kernel's blocks, if all launches have the same; 0, 0, 0: that isn't known.
static void find_block(const struct gcl_lint *lint, CXCursor kernel, uint32_t block[3]) {
    g_autofree char *name = gcl_cursor_name(kernel);
    const uint32_t *known = NULL;
    bool is_one = true;
    for (guint i = 0; i < lint->shapes->len; i++) {
        const struct gcl_shape *shape = &g_array_index(lint->shapes, struct gcl_shape, i);
        if (strcmp(shape->kernel, name) != 0)
            continue;
        is_one &= known == NULL;
        known = shape->block_size;
    }
    for (int i = 0; i < 3; i++)
        block[i] = known && is_one ? known[i] : 0;
}

void gcl_lint_warps(const struct gcl_lint *lint, CXCursor kernel) {
    uint32_t block[3];
    int entered = 0;
    struct walk walk = {.lint = lint,
                        .kernel = kernel,
                        .told = g_array_new(FALSE, FALSE, sizeof(struct told)),
                        .whose = "",
                        .entered = &entered};
    struct step outermost = {NULL, kernel, &walk, false};
    g_array_set_clear_func(walk.told, told_finish);
    find_block(lint, kernel, block);
    gcl_lint_values_init(&walk.values, kernel, block);
    // Without a size of blocks it isn't known which threads of several axes are in a warp.
    if (block[0] > 0 || !walk.values.has_several_axes)
        clang_visitChildren(kernel, see, &outermost);
    gcl_lint_values_finish(&walk.values);
    g_array_unref(walk.told);
}
