// A sorted table, made by names.cmake from the headers that users' programs see, and binary search.
#include "frontend/text/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct gcl_name table[] = {
#define GCL_NAME(cuda, gcl, kind) {#cuda, #gcl, GCL_NAME_##kind},
#include "names.inc"
#undef GCL_NAME
};

struct key {
    const char *text;
    size_t length;
};

static int compare(const void *left, const void *right) {
    const struct key *key = left;
    const struct gcl_name *name = right;
    int order = strncmp(key->text, name->cuda, key->length);
    if (order != 0)
        return order;
    return name->cuda[key->length] ? -1 : 0;
}

const struct gcl_name *gcl_name_find(const char *text, size_t length) {
    if (length < 5 || (memcmp(text, "cuda", 4) != 0 && memcmp(text, "make_", 5) != 0))
        return NULL;
    struct key key = {text, length};
    return bsearch(&key, table, sizeof table / sizeof *table, sizeof *table, compare);
}

const char *gcl_name_kind_text(enum gcl_name_kind kind) {
    static const char *const text[] = {
        [GCL_NAME_FUNCTION] = "function",
        [GCL_NAME_ENUMERATOR] = "enumerator",
        [GCL_NAME_TYPE] = "type",
        [GCL_NAME_MACRO] = "macro",
    };
    assert(kind < sizeof text / sizeof *text);
    return text[kind];
}
