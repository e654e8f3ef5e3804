// A Makefile is looked at line by line, in words: values of assignments, prerequisites that are
// none of our business, and recipes. A word is what stands between blanks, with references to
// variables as one ("$(CUDA_HOME)/bin/nvcc"); what follows "#" is a comment.
//
//     NVCC = /usr/local/cuda/bin/nvcc   a path to nvcc    gcluster-cc
//     -I$(CUDA_HOME)/include            CUDA's folders    $(shell pkg-config --cflags gcluster)
//     -L$(CUDA_HOME)/lib64                                $(shell pkg-config --libs-only-L
//     gcluster) -lcudart                          its runtime       -lgcluster
#include "translate/scripts.h"

#include <string.h>

/// One word of a line.
struct word {
    const char *text;
    size_t length;
};

static bool is(struct word word, const char *text) {
    return word.length == strlen(text) && strncmp(word.text, text, word.length) == 0;
}

static bool begins(struct word word, const char *text) {
    return word.length >= strlen(text) && strncmp(word.text, text, strlen(text)) == 0;
}

static bool ends(struct word word, const char *text) {
    size_t length = strlen(text);
    return word.length >= length && strncmp(word.text + word.length - length, text, length) == 0;
}

static bool mentions(struct word word, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= word.length; i++) {
        if (g_ascii_strncasecmp(word.text + i, text, length) == 0)
            return true;
    }
    return false;
}

/// What becomes of a word; NULL: it stays.
static const char *replacement(struct word word) {
    static const char *const runtime[] = {"-lcudart", "-lcudart_static", "-lcuda"};
    if (is(word, "nvcc") || ends(word, "/nvcc"))
        return "gcluster-cc";
    for (size_t i = 0; i < G_N_ELEMENTS(runtime); i++) {
        if (is(word, runtime[i]))
            return "-lgcluster";
    }
    bool is_cuda = mentions(word, "cuda");
    if (is_cuda && begins(word, "-I") && (ends(word, "/include") || ends(word, "/include/")))
        return "$(shell pkg-config --cflags gcluster)";
    if (is_cuda && begins(word, "-L") && (ends(word, "/lib64") || ends(word, "/lib")))
        return "$(shell pkg-config --libs-only-L gcluster)";
    return NULL;
}

// The end of the reference to a variable that begins at `at`, a "$".
static const char *skip_reference(const char *at, const char *end) {
    if (at + 1 >= end || (at[1] != '(' && at[1] != '{'))
        return at + 1;
    char open = at[1], close = open == '(' ? ')' : '}';
    int level = 0;
    for (at++; at < end; at++) {
        level += (*at == open) - (*at == close);
        if (level == 0)
            return at + 1;
    }
    return end;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Edits words in [at, end), a part of a line that begins at `text`.
static void edit_words(struct gcl_edits *edits, const char *text, const char *at, const char *end) {
    while (at < end) {
        while (at < end && (is_blank(*at) || strchr(";|&@", *at)))
            at++;
        const char *begin = at;
        if (at < end && *at == '#')
            return;
        while (at < end && !is_blank(*at) && !strchr(";|&", *at))
            at = *at == '$' ? skip_reference(at, end) : at + 1;
        const char *new = replacement((struct word){begin, (size_t)(at - begin)});
        if (new)
            gcl_edits_add(edits, (uint32_t)(begin - text), (uint32_t)(at - text), new);
    }
}

// Where a value begins in "NAME = value"; NULL: the line is no assignment.
static const char *find_value(const char *begin, const char *end) {
    const char *at = begin;
    while (at < end && !strchr("=:#$", *at))
        at++;
    while (at < end && *at == ':') // ":=", "::="; anything else is a rule
        at++;
    if (at == end || *at != '=')
        return NULL;
    return at + 1;
}

struct gcl_edits *gcl_makefile_edits(const char *path, GBytes *bytes) {
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    struct gcl_edits *edits = gcl_edits_create(path);
    bool continues = false; // what began on the line before, and is edited
    for (const char *at = text, *end = text ? text + size : text, *line_end; at < end;
         at = line_end + 1) {
        line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        const char *value = continues || *at == '\t' ? at : find_value(at, line_end);
        if (value)
            edit_words(edits, text, value, line_end);
        continues = value && line_end > at && line_end[-1] == '\\';
    }
    return edits;
}
