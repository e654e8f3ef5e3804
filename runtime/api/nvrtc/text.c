#include "api/nvrtc/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_bytes(struct gcl_text *text, const char *bytes, size_t size) {
    if (text->is_lost)
        return;
    if (!text->bytes || text->room - text->size <= size) {
        size_t room = 2 * text->room + size + 64;
        char *more = realloc(text->bytes, room);
        if (!more) {
            text->is_lost = true;
            return;
        }
        text->bytes = more;
        text->room = room;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
}

void gcl_text_add(struct gcl_text *text, const char *more) {
    add_bytes(text, more, strlen(more));
}

void gcl_text_add_format(struct gcl_text *text, const char *format, ...) {
    char *more = NULL;
    va_list arguments;
    va_start(arguments, format);
    int size = vasprintf(&more, format, arguments);
    va_end(arguments);
    if (size < 0) {
        text->is_lost = true;
        return;
    }
    add_bytes(text, more, (size_t)size);
    free(more);
}

void gcl_text_finish(struct gcl_text *text) {
    free(text->bytes);
    *text = (struct gcl_text){.bytes = NULL};
}

void gcl_words_add(struct gcl_words *words, const char *word) {
    char *copy = strdup(word);
    char **more = copy ? realloc(words->words, (words->count + 2) * sizeof *more) : NULL;
    if (!more) {
        free(copy);
        words->is_lost = true;
        return;
    }
    words->words = more;
    words->words[words->count++] = copy;
    words->words[words->count] = NULL;
}

void gcl_words_finish(struct gcl_words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
    *words = (struct gcl_words){.words = NULL};
}
