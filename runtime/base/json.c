// Names of kernels, paths and what programs say of themselves come from programs: what JSON has no
// plain character for is escaped or left out, and a byte that isn't UTF-8 becomes a question mark.
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

/// Bytes of the character at `text`; 0: it isn't UTF-8.
static size_t character_size(const unsigned char *text) {
    size_t size = text[0] < 0x80   ? 1
                  : text[0] < 0xc2 ? 0
                  : text[0] < 0xe0 ? 2
                  : text[0] < 0xf0 ? 3
                                   : 4;
    if (text[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    bool is_overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool is_outside = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_outside ? 0 : size;
}

void gcl_json_write_string(FILE *out, const char *text) {
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t size = character_size(at);
        if (*at == '"' || *at == '\\')
            putc('\\', out);
        if (size == 0)
            putc('?', out);
        else if (*at >= 0x20)
            fwrite(at, 1, size, out);
        at += size ? size : 1;
    }
    putc('"', out);
}
