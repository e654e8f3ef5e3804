// Functions that the driver brings: vprintf, __assertfail, malloc, free.
#include <stdio.h>
#include <stdlib.h>

#include "lanes.h"

/// Argument `index` of a call, of the lane: up to 8 bytes. 0: there is none.
static uint64_t argument(const struct ptx_warp *warp, const struct ptx_op *op, size_t index,
                         int lane) {
    const struct ptx_call *call = op->extra;
    uint64_t value = 0;
    if (index >= call->argument_count)
        return 0;
    const struct ptx_place *place = call->arguments[index];
    const unsigned char *from =
        warp->local + (uint64_t)lane * warp->local_size + warp->group->frame->local + place->offset;
    memcpy(&value, from, place->size < 8 ? place->size : 8);
    return value;
}

static void set_result(const struct ptx_warp *warp, const struct ptx_op *op, int lane,
                       uint64_t value) {
    const struct ptx_call *call = op->extra;
    if (call->result_count == 0)
        return;
    const struct ptx_place *place = call->results[0];
    unsigned char *to =
        warp->local + (uint64_t)lane * warp->local_size + warp->group->frame->local + place->offset;
    memcpy(to, &value, place->size < 8 ? place->size : 8);
}

/// Text that grows.
struct text {
    char *bytes;
    size_t size, capacity;
};

static void append(struct text *text, const void *bytes, size_t size) {
    while (text->capacity < text->size + size)
        text->bytes = ptx_grow(text->bytes, text->capacity, &text->capacity, 1);
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/// Appends the text at an address, up to its 0. False: it is nowhere.
static bool append_string(struct ptx_warp *warp, int lane, uint64_t address, struct text *text) {
    for (;;) {
        size_t available;
        const unsigned char *from = ptx_locate_byte(warp, lane, address, &available);
        if (!from)
            return false;
        size_t length = strnlen((const char *)from, available);
        append(text, from, length);
        if (length < available)
            return true;
        address += length;
    }
}

static bool read_bytes(struct ptx_warp *warp, int lane, uint64_t address, void *to, size_t size) {
    size_t available;
    const unsigned char *from = ptx_locate_byte(warp, lane, address, &available);
    if (!from || available < size)
        return false;
    memcpy(to, from, size);
    return true;
}

/// One lane's printf under way: where the next argument lies.
struct arguments {
    struct ptx_warp *warp;
    int lane;
    uint64_t address;
};

static bool next_argument(struct arguments *arguments, size_t size, uint64_t *value) {
    arguments->address = (arguments->address + size - 1) / size * size;
    *value = 0;
    bool is_there = read_bytes(arguments->warp, arguments->lane, arguments->address, value, size);
    arguments->address += size;
    return is_there;
}

static void append_formatted(struct text *text, const char *format, int stars, const int *star,
                             uint64_t value, bool is_double) {
    char room[512];
    double real;
    memcpy(&real, &value, sizeof real);
    int size = 0;
    for (int try = 0; try < 2; try++) {
        size_t space = try == 0 ? sizeof room : (size_t)size + 1;
        char *to = try == 0 ? room : malloc(space);
        if (!to)
            abort();
#define PRINT(v)                                                                                   \
    (stars == 0   ? snprintf(to, space, format, v)                                                 \
     : stars == 1 ? snprintf(to, space, format, star[0], v)                                        \
                  : snprintf(to, space, format, star[0], star[1], v))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        size = is_double ? PRINT(real) : PRINT(value);
#pragma GCC diagnostic pop
        bool is_complete = size >= 0 && (size_t)size < space;
        if (is_complete)
            append(text, to, (size_t)size);
        if (to != room)
            free(to);
        if (is_complete || size < 0)
            return;
    }
}

/// One conversion, from the % on: its text without sizes, which the argument's size replaces.
/// Returns what stands behind it; NULL: an argument is nowhere.
static const char *print_one(struct arguments *arguments, const char *at, struct text *text) {
    char format[64] = "%";
    size_t length = 1;
    int star[2], stars = 0, longs = 0, shorts = 0;
    uint64_t value;
    for (at++; *at && strchr("-+ #0123456789.*", *at); at++) {
        if (*at == '*' && stars < 2) {
            if (!next_argument(arguments, 4, &value))
                return NULL;
            star[stars++] = (int)(uint32_t)value;
        }
        if (length < 40)
            format[length++] = *at;
    }
    for (; *at && strchr("hlLqjzt", *at); at++) {
        longs += *at != 'h';
        shorts += *at == 'h';
    }
    char conversion = *at;
    if (!conversion)
        return at;
    if (conversion == '%') {
        append(text, "%", 1);
        return at + 1;
    }
    bool is_double = strchr("aAeEfFgG", conversion) != NULL;
    bool is_large = is_double || conversion == 's' || conversion == 'p' || longs > 0;
    if (!strchr("aAeEfFgGspdiouxXc", conversion)) {
        append(text, format, length);
        append(text, at, 1);
        return at + 1;
    }
    if (!next_argument(arguments, is_large ? 8 : 4, &value))
        return NULL;
    if (conversion == 'd' || conversion == 'i') {
        int64_t narrow = shorts == 1 ? (int16_t)value : shorts > 1 ? (int8_t)value : (int32_t)value;
        value = longs ? value : (uint64_t)narrow;
    } else if (shorts > 0) {
        value = shorts == 1 ? (uint16_t)value : (uint8_t)value;
    }
    struct text string = {NULL, 0, 0};
    if (conversion == 's') {
        bool is_there = value == 0
                            ? (append(&string, "(null)", 6), true)
                            : append_string(arguments->warp, arguments->lane, value, &string);
        append(&string, "", 1);
        if (!is_there) {
            free(string.bytes);
            return NULL;
        }
        value = (uint64_t)(uintptr_t)string.bytes;
    }
    if (strchr("diouxX", conversion)) {
        format[length++] = 'l';
        format[length++] = 'l';
    }
    format[length++] = conversion;
    format[length] = 0;
    append_formatted(text, format, stars, star, value, is_double);
    free(string.bytes);
    return at + 1;
}

/// False: some of it is nowhere.
static bool print(struct arguments *arguments, const char *format, struct text *text) {
    const char *at = format;
    while (at && *at) {
        const char *percent = strchr(at, '%');
        size_t plain = percent ? (size_t)(percent - at) : strlen(at);
        append(text, at, plain);
        at = percent ? print_one(arguments, percent, text) : at + plain;
    }
    return at != NULL;
}

static FILE *output_of(const struct ptx_warp *warp) {
    FILE *output = warp->block->run->launch->output;
    return output ? output : stdout;
}

/// What goes to the frame's local memory goes to the lane's own.
const struct ptx_op *ptx_step_vprintf(struct ptx_warp *warp, const struct ptx_op *op) {
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        struct text format = {NULL, 0, 0}, text = {NULL, 0, 0};
        struct arguments arguments = {warp, lane, argument(warp, op, 1, lane)};
        bool is_right = append_string(warp, lane, argument(warp, op, 0, lane), &format);
        append(&format, "", 1);
        is_right = is_right && print(&arguments, format.bytes, &text);
        if (text.size > 0)
            fwrite(text.bytes, 1, text.size, output_of(warp));
        free(format.bytes);
        free(text.bytes);
        if (!is_right) {
            ptx_fault(warp, op, lane, PTX_ILLEGAL_ADDRESS,
                      "illegal address: an argument of printf");
            return NULL;
        }
        set_result(warp, op, lane, 0);
    }
    return op + 1;
}

