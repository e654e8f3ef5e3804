// What both forms of a program share: the clock, the command line, the line that they print.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

inline double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Whether `option` is on the command line.
inline bool has_option(int argc, char **argv, const char *option) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], option))
            return true;
    }
    return false;
}

/// Small sizes are wanted.
inline bool is_quick(int argc, char **argv) {
    return has_option(argc, argv, "--quick");
}

/// A number in [0, 1) that looks random.
inline float uniform(size_t i) {
    unsigned x = (unsigned)i * 0x9e3779b1u;
    x ^= x >> 16;
    x *= 0x9e3779b1u;
    return (float)((x ^ x >> 15) & 0xffff) / 65536.0f;
}

/// Prints how long the loop took; returns main's result.
inline int report(double seconds, bool right) {
    printf("loop %.6f %s\n", seconds, right ? "right" : "wrong");
    return right ? 0 : 1;
}
