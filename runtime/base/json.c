// Names of kernels and paths come from programs: what JSON has no plain character for is escaped or
// left out.
#include "json.h"

void gcl_json_write_string(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            putc('\\', out);
        if (c >= 0x20)
            putc(c, out);
    }
    putc('"', out);
}
