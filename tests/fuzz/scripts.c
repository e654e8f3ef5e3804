// Build files of any bytes: edits don't overlap, are taken back, and leave nothing more to edit.
#include <stdlib.h>

#include "translate/scripts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check(struct gcl_edits *find(const char *, GBytes *), GBytes *text) {
    struct gcl_edits *edits = find("x", text);
    require(gcl_edits_normalise(edits));
    g_autoptr(GBytes) changed = gcl_edits_apply(edits, text);
    g_autoptr(GBytes) back = gcl_edits_undo(edits, text, changed);
    require(back && g_bytes_equal(back, text));
    gcl_edits_destroy(edits);
    struct gcl_edits *more = find("x", changed);
    require(more->list->len == 0);
    gcl_edits_destroy(more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(GBytes) text = g_bytes_new(data, size);
    check(gcl_makefile_edits, text);
    check(gcl_cmake_edits, text);
    return 0;
}
