// Growing texts. All functions take a text without memory, which is then given up: `is_lost`.
#ifndef GCL_API_NVRTC_TEXT_H
#define GCL_API_NVRTC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct gcl_text {
    char *bytes; ///< ends in a 0; NULL while it is empty
    size_t size; ///< without that
    size_t room;
    bool is_lost; ///< there was no memory
};

void gcl_text_add(struct gcl_text *text, const char *more);
void gcl_text_add_format(struct gcl_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gcl_text_finish(struct gcl_text *text);

/// Texts in order.
struct gcl_words {
    char **words; ///< followed by NULL
    size_t count;
    bool is_lost;
};

/// Copies `word`.
void gcl_words_add(struct gcl_words *words, const char *word);
void gcl_words_finish(struct gcl_words *words);

#endif
