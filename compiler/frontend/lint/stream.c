// Memory that is freed while a stream still uses it.
//
// A function is followed from statement to statement. What a stream is given stays in flight until
// a call that may wait: any but those that are known not to. What is begun in a branch is forgotten
// behind it, and what was begun before is looked at again only behind it, so that whatever is said
// happens on one way.
//
// Only what certainly is in flight counts. Copies of pageable memory CUDA may have staged when the
// call returns, and cudaFree() and cudaFreeHost() may wait themselves: nothing is said of these.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/shapes.h"

enum { DEPTH_LIMIT = 8, DEFAULT_STREAM = -1, UNKNOWN_STREAM = -2, WHOLE = -3 };

/// A stream's variable, or an element of an array of them.
struct stream {
    CXCursor variable;
    int64_t index; ///< of the element; WHOLE: a variable; or which else it is
};

/// Memory that a stream has been given.
struct flight {
    CXCursor variable; ///< that leads to it, or is it
    struct stream stream;
    CXCursor call;
    bool is_itself;      ///< the variable is the memory
    bool is_called_with; ///< a function of the host gets it; otherwise the device does
    bool is_pinned;      ///< of the host, and registered
    int level;           ///< how many branches are around the call
    bool is_ordered;     ///< something on the default stream came behind it
};

struct walk {
    const struct gcl_lint *lint;
    CXCursor function;
    bool is_main;
    bool has_guards;    ///< objects whose destructors may wait
    int level;          ///< how many branches are around what is looked at
    GArray *flights;    ///< struct flight
    GArray *registered; ///< CXCursor: variables that cudaHostRegister() was given
    CXCursor configuration;
};

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data);

// Variables.

// The local variable that is, or leads to, what an expression leads to; null if it isn't known.
static CXCursor variable_of(CXCursor expression, int depth) {
    CXCursor inner = gcl_lint_strip(expression);
    CXCursor first = gcl_cursor_is_null(inner) ? inner : gcl_lint_operand(inner, false);
    if (depth == 0 || gcl_cursor_is_null(inner))
        return clang_getNullCursor();
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr: {
        CXCursor variable = clang_getCanonicalCursor(clang_getCursorReferenced(inner));
        return gcl_lint_is_own(variable) ? variable : clang_getNullCursor();
    }
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf
                   ? variable_of(gcl_lint_operand(inner, true), depth - 1)
                   : clang_getNullCursor();
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_Add
                   ? variable_of(first, depth - 1)
                   : clang_getNullCursor();
    case CXCursor_ArraySubscriptExpr:
        return variable_of(first, depth - 1);
    case CXCursor_CallExpr:
        return gcl_lint_vector_of(inner, "data");
    default:
        return clang_getNullCursor();
    }
}

// Streams.

static struct stream stream_of(CXCursor argument) {
    struct stream stream = {clang_getNullCursor(), UNKNOWN_STREAM};
    int64_t number;
    CXCursor inner = gcl_cursor_is_null(argument) ? argument : gcl_lint_strip(argument);
    if (gcl_cursor_is_null(inner) || clang_getCursorKind(inner) == CXCursor_IntegerLiteral ||
        clang_getCursorKind(inner) == CXCursor_CXXNullPtrLiteralExpr ||
        clang_getCursorKind(inner) == CXCursor_GNUNullExpr)
        stream.index = DEFAULT_STREAM;
    if (stream.index == DEFAULT_STREAM)
        return stream;
    if (clang_getCursorKind(inner) == CXCursor_DeclRefExpr) {
        stream.variable = clang_getCanonicalCursor(clang_getCursorReferenced(inner));
        stream.index = WHOLE;
    } else if (clang_getCursorKind(inner) == CXCursor_ArraySubscriptExpr &&
               gcl_shapes_number(gcl_lint_operand(inner, true), NULL, &number)) {
        stream.variable = variable_of(gcl_lint_operand(inner, false), DEPTH_LIMIT);
        stream.index = gcl_cursor_is_null(stream.variable) ? UNKNOWN_STREAM : number;
    }
    return stream;
}

struct creation {
    CXCursor variable;
    bool is_created, is_other;
    bool is_inside; ///< an argument of a call that creates streams is looked at
};

