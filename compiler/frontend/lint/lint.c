// Functions are looked at one by one, each by itself: what happens to a variable elsewhere isn't
// known, so no variable that something else could change says anything.
#include "frontend/lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"

enum side { SIDE_HOST = 0, SIDE_DEVICE = 1, SIDE_BOTH = 2, SIDE_KERNEL = 4 };

static enum CXChildVisitResult see_side(CXCursor cursor, CXCursor parent, CXClientData data) {
    unsigned *side = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CUDAGlobalAttr:
        *side |= SIDE_KERNEL;
        break;
    case CXCursor_CUDADeviceAttr:
        *side |= SIDE_DEVICE;
        break;
    case CXCursor_CUDAHostAttr:
        *side |= SIDE_BOTH;
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static void see_function(const struct gcl_lint *lint, CXCursor function) {
    unsigned side = SIDE_HOST;
    clang_visitChildren(function, see_side, &side);
    if (side & SIDE_KERNEL) {
        if (lint->has_barriers)
            gcl_lint_divergence(lint, function);
        gcl_lint_refusals(lint, function);
        if (gcl_lint_wants(lint, GCL_CODE_UNCOALESCED) ||
            gcl_lint_wants(lint, GCL_CODE_BANK_CONFLICT))
            gcl_lint_warps(lint, function);
    }
    if (side & (SIDE_KERNEL | SIDE_DEVICE)) {
        if (lint->has_barriers)
            gcl_lint_shared(lint, function);
        gcl_lint_limits(lint, function);
        gcl_lint_literals(lint, function);
        return;
    }
    gcl_lint_memory(lint, function);
    if (lint->has_streams)
        gcl_lint_streams(lint, function);
}

static enum CXChildVisitResult see_declaration(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
    const struct gcl_lint *lint = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXFile file = NULL;
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (!gcl_cursor_is_function(kind))
        return clang_isDeclaration(kind) ? CXChildVisit_Recurse : CXChildVisit_Continue;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    if (clang_isCursorDefinition(cursor) && gcl_drafts_find(lint->drafts, file))
        see_function(lint, cursor);
    return CXChildVisit_Continue;
}

static void see_launches(const struct gcl_lint *lint) {
    for (guint d = 0; d < lint->drafts->len; d++) {
        const GArray *launches = ((struct gcl_source_draft *)lint->drafts->pdata[d])->launches;
        for (guint i = 0; i < launches->len; i++) {
            const struct gcl_launch_cursors *launch =
                &g_array_index(launches, struct gcl_launch_cursors, i);
            gcl_lint_launch(lint, launch->configuration, launch->call);
        }
    }
}

static bool mentions(const struct gcl_lint *lint, const char *word) {
    for (guint i = 0; i < lint->drafts->len; i++) {
        const struct gcl_source_draft *draft = lint->drafts->pdata[i];
        gsize size;
        const char *text = g_bytes_get_data(draft->source->bytes, &size);
        if (g_strstr_len(text ? text : "", (gssize)size, word))
            return true;
    }
    return false;
}

static int compare(const void *left, const void *right) {
    const struct gcl_diagnostic *a = *(void *const *)left, *b = *(void *const *)right;
    int files = g_strcmp0(a->path, b->path);
    return files                ? files
           : a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                                : (a->column > b->column) - (a->column < b->column);
}

// Whether a whole program is there, and neither asks for an error nor has a macro that may.
static bool is_unchecked(const struct gcl_lint *lint) {
    static const char *const signs[] = {"LastError", "cudaSuccess", "cudaError", "heck",
                                        "HECK",      "SAFE",        "Safe",      "safe",
                                        "assert",    "ASSERT",      "TRY",       "gpuErr"};
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (mentions(lint, signs[i]))
            return false;
    }
    return mentions(lint, "int main(");
}

void gcl_lint(const struct gcl_lint *task) {
    struct gcl_lint lint = *task;
    guint known = lint.diagnostics->len;
    lint.has_barriers = mentions(&lint, "_sync");
    lint.has_ceil = mentions(&lint, "ceil");
    lint.has_streams = mentions(&lint, "cudaFreeAsync") || mentions(&lint, "cudaHostRegister") ||
                       mentions(&lint, "cudaLaunchHostFunc") ||
                       mentions(&lint, "cudaStreamAddCallback");
    lint.has_new = mentions(&lint, "operator new");
    // What is registered somewhere in the program, or on machines whose devices see all memory.
    lint.shares_memory = mentions(&lint, "HostRegister") ||
                         mentions(&lint, "ageableMemoryAccess") || mentions(&lint, "PAGEABLE_MEM");
    lint.is_unchecked = gcl_lint_wants(&lint, GCL_CODE_UNCHECKED) && is_unchecked(&lint);
    gcl_cursor_visit_tops(lint.unit, see_declaration, &lint);
    see_launches(&lint);
    if (lint.diagnostics->len > known)
        qsort(lint.diagnostics->pdata + known, lint.diagnostics->len - known, sizeof(void *),
              compare);
}
