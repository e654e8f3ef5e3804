// Shared memory has 32 banks of 4 bytes, each of which gives one word at a time. Wide elements go
// by halves or quarters of a warp.
#include "frontend/lint/banks.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/draft.h"
#include "frontend/lint/expression.h"
#include "frontend/mend.h"

enum { BANKS = 32, WORD = 4, DIMENSION_LIMIT = 4, STATIC_LIMIT = 48 << 10 };

// The words of one bank that some lanes need.
static unsigned count_words(const int64_t *words, int count, int64_t bank) {
    unsigned found = 0;
    for (int i = 0; i < count; i++) {
        bool is_first = words[i] % BANKS == bank;
        for (int j = 0; j < i && is_first; j++)
            is_first = words[j] != words[i];
        found += is_first;
    }
    return found;
}

unsigned gcl_lint_count_conflicts(const struct gcl_lanes *offset, int lanes, int64_t size) {
    int64_t words[GCL_LANES * 4];
    int width = size >= 4 * WORD ? 4 : size >= 2 * WORD ? 2 : 1;
    int group = GCL_LANES / width;
    unsigned most = 0;
    for (int begin = 0; begin < lanes; begin += group) {
        int count = 0;
        for (int i = begin; i < MIN(begin + group, lanes); i++) {
            // What comes before the first lane's place, as with a falling index, is counted up too.
            int64_t first = (offset->at[i] - offset->at[0] + (INT64_C(1) << 50)) / WORD;
            for (int j = 0; j < width; j++)
                words[count++] = first + j;
        }
        for (int64_t bank = 0; bank < BANKS; bank++)
            most = MAX(most, count_words(words, count, bank));
    }
    return most;
}

// Padding.

/// An element of an array, and what its rows would be.
struct element {
    CXCursor indices[DIMENSION_LIMIT]; ///< the last one first
    int64_t sizes[DIMENSION_LIMIT];    ///< bytes by which each goes on
    int count;
    CXCursor variable;
};

static struct element element_of(CXCursor access) {
    struct element element = {.count = 0};
    CXCursor inner = gcl_lint_strip(access);
    while (clang_getCursorKind(inner) == CXCursor_ArraySubscriptExpr &&
           element.count < DIMENSION_LIMIT) {
        element.sizes[element.count] = clang_Type_getSizeOf(clang_getCursorType(inner));
        element.indices[element.count++] = gcl_lint_operand(inner, true);
        inner = gcl_lint_strip(gcl_lint_operand(inner, false));
    }
    element.variable = clang_getCanonicalCursor(clang_getCursorReferenced(inner));
    CXType type = clang_getCanonicalType(clang_getCursorType(inner));
    bool is_whole = clang_getCursorKind(inner) == CXCursor_DeclRefExpr && element.count > 1 &&
                    clang_getCursorKind(element.variable) == CXCursor_VarDecl &&
                    type.kind == CXType_ConstantArray && element.sizes[0] > 0;
    if (!is_whole)
        element.count = 0;
    return element;
}

struct gcl_lint_padding gcl_lint_padding_find(const struct gcl_lint_values *values,
                                              CXCursor access) {
    struct element element = element_of(access);
    struct gcl_lint_padding padding = {element.variable, element.count, 0, false};
    struct gcl_lanes before = gcl_lanes_number(0), after = before;
    if (element.count == 0)
        return padding;
    int64_t row = element.sizes[1];
    padding.row = row / element.sizes[0] + 1;
    for (int i = 0; i < element.count; i++) {
        struct gcl_lanes index = gcl_lint_values_find(values, element.indices[i]);
        int64_t padded =
            i == 0 ? element.sizes[0] : element.sizes[i] / row * (row + element.sizes[0]);
        struct gcl_lanes old = gcl_lanes_scale(&index, element.sizes[i]);
        struct gcl_lanes new = gcl_lanes_scale(&index, padded);
        before = gcl_lanes_apply(CXBinaryOperator_Add, &before, &old);
        after = gcl_lanes_apply(CXBinaryOperator_Add, &after, &new);
    }
    int lanes = gcl_lint_values_lanes(values);
    int64_t whole = clang_Type_getSizeOf(clang_getCursorType(element.variable));
    if (before.is_known && after.is_known && whole / row * (row + element.sizes[0]) <= STATIC_LIMIT)
        padding.helps = gcl_lint_count_conflicts(&after, lanes, element.sizes[0]) <= 2;
    return padding;
}

