// How programs that call libraries say what is wrong, and end.
#ifndef TESTS_LIB_CHECK_H
#define TESTS_LIB_CHECK_H

#include <cstdio>
#include <cstdlib>

/// A call of any library that returns 0 where it succeeds.
#define CHECK(call)                                                                                \
    do {                                                                                           \
        int status_ = (int)(call);                                                                 \
        if (status_ != 0) {                                                                        \
            printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define EXPECT(...)                                                                                \
    do {                                                                                           \
        if (!(__VA_ARGS__)) {                                                                      \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