static enum CXChildVisitResult see_creation(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct creation *creation = data, inner = *creation;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor target = kind == CXCursor_DeclRefExpr
                          ? clang_getCanonicalCursor(clang_getCursorReferenced(cursor))
                          : clang_getNullCursor();
    if (kind == CXCursor_CallExpr) {
        g_autofree char *name = gcl_lint_callee(cursor);
        inner.is_inside = g_str_has_prefix(name, "cudaStreamCreate");
    }
    if (clang_equalCursors(target, creation->variable)) {
        bool reads = clang_getCursorKind(parent) == CXCursor_UnexposedExpr;
        creation->is_created |= creation->is_inside;
        creation->is_other |= !creation->is_inside && !reads;
    }
    clang_visitChildren(cursor, see_creation, &inner);
    creation->is_created |= inner.is_created;
    creation->is_other |= inner.is_other;
    return CXChildVisit_Continue;
}

// Whether a stream is one that the function creates itself, and so no other's.
static bool is_own(const struct walk *walk, const struct stream *stream) {
    struct creation creation = {stream->variable, false, false, false};
    if (stream->index == DEFAULT_STREAM || stream->index == UNKNOWN_STREAM ||
        !gcl_lint_is_own(stream->variable))
        return false;
    clang_visitChildren(walk->function, see_creation, &creation);
    return creation.is_created && !creation.is_other &&
           gcl_cursor_is_null(clang_Cursor_getVarDeclInitializer(stream->variable));
}

static bool is_same_stream(const struct stream *left, const struct stream *right) {
    return left->index == right->index && clang_equalCursors(left->variable, right->variable);
}

static char *name_of_stream(const struct walk *walk, CXCursor call, unsigned argument) {
    return gcl_lint_source(walk->lint, clang_Cursor_getArgument(call, argument));
}

// What is in flight.

static bool is_registered(const struct walk *walk, CXCursor variable) {
    for (guint i = 0; i < walk->registered->len; i++) {
        if (clang_equalCursors(g_array_index(walk->registered, CXCursor, i), variable))
            return true;
    }
    return false;
}

static void take_off(struct walk *walk, CXCursor argument, struct stream stream, CXCursor call,
                     bool is_called_with) {
    CXCursor variable =
        gcl_cursor_is_null(argument) ? argument : variable_of(argument, DEPTH_LIMIT);
    if (gcl_cursor_is_null(variable))
        return;
    CXCursor inner = gcl_lint_strip(argument);
    bool is_address =
        clang_getCursorKind(inner) == CXCursor_UnaryOperator &&
        clang_getCursorKind(gcl_lint_strip(gcl_lint_operand(inner, true))) == CXCursor_DeclRefExpr;
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    struct flight flight = {.variable = variable,
                            .stream = stream,
                            .call = call,
                            .is_itself = is_address || type.kind != CXType_Pointer,
                            .is_called_with = is_called_with,
                            .level = walk->level,
                            .is_pinned = is_registered(walk, variable)};
    g_array_append_val(walk->flights, flight);
}

// Work on the default stream waits for that of others, and others wait for it.
static void order(struct walk *walk, const struct stream *stream) {
    for (guint i = 0; i < walk->flights->len && stream->index < 0 && stream->index != WHOLE; i++)
        g_array_index(walk->flights, struct flight, i).is_ordered = true;
}

static void land(struct walk *walk, CXCursor variable) {
    for (guint i = walk->flights->len; i-- > 0;) {
        if (clang_equalCursors(g_array_index(walk->flights, struct flight, i).variable, variable))
            g_array_remove_index(walk->flights, i);
    }
}

// Findings.

static unsigned line_of(CXCursor cursor) {
    unsigned line = 0;
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
    return line;
}

static void check_free(struct walk *walk, CXCursor call, CXCursor argument, const char *name) {
    CXCursor inner = gcl_lint_strip(argument);
    CXCursor variable = clang_getCursorKind(inner) == CXCursor_DeclRefExpr
                            ? variable_of(inner, DEPTH_LIMIT)
                            : clang_getNullCursor();
    for (guint i = 0; i < walk->flights->len && !gcl_cursor_is_null(variable); i++) {
        const struct flight *flight = &g_array_index(walk->flights, struct flight, i);
        if (flight->level != walk->level || !clang_equalCursors(flight->variable, variable) ||
            flight->is_itself || (!flight->is_called_with && !flight->is_pinned))
            continue;
        g_autofree char *text = gcl_lint_source(walk->lint, inner);
        gcl_lint_add(walk->lint, call, GCL_CODE_FREED_IN_USE,
                     "wait for the stream before, with cudaStreamSynchronize()",
                     "%s '%s', which the stream of line %u may still use", name, text,
                     line_of(flight->call));
        break;
    }
    land(walk, variable);
}

