// Messages from any bytes, in pieces of any size: the same messages however they come, and those
// that are changes of a document do something to one.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/base/document.h"
#include "lsp/base/rpc.h"
#include "lsp/base/uri.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void change(struct gcl_document *document, const json_t *params) {
    size_t size;
    gcl_document_change(document, 1, json_object_get(params, "contentChanges"));
    const struct gcl_line_table *text = document->text;
    const char *bytes = gcl_line_table_data(text, &size);
    require(g_utf8_validate(bytes, (gssize)size, NULL) || memchr(bytes, 0, size));
    for (uint32_t offset = 0; offset <= size; offset++) {
        uint32_t line, character;
        gcl_line_table_locate(text, offset, &line, &character);
        require(gcl_line_table_offset(text, line, character) <= offset + 3);
    }
}

static void check(const struct gcl_rpc_message *message, struct gcl_document *document) {
    require((message->kind == GCL_RPC_BAD) == (message->mistake != NULL));
    require(message->kind == GCL_RPC_BAD || json_is_object(message->body));
    require((message->kind == GCL_RPC_REQUEST || message->kind == GCL_RPC_NOTIFICATION)
                ? message->method != NULL
                : true);
    require(message->kind != GCL_RPC_REQUEST || message->id);
    g_autofree char *path = gcl_uri_path(gcl_document_uri(message->params));
    require(!path || g_path_is_absolute(path));
    change(document, message->params);
    g_bytes_unref(gcl_rpc_frame(gcl_rpc_failure(message->id, message->code, message->mistake)));
}

// How many messages there are, when so many bytes come at a time.
static unsigned count_messages(const uint8_t *data, size_t size, size_t piece) {
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    json_t *text = json_string("int \xc3\xa4;\n");
    struct gcl_document *document =
        gcl_document_create("file:///a.cu", 0, text, (enum gcl_encoding)(piece % 3));
    enum gcl_rpc_state state = GCL_RPC_MORE;
    unsigned count = 0;
    for (size_t at = 0; at < size && state != GCL_RPC_LOST; at += piece) {
        gcl_rpc_feed(&reader, data + at, MIN(piece, size - at));
        while ((state = gcl_rpc_next(&reader, &message)) == GCL_RPC_MESSAGE) {
            check(&message, document);
            gcl_rpc_message_finish(&message);
            count++;
        }
    }
    gcl_document_destroy(document);
    json_decref(text);
    gcl_rpc_reader_finish(&reader);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    require(count_messages(data, size, 7) == count_messages(data, size, size + 1));
    return 0;
}
