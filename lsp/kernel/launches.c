// Launches come from the front end's unit, which has them as byte ranges of the text; kernels
// around a place come from clang's tree.
#include "lsp/kernel/launches.h"

#include <assert.h>
#include <string.h>

#include "base/names.h"
#include "frontend/cursor.h"
#include "lsp/read/tree.h"

static bool is_whole(const struct gcl_source_launch *launch) {
    return launch->keep != GCL_KEEP_UNMATCHED && launch->keep != GCL_KEEP_NOT_A_CALL;
}

char *gcl_launches_name(const struct gcl_view *view, const struct gcl_source_launch *launch) {
    if (!is_whole(launch))
        return NULL;
    size_t size;
    const char *text = gcl_line_table_data(view->text, &size);
    assert(launch->kernel.begin <= launch->kernel.end && launch->kernel.end <= size);
    g_autofree char *whole =
        g_strndup(text + launch->kernel.begin, launch->kernel.end - launch->kernel.begin);
    char *angle = strchr(whole, '<');
    if (angle)
        *angle = '\0';
    return g_strstrip(g_strdup(gcl_name_last(whole)));
}

json_t *gcl_launches_kernel(const struct gcl_view *view, const struct gcl_source_launch *launch) {
    g_autofree char *name = gcl_launches_name(view, launch);
    return name ? gcl_kernels_named(view, name) : NULL;
}

const struct gcl_source_launch *gcl_launches_at(const struct gcl_view *view, uint32_t offset) {
    const struct gcl_unit_file *source = gcl_unit_find(view->unit, view->path);
    for (guint i = 0; source && i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (is_whole(launch) && launch->kernel.begin <= offset && offset <= launch->arguments.end)
            return launch;
    }
    return NULL;
}

struct search {
    const struct gcl_view *view;
    uint32_t offset;
    CXCursor found;
};

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    uint32_t begin, end;
    (void)parent;
    if (!gcl_tree_extent(search->view, clang_getCursorExtent(cursor), &begin, &end) ||
        search->offset < begin || search->offset > end)
        return CXChildVisit_Continue;
    if (!gcl_tree_is_kernel(cursor))
        return clang_isDeclaration(clang_getCursorKind(cursor)) ? CXChildVisit_Recurse
                                                                : CXChildVisit_Continue;
    search->found = cursor;
    return CXChildVisit_Break;
}

CXCursor gcl_launches_function(const struct gcl_view *view, uint32_t offset) {
    struct search search = {view, offset, clang_getNullCursor()};
    gcl_tree_visit(view, see, &search);
    return search.found;
}

json_t *gcl_launches_explained(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const struct gcl_source_launch *launch = gcl_launches_at(view, query->offset);
    CXCursor function = gcl_launches_function(view, query->offset);
    if (!launch && clang_Cursor_isNull(function))
        return NULL;
    g_autofree char *name = launch ? gcl_launches_name(view, launch)
                                   : gcl_cursor_take_text(clang_getCursorSpelling(function));
    json_t *kernel = gcl_kernels_named(view, name);
    if (!kernel)
        *query->mistake =
            g_strdup_printf(view->kernels ? "nothing is known of kernel %s: the text has changed, "
                                            "or it isn't used"
                                          : "kernel %s hasn't been analysed yet",
                            name);
    return kernel;
}
