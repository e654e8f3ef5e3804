// JSON-RPC 2.0 in LSP's framing: bytes in, messages out, and back.
//
//     Content-Length: 52\r\n
//     \r\n
//     {"jsonrpc":"2.0","id":1,"method":"shutdown"}
//
// Any bytes are fine: what can't be read is reported, and reading goes on behind it where the
// framing says where that is.
//
// This header is the front of the room `base`, which knows neither clang nor kernels:
//
//     json rpc channel peer               messages, and the processes at the other end of them
//     encoding line_table document uri    texts as editors have them, and places in them
//     colours                             semantic tokens as they are sent
//     reading makefile                    what a folder says of its build, as far as it is let in
//     scratch stamp                       files that are ours for a while, and those of others
#ifndef GCL_LSP_RPC_H
#define GCL_LSP_RPC_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>
#include <jansson.h>

/// Error codes of JSON-RPC and of LSP 3.17.
enum gcl_rpc_error {
    GCL_RPC_PARSE_ERROR = -32700,
    GCL_RPC_INVALID_REQUEST = -32600,
    GCL_RPC_METHOD_NOT_FOUND = -32601,
    GCL_RPC_INVALID_PARAMS = -32602,
    GCL_RPC_INTERNAL_ERROR = -32603,
    GCL_RPC_NOT_INITIALIZED = -32002,
    GCL_RPC_REQUEST_FAILED = -32803,
    GCL_RPC_CONTENT_MODIFIED = -32801,
    GCL_RPC_CANCELLED = -32800,
};

enum gcl_rpc_kind {
    GCL_RPC_REQUEST,
    GCL_RPC_NOTIFICATION,
    GCL_RPC_RESPONSE,
    GCL_RPC_BAD, ///< not a message: `mistake` says why, `code` is what to answer
};

/// One message. All but `body` and `mistake` are borrowed from `body`.
struct gcl_rpc_message {
    enum gcl_rpc_kind kind;
    json_t *body;
    const char *method;
    json_t *id;     ///< string or integer; of a bad message NULL if it isn't known
    json_t *params; ///< object or array, NULL if there are none
    json_t *result; ///< of a response; NULL if it is an error
    json_t *error;
    enum gcl_rpc_error code;
    char *mistake;
};
void gcl_rpc_message_finish(struct gcl_rpc_message *message);

/// Bytes that have come and are no message yet. Zeroed it is empty.
struct gcl_rpc_reader {
    GByteArray *bytes;
};
void gcl_rpc_reader_finish(struct gcl_rpc_reader *reader);

enum gcl_rpc_state {
    GCL_RPC_MORE,    ///< nothing to take until more bytes come
    GCL_RPC_MESSAGE, ///< a message was taken; whoever called frees it
    GCL_RPC_LOST,    ///< no header in so many bytes, or a length that can't be: reading has ended
};

void gcl_rpc_feed(struct gcl_rpc_reader *reader, const void *bytes, size_t size);
enum gcl_rpc_state gcl_rpc_next(struct gcl_rpc_reader *reader, struct gcl_rpc_message *message);

/// gcl_rpc_next in two steps, for messages that may be passed on as they are: the text of a
/// message, to be freed, and what it says.
enum gcl_rpc_state gcl_rpc_take(struct gcl_rpc_reader *reader, GBytes **text);
void gcl_rpc_parse(GBytes *text, struct gcl_rpc_message *message);

/// The bytes of a message, framed. Takes `body`.
GBytes *gcl_rpc_frame(json_t *body);
/// The text of a message, framed.
GBytes *gcl_rpc_frame_text(GBytes *text);

/// Writes a message to a file descriptor that waits, and takes it. False if nobody reads there.
bool gcl_rpc_write(int file, json_t *body);

/// Messages to be sent; `params`, `result` are taken, NULL stands for none or null.
json_t *gcl_rpc_request(json_t *id, const char *method, json_t *params); // `id` isn't taken
json_t *gcl_rpc_notification(const char *method, json_t *params);
json_t *gcl_rpc_result(json_t *id, json_t *result);
/// `id` NULL: it isn't known.
json_t *gcl_rpc_failure(json_t *id, enum gcl_rpc_error code, const char *text);

#endif
