// Reads the part of the Itanium mangling that names are made of: <length><identifier>, several in
// N...E, each perhaps followed by template arguments I...E, which are left out. What comes behind
// is types, which may be identifiers, too.
#include "name.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *out;
    size_t size, length;
};

static void append(struct text *text, const char *bytes, size_t length) {
    assert(text->length < text->size);
    for (size_t i = 0; i < length && text->length + 1 < text->size; i++)
        text->out[text->length++] = bytes[i];
    text->out[text->length] = 0;
}

static size_t read_length(const char **p) {
    size_t length = 0;
    while (isdigit((unsigned char)**p) && length < 4096)
        length = length * 10 + (size_t)(*(*p)++ - '0');
    return length;
}

// Steps over I...E. Identifiers inside may contain any letter, so they are skipped by length.
static const char *skip_arguments(const char *p) {
    int depth = 0;
    assert(*p == 'I');
    do {
        if (isdigit((unsigned char)*p)) {
            size_t length = read_length(&p);
            p += strnlen(p, length);
            continue;
        }
        if (*p == 'L') { // a literal: type, then its value up to E
            while (*p && *p != 'E')
                p++;
        } else if (strchr("INXJ", *p)) {
            depth++;
        } else if (*p == 'E') {
            depth--;
        }
        if (*p)
            p++;
    } while (*p && depth > 0);
    return p;
}

const char *gcl_name_demangle(const char *mangled, char *out, size_t size) {
    struct text text = {.out = out, .size = size};
    const char *p = mangled;

    if (size == 0)
        return out;
    snprintf(out, size, "%s", mangled);
    if (strncmp(p, "_Z", 2) != 0)
        return out;
    p += 2;
    bool is_nested = *p == 'N';
    while (*p == 'N' || *p == 'L' || *p == 'K')
        p++;
    while (isdigit((unsigned char)*p) && (is_nested || text.length == 0)) {
        size_t length = read_length(&p);
        if (strnlen(p, length) < length)
            return out;
        if (text.length > 0)
            append(&text, "::", 2);
        if (strncmp(p, "_GLOBAL__N_", 11) == 0)
            append(&text, "(anonymous)", 11);
        else
            append(&text, p, length);
        p += length;
        if (*p == 'I') {
            append(&text, "<>", 2);
            p = skip_arguments(p);
        }
    }
    return out;
}
