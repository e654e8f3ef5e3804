// What device code calls outside of its own object: printf, malloc, assert, clocks. The code
// generator gives these names to the CUDA functions (compiler/device/ir/intrinsics.c).
#include "exec/block/intrinsics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/block/block.h"
#include "exec/block/signals.h"

enum { MAX_SPECIFIER = 64 };

// Walks through the arguments of a device printf: a packed struct in which each lies at its
// natural alignment, as clang lays it out for vprintf.
struct reader {
    const unsigned char *bytes;
    size_t offset;
};

static void read_argument(struct reader *reader, void *out, size_t size) {
    reader->offset = (reader->offset + size - 1) & ~(size - 1);
    memcpy(out, reader->bytes + reader->offset, size);
    reader->offset += size;
}

static int read_int(struct reader *reader) {
    int value = 0;
    read_argument(reader, &value, sizeof value);
    return value;
}

// A conversion of printf's format, `*` already replaced by its number.
struct specifier {
    char text[MAX_SPECIFIER];
    size_t length;
    bool is_long;
};

static void append(struct specifier *s, const char *text, size_t length) {
    if (s->length + length >= sizeof s->text)
        return;
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = 0;
}

// Reads a conversion from behind its `%` up to and including its letter.
static const char *scan(const char *p, struct reader *reader, struct specifier *s) {
    append(s, "%", 1);
    for (; *p && strchr("-+ #0123456789.*'", *p); p++) {
        char number[16];
        if (*p == '*')
            append(s, number, (size_t)snprintf(number, sizeof number, "%d", read_int(reader)));
        else
            append(s, p, 1);
    }
    for (; *p && strchr("hljztqL", *p); p++) {
        if (strchr("ljztq", *p))
            s->is_long = true;
        if (*p == 'h')
            append(s, p, 1);
    }
    return p;
}

static void print_argument(FILE *out, struct specifier *s, char letter, struct reader *reader) {
    if (strchr("diouxXc", letter)) {
        long long value = 0;
        if (s->is_long) {
            read_argument(reader, &value, sizeof value);
            append(s, "ll", 2);
        } else {
            value = read_int(reader);
        }
        append(s, &letter, 1);
        if (s->is_long)
            fprintf(out, s->text, value);
        else
            fprintf(out, s->text, (int)value);
    } else if (strchr("eEfFgGaA", letter)) {
        double value = 0;
        read_argument(reader, &value, sizeof value);
        append(s, &letter, 1);
        fprintf(out, s->text, value);
    } else {
        void *value = NULL;
        read_argument(reader, &value, sizeof value);
        append(s, &letter, 1);
        fprintf(out, s->text, letter == 's' && !value ? "(null)" : value);
    }
}

static int print_all(FILE *out, const char *format, struct reader *reader) {
    int count = 0;
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            putc(*p, out);
            continue;
        }
        if (p[1] == '%') {
            putc(*p++, out);
            continue;
        }
        struct specifier specifier = {.length = 0};
        p = scan(p + 1, reader, &specifier);
        if (!*p || !strchr("diouxXceEfFgGaAsp", *p))
            return -1;
        print_argument(out, &specifier, *p, reader);
        count++;
    }
    return count;
}

int gcl_device_printf(const char *format, const void *arguments) {
    struct reader reader = {.bytes = arguments};
    char *text = NULL;
    size_t size = 0;

    // Collected first: threads of many workers print, and each call is one piece of the output.
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return -1;
    int count = print_all(memory, format, &reader);
    if (fclose(memory) == 0 && text)
        fwrite(text, 1, size, stdout);
    free(text);
    return count;
}

void *gcl_device_malloc(size_t size) {
    return malloc(size);
}

void gcl_device_free(void *pointer) {
    free(pointer);
}

_Noreturn void gcl_device_assert_fail(const char *expression, const char *file, unsigned line,
                                      const char *function) {
    gcl_block_abort(GCL_FAULT_ASSERT, "%.120s:%u: %.60s: assertion `%.80s' failed", file, line,
                    function ? function : "", expression);
}

_Noreturn void gcl_device_trap(void) {
    gcl_block_abort(GCL_FAULT_TRAP, "__trap() was called");
}

_Noreturn void gcl_device_refuse_ptx(const char *statement, const char *file, unsigned line) {
    gcl_block_abort(GCL_FAULT_INSTRUCTION,
                    "%.120s:%u: inline PTX that the CPU device doesn't know: %.200s", file, line,
                    statement);
}

unsigned gcl_device_is_local(const void *address) {
    uintptr_t frame = (uintptr_t)gcl_block_current()->frame;
    return (uintptr_t)address - frame < gcl_block_frame_size() || gcl_signals_is_on_stack(address);
}

static long long now_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

long long gcl_device_clock(void) {
    return now_ns(CLOCK_MONOTONIC);
}

unsigned long long gcl_device_globaltimer(void) {
    return (unsigned long long)now_ns(CLOCK_REALTIME);
}

void gcl_device_nanosleep(unsigned ns) {
    struct timespec t = {.tv_sec = ns / 1000000000u, .tv_nsec = ns % 1000000000u};
    nanosleep(&t, NULL);
}
