// One walk over the tree, in which each cursor is asked for its place first: only if the text has a
// CUDA name or a `<<<` there is clang asked for more.
//
// A launch is a CallExpr whose child CallExpr, the call of __cudaPushCallConfiguration, extends
// from `<<<` to `>>>`. File locations are exact in plain text and in macro arguments, spelling
// locations in macro bodies; ends of ranges in macro bodies are useless and not used.
#include "frontend/collect.h"

#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/parameters.h"
#include "frontend/shapes.h"
#include "frontend/text/launch.h"
#include "frontend/text/lexer.h"

struct place {
    struct gcl_source_draft *draft; // NULL: not in a file of the project
    uint32_t offset;
};

struct walk {
    GPtrArray *drafts;
    struct gcl_shapes_search search;
    GHashTable *by_file; // CXFile -> struct gcl_source_draft *, or NULL for foreign files
    CXCursor function;   // whose attributes are being seen
    struct gcl_source_draft *function_draft;
};

struct gcl_source_draft *gcl_drafts_find(const GPtrArray *drafts, CXFile file) {
    for (guint i = 0; file && i < drafts->len; i++) {
        struct gcl_source_draft *draft = drafts->pdata[i];
        if (clang_File_isEqual(draft->file, file))
            return draft;
    }
    return NULL;
}

static struct gcl_source_draft *draft_of(struct walk *walk, CXFile file) {
    gpointer found;
    if (!file)
        return NULL;
    if (g_hash_table_lookup_extended(walk->by_file, file, NULL, &found))
        return found;
    struct gcl_source_draft *draft = gcl_drafts_find(walk->drafts, file);
    g_hash_table_insert(walk->by_file, file, draft);
    return draft;
}

static struct place locate(struct walk *walk, CXSourceLocation location, gcl_cursor_locate *how) {
    CXFile file = NULL;
    unsigned offset = 0;
    how(location, &file, NULL, NULL, &offset);
    return (struct place){draft_of(walk, file), offset};
}

// Index of the use that begins at `offset`, -1 if there is none.
static int find_use(const GArray *uses, uint32_t offset) {
    guint low = 0, high = uses->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        uint32_t begin = g_array_index(uses, struct gcl_source_use, middle).range.begin;
        if (begin == offset)
            return (int)middle;
        if (begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static bool is_in_project(struct walk *walk, CXCursor cursor) {
    return locate(walk, clang_getCursorLocation(cursor), clang_getFileLocation).draft != NULL;
}

// In templates a call of an overloaded function refers to all of them.
static guint8 judge_reference(struct walk *walk, CXCursor cursor) {
    CXCursor target = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_OverloadedDeclRef)
        target = cursor;
    if (clang_Cursor_isNull(target))
        return 0;
    if (clang_getCursorKind(target) != CXCursor_OverloadedDeclRef)
        return is_in_project(walk, target) ? GCL_SEEN_USER : GCL_SEEN_API;
    guint8 seen = 0;
    for (unsigned i = 0; i < clang_getNumOverloadedDecls(target); i++) {
        CXCursor declaration = clang_getOverloadedDecl(target, i);
        seen |= is_in_project(walk, declaration) ? GCL_SEEN_USER : GCL_SEEN_API;
    }
    return seen;
}

static bool is_expression_with_name(enum CXCursorKind kind) {
    return kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr;
}

// A name that our headers define as a macro stands at the place where it is used, not where spelt.
static struct place place_of_name(struct walk *walk, CXCursor cursor) {
    CXSourceLocation location = clang_getCursorLocation(cursor);
    struct place place = locate(walk, location, clang_getSpellingLocation);
    return place.draft ? place : locate(walk, location, clang_getFileLocation);
}

static void see_name(struct walk *walk, CXCursor cursor, enum CXCursorKind kind) {
    bool declares = clang_isDeclaration(kind) && kind != CXCursor_UsingDeclaration;
    if (!declares && !clang_isReference(kind) && !is_expression_with_name(kind))
        return;
    struct place place = place_of_name(walk, cursor);
    int index = place.draft ? find_use(place.draft->source->uses, place.offset) : -1;
    if (index < 0)
        return;
    assert((guint)index < place.draft->seen->len);
    guint8 *seen = &g_array_index(place.draft->seen, guint8, index);
    *seen |= declares ? GCL_SEEN_USER : judge_reference(walk, cursor);
}

static bool is_launch_open(const struct gcl_source_draft *draft, uint32_t offset) {
    guint i = gcl_token_at(draft->tokens, offset);
    if (i >= draft->tokens->len)
        return false;
    const struct gcl_token *token = &g_array_index(draft->tokens, struct gcl_token, i);
    return token->begin == offset && token->kind == GCL_TOKEN_LAUNCH_OPEN;
}

static uint32_t offset_in(struct walk *walk, CXSourceLocation location,
                          const struct gcl_source_draft *draft) {
    struct place place = locate(walk, location, clang_getFileLocation);
    return place.draft == draft ? place.offset : G_MAXUINT32;
}

// Default arguments have no extent.
static void see_configuration(struct walk *walk, CXCursor configuration,
                              const struct gcl_source_draft *draft, struct gcl_tree_launch *call) {
    int count = clang_Cursor_getNumArguments(configuration);
    for (int i = 0; i < count; i++) {
        CXSourceRange extent =
            clang_getCursorExtent(clang_Cursor_getArgument(configuration, (unsigned)i));
        if (clang_Range_isNull(extent))
            continue;
        if (call->count < GCL_CONFIGURATION_MAX)
            call->starts[call->count] = offset_in(walk, clang_getRangeStart(extent), draft);
        call->count++;
    }
}

static void add_call(struct gcl_source_draft *draft, const struct gcl_tree_launch *call) {
    for (guint i = draft->calls->len; i-- > 0;) {
        struct gcl_tree_launch *known = &g_array_index(draft->calls, struct gcl_tree_launch, i);
        if (known->chevrons != call->chevrons)
            continue;
        known->conflicting |= known->count != call->count;
        known->in_argument |= call->in_argument;
        return;
    }
    g_array_append_val(draft->calls, *call);
}

static void see_call(struct walk *walk, CXCursor cursor, CXCursor parent) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXSourceLocation start = clang_getRangeStart(extent);
    struct place place = locate(walk, start, clang_getSpellingLocation);
    if (!place.draft || !is_launch_open(place.draft, place.offset))
        return;
    CXSourceRange whole = clang_getCursorExtent(parent);
    struct gcl_tree_launch call = {
        .chevrons = place.offset,
        .kernel = offset_in(walk, clang_getRangeStart(whole), place.draft),
        .close = offset_in(walk, clang_getRangeEnd(extent), place.draft),
        .end = offset_in(walk, clang_getRangeEnd(whole), place.draft),
    };
    struct place expansion = locate(walk, start, clang_getExpansionLocation);
    call.in_argument = expansion.draft != place.draft || expansion.offset != place.offset;
    see_configuration(walk, cursor, place.draft, &call);
    CXCursor kernel = clang_getCursorReferenced(parent);
    enum CXCursorKind kind = clang_getCursorKind(kernel);
    call.is_indirect = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
    add_call(place.draft, &call);
    const struct gcl_launch_cursors launch = {cursor, parent};
    g_array_append_val(place.draft->launches, launch);
}

