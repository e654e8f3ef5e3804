// Vectors as wide as the machine's registers, for loops that compilers don't vectorise well.
#pragma once
#include <cstring>

#ifdef __AVX512F__
enum { LANES = 16 };
#else
enum { LANES = 8 };
#endif
typedef float vector __attribute__((vector_size(LANES * sizeof(float))));

inline vector load(const float *from) {
    vector value;
    memcpy(&value, from, sizeof value);
    return value;
}

inline void store(float *to, vector value) {
    memcpy(to, &value, sizeof value);
}
