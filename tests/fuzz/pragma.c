// Pragmas from any bytes: what is understood can be written and read again, and mistakes have their
// place inside the text.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pragma.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static char *write_clauses(const GArray *clauses) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < clauses->len; i++) {
        gcl_pragma_clause_write(text, &g_array_index(clauses, struct gcl_pragma_clause, i));
        g_string_append_c(text, ' ');
    }
    return g_string_free(text, FALSE);
}

// Written and parsed again a clause is the same.
static void check_written(const GArray *clauses) {
    g_autofree char *text = write_clauses(clauses);
    struct gcl_pragma_parsed parsed = gcl_pragma_parse(text, 0, (uint32_t)strlen(text));
    g_autofree char *again = write_clauses(parsed.clauses);
    require(clauses->len == 0 || (strcmp(text, again) == 0 && parsed.errors->len == 0));
    gcl_pragma_parsed_finish(&parsed);
}

static void check_carried(GArray *clauses) {
    GPtrArray *pragmas = gcl_pragmas_create(), *read = gcl_pragmas_create();
    for (guint i = 0; i < clauses->len; i++) {
        struct gcl_pragma_clause *clause = &g_array_index(clauses, struct gcl_pragma_clause, i);
        struct gcl_pragma *pragma = g_new0(struct gcl_pragma, 1);
        *pragma = (struct gcl_pragma){
            .kernel = g_strdup("k"), .path = g_strdup("f.cu"), .line = i, .clause = *clause};
        clause->object.name = NULL;
        clause->nodes = NULL;
        g_ptr_array_add(pragmas, pragma);
    }
    g_autofree char *text = gcl_pragmas_format(pragmas);
    gcl_pragmas_read(read, text);
    g_autofree char *again = gcl_pragmas_format(read);
    require(strcmp(text, again) == 0);
    g_ptr_array_unref(pragmas);
    g_ptr_array_unref(read);
}

static void check_any_carried(const char *bytes, size_t size) {
    g_autofree char *text = g_strndup(bytes, size);
    GPtrArray *pragmas = gcl_pragmas_create();
    gcl_pragmas_read(pragmas, text);
    guint count = pragmas->len;
    g_autofree char *once = gcl_pragmas_format(pragmas);
    gcl_pragmas_read(pragmas, once);
    require(pragmas->len == count);
    g_ptr_array_unref(pragmas);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = size > 0 ? (const char *)data : "";
    struct gcl_pragma_parsed parsed = gcl_pragma_parse(bytes, 0, (uint32_t)size);
    require(parsed.clauses->len + parsed.errors->len > 0);
    for (guint i = 0; i < parsed.errors->len; i++) {
        struct gcl_pragma_error *error = &g_array_index(parsed.errors, struct gcl_pragma_error, i);
        require(error->begin < error->end && error->begin <= size && error->end <= size + 1);
        require(g_utf8_validate(error->message, -1, NULL));
        require(!error->help || g_utf8_validate(error->help, -1, NULL));
    }
    for (guint i = 0; i < parsed.clauses->len; i++) {
        struct gcl_pragma_clause *clause =
            &g_array_index(parsed.clauses, struct gcl_pragma_clause, i);
        require(clause->begin < clause->end && clause->end <= size);
    }
    check_written(parsed.clauses);
    check_carried(parsed.clauses);
    check_any_carried(bytes, size);
    gcl_pragma_parsed_finish(&parsed);
    return 0;
}