static void check_free_async(struct walk *walk, CXCursor call) {
    CXCursor argument = clang_Cursor_getArgument(call, 0);
    CXCursor variable = variable_of(argument, DEPTH_LIMIT);
    struct stream stream = stream_of(clang_Cursor_getArgument(call, 1));
    for (guint i = 0; i < walk->flights->len && !gcl_cursor_is_null(variable); i++) {
        const struct flight *flight = &g_array_index(walk->flights, struct flight, i);
        if (flight->level != walk->level || !clang_equalCursors(flight->variable, variable) ||
            flight->is_ordered || is_same_stream(&flight->stream, &stream) ||
            !is_own(walk, &flight->stream) || !is_own(walk, &stream))
            continue;
        g_autofree char *text = gcl_lint_source(walk->lint, argument);
        g_autofree char *name = name_of_stream(walk, call, 1);
        gcl_lint_add(walk->lint, call, GCL_CODE_FREED_IN_USE,
                     "free it on that stream, or have this one wait with cudaStreamWaitEvent()",
                     "'%s' is freed on '%s', while another stream may still use it, by line %u",
                     text, name, line_of(flight->call));
        break;
    }
    land(walk, variable);
}

static bool is_in(CXCursor outer, CXCursor inner) {
    CXFile files[2] = {NULL, NULL};
    clang_getFileLocation(clang_getCursorLocation(outer), &files[0], NULL, NULL, NULL);
    clang_getFileLocation(clang_getCursorLocation(inner), &files[1], NULL, NULL, NULL);
    return clang_File_isEqual(files[0], files[1]) &&
           gcl_lint_begin(inner) >= gcl_lint_begin(outer) &&
           gcl_lint_begin(inner) < gcl_lint_end(outer);
}

// Variables of a block are gone behind it; those of main() when the program is.
static void check_scope(struct walk *walk, CXCursor block, bool is_last_of_main) {
    for (guint i = walk->flights->len; i-- > 0;) {
        struct flight flight = g_array_index(walk->flights, struct flight, i);
        if (!is_in(block, flight.variable))
            continue;
        g_array_remove_index(walk->flights, i);
        if (is_last_of_main || walk->has_guards || !flight.is_itself ||
            (!flight.is_called_with && !flight.is_pinned))
            continue;
        g_autofree char *name = gcl_cursor_name(flight.variable);
        gcl_lint_add(walk->lint, flight.call, GCL_CODE_FREED_IN_USE,
                     "wait for the stream before the block ends, or use memory that stays",
                     "the stream may still use '%s' when the block ends in which it is declared",
                     name);
    }
}

// Calls.

static CXCursor argument_of(CXCursor call, unsigned index) {
    return (int)index < clang_Cursor_getNumArguments(call) ? clang_Cursor_getArgument(call, index)
                                                           : clang_getNullCursor();
}

static const struct {
    const char *name;
    int memory[2], stream; // arguments
    bool calls;            // a function of the host
} users[] = {
    {"cudaMemcpyAsync", {0, 1}, 4, false},       {"cudaMemsetAsync", {0, -1}, 3, false},
    {"cudaLaunchHostFunc", {2, -1}, 0, true},    {"cudaStreamAddCallback", {2, -1}, 0, true},
    {"cudaMemPrefetchAsync", {0, -1}, 3, false},
};

static bool see_user(struct walk *walk, CXCursor call, const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(users); i++) {
        if (strcmp(name, users[i].name) != 0)
            continue;
        struct stream stream = stream_of(argument_of(call, (unsigned)users[i].stream));
        order(walk, &stream);
        for (int j = 0; j < 2 && users[i].memory[j] >= 0; j++)
            take_off(walk, argument_of(call, (unsigned)users[i].memory[j]), stream, call,
                     users[i].calls);
        return true;
    }
    return false;
}

static void see_launch(struct walk *walk, CXCursor launch) {
    struct stream stream = stream_of(argument_of(walk->configuration, 3));
    walk->configuration = clang_getNullCursor();
    order(walk, &stream);
    for (int i = 0; i < clang_Cursor_getNumArguments(launch); i++) {
        CXCursor argument = clang_Cursor_getArgument(launch, (unsigned)i);
        if (clang_getCanonicalType(clang_getCursorType(argument)).kind == CXType_Pointer)
            take_off(walk, argument, stream, launch, false);
    }
}

static bool never_waits(CXCursor function, const char *name, int depth);

struct patience {
    bool may_wait;
    int depth;
};

static enum CXChildVisitResult see_inner_call(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct patience *patience = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        g_autofree char *name = gcl_lint_callee(cursor);
        patience->may_wait |=
            !never_waits(clang_getCursorReferenced(cursor), name, patience->depth - 1);
    }
    return patience->may_wait ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// Whether a function certainly waits for no stream: one that only looks at errors, for example.
