// Statements fall apart at `;`, operands at commas that are in no bracket, instructions at dots.
#include "device/ptx/statement.h"

#include <assert.h>
#include <string.h>

void gcl_ptx_drop_comments(char *text) {
    for (char *p = text; *p; p++) {
        bool is_line = g_str_has_prefix(p, "//"), is_block = g_str_has_prefix(p, "/*");
        const char *end = is_line ? strchr(p, '\n') : is_block ? strstr(p + 2, "*/") : p;
        if (!is_line && !is_block)
            continue;
        size_t length = !end ? strlen(p) : (size_t)(end - p) + (is_block ? 2 : 0);
        memset(p, ' ', length);
    }
}

static bool is_name(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '$' || c == '%';
}

// The length of a label with its colon, 0: there is none.
static size_t label_length(const char *text) {
    size_t length = 0;
    while (is_name(text[length]))
        length++;
    return length > 0 && text[length] == ':' && text[length + 1] != ':' ? length + 1 : 0;
}

static const char *pass_over(const char *p) {
    static const char *const declarations[] = {".reg", ".pragma", ".loc"};
    for (;;) {
        const char *before = p;
        p += strspn(p, " \t\r\n{};");
        p += label_length(p);
        for (size_t i = 0; i < G_N_ELEMENTS(declarations); i++) {
            if (g_str_has_prefix(p, declarations[i]))
                p += strcspn(p, ";");
        }
        if (p == before)
            return p;
    }
}

char *gcl_ptx_next(const char **text) {
    const char *begin = pass_over(*text);
    size_t length = strcspn(begin, ";");
    *text = begin + length;
    return length == 0 ? NULL : g_strstrip(g_strndup(begin, length));
}

// Cuts `text` at the next comma outside of brackets: returns what follows, NULL: nothing does.
static char *cut_at_comma(char *text) {
    int depth = 0;
    for (char *p = text; *p; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p == ',' && depth == 0) {
            *p = 0;
            return p + 1;
        }
    }
    return NULL;
}

// What is between a bracket and the one that ends the text; NULL: that one isn't there.
static char *inside(char *text, char close) {
    size_t length = strlen(text);
    if (length < 2 || text[length - 1] != close)
        return NULL;
    text[length - 1] = 0;
    return g_strstrip(text + 1);
}

static bool parse_vector(char *text, struct gcl_ptx_operand *o) {
    o->is_vector = true;
    for (char *next; text; text = next) {
        next = cut_at_comma(text);
        if (o->count == GCL_PTX_NAMES)
            return false;
        o->names[o->count++] = g_strstrip(text);
    }
    return true;
}

// `register`, `register + number`, `register - number`; a vector of coordinates isn't known.
static bool parse_address(char *text, struct gcl_ptx_operand *o) {
    char *sign = strpbrk(text + 1, "+-"), *end = NULL;
    o->is_address = true;
    if (sign) {
        bool is_minus = *sign == '-';
        *sign = 0;
        char *number = g_strstrip(sign + 1);
        int64_t offset = g_ascii_strtoll(number, &end, 0);
        if (end == number || *end || offset == INT64_MIN)
            return false;
        o->offset = is_minus ? -offset : offset;
    }
    o->names[0] = g_strstrip(text);
    o->count = 1;
    return !strpbrk(o->names[0], ",{ ");
}

static bool parse_operand(char *text, struct gcl_ptx_operand *o) {
    *o = (struct gcl_ptx_operand){.count = 0};
    g_strstrip(text);
    if (text[0] == '{' || text[0] == '[') {
        bool is_vector = text[0] == '{';
        char *inner = inside(text, is_vector ? '}' : ']');
        return inner && inner[0] && (is_vector ? parse_vector(inner, o) : parse_address(inner, o));
    }
    char *bar = strchr(text, '|');
    if (bar) {
        *bar = 0;
        o->second = g_strstrip(bar + 1);
    }
    o->is_negated = text[0] == '!';
    o->names[0] = g_strstrip(text + o->is_negated);
    o->count = 1;
    return o->names[0][0] != 0;
}

static bool parse_words(char *text, struct gcl_ptx_statement *s) {
    for (char *next; text; text = next) {
        next = strchr(text, '.');
        if (next)
            *next++ = 0;
        if (s->word_count == GCL_PTX_WORDS)
            return false;
        s->words[s->word_count++] = text;
    }
    return s->words[0][0] != 0;
}

bool gcl_ptx_parse(char *text, struct gcl_ptx_statement *s) {
    *s = (struct gcl_ptx_statement){.predicate = NULL};
    if (text[0] == '@') {
        text = g_strchug(text + 1);
        s->negated = text[0] == '!';
        s->predicate = text += s->negated;
        text += strcspn(text, " \t\n");
        if (*text == 0)
            return false;
        *text = 0;
        text = g_strchug(text + 1);
    }
    char *rest = text + strcspn(text, " \t\n");
    if (*rest)
        *rest++ = 0;
    if (!parse_words(text, s))
        return false;
    for (rest = g_strstrip(rest); rest && *rest;) {
        char *next = cut_at_comma(rest);
        if (s->operand_count == GCL_PTX_OPERANDS ||
            !parse_operand(rest, &s->operands[s->operand_count++]))
            return false;
        rest = next;
    }
    return true;
}

bool gcl_ptx_has(const struct gcl_ptx_statement *s, const char *word) {
    for (unsigned i = 0; i < s->word_count; i++) {
        if (strcmp(s->words[i], word) == 0)
            return true;
    }
    return false;
}

bool gcl_ptx_has_any(const struct gcl_ptx_statement *s, const char *const *words) {
    while (*words && !gcl_ptx_has(s, *words))
        words++;
    return *words != NULL;
}

const char *gcl_ptx_type(const struct gcl_ptx_statement *s) {
    assert(s->word_count > 0);
    return s->words[s->word_count - 1];
}

const char *gcl_ptx_result(const struct gcl_ptx_statement *s) {
    const struct gcl_ptx_operand *o = &s->operands[0];
    return s->operand_count > 0 && !o->is_vector && !o->is_address ? o->names[0] : "";
}
