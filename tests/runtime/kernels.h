// Device code written by hand as gcluster-cc would leave it, so that the runtime is tested without
// the compiler. Registered by a constructor, as objects do it.
#ifndef GCL_TEST_KERNELS_H
#define GCL_TEST_KERNELS_H

#include "gcluster.h"

// Addresses of these are the kernels' host stubs.
extern const char test_empty; // ()
extern const char test_fill;  // (int *out, int first, int count): out[i] = first + i
extern const char
    test_reverse; // (int *out): out[i] = last thread - i within a block, by shared memory
extern const char test_sleep;   // (int ms)
extern const char test_append;  // (int *log, int value): log[++log[0]] = value
extern const char test_await;   // (int *flag): returns when *flag is 1
extern const char test_assert;  // ()
extern const char test_trap;    // ()
extern const char test_store;   // (int *out, int value): *out = value
extern const char test_divide;  // (int *out, int a, int b): *out = a / b
extern const char test_scale;   // (int *out): *out = test_variable * *test_pointer
extern const char test_count;   // (int *counts): counts[block]++
extern const char test_uneven;  // (int *counts): counts[block]++, the first block sleeps
extern const char test_missing; // registered, but without device code
extern const char test_foreign; // of an object for a CPU that doesn't exist
extern const char test_damaged; // of an object whose tables are damaged
extern const char test_bounded; // () at most 64 threads a block

// Host halves of device variables.
extern int test_variable;    // device: int = 6
extern int test_pointer;     // device: int * = &variable + 1, of an int[2] = {6, 7}
extern int test_managed;     // managed: int = 42
extern char test_unused[64]; // no device code knows it

/// Launches a kernel by its stub; `...` are addresses of arguments.
#define TEST_LAUNCH(stub, grid, block, stream, ...)                                                \
    gclLaunchKernel(&(stub), (dim3){(grid), 1, 1}, (dim3){(block), 1, 1}, (void *[]){__VA_ARGS__}, \
                    0, (stream))

#endif
