// A loop that fills shared memory, waits, and reads what other threads have written there has to
// wait once more before its next round writes: threads that are ahead would overwrite what others
// still read.
//
// Certain are loops with one barrier and without any other call of the program's, jump or assembly,
// in which a thread writes to the element of its own index, in each round to the same, and then
// reads elements of all indices, or of a constant one, under no condition.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/draft.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/mend.h"
#include "frontend/shapes.h"

enum { DIMENSION_LIMIT = 3, DEPTH_LIMIT = 8 };

/// A place in a shared array.
struct place {
    CXCursor variable;
    CXCursor indices[DIMENSION_LIMIT]; ///< the last one first
    unsigned count;
};

/// A loop.
struct round {
    const struct gcl_lint *lint;
    CXCursor loop;
    unsigned begin;   ///< offset of the loop
    unsigned barrier; ///< offset of its barrier
    unsigned barriers;
    bool is_plain;  ///< nothing is in it of which isn't known whether it waits
    GArray *writes; ///< struct place: written before the barrier
    bool found;
};

// The place of a shared array that an expression names; `count` 0: it names none.
static struct place place_of(CXCursor expression) {
    struct place place = {.count = 0};
    CXCursor inner = gcl_lint_strip(expression);
    while (clang_getCursorKind(inner) == CXCursor_ArraySubscriptExpr &&
           place.count < DIMENSION_LIMIT) {
        place.indices[place.count++] = gcl_lint_operand(inner, true);
        inner = gcl_lint_strip(gcl_lint_operand(inner, false));
    }
    place.variable = clang_getCursorReferenced(inner);
    if (clang_getCursorKind(inner) != CXCursor_DeclRefExpr ||
        clang_getCanonicalType(clang_getCursorType(place.variable)).kind != CXType_ConstantArray ||
        !gcl_lint_has_attribute(place.variable, CXCursor_CUDASharedAttr))
        place.count = 0;
    return place;
}

// The barrier, and what lets a loop be judged.

static void see_call(struct round *round, CXCursor call) {
    CXCursor function = clang_getCursorReferenced(call);
    g_autofree char *name = gcl_lint_callee(call);
    if (strcmp(name, "__syncthreads") == 0 && clang_Cursor_getNumArguments(call) == 0) {
        round->barriers++;
        round->barrier = gcl_lint_begin(call);
        return;
    }
    round->is_plain &= *name != '\0' && !strstr(name, "sync") && !strstr(name, "bar") &&
                       clang_Location_isInSystemHeader(clang_getCursorLocation(function)) != 0;
}

static enum CXChildVisitResult judge(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct round *round = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CallExpr:
        see_call(round, cursor);
        break;
    case CXCursor_LambdaExpr:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        round->is_plain = false;
        break;
    default:
        break;
    }
    return CXChildVisit_Recurse;
}

// Writes.

struct steadiness {
    unsigned begin;
    bool is_steady;
};

static enum CXChildVisitResult see_change(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct steadiness *steadiness = data;
    CXCursor variable = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_CallExpr || kind == CXCursor_ArraySubscriptExpr)
        steadiness->is_steady = false;
    if (kind == CXCursor_DeclRefExpr && gcl_lint_thread_index(cursor, DEPTH_LIMIT) == 0 &&
        clang_getCursorKind(variable) != CXCursor_EnumConstantDecl &&
        !clang_isConstQualifiedType(clang_getCursorType(variable)))
        steadiness->is_steady &=
            gcl_shapes_keeps_value(variable) && gcl_lint_begin(variable) < steadiness->begin;
    return CXChildVisit_Recurse;
}

// Whether an index is the same in each round.
static bool is_steady(const struct round *round, CXCursor index) {
    struct steadiness steadiness = {round->begin, true};
    if (gcl_lint_thread_index(index, DEPTH_LIMIT) != 0)
        return true;
    see_change(index, index, &steadiness);
    clang_visitChildren(index, see_change, &steadiness);
    return steadiness.is_steady;
}

static enum CXChildVisitResult see_write(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct round *round = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_IfStmt)
        return CXChildVisit_Continue; // perhaps in one round alone
    if (gcl_lint_begin(cursor) >= round->barrier ||
        clang_getCursorKind(cursor) != CXCursor_BinaryOperator ||
        clang_getCursorBinaryOperatorKind(cursor) != CXBinaryOperator_Assign)
        return CXChildVisit_Recurse;
    struct place place = place_of(gcl_lint_operand(cursor, false));
    bool is_same = place.count > 0;
    for (unsigned i = 0; i < place.count; i++)
        is_same &= is_steady(round, place.indices[i]);
    if (is_same)
        g_array_append_val(round->writes, place);
    return CXChildVisit_Recurse;
}

// Reads.

