// Changes as editors send them.
#include "unit_test.h"

#include "lsp/base/document.h"
#include "lsp/base/uri.h"

static struct gcl_document *create(const char *text) {
    json_t *string = json_string(text);
    struct gcl_document *document =
        gcl_document_create("file:///tmp/a%20b/../x.cu", 1, string, GCL_ENCODING_UTF16);
    json_decref(string);
    return document;
}

static bool change(struct gcl_document *document, const char *changes) {
    json_t *list = json_loads(changes, 0, NULL);
    bool good = gcl_document_change(document, 2, list);
    json_decref(list);
    return good;
}

static void expect(const struct gcl_document *document, const char *text) {
    size_t size;
    const char *data = gcl_line_table_data(document->text, &size);
    g_autofree char *copy = g_strndup(data, size);
    assert_string_equal(copy, text);
}

static void applies_changes_in_order(void **state) {
    (void)state;
    struct gcl_document *document = create("one\ntwo\n");
    assert_true(change(document,
                       "[{\"range\": {\"start\": {\"line\": 0, \"character\": 3},"
                       " \"end\": {\"line\": 1, \"character\": 3}}, \"text\": \"\\u00e4\"},"
                       "{\"range\": {\"start\": {\"line\": 0, \"character\": 4},"
                       " \"end\": {\"line\": 0, \"character\": 4}}, \"text\": \"!\"}]"));
    expect(document, "one\xc3\xa4!\n");
    assert_int_equal(document->version, 2);
    assert_true(change(document, "[{\"text\": \"all\"}]"));
    expect(document, "all");
    gcl_document_destroy(document);
}

static void keeps_the_text_if_a_change_is_bad(void **state) {
    (void)state;
    static const char *const bad[] = {
        "[{\"text\": \"lost\"}, {\"text\": 1}]", "[{\"text\": \"x\", \"range\": {}}]", "{}",
        ("[{\"text\": \"x\", \"range\": {\"start\": {\"line\": 0, \"character\": 2},"
         " \"end\": {\"line\": 0, \"character\": 1}}}]")};
    struct gcl_document *document = create("one");
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(change(document, bad[i]));
    expect(document, "one");
    assert_int_equal(document->version, 1);
    gcl_document_destroy(document);
}

static void reads_paths(void **state) {
    (void)state;
    struct gcl_document *document = create("");
    assert_string_equal(document->path, "/tmp/x.cu");
    assert_null(gcl_uri_path("untitled:1"));
    g_autofree char *uri = gcl_uri_of("/tmp/a b.cu");
    assert_string_equal(uri, "file:///tmp/a%20b.cu");
    gcl_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applies_changes_in_order),
        cmocka_unit_test(keeps_the_text_if_a_change_is_bad),
        cmocka_unit_test(reads_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
