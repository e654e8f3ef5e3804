// Edits are applied in one pass from left to right; between two edits the bytes are copied. Undoing
// walks the same list over the rewritten bytes, so it proves that nothing else was touched.
#include "frontend/text/edit.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static void clear(gpointer data) {
    struct gcl_edit *edit = data;
    g_free(edit->text);
}

struct gcl_edits *gcl_edits_create(const char *path) {
    struct gcl_edits *edits = g_new0(struct gcl_edits, 1);
    edits->path = g_strdup(path);
    edits->list = g_array_new(FALSE, FALSE, sizeof(struct gcl_edit));
    g_array_set_clear_func(edits->list, clear);
    return edits;
}

void gcl_edits_destroy(struct gcl_edits *edits) {
    if (!edits)
        return;
    g_free(edits->path);
    g_array_unref(edits->list);
    g_free(edits);
}

void gcl_edits_add(struct gcl_edits *edits, uint32_t begin, uint32_t end, const char *text) {
    assert(begin <= end && text);
    struct gcl_edit edit = {begin, end, g_strdup(text)};
    g_array_append_val(edits->list, edit);
}

static struct gcl_edit *at(const struct gcl_edits *edits, guint i) {
    assert(i < edits->list->len);
    return &g_array_index(edits->list, struct gcl_edit, i);
}

static int compare(gconstpointer left, gconstpointer right) {
    const struct gcl_edit *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end == b->end ? 0 : a->end < b->end ? -1 : 1;
}

void gcl_edits_sort(struct gcl_edits *edits) {
    g_array_sort(edits->list, compare); // stable
}

gboolean gcl_edits_normalise(struct gcl_edits *edits) {
    gcl_edits_sort(edits);
    for (guint i = 1; i < edits->list->len; i++) {
        if (at(edits, i)->begin < at(edits, i - 1)->end)
            return FALSE;
    }
    for (guint i = 1; i < edits->list->len;) {
        struct gcl_edit *previous = at(edits, i - 1), *edit = at(edits, i);
        if (previous->end != edit->begin) {
            i++;
            continue;
        }
        char *text = g_strconcat(previous->text, edit->text, NULL);
        g_free(previous->text);
        previous->text = text;
        previous->end = edit->end;
        g_array_remove_index(edits->list, i);
    }
    return TRUE;
}

GBytes *gcl_edits_apply(const struct gcl_edits *edits, GBytes *original) {
    size_t size, done = 0;
    const guint8 *bytes = g_bytes_get_data(original, &size);
    GByteArray *out = g_byte_array_sized_new((guint)size + 256);
    for (guint i = 0; i < edits->list->len; i++) {
        const struct gcl_edit *edit = at(edits, i);
        assert(done <= edit->begin && edit->begin <= edit->end && edit->end <= size);
        g_byte_array_append(out, bytes + done, (guint)(edit->begin - done));
        g_byte_array_append(out, (const guint8 *)edit->text, (guint)strlen(edit->text));
        done = edit->end;
    }
    if (size > done)
        g_byte_array_append(out, bytes + done, (guint)(size - done));
    return g_byte_array_free_to_bytes(out);
}

// Copies `count` bytes of the rewritten text, if there are so many.
static bool copy_back(GByteArray *out, GBytes *rewritten, size_t *position, size_t count) {
    size_t size;
    const guint8 *bytes = g_bytes_get_data(rewritten, &size);
    assert(*position <= size);
    if (count > size - *position)
        return false;
    if (count)
        g_byte_array_append(out, bytes + *position, (guint)count);
    *position += count;
    return true;
}

static bool undo(const struct gcl_edits *edits, GBytes *original, GBytes *rewritten,
                 GByteArray *out) {
    size_t size, rewritten_size, position = 0, done = 0;
    const guint8 *old = g_bytes_get_data(original, &size);
    const guint8 *bytes = g_bytes_get_data(rewritten, &rewritten_size);
    for (guint i = 0; i < edits->list->len; i++) {
        const struct gcl_edit *edit = at(edits, i);
        size_t length = strlen(edit->text);
        assert(done <= edit->begin && edit->begin <= edit->end && edit->end <= size);
        if (!copy_back(out, rewritten, &position, edit->begin - done) ||
            length > rewritten_size - position || memcmp(bytes + position, edit->text, length) != 0)
            return false;
        g_byte_array_append(out, old + edit->begin, edit->end - edit->begin);
        position += length;
        done = edit->end;
    }
    return copy_back(out, rewritten, &position, rewritten_size - position);
}

GBytes *gcl_edits_undo(const struct gcl_edits *edits, GBytes *original, GBytes *rewritten) {
    GByteArray *out = g_byte_array_new();
    if (undo(edits, original, rewritten, out))
        return g_byte_array_free_to_bytes(out);
    g_byte_array_unref(out);
    return NULL;
}

static void print_escaped(const char *text, size_t size, FILE *out) {
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            fputs("\\n", out);
        else if (c == '\t')
            fputs("\\t", out);
        else if (c < 0x20 || c >= 0x7f)
            fprintf(out, "\\%03o", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}

void gcl_edits_print(const struct gcl_edits *edits, GBytes *original, FILE *out) {
    const char *bytes = g_bytes_get_data(original, NULL);
    for (guint i = 0; i < edits->list->len; i++) {
        const struct gcl_edit *edit = at(edits, i);
        fprintf(out, "%u %u ", edit->begin, edit->end);
        print_escaped(bytes + edit->begin, edit->end - edit->begin, out);
        fputs(" -> ", out);
        print_escaped(edit->text, strlen(edit->text), out);
        fputc('\n', out);
    }
}
