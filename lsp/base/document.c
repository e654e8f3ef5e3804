// A change makes a new text: whoever has referenced the bytes of the old one keeps them.
#include "lsp/base/document.h"

#include <assert.h>

#include "lsp/base/uri.h"

static GBytes *text_bytes(const json_t *text) {
    assert(json_is_string(text));
    return g_bytes_new(json_string_value(text), json_string_length(text));
}

const char *gcl_document_uri(const json_t *params) {
    const json_t *document = json_object_get(params, "textDocument");
    const json_t *item = json_object_get(params, "item"); // of a call hierarchy
    const json_t *data = json_object_get(params, "data"); // our own, of a completion
    return json_string_value(json_object_get(document ? document : item ? item : data, "uri"));
}

struct gcl_document *gcl_document_create(const char *uri, json_int_t version, const json_t *text,
                                         enum gcl_encoding encoding) {
    g_autoptr(GBytes) bytes = text_bytes(text);
    struct gcl_document *document = g_new(struct gcl_document, 1);
    *document = (struct gcl_document){
        .uri = g_strdup(uri),
        .path = gcl_uri_path(uri),
        .version = version,
        .text = gcl_line_table_create(bytes, encoding),
    };
    return document;
}

void gcl_document_destroy(struct gcl_document *document) {
    if (!document)
        return;
    g_free(document->uri);
    g_free(document->path);
    gcl_line_table_destroy(document->text);
    g_free(document);
}

// The bytes after one change; NULL if it can't be understood. Without a range it is the whole text.
static GBytes *change(const struct gcl_line_table *old, const json_t *description) {
    const json_t *range = json_object_get(description, "range");
    const json_t *text = json_object_get(description, "text");
    uint32_t begin, end;
    size_t size;
    if (!json_is_string(text))
        return NULL;
    if (!range)
        return text_bytes(text);
    if (!gcl_line_table_range_of(old, range, &begin, &end))
        return NULL;
    const char *data = gcl_line_table_data(old, &size);
    assert(begin <= end && end <= size);
    guint length = (guint)json_string_length(text);
    GByteArray *bytes = g_byte_array_sized_new((guint)size + length);
    g_byte_array_append(bytes, (const guint8 *)data, begin);
    g_byte_array_append(bytes, (const guint8 *)json_string_value(text), length);
    g_byte_array_append(bytes, (const guint8 *)data + end, (guint)(size - end));
    return g_byte_array_free_to_bytes(bytes);
}

struct gcl_line_table *gcl_document_changed_text(const struct gcl_line_table *old,
                                                 const json_t *changes) {
    struct gcl_line_table *text = gcl_line_table_create(old->bytes, old->encoding);
    bool good = json_is_array(changes);
    json_t *description;
    size_t i;
    json_array_foreach((json_t *)changes, i, description) {
        g_autoptr(GBytes) bytes = change(text, description);
        good = bytes != NULL;
        if (!good)
            break;
        gcl_line_table_destroy(text);
        text = gcl_line_table_create(bytes, old->encoding);
    }
    if (!good)
        gcl_line_table_destroy(text);
    return good ? text : NULL;
}

bool gcl_document_change(struct gcl_document *document, json_int_t version, const json_t *changes) {
    struct gcl_line_table *text = gcl_document_changed_text(document->text, changes);
    if (!text)
        return false;
    gcl_line_table_destroy(document->text);
    document->text = text;
    document->version = version;
    return true;
}
