// Numbers as bytes, little-endian.
#ifndef GCL_BASE_BYTES_H
#define GCL_BASE_BYTES_H

#include <stdint.h>

/// Writes 8 bytes; returns where the next ones go.
static inline unsigned char *gcl_bytes_put64(unsigned char *out, uint64_t value) {
    for (int i = 0; i < 8; i++)
        *out++ = (unsigned char)(value >> (8 * i));
    return out;
}

/// Reads 8 bytes; returns where the next ones are.
static inline const unsigned char *gcl_bytes_get64(const unsigned char *in, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < 8; i++)
        *value |= (uint64_t)*in++ << (8 * i);
    return in;
}

#endif
