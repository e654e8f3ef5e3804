// Numbers of bytes as people read them.
#ifndef GCL_BASE_BYTES_TEXT_H
#define GCL_BASE_BYTES_TEXT_H

#include <stdio.h>

struct gcl_bytes_text {
    char text[32];
};

/// "12 B", "1.5 KiB". Rates have fractions, which aren't shown below a KiB.
static inline struct gcl_bytes_text gcl_bytes_text(double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    struct gcl_bytes_text out;
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    snprintf(out.text, sizeof out.text, "%.*f %s", unit > 0, bytes, units[unit]);
    return out;
}

#endif
