// Inline PTX of any bytes: a statement is cut to pieces that all lie in its text, or refused.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/ptx/statement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void require_inside(const char *piece, const char *text, size_t length) {
    require(piece >= text && piece + strlen(piece) <= text + length);
}

static void check(const struct gcl_ptx_statement *s, const char *text, size_t length) {
    require(s->word_count > 0 && s->word_count <= GCL_PTX_WORDS);
    require(s->operand_count <= GCL_PTX_OPERANDS);
    for (unsigned i = 0; i < s->word_count; i++)
        require_inside(s->words[i], text, length);
    for (unsigned i = 0; i < s->operand_count; i++) {
        const struct gcl_ptx_operand *o = &s->operands[i];
        require(o->count > 0 && o->count <= GCL_PTX_NAMES);
        for (unsigned n = 0; n < o->count; n++)
            require_inside(o->names[n], text, length);
    }
    require(gcl_ptx_has(s, gcl_ptx_type(s)));
    require(gcl_ptx_result(s) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *text = g_strndup(size > 0 ? (const char *)data : "", size);
    gcl_ptx_drop_comments(text);
    const char *rest = text;
    bool parsed = true;
    for (char *next; (next = gcl_ptx_next(&rest)) != NULL; g_free(next)) {
        struct gcl_ptx_statement s;
        size_t length = strlen(next);
        if (gcl_ptx_parse(next, &s))
            check(&s, next, length);
        else
            parsed = false;
    }
    return parsed ? 0 : -1;
}
