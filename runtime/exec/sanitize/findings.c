// A list that is searched from front to back: a program has few findings, and what isn't new is
// looked up only where something is wrong anyway.
#include "exec/sanitize/findings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/name.h"

enum { MOST = 4096, TOLD_A_KERNEL = 10 };

static bool is_same_place(const struct gcl_site *a, const struct gcl_site *b) {
    if (!a || !b)
        return a == b;
    return a->line == b->line && (a->line == 0 || strcmp(a->file, b->file) == 0);
}

static bool is_same(const struct gcl_finding *a, const struct gcl_finding *b) {
    return a->kind == b->kind && a->kernel == b->kernel && is_same_place(a->site, b->site) &&
           is_same_place(a->other, b->other);
}

bool gcl_findings_have(const struct gcl_findings *f, const struct gcl_finding *finding) {
    for (size_t i = 0; i < f->count; i++) {
        if (is_same(&f->list[i], finding))
            return true;
    }
    return f->count >= MOST;
}

static bool reserve(struct gcl_findings *f) {
    if (f->count < f->capacity)
        return true;
    size_t capacity = f->capacity ? 2 * f->capacity : 32;
    struct gcl_finding *list = realloc(f->list, capacity * sizeof *list);
    if (!list)
        return false;
    f->list = list;
    f->capacity = capacity;
    return true;
}

static size_t count_of(const struct gcl_findings *f, const struct gcl_kernel *kernel,
                       bool unchecked) {
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        count +=
            f->list[i].kernel == kernel && (f->list[i].kind == GCL_FINDING_UNCHECKED) == unchecked;
    return count;
}

bool gcl_findings_add(struct gcl_findings *f, const struct gcl_finding *finding) {
    if (gcl_findings_have(f, finding) || !reserve(f))
        return false;
    assert(f->count < f->capacity);
    f->list[f->count++] = *finding;
    return finding->kind != GCL_FINDING_UNCHECKED &&
           count_of(f, finding->kernel, false) <= TOLD_A_KERNEL;
}

bool gcl_findings_have_kind(const struct gcl_findings *f, enum gcl_finding_kind kind) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].kind == kind)
            return true;
    }
    return false;
}

static bool is_first_of_kernel(const struct gcl_findings *f, size_t at) {
    assert(at < f->count);
    for (size_t i = 0; i < at; i++) {
        if (f->list[i].kernel == f->list[at].kernel)
            return false;
    }
    return true;
}

static void list_unchecked(const struct gcl_findings *f, const struct gcl_kernel *kernel,
                           const char *name) {
    char places[512] = "";
    size_t count = count_of(f, kernel, true), length = 0;
    for (size_t i = 0; i < f->count && length < sizeof places; i++) {
        const struct gcl_finding *finding = &f->list[i];
        if (finding->kernel == kernel && finding->kind == GCL_FINDING_UNCHECKED)
            length +=
                (size_t)snprintf(places + length, sizeof places - length, "%s%s:%u",
                                 length ? ", " : "", finding->site->file, finding->site->line);
    }
    if (count > 0)
        gcl_log(GCL_LOG_INFO, "kernel %s: %zu places that no footprint could be checked for: %s",
                name, count, places);
}

void gcl_findings_close(const struct gcl_findings *f) {
    for (size_t i = 0; i < f->count; i++) {
        char name[128];
        if (!is_first_of_kernel(f, i))
            continue;
        const struct gcl_kernel *kernel = f->list[i].kernel;
        gcl_name_demangle(kernel->name, name, sizeof name);
        size_t count = count_of(f, kernel, false);
        if (count > TOLD_A_KERNEL)
            gcl_findings_print("kernel %s: %zu more findings", name, count - TOLD_A_KERNEL);
        list_unchecked(f, kernel, name);
    }
}

void gcl_findings_finish(struct gcl_findings *f) {
    free(f->list);
    *f = (struct gcl_findings){0};
}

void gcl_findings_print(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "gcluster: %s\n", text);
}
