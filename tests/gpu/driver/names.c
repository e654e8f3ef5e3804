// Names: of results, and of functions for those who ask for them by name.
#include <string.h>

#include "card.h"

static const struct {
    int value;
    const char *name, *text;
} results[] = {
#define ROW(name, value, text) {value, #name, text},
    CARD_RESULTS(ROW)
#undef ROW
};

static const struct {
    const char *name;
    void (*function)(void);
    int version;
} functions[] = {
#define ROW(name, parameters, version) {#name, (void (*)(void))name, version},
    CARD_FUNCTIONS(ROW)
#undef ROW
};

const char *card_result_name(int result) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i].value == result)
            return results[i].name;
    }
    return NULL;
}

const char *card_result_text(int result) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i].value == result)
            return results[i].text;
    }
    return NULL;
}

int cuGetErrorName(int error, const char **text) {
    *text = card_result_name(error);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int cuGetErrorString(int error, const char **text) {
    *text = card_result_text(error);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// The number behind the last "_v" of a name, 1 without; `*length` is the name's without it.
static int variant_of(const char *name, size_t *length) {
    const char *mark = strstr(name, "_v");
    *length = mark ? (size_t)(mark - name) : strlen(name);
    return mark ? mark[2] - '0' : 1;
}

enum { FOUND, NO_SYMBOL, TOO_OLD };

/// The newest variant of a function that a version of CUDA has.
static int find(const char *symbol, int version, void **function) {
    int status = NO_SYMBOL, best = 0;
    *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t length;
        int variant = variant_of(functions[i].name, &length);
        if (strlen(symbol) != length || strncmp(symbol, functions[i].name, length) != 0)
            continue;
        if (functions[i].version > version || functions[i].version > card.settings.version) {
            status = status == FOUND ? FOUND : TOO_OLD;
        } else if (variant > best) {
            status = FOUND;
            best = variant;
            memcpy(function, &functions[i].function, sizeof *function);
        }
    }
    return status;
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                        int *status) {
    int result = card_enter("cuGetProcAddress_v2", CARD_ANY);
    if (result)
        return card_leave(result);
    if (!symbol || !function || flags > 2)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    int found = find(symbol, version, function);
    if (status)
        *status = found;
    return card_leave(found == FOUND ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}
