// What a name is, what its author or CUDA says about it, and how a kernel's argument is used.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/report.h"
#include "lsp/features/names/launch_hover.h"
#include "lsp/features/names/names.h"
#include "lsp/kernel/kernels.h"
#include "lsp/kernel/summary.h"
#include "lsp/read/builtin.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/reference.h"
#include "lsp/read/tree.h"
#include "support/support.h"

// A declaration as text, without a function's body.
static char *declaration_text(CXCursor target) {
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(target);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_PolishForDeclaration, 1);
    char *text = gcl_cursor_take_text(clang_getCursorPrettyPrinted(target, policy));
    clang_PrintingPolicy_dispose(policy);
    return gcl_report_in_cuda_words(text);
}

// "///" and its like taken off.
static char *plain_comment(const char *raw) {
    g_auto(GStrv) lines = g_strsplit(raw, "\n", -1);
    GString *out = g_string_new(NULL);
    for (char **line = lines; *line; line++) {
        char *at = g_strstrip(*line);
        at += strspn(at, "/*!<");
        size_t length = strlen(at);
        while (length > 0 && strchr("*/", at[length - 1]))
            at[--length] = '\0';
        g_string_append_printf(out, "%s\n", g_strstrip(at));
    }
    g_strstrip(out->str);
    return g_string_free(out, FALSE);
}

static void append_size(GString *out, CXCursor target) {
    long long size = clang_Type_getSizeOf(clang_getCursorType(target));
    enum CXCursorKind kind = clang_getCursorKind(target);
    bool has_size = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                    kind == CXCursor_UnionDecl || kind == CXCursor_FieldDecl ||
                    kind == CXCursor_VarDecl || kind == CXCursor_TypedefDecl;
    // A pointer's would be taken for that of what it leads to.
    bool is_pointer = clang_getCanonicalType(clang_getCursorType(target)).kind == CXType_Pointer;
    if (has_size && !is_pointer && size > 0)
        g_string_append_printf(out, "\nSize: %lld byte%s\n", size, size == 1 ? "" : "s");
}

static void append_value(GString *out, CXCursor target) {
    if (clang_getCursorKind(target) == CXCursor_EnumConstantDecl)
        g_string_append_printf(out, "\nValue: %lld\n", clang_getEnumConstantDeclValue(target));
    if (clang_getCursorKind(target) != CXCursor_VarDecl ||
        !clang_isConstQualifiedType(clang_getCursorType(target)))
        return;
    CXEvalResult result = clang_Cursor_Evaluate(target);
    if (result && clang_EvalResult_getKind(result) == CXEval_Int) {
        if (clang_EvalResult_isUnsignedInt(result))
            g_string_append_printf(out, "\nValue: %llu\n", clang_EvalResult_getAsUnsigned(result));
        else
            g_string_append_printf(out, "\nValue: %lld\n", clang_EvalResult_getAsLongLong(result));
    }
    if (result)
        clang_EvalResult_dispose(result);
}

// Appends what the analysis knows of a target that is a kernel, or an argument of one.
static void append_distribution(GString *out, const struct gcl_view *view, CXCursor target) {
    CXCursor function = clang_getCursorKind(target) == CXCursor_ParmDecl
                            ? clang_getCursorSemanticParent(target)
                            : target;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    const json_t *kernel = gcl_tree_is_kernel(function) ? gcl_kernels_named(view, name) : NULL;
    if (!kernel)
        return;
    g_autofree char *own = gcl_cursor_take_text(clang_getCursorSpelling(target));
    g_autofree char *text = clang_equalCursors(function, target)
                                ? gcl_summary_whole(kernel)
                                : gcl_kernels_argument(kernel, own);
    if (text)
        g_string_append_printf(out, "\n---\n%s\n", text);
}

static char *macro_text(const struct gcl_view *view, CXCursor target) {
    CXSourceRange range = clang_getCursorExtent(target);
    CXFile file = NULL;
    unsigned begin = 0, end = 0;
    size_t size = 0;
    clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    const char *text = file ? clang_getFileContents(gcl_tree_unit(view), file, &size) : NULL;
    if (!text || end > size || begin >= end)
        return NULL;
    return g_strdup_printf("#define %.*s", (int)MIN(end - begin, 500), text + begin);
}

// The comment on a declaration, to be freed. In a list that a macro makes declarations of, clang
// takes the comment on one for that on all behind it: in system headers it has to be right before.
static char *comment_of(CXCursor target) {
    unsigned line = 0, end = 0;
    CXSourceLocation place = clang_getCursorLocation(target);
    CXSourceRange comment = clang_Cursor_getCommentRange(target);
    clang_getFileLocation(place, NULL, &line, NULL, NULL);
    clang_getFileLocation(clang_getRangeEnd(comment), NULL, &end, NULL, NULL);
    if (clang_Range_isNull(comment) || (clang_Location_isInSystemHeader(place) && end + 1 < line))
        return g_strdup("");
    g_autofree char *raw = gcl_cursor_take_text(clang_Cursor_getRawCommentText(target));
    return plain_comment(raw);
}