static bool never_waits(CXCursor function, const char *name, int depth) {
    static const char quick[] =
        " cudaGetLastError cudaPeekAtLastError cudaGetErrorString cudaGetErrorName cudaEventCreate"
        " cudaEventCreateWithFlags cudaEventRecord cudaStreamCreate cudaStreamCreateWithFlags"
        " cudaStreamDestroy cudaMallocAsync cudaFreeAsync __cudaPushCallConfiguration dim3 printf"
        " fprintf puts fputs data size fflush exit abort operator<< endl memset memcpy malloc "
        "calloc ";
    g_autofree char *word = g_strdup_printf(" %s ", name);
    struct patience patience = {false, depth};
    if (depth <= 0 || gcl_cursor_is_null(function))
        return false;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(function)))
        return strstr(quick, word) != NULL;
    if (clang_getCursorKind(function) == CXCursor_Constructor &&
        clang_isPODType(clang_getCursorType(clang_getCursorSemanticParent(function))))
        return true;
    CXCursor body = clang_getCursorDefinition(function);
    if (gcl_cursor_is_null(body))
        return false;
    clang_visitChildren(body, see_inner_call, &patience);
    return !patience.may_wait;
}

static void see_call(struct walk *walk, CXCursor call) {
    CXCursor function = clang_getCursorReferenced(call);
    g_autofree char *name = gcl_lint_callee(call);
    bool is_system = !gcl_cursor_is_null(function) &&
                     clang_Location_isInSystemHeader(clang_getCursorLocation(function));
    if (!gcl_cursor_is_null(walk->configuration) && !is_system) {
        see_launch(walk, call);
    } else if (is_system && strcmp(name, "__cudaPushCallConfiguration") == 0) {
        walk->configuration = call;
    } else if (is_system && (strcmp(name, "free") == 0 || strcmp(name, "munmap") == 0)) {
        g_autofree char *text = g_strdup_printf("%s() of", name);
        check_free(walk, call, argument_of(call, 0), text);
    } else if (is_system && strcmp(name, "cudaFreeAsync") == 0) {
        check_free_async(walk, call);
    } else if (is_system && strcmp(name, "cudaHostRegister") == 0) {
        CXCursor variable = variable_of(argument_of(call, 0), DEPTH_LIMIT);
        if (!gcl_cursor_is_null(variable))
            g_array_append_val(walk->registered, variable);
    } else if (!(is_system && see_user(walk, call, name)) &&
               !never_waits(function, name, DEPTH_LIMIT)) {
        g_array_set_size(walk->flights, 0);
    }
}

// Statements.

// What runs perhaps: nothing of before is freed there for certain, nor of what is begun there
// behind.
static void see_branch(struct walk *walk, CXCursor branch, CXCursor parent) {
    guint registered = walk->registered->len;
    walk->level++;
    see(branch, parent, walk);
    for (guint i = walk->flights->len; i-- > 0;) {
        if (g_array_index(walk->flights, struct flight, i).level == walk->level)
            g_array_remove_index(walk->flights, i);
    }
    walk->level--;
    g_array_set_size(walk->registered, MIN(registered, walk->registered->len));
}

struct way {
    struct walk *walk;
    int index; ///< of the child
    enum CXCursorKind kind;
};

// Conditions run in any case, the bodies of `do` as well; the rest of a statement that chooses or
// repeats may not.
static enum CXChildVisitResult see_part(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct way *way = data;
    bool is_certain = way->kind == CXCursor_DoStmt ||
                      (way->index == 0 && way->kind != CXCursor_ForStmt &&
                       way->kind != CXCursor_CXXTryStmt && way->kind != CXCursor_LabelStmt);
    way->index++;
    if (is_certain)
        see(cursor, parent, way->walk);
    else
        see_branch(way->walk, cursor, parent);
    return CXChildVisit_Continue;
}

static bool is_choice(CXCursor cursor) {
    enum CXBinaryOperatorKind operation = clang_getCursorBinaryOperatorKind(cursor);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_CXXTryStmt:
    case CXCursor_LabelStmt:
    case CXCursor_ConditionalOperator:
        return true;
    default:
        return clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
               (operation == CXBinaryOperator_LAnd || operation == CXBinaryOperator_LOr);
    }
}

// A variable that changes no longer leads to what is in flight.
static void see_change(struct walk *walk, CXCursor cursor) {
    CXCursor target = gcl_lint_operand(cursor, false);
    bool changes = clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator ||
                   clang_getCursorKind(cursor) == CXCursor_UnaryOperator ||
                   clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
    CXCursor inner = gcl_cursor_is_null(target) ? target : gcl_lint_strip(target);
    if (changes && clang_getCursorKind(inner) == CXCursor_DeclRefExpr)
        land(walk, clang_getCanonicalCursor(clang_getCursorReferenced(inner)));
}

