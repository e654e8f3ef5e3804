// For tests of the test driver. Each case runs in a process of its own, which may end by misuse,
// and has its own settings; the driver is first called there.
#ifndef CARD_CHECK_H
#define CARD_CHECK_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api.h"

/// In a case's process.
#define require(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(2);                                                                              \
        }                                                                                          \
    } while (0)

/// In a case's process: a call that has to give the result.
#define gives(wanted, call)                                                                        \
    do {                                                                                           \
        int result_of_call = (call);                                                               \
        if (result_of_call != (wanted)) {                                                          \
            fprintf(stderr, "%s:%d: %s gave %d instead of %s\n", __FILE__, __LINE__, #call,        \
                    result_of_call, #wanted);                                                      \
            _exit(2);                                                                              \
        }                                                                                          \
    } while (0)
#define works(call) gives(CUDA_SUCCESS, call)

/// What a case's process has left behind.
struct outcome {
    int status;
    char text[4000];    ///< on stderr
    char printed[4000]; ///< on stdout
};

static inline size_t read_back(int file, char *text, size_t size) {
    ssize_t length = pread(file, text, size - 1, 0);
    text[length > 0 ? length : 0] = 0;
    close(file);
    return (size_t)(length > 0 ? length : 0);
}

/// `settings`: "SEED=1 DEVICES=2", or NULL.
static inline void apply_settings(const char *settings) {
    char copy[200], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char name[64];
        char *value = strchr(word, '=');
        *value++ = 0;
        snprintf(name, sizeof name, "GCL_TEST_DRIVER_%s", word);
        setenv(name, value, 1);
    }
}

static inline struct outcome run_case(const char *settings, void (*function)(void)) {
    struct outcome outcome = {.status = -1};
    int errors = fileno(tmpfile()), output = fileno(tmpfile());
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); // with cmocka's handler it would go on with the next test
        signal(SIGBUS, SIG_DFL);
        apply_settings(settings);
        dup2(errors, STDERR_FILENO);
        dup2(output, STDOUT_FILENO);
        function();
        fflush(NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &outcome.status, 0), child);
    read_back(errors, outcome.text, sizeof outcome.text);
    read_back(output, outcome.printed, sizeof outcome.printed);
    return outcome;
}

static inline struct outcome is_fine(const char *settings, void (*function)(void)) {
    struct outcome outcome = run_case(settings, function);
    if (outcome.status != 0)
        fail_msg("status %#x: %s", outcome.status, outcome.text);
    return outcome;
}

/// The case ends by misuse, which is said in these words.
static inline void is_misuse(const char *settings, void (*function)(void), const char *words) {
    struct outcome outcome = run_case(settings, function);
    if (!WIFSIGNALED(outcome.status) || WTERMSIG(outcome.status) != SIGABRT)
        fail_msg("status %#x, not misuse: %s", outcome.status, outcome.text);
    if (strncmp(outcome.text, "test driver: ", 13) != 0 || !strstr(outcome.text, words))
        fail_msg("says: %s, not: %s", outcome.text, words);
}

// What many cases begin with.

static inline void *open_device(int device) {
    void *context;
    works(cuInit(0));
    works(cuDevicePrimaryCtxRetain(&context, device));
    works(cuCtxSetCurrent(context));
    return context;
}

static inline uint64_t allocate(size_t size) {
    uint64_t address;
    works(cuMemAlloc_v2(&address, size));
    return address;
}

static inline void *open_stream(void) {
    void *stream;
    works(cuStreamCreate(&stream, CARD_STREAM_NON_BLOCKING));
    return stream;
}

static inline void *open_event(void) {
    void *event;
    works(cuEventCreate(&event, 0));
    return event;
}

static inline uint64_t create_memory(size_t size, int handle_types) {
    const struct card_allocation_form form = {.type = CARD_ALLOCATION_PINNED,
                                              .handle_types = handle_types,
                                              .location = {CARD_LOCATION_DEVICE, 0}};
    uint64_t memory;
    works(cuMemCreate(&memory, size, &form, 0));
    return memory;
}

static inline void allow(uint64_t address, size_t size, int flags) {
    const struct card_access access = {{CARD_LOCATION_DEVICE, 0}, flags};
    works(cuMemSetAccess(address, size, &access, 1));
}

/// Reserved addresses with memory behind all of them.
static inline uint64_t map_memory(size_t size) {
    uint64_t address, memory = create_memory(size, CARD_HANDLE_NONE);
    works(cuMemAddressReserve(&address, size, 0, 0, 0));
    works(cuMemMap(address, size, 0, memory, 0));
    works(cuMemRelease(memory));
    allow(address, size, CARD_ACCESS_BOTH);
    return address;
}

#endif