static char *qualified_name(CXCursor cursor) {
    GString *name = g_string_new(NULL);
    for (; !clang_Cursor_isNull(cursor); cursor = clang_getCursorSemanticParent(cursor)) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        if (kind == CXCursor_TranslationUnit || clang_isInvalid(kind))
            break;
        if (kind == CXCursor_LinkageSpec)
            continue;
        g_autofree char *text = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
        if (name->len)
            g_string_prepend(name, "::");
        g_string_prepend(name, *text ? text : "(anonymous)");
    }
    return g_string_free(name, FALSE);
}

/// A function's type as it may stand anywhere, interned; NULL if parts of it have no name.
static const char *spell_type(CXCursor function) {
    CXType type = clang_getCanonicalType(clang_getCursorType(function));
    g_autofree char *text = gcl_cursor_take_text(clang_getTypeSpelling(type));
    bool is_named =
        !strstr(text, "(anonymous") && !strstr(text, "(unnamed") && !strstr(text, "(lambda");
    return is_named ? g_intern_string(text) : NULL;
}

static void add_kernel(struct walk *walk, CXCursor function) {
    struct place place = locate(walk, clang_getCursorLocation(function), clang_getFileLocation);
    if (!place.draft)
        return;
    guint i = gcl_token_at(place.draft->tokens, place.offset);
    if (i >= place.draft->tokens->len)
        return;
    const struct gcl_token *token = &g_array_index(place.draft->tokens, struct gcl_token, i);
    assert(token->begin >= place.offset); // as gcl_token_at finds it
    struct gcl_source_kernel kernel = {
        .range = {place.offset, token->end},
        .name = qualified_name(function),
        .is_template = clang_getCursorKind(function) == CXCursor_FunctionTemplate,
        .type = spell_type(function),
        .is_definition = clang_isCursorDefinition(function) != 0,
    };
    gcl_parameters_see(&kernel, function);
    g_array_append_val(place.draft->source->kernels, kernel);
}

