// A message is put together first and written in one piece, so that lines of threads don't mix.
#include "log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"error", "warn", "info", "debug", "trace"};
static const char *const labels[] = {"error: ", "warning: ", "", "debug: ", "trace: "};

static _Atomic int shown = GCL_LOG_WARN;
static _Atomic(const char *) speaker = "";

bool gcl_log_parse(const char *name, enum gcl_log_level *level) {
    for (int i = GCL_LOG_ERROR; i <= GCL_LOG_TRACE; i++) {
        if (strcmp(name, names[i]) == 0) {
            *level = (enum gcl_log_level)i;
            return true;
        }
    }
    return false;
}

void gcl_log_set(enum gcl_log_level level) {
    assert(level <= GCL_LOG_TRACE);
    atomic_store(&shown, (int)level);
}

void gcl_log_set_label(const char *label) {
    assert(label);
    atomic_store(&speaker, label);
}

bool gcl_log_shows(enum gcl_log_level level) {
    return (int)level <= atomic_load_explicit(&shown, memory_order_relaxed);
}

void gcl_log(enum gcl_log_level level, const char *format, ...) {
    char text[1024];
    va_list arguments;

    if (!gcl_log_shows(level))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "gcluster: %s%s%s\n", atomic_load(&speaker), labels[level], text);
}