struct mention {
    const struct walk *walk;
    bool is_there;
};

static enum CXChildVisitResult see_mention(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct mention *mention = data;
    const GArray *flights = mention->walk->flights;
    CXCursor target = clang_getCanonicalCursor(clang_getCursorReferenced(cursor));
    (void)parent;
    for (guint i = 0; i < flights->len; i++)
        mention->is_there |=
            clang_equalCursors(g_array_index(flights, struct flight, i).variable, target);
    return mention->is_there ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// Whether a loop may go on until something that a stream does lets it end.
static bool may_wait(const struct walk *walk, CXCursor loop) {
    int64_t again;
    enum CXCursorKind kind = clang_getCursorKind(loop);
    struct mention mention = {walk, false};
    if (kind == CXCursor_WhileStmt)
        return true;
    if (kind == CXCursor_DoStmt)
        return !gcl_shapes_number(gcl_lint_operand(loop, true), NULL, &again) || again != 0;
    if (kind == CXCursor_ForStmt)
        clang_visitChildren(loop, see_mention, &mention);
    return mention.is_there;
}

static enum CXChildVisitResult see_exit(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ReturnStmt:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_CXXThrowExpr:
        *(bool *)data = true;
        return CXChildVisit_Break;
    default:
        return CXChildVisit_Recurse;
    }
}

// Whether what comes behind `if` may be for calls that have failed alone: nothing is in flight
// where the others leave. `if (error != cudaSuccess) return;` and `if (error) return;` are usual.
static bool may_be_for_failures(CXCursor choice) {
    CXCursor condition = gcl_cursor_first_child(choice);
    CXCursor inner = gcl_lint_strip(condition);
    bool leaves = false;
    bool is_error = clang_getCursorKind(inner) == CXCursor_DeclRefExpr &&
                    clang_getCanonicalType(clang_getCursorType(inner)).kind == CXType_Enum;
    clang_visitChildren(choice, see_exit, &leaves);
    return leaves &&
           (clang_getCursorKind(choice) == CXCursor_SwitchStmt ||
            (!is_error && clang_getCursorBinaryOperatorKind(inner) != CXBinaryOperator_NE));
}

// Whether an object does more than to be gone when its block ends.
static bool is_guard(CXCursor variable) {
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    g_autofree char *name = gcl_cursor_take_text(clang_getTypeSpelling(type));
    return type.kind == CXType_Record && !clang_isPODType(type) &&
           !g_str_has_prefix(name, "std::vector<") && strcmp(name, "dim3") != 0;
}

static void see_end(struct walk *walk, CXCursor cursor, CXCursor parent) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CallExpr:
        see_call(walk, cursor);
        break;
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
        if (may_be_for_failures(cursor))
            g_array_set_size(walk->flights, 0);
        break;
    case CXCursor_VarDecl:
        walk->has_guards |= is_guard(cursor);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        if (may_wait(walk, cursor))
            g_array_set_size(walk->flights, 0);
        break;
    case CXCursor_CXXDeleteExpr:
        check_free(walk, cursor, gcl_lint_operand(cursor, true), "delete of");
        break;
    case CXCursor_CompoundStmt:
        check_scope(walk, cursor, walk->is_main && clang_equalCursors(parent, walk->function));
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_UnaryOperator:
        see_change(walk, cursor);
        break;
    default:
        break;
    }
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_LambdaExpr || kind == CXCursor_UnaryExpr || kind == CXCursor_StructDecl ||
        kind == CXCursor_ClassDecl)
        return CXChildVisit_Continue;
    struct way way = {walk, 0, kind};
    clang_visitChildren(cursor, is_choice(cursor) ? see_part : see,
                        is_choice(cursor) ? (void *)&way : walk);
    see_end(walk, cursor, parent);
    return CXChildVisit_Continue;
}

void gcl_lint_streams(const struct gcl_lint *lint, CXCursor function) {
    g_autofree char *name = gcl_cursor_name(function);
    struct walk walk = {.lint = lint,
                        .function = function,
                        .is_main = strcmp(name, "main") == 0,
                        .flights = g_array_new(FALSE, FALSE, sizeof(struct flight)),
                        .registered = g_array_new(FALSE, FALSE, sizeof(CXCursor)),
                        .configuration = clang_getNullCursor()};
    clang_visitChildren(function, see, &walk);
    g_array_unref(walk.flights);
    g_array_unref(walk.registered);
}