// Whether an index goes through numbers that don't depend on the thread: a constant, or a variable
// of a loop behind the barrier that begins with one.
static bool is_of_all(const struct round *round, CXCursor index) {
    int64_t value;
    CXCursor inner = gcl_lint_strip(index), variable = clang_getCursorReferenced(inner);
    if (clang_getCursorKind(inner) == CXCursor_IntegerLiteral)
        return true;
    if (clang_getCursorKind(inner) != CXCursor_DeclRefExpr ||
        clang_getCursorKind(variable) != CXCursor_VarDecl ||
        gcl_lint_begin(variable) < round->barrier || gcl_shapes_keeps_value(variable))
        return false;
    CXCursor first = clang_Cursor_getVarDeclInitializer(variable);
    return !gcl_cursor_is_null(first) &&
           clang_getCursorKind(gcl_lint_strip(first)) == CXCursor_IntegerLiteral &&
           gcl_shapes_number(first, NULL, &value);
}

static bool crosses(const struct round *round, const struct place *write,
                    const struct place *read) {
    if (write->count != read->count || !clang_equalCursors(write->variable, read->variable))
        return false;
    for (unsigned i = 0; i < write->count; i++) {
        if (gcl_lint_thread_index(write->indices[i], DEPTH_LIMIT) != 0 &&
            is_of_all(round, read->indices[i]))
            return true;
    }
    return false;
}

static void mend(const struct round *round, struct gcl_diagnostic *diagnostic) {
    unsigned end = 0;
    CXFile file = NULL;
    clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(round->loop)), &file, NULL, NULL,
                          &end);
    const struct gcl_source_draft *draft = gcl_drafts_find(round->lint->drafts, file);
    gsize size;
    const char *text = draft ? g_bytes_get_data(gcl_unit_file_text(draft->source), &size) : NULL;
    if (!text || end == 0 || end > size || text[end - 1] != '}')
        return;
    unsigned indent = end - 1;
    while (indent > 0 && (text[indent - 1] == ' ' || text[indent - 1] == '\t'))
        indent--;
    if (indent == 0 || text[indent - 1] != '\n')
        return;
    g_autofree char *blank = g_strndup(text + indent, end - 1 - indent);
    g_autofree char *line = g_strdup_printf("    __syncthreads();\n%s", blank);
    gcl_mend_insert(diagnostic, draft->source, end - 1, line);
}

static enum CXChildVisitResult see_read(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct round *round = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (round->found)
        return CXChildVisit_Break;
    // What a condition lets only some threads read may be their own.
    if (kind == CXCursor_IfStmt || kind == CXCursor_ConditionalOperator ||
        kind == CXCursor_SwitchStmt || kind == CXCursor_UnaryExpr)
        return CXChildVisit_Continue;
    struct place place =
        kind == CXCursor_ArraySubscriptExpr && gcl_lint_begin(cursor) > round->barrier
            ? place_of(cursor)
            : (struct place){.count = 0};
    for (guint i = 0; place.count > 0 && i < round->writes->len; i++) {
        const struct place *write = &g_array_index(round->writes, struct place, i);
        if (!crosses(round, write, &place))
            continue;
        g_autofree char *name = gcl_cursor_name(place.variable);
        struct gcl_diagnostic *added = gcl_lint_add(
            round->lint, cursor, GCL_CODE_SHARED_RACE,
            "call __syncthreads() once more at the end of the loop's body",
            "the loop's next round writes to '%s' while other threads may still read it here",
            name);
        if (added)
            mend(round, added);
        round->found = true;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

// A child of the body alone is a statement that all rounds come to.
static enum CXChildVisitResult see_barrier(CXCursor cursor, CXCursor parent, CXClientData data) {
    g_autofree char *name =
        clang_getCursorKind(cursor) == CXCursor_CallExpr ? gcl_lint_callee(cursor) : g_strdup("");
    (void)parent;
    *(bool *)data |= strcmp(name, "__syncthreads") == 0;
    return CXChildVisit_Continue;
}

static void see_loop(const struct gcl_lint *lint, CXCursor loop) {
    struct round round = {
        .lint = lint, .loop = loop, .begin = gcl_lint_begin(loop), .is_plain = true};
    CXCursor body = clang_getNullCursor();
    bool waits = false;
    clang_visitChildren(loop, take_last, &body);
    if (clang_getCursorKind(body) != CXCursor_CompoundStmt)
        return;
    clang_visitChildren(body, see_barrier, &waits);
    clang_visitChildren(loop, judge, &round);
    if (!waits || round.barriers != 1 || !round.is_plain)
        return;
    round.writes = g_array_new(FALSE, FALSE, sizeof(struct place));
    clang_visitChildren(body, see_write, &round);
    if (round.writes->len > 0)
        clang_visitChildren(body, see_read, &round);
    g_array_unref(round.writes);
}

static enum CXChildVisitResult see_statement(CXCursor cursor, CXCursor parent, CXClientData data) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt)
        see_loop(data, cursor);
    return CXChildVisit_Recurse;
}

void gcl_lint_shared(const struct gcl_lint *lint, CXCursor kernel) {
    clang_visitChildren(kernel, see_statement, (void *)lint);
}
