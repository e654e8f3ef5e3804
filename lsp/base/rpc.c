// Bytes are taken from the front of the reader when a message is whole. A header without a length,
// or with one that cannot be, ends reading, since nobody knows where the next message begins.
#include "lsp/base/rpc.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lsp/base/json.h"

enum {
    HEADER_MAX = 8192,
    LENGTH_MAX = 512 << 20, // bytes of one message
};

void gcl_rpc_message_finish(struct gcl_rpc_message *message) {
    json_decref(message->body);
    g_free(message->mistake);
    *message = (struct gcl_rpc_message){0};
}

void gcl_rpc_reader_finish(struct gcl_rpc_reader *reader) {
    if (reader->bytes)
        g_byte_array_unref(reader->bytes);
    reader->bytes = NULL;
}

void gcl_rpc_feed(struct gcl_rpc_reader *reader, const void *bytes, size_t size) {
    if (!reader->bytes)
        reader->bytes = g_byte_array_new();
    if (size > 0)
        g_byte_array_append(reader->bytes, bytes, (guint)size);
}

static const char *find(const char *bytes, size_t size, const char *what) {
    return g_strstr_len(bytes, (gssize)size, what);
}

// The number behind "Content-Length:" in a header; -1 if there is none that can be.
static gint64 read_length(const char *header, size_t size) {
    g_autofree char *text = g_strndup(header, size);
    g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
    gint64 length = -1;
    for (char **line = lines; *line; line++) {
        guint64 number;
        char *colon = strchr(*line, ':');
        if (!colon)
            continue;
        *colon = '\0';
        if (g_ascii_strcasecmp(g_strstrip(*line), "Content-Length") == 0 &&
            g_ascii_string_to_unsigned(g_strstrip(colon + 1), 10, 0, LENGTH_MAX, &number, NULL))
            length = (gint64)number;
    }
    return length;
}

static void set_bad(struct gcl_rpc_message *message, enum gcl_rpc_error code, const char *mistake) {
    message->kind = GCL_RPC_BAD;
    message->code = code;
    message->mistake = g_strdup(mistake);
}

static bool is_identifier(const json_t *id) {
    return json_is_string(id) || json_is_integer(id);
}

// Sorts a JSON value into the kinds of messages.
static void classify(struct gcl_rpc_message *message) {
    json_t *body = message->body, *method = json_object_get(body, "method");
    json_t *id = json_object_get(body, "id"), *params = json_object_get(body, "params");
    bool responds = json_object_get(body, "result") || json_object_get(body, "error");
    message->id = is_identifier(id) ? id : NULL;
    message->method = json_string_value(method);
    message->params = params && !json_is_null(params) ? params : NULL;
    message->result = json_object_get(body, "result");
    message->error = json_object_get(body, "error");
    if (!json_is_object(body))
        set_bad(message, GCL_RPC_INVALID_REQUEST, "a message is an object");
    else if (g_strcmp0(json_string_value(json_object_get(body, "jsonrpc")), "2.0") != 0)
        set_bad(message, GCL_RPC_INVALID_REQUEST, "jsonrpc isn't \"2.0\"");
    else if (id && !message->id && !(json_is_null(id) && responds))
        set_bad(message, GCL_RPC_INVALID_REQUEST, "id is neither string nor integer");
    else if (method && !message->method)
        set_bad(message, GCL_RPC_INVALID_REQUEST, "method isn't a string");
    else if (message->params && !json_is_object(params) && !json_is_array(params))
        set_bad(message, GCL_RPC_INVALID_PARAMS, "params is neither object nor array");
    else if (message->method)
        message->kind = message->id ? GCL_RPC_REQUEST : GCL_RPC_NOTIFICATION;
    else if (responds && id)
        message->kind = GCL_RPC_RESPONSE;
    else
        set_bad(message, GCL_RPC_INVALID_REQUEST, "neither request nor response");
    assert((message->kind == GCL_RPC_BAD) == (message->mistake != NULL));
    assert(message->kind != GCL_RPC_REQUEST || (message->method && message->id));
}

void gcl_rpc_parse(GBytes *text, struct gcl_rpc_message *message) {
    json_error_t error;
    size_t size;
    const char *data = g_bytes_get_data(text, &size);
    *message = (struct gcl_rpc_message){0};
    message->body = json_loadb(data ? data : "", size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (message->body)
        classify(message);
    else
        set_bad(message, GCL_RPC_PARSE_ERROR, error.text);
}

enum gcl_rpc_state gcl_rpc_take(struct gcl_rpc_reader *reader, GBytes **text) {
    *text = NULL;
    if (!reader->bytes || reader->bytes->len == 0)
        return GCL_RPC_MORE;
    const char *bytes = (const char *)reader->bytes->data;
    size_t size = reader->bytes->len;
    const char *end = find(bytes, MIN(size, HEADER_MAX), "\r\n\r\n");
    if (!end)
        return size < HEADER_MAX ? GCL_RPC_MORE : GCL_RPC_LOST;
    size_t header = (size_t)(end - bytes) + 4;
    gint64 length = read_length(bytes, header - 4);
    if (length < 0)
        return GCL_RPC_LOST;
    assert(header <= size);
    if (size - header < (size_t)length)
        return GCL_RPC_MORE;
    *text = g_bytes_new(bytes + header, (size_t)length);
    g_byte_array_remove_range(reader->bytes, 0, (guint)(header + (size_t)length));
    return GCL_RPC_MESSAGE;
}

enum gcl_rpc_state gcl_rpc_next(struct gcl_rpc_reader *reader, struct gcl_rpc_message *message) {
    g_autoptr(GBytes) text = NULL;
    enum gcl_rpc_state state = gcl_rpc_take(reader, &text);
    *message = (struct gcl_rpc_message){0};
    if (state == GCL_RPC_MESSAGE)
        gcl_rpc_parse(text, message);
    return state;
}

GBytes *gcl_rpc_frame_text(GBytes *text) {
    size_t size;
    const void *data = g_bytes_get_data(text, &size);
    GString *framed = g_string_new(NULL);
    g_string_printf(framed, "Content-Length: %zu\r\n\r\n", size);
    g_string_append_len(framed, data, (gssize)size);
    return g_string_free_to_bytes(framed);
}

GBytes *gcl_rpc_frame(json_t *body) {
    assert(body);
    char *text = json_dumps(body, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(body);
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, strlen(text));
    return gcl_rpc_frame_text(bytes);
}

bool gcl_rpc_write(int file, json_t *body) {
    g_autoptr(GBytes) bytes = gcl_rpc_frame(body);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    while (size > 0) {
        ssize_t written = write(file, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (gsize)written;
    }
    return true;
}

json_t *gcl_rpc_request(json_t *id, const char *method, json_t *params) {
    assert(id);
    json_t *body = gcl_rpc_notification(method, params);
    json_object_set(body, "id", id);
    return body;
}

json_t *gcl_rpc_notification(const char *method, json_t *params) {
    json_t *body = json_pack("{s:s, s:s}", "jsonrpc", "2.0", "method", method);
    if (params)
        json_object_set_new(body, "params", params);
    return body;
}

json_t *gcl_rpc_result(json_t *id, json_t *result) {
    assert(id);
    return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                     result ? result : json_null());
}

json_t *gcl_rpc_failure(json_t *id, enum gcl_rpc_error code, const char *text) {
    return json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                     "error", "code", (int)code, "message", gcl_json_text(text));
}