static void append_declaration(GString *out, const struct gcl_view *view, CXCursor target) {
    bool is_macro = clang_getCursorKind(target) == CXCursor_MacroDefinition;
    g_autofree char *text = is_macro ? macro_text(view, target) : declaration_text(target);
    g_autofree char *qualifiers = gcl_tree_qualifiers(target);
    g_autofree char *comment = comment_of(target);
    if (text && *text)
        g_string_append_printf(out, "```cuda\n%s%s\n```\n", strstr(text, "__") ? "" : qualifiers,
                               text);
    if (*comment)
        g_string_append_printf(out, "\n%s\n", comment);
}

// The file that declares a name, to be freed; NULL: nothing does. What clang leaves open where
// nothing is declared is no declaration.
static char *file_of(CXCursor target) {
    CXFile file = NULL;
    enum CXCursorKind kind = clang_getCursorKind(target);
    if (!clang_isDeclaration(kind) && kind != CXCursor_MacroDefinition)
        return NULL;
    clang_getFileLocation(clang_getCursorLocation(target), &file, NULL, NULL, NULL);
    return file ? gcl_cursor_take_text(clang_getFileName(file)) : NULL;
}

// Whether a name may be CUDA's: our headers declare it, or nothing does.
static bool is_of_cuda(const struct gcl_worker *worker, CXCursor target) {
    g_autofree char *path = file_of(target);
    return !path || g_str_has_prefix(path, worker->installation.cuda_directory) ||
           g_str_has_prefix(path, worker->installation.include_directory);
}

// Appends what gcluster makes of a name of CUDA's: "**gcluster**: supported, as `gclMalloc`".
static void append_support(GString *out, const char *word) {
    struct gcl_support support = gcl_support_find(word);
    if (support.level == GCL_SUPPORT_UNKNOWN)
        return;
    g_string_append_printf(out, "\n---\n**gcluster**: %s", gcl_support_level_text(support.level));
    if (support.mapping)
        g_string_append_printf(out, ", as `%s`", support.mapping);
    if (support.note)
        g_string_append_printf(out, support.level == GCL_SUPPORT_REFUSED ? " (%s)" : ": %s",
                               support.note);
    if (support.help)
        g_string_append_printf(out, ". Instead: %s", support.help);
    if (support.since)
        g_string_append_printf(out, ". Since CUDA %s", support.since);
    g_string_append(out, ".\n");
    g_autofree char *page = gcl_reference_page(word, g_strcmp0(support.kind, "function") == 0);
    if (page)
        g_string_append_printf(out, "\n[NVIDIA's documentation](%s)\n", page);
}

// Appends when a function of CUDA's returns, and its errors.
static void append_reference(GString *out, const char *word) {
    const struct gcl_reference *reference = gcl_reference_find(word);
    if (reference && reference->when)
        g_string_append_printf(out, "\n%s\n", reference->when);
    if (reference && reference->errors)
        g_string_append_printf(out, "\nErrors: %s; and those of earlier work.\n",
                               reference->errors);
}

// Whether clang has gone into an instance of a template, whose types aren't those of the text.
static bool is_in_instance(CXCursor cursor) {
    while (!gcl_cursor_is_null(cursor) && !clang_isTranslationUnit(clang_getCursorKind(cursor))) {
        if (!gcl_cursor_is_null(clang_getSpecializedCursorTemplate(cursor)))
            return true;
        cursor = clang_getCursorSemanticParent(cursor);
    }
    return false;
}

// What the name at the query's place refers to. Where clang leaves that open, in a template or a
// pragma, all names of the text are needed.
static CXCursor target_of(const struct gcl_query *query, bool is_known) {
    CXCursor cursor = gcl_tree_cursor(query->view, query->offset);
    CXCursor target = clang_getCursorReferenced(cursor);
    bool is_open = clang_Cursor_isNull(target) || is_in_instance(cursor) ||
                   clang_getCursorKind(target) == CXCursor_OverloadedDeclRef;
    if (is_known || !is_open)
        return target;
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    return found ? found->target : clang_getNullCursor();
}

static json_t *answer(const struct gcl_view *view, const GString *out, uint32_t begin,
                      uint32_t end) {
    return json_pack("{s:o, s:o}", "contents", gcl_tree_markdown(out->str), "range",
                     gcl_line_table_range(view->text, begin, end));
}

json_t *gcl_feature_hover(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    uint32_t begin, end;
    gcl_line_table_word(view->text, query->offset, &begin, &end);
    const char *text = gcl_line_table_data(view->text, NULL);
    g_autofree char *word = g_strndup(text + begin, end - begin);
    g_autoptr(GString) out = g_string_new(NULL);
    if (gcl_launch_hover_configuration(query, out, &begin, &end))
        return answer(view, out, begin, end);
    if (begin == end)
        return NULL;
    const struct gcl_builtin *builtin = gcl_builtin_find(word);
    CXCursor target = target_of(query, builtin != NULL);
    bool is_own = !clang_Cursor_isNull(target) &&
                  !clang_Location_isInSystemHeader(clang_getCursorLocation(target));
    if (builtin && !is_own) {
        g_string_append_printf(out, "```cuda\n%s\n```\n\n%s\n", builtin->signature, builtin->text);
        append_reference(out, word);
    } else if (!clang_Cursor_isNull(target)) {
        append_declaration(out, view, target);
        append_size(out, target);
        append_value(out, target);
    }
    append_distribution(out, view, target);
    gcl_launch_hover_argument(query, out);
    if (is_of_cuda(query->worker, target))
        append_support(out, word);
    if (out->len == 0)
        return NULL;
    return answer(view, out, begin, end);
}
