// Sizes as people write them.
#ifndef GCL_BASE_SIZE_TEXT_H
#define GCL_BASE_SIZE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Reads "4096", "16K", "2M", "1.5G", "1T" (powers of 1024; a B may follow). False if it is none.
static inline bool gcl_size_parse(const char *text, size_t *size) {
    static const char units[] = "KMGT";
    char *end;
    double value = strtod(text, &end);

    if (end == text || !(value >= 0))
        return false;
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit) {
        value *= (double)(UINT64_C(1) << (10 * (unit - units + 1)));
        end++;
        if (*end == 'i')
            end++;
    }
    if ((*end & ~0x20) == 'B')
        end++;
    if (*end || value >= 0x1p63)
        return false;
    *size = (size_t)value;
    return true;
}

#endif