/// __assertfail(message, file, line, function, size of a character)
const struct ptx_op *ptx_step_assertfail(struct ptx_warp *warp, const struct ptx_op *op) {
    int lane = __builtin_ctz(warp->mask);
    struct text texts[3] = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
    static const size_t indices[3] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        if (!append_string(warp, lane, argument(warp, op, indices[i], lane), &texts[i]))
            append(&texts[i], "?", 1);
        append(&texts[i], "", 1);
    }
    unsigned line = (unsigned)argument(warp, op, 2, lane);
    const struct ptx_block *block = warp->block;
    fprintf(output_of(warp),
            "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            texts[1].bytes, line, texts[2].bytes, block->index[0], block->index[1], block->index[2],
            warp->thread[0][lane], warp->thread[1][lane], warp->thread[2][lane], texts[0].bytes);
    ptx_fault(warp, op, lane, PTX_ASSERT, "assertion `%s` failed at %s:%u", texts[0].bytes,
              texts[1].bytes, line);
    for (int i = 0; i < 3; i++)
        free(texts[i].bytes);
    return NULL;
}

const struct ptx_op *ptx_step_malloc(struct ptx_warp *warp, const struct ptx_op *op) {
    struct ptx_heap *heap = warp->block->run->launch->heap;
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint64_t size = argument(warp, op, 0, lane);
        set_result(warp, op, lane, heap ? ptx_heap_allocate(heap, size) : 0);
    }
    return op + 1;
}

const struct ptx_op *ptx_step_free(struct ptx_warp *warp, const struct ptx_op *op) {
    struct ptx_heap *heap = warp->block->run->launch->heap;
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint64_t address = argument(warp, op, 0, lane);
        if (address == 0 || (heap && ptx_heap_free(heap, address)))
            continue;
        ptx_fault(warp, op, lane, PTX_TRAP, "free of 0x%llx, which malloc did not give",
                  (unsigned long long)address);
        return NULL;
    }
    return op + 1;
}