// Attributes are children of their function, seen before its body.
static void see_attribute(struct walk *walk, enum CXCursorKind kind, CXCursor function) {
    if (!clang_equalCursors(walk->function, function)) {
        walk->function = function;
        CXSourceRange extent = clang_getCursorExtent(function);
        struct place begin = locate(walk, clang_getRangeStart(extent), clang_getFileLocation);
        walk->function_draft = begin.draft;
        if (!begin.draft)
            return;
        struct gcl_device_function entry = {
            .range = {begin.offset, offset_in(walk, clang_getRangeEnd(extent), begin.draft)},
            .is_template = clang_getCursorKind(function) == CXCursor_FunctionTemplate,
        };
        g_array_append_val(begin.draft->functions, entry);
    }
    if (!walk->function_draft)
        return;
    GArray *functions = walk->function_draft->functions;
    assert(functions->len > 0); // the entry of `function`, which was added when it was first seen
    struct gcl_device_function *entry =
        &g_array_index(functions, struct gcl_device_function, functions->len - 1);
    if (kind == CXCursor_CUDAGlobalAttr && !entry->is_kernel)
        add_kernel(walk, function);
    entry->is_kernel |= kind == CXCursor_CUDAGlobalAttr;
    entry->is_device |= kind == CXCursor_CUDADeviceAttr;
    entry->is_host |= kind == CXCursor_CUDAHostAttr;
}

static enum CXChildVisitResult find_constant(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(bool *)data = clang_getCursorKind(cursor) == CXCursor_CUDAConstantAttr;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Continue;
}

// Whether a variable is const and not `__constant__`. An array of constants is const itself, once
// its type is canonical.
static bool is_plain_constant(CXCursor variable) {
    bool is_constant = false;
    clang_visitChildren(variable, find_constant, &is_constant);
    return !is_constant &&
           clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(variable)));
}

// Whether a word stands at `offset` before which another attribute may be put: `__device__`, or a
// macro that stands for it and has no arguments.
static bool is_attribute_word(const struct gcl_source_draft *draft, uint32_t offset) {
    guint i = gcl_token_at(draft->tokens, offset);
    if (i + 1 >= draft->tokens->len)
        return false;
    const struct gcl_token *token = &g_array_index(draft->tokens, struct gcl_token, i);
    const char *text = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
    return token->begin == offset && token->kind == GCL_TOKEN_IDENTIFIER &&
           token[1].kind != GCL_TOKEN_ROUND_OPEN && !gcl_token_is(token, text, "device");
}

static void see_device_variable(struct walk *walk, CXCursor attribute, CXCursor variable) {
    struct place place = locate(walk, clang_getCursorLocation(attribute), clang_getFileLocation);
    if (!place.draft || !is_attribute_word(place.draft, place.offset) ||
        !is_plain_constant(variable))
        return;
    GArray *constants = place.draft->source->constants;
    for (guint i = 0; i < constants->len; i++) { // a template is seen once for each use
        if (g_array_index(constants, uint32_t, i) == place.offset)
            return;
    }
    g_array_append_val(constants, place.offset);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CXCursorKind parent_kind = clang_getCursorKind(parent);
    gcl_shapes_search_see(&walk->search, cursor, parent);
    if (kind == CXCursor_CallExpr) {
        see_call(walk, cursor, parent);
    } else if (clang_isAttribute(kind) && gcl_cursor_is_function(parent_kind)) {
        see_attribute(walk, kind, parent);
    } else if (kind == CXCursor_CUDADeviceAttr && parent_kind == CXCursor_VarDecl) {
        see_device_variable(walk, cursor, parent);
    } else {
        see_name(walk, cursor, kind);
    }
    return CXChildVisit_Recurse;
}

bool gcl_collect_is_device_only(const struct gcl_source_draft *draft, uint32_t offset,
                                bool *is_template) {
    for (guint i = 0; i < draft->functions->len; i++) {
        const struct gcl_device_function *function =
            &g_array_index(draft->functions, struct gcl_device_function, i);
        if (offset < function->range.begin || offset >= function->range.end ||
            function->range.end == G_MAXUINT32)
            continue;
        *is_template = function->is_template;
        if (function->is_kernel || (function->is_device && !function->is_host))
            return true;
    }
    return false;
}

GArray *gcl_collect_skipped(CXTranslationUnit unit, const struct gcl_source_draft *draft) {
    GArray *skipped = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_range));
    CXSourceRangeList *list = clang_getSkippedRanges(unit, draft->file);
    for (unsigned i = 0; list && i < list->count; i++) {
        unsigned begin, end;
        clang_getFileLocation(clang_getRangeStart(list->ranges[i]), NULL, NULL, NULL, &begin);
        clang_getFileLocation(clang_getRangeEnd(list->ranges[i]), NULL, NULL, NULL, &end);
        const struct gcl_source_range range = {begin, end};
        g_array_append_val(skipped, range);
    }
    clang_disposeSourceRangeList(list);
    return skipped;
}

void gcl_collect(CXTranslationUnit unit, GPtrArray *drafts, GArray *shapes) {
    struct walk walk = {.drafts = drafts,
                        .by_file = g_hash_table_new(g_direct_hash, g_direct_equal),
                        .function = clang_getNullCursor()};
    gcl_shapes_search_begin(&walk.search, shapes);
    gcl_cursor_visit_tops(unit, visit, &walk);
    gcl_shapes_search_end(&walk.search);
    g_hash_table_unref(walk.by_file);
}
