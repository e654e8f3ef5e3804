// Bytes into messages.
#include "unit_test.h"

#include <string.h>

#include "lsp/base/rpc.h"

static void feed(struct gcl_rpc_reader *reader, const char *body) {
    g_autofree char *text = g_strdup_printf("Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    gcl_rpc_feed(reader, text, strlen(text));
}

static void takes_messages_apart(void **state) {
    (void)state;
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    feed(&reader, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":{\"a\":1}}");
    feed(&reader, "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
    feed(&reader, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":null}");
    static const enum gcl_rpc_kind kinds[] = {GCL_RPC_REQUEST, GCL_RPC_NOTIFICATION,
                                              GCL_RPC_RESPONSE};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        assert_int_equal(gcl_rpc_next(&reader, &message), GCL_RPC_MESSAGE);
        assert_int_equal(message.kind, kinds[i]);
        gcl_rpc_message_finish(&message);
    }
    assert_int_equal(gcl_rpc_next(&reader, &message), GCL_RPC_MORE);
    gcl_rpc_reader_finish(&reader);
}

static void says_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *body;
        enum gcl_rpc_error code;
    } bad[] = {
        {"{\"jsonrpc\":", GCL_RPC_PARSE_ERROR},
        {"[]", GCL_RPC_INVALID_REQUEST},
        {"{\"id\":1,\"method\":\"m\"}", GCL_RPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", GCL_RPC_INVALID_REQUEST},
        {"null", GCL_RPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", GCL_RPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":2}", GCL_RPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", GCL_RPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":2}", GCL_RPC_INVALID_PARAMS},
    };
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        feed(&reader, bad[i].body);
        assert_int_equal(gcl_rpc_next(&reader, &message), GCL_RPC_MESSAGE);
        assert_int_equal(message.kind, GCL_RPC_BAD);
        assert_int_equal(message.code, bad[i].code);
        gcl_rpc_message_finish(&message);
    }
    gcl_rpc_reader_finish(&reader);
}

static void gives_up_without_a_length(void **state) {
    (void)state;
    static const char *const lost[] = {"Content-Type: x\r\n\r\n{}", "Content-Length: -1\r\n\r\n",
                                       "Content-Length: 99999999999999\r\n\r\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(lost); i++) {
        struct gcl_rpc_reader reader = {0};
        struct gcl_rpc_message message;
        gcl_rpc_feed(&reader, lost[i], strlen(lost[i]));
        assert_int_equal(gcl_rpc_next(&reader, &message), GCL_RPC_LOST);
        gcl_rpc_reader_finish(&reader);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_messages_apart),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(gives_up_without_a_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