// The edit.

struct uses {
    const struct uses *outer;
    CXCursor cursor;
    const struct gcl_lint_padding *padding;
    bool *are_whole;
};

// Whether a use of an array names one of its elements.
static bool names_element(const struct uses *use, int dimensions) {
    const struct uses *above = use->outer;
    for (; above && dimensions > 0; above = above->outer) {
        enum CXCursorKind kind = clang_getCursorKind(above->cursor);
        if (kind == CXCursor_ArraySubscriptExpr)
            dimensions--;
        else if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr)
            return false;
    }
    // What has the address of an element may go on to others.
    for (; above; above = above->outer) {
        enum CXCursorKind kind = clang_getCursorKind(above->cursor);
        if (kind == CXCursor_UnaryOperator)
            return clang_getCursorUnaryOperatorKind(above->cursor) != CXUnaryOperator_AddrOf;
        if (kind != CXCursor_ParenExpr)
            return true;
    }
    return false;
}

static enum CXChildVisitResult see_use(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct uses *outer = data;
    struct uses use = {outer, cursor, outer->padding, outer->are_whole};
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
        clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(cursor)),
                           use.padding->variable))
        *use.are_whole &= names_element(&use, use.padding->dimensions);
    clang_visitChildren(cursor, see_use, &use);
    return CXChildVisit_Continue;
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

// What stands between the last brackets of `name[…][…]`; `count` brackets have to follow the name.
static bool find_extent(const char *text, const char *name, int count,
                        struct gcl_source_range *range) {
    const char *at = text + range->begin;
    if (!g_str_has_prefix(at, name))
        return false;
    at = skip_blanks(at + strlen(name));
    for (int i = 0; i < count; i++) {
        if (*at != '[')
            return false;
        const char *begin = at + 1;
        size_t size =
            strspn(begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
                          " */+-()");
        if (begin[size] != ']')
            return false;
        *range =
            (struct gcl_source_range){(uint32_t)(begin - text), (uint32_t)(begin + size - text)};
        at = skip_blanks(begin + size + 1);
    }
    return *at != '[';
}

void gcl_lint_padding_mend(const struct gcl_lint *lint, CXCursor kernel,
                           const struct gcl_lint_padding *padding,
                           struct gcl_diagnostic *diagnostic) {
    bool are_whole = clang_equalCursors(clang_getCursorSemanticParent(padding->variable), kernel);
    struct uses outermost = {NULL, kernel, padding, &are_whole};
    CXFile file = NULL;
    unsigned offset = 0;
    clang_visitChildren(kernel, see_use, &outermost);
    clang_getFileLocation(clang_getCursorLocation(padding->variable), &file, NULL, NULL, &offset);
    const struct gcl_source_draft *draft = gcl_drafts_find(lint->drafts, file);
    const char *text = draft ? g_bytes_get_data(gcl_unit_file_text(draft->source), NULL) : NULL;
    g_autofree char *name = gcl_cursor_name(padding->variable);
    struct gcl_source_range extent = {offset, offset};
    if (!are_whole || !text || !find_extent(text, name, padding->dimensions, &extent))
        return;
    g_autofree char *written = g_strndup(text + extent.begin, extent.end - extent.begin);
    char *end;
    guint64 number = g_ascii_strtoull(written, &end, 10);
    g_autofree char *padded = *end == '\0' ? g_strdup_printf("%" G_GUINT64_FORMAT, number + 1)
                                           : g_strdup_printf("%s + 1", g_strchomp(written));
    gcl_mend_replace(diagnostic, draft->source, extent, padded);
}
