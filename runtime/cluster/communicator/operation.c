// One function goes over the fields of each kind, to measure, to write and to read alike.
#include "operation.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "cluster/communicator/track.h"

/// Where the fields go to, or come from.
struct cursor {
    unsigned char *out;      ///< NULL unless it writes
    const unsigned char *in; ///< NULL unless it reads
    size_t at, size;         ///< reading: bytes there are
    const char *wrong;       ///< why it can't be read
};

static void fail(struct cursor *c, const char *why) {
    if (!c->wrong)
        c->wrong = why;
}

static void number(struct cursor *c, uint64_t *value, size_t size) {
    assert(size <= sizeof *value);
    assert(!c->in || c->at <= c->size);
    if (c->in) {
        if (c->size - c->at < size) {
            fail(c, "it is too short");
            return;
        }
        *value = 0;
        for (size_t i = 0; i < size; i++)
            *value |= (uint64_t)c->in[c->at + i] << (8 * i);
    }
    for (size_t i = 0; c->out && i < size; i++)
        c->out[c->at + i] = (unsigned char)(*value >> (8 * i));
    c->at += size;
}

static void field32(struct cursor *c, uint32_t *value) {
    uint64_t wide = *value;
    number(c, &wide, sizeof *value);
    *value = (uint32_t)wide;
}

static void field64(struct cursor *c, uint64_t *value) {
    number(c, value, sizeof *value);
}

/// `count` elements of `element` bytes, after their number.
static void string(struct cursor *c, const unsigned char **bytes, uint32_t *count, size_t element,
                   size_t most) {
    field32(c, count);
    size_t size = *count * element;
    if (c->in) {
        if (c->wrong || *count > most || c->size - c->at < size) {
            fail(c, "a length is wrong");
            *count = 0;
            return;
        }
        *bytes = c->in + c->at;
    }
    if (c->out && size > 0)
        memcpy(c->out + c->at, *bytes, size);
    c->at += size;
}

static void text(struct cursor *c, const char **text, uint32_t *size, size_t most) {
    const unsigned char *bytes = (const unsigned char *)*text;
    string(c, &bytes, size, 1, most);
    *text = (const char *)bytes;
}

static void box(struct cursor *c, struct gcl_operation_box *b) {
    uint64_t *fields[] = {&b->begin, &b->pitch, &b->slice, &b->width, &b->height, &b->depth};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        field64(c, fields[i]);
}

static void extent(struct cursor *c, uint32_t *size) {
    for (int axis = 0; axis < 3; axis++) {
        field32(c, &size[axis]);
        if (c->in && size[axis] == 0)
            fail(c, "a launch is empty");
    }
}

static void launch(struct cursor *c, struct gcl_operation *o) {
    field32(c, &o->launch.kernel);
    field64(c, &o->launch.directory);
    extent(c, o->launch.geometry.grid);
    extent(c, o->launch.geometry.block);
    field32(c, &o->launch.geometry.shared_size);
    field32(c, &o->launch.first);
    if (c->in &&
        o->launch.first >= o->launch.geometry.grid[gcl_geometry_slowest(&o->launch.geometry)])
        fail(c, "a launch is empty");
    field32(c, &o->launch.flags);
    field32(c, &o->launch.node);
    field32(c, &o->launch.planning);
    field32(c, &o->launch.origin);
    text(c, &o->launch.file, &o->launch.file_size, GCL_OPERATION_MAX_FILE);
    field32(c, &o->launch.line);
    string(c, &o->launch.arguments, &o->launch.argument_size, 1, GCL_OPERATION_MAX_ARGUMENTS);
}

static void fields(struct cursor *c, struct gcl_operation *o) {
    uint64_t kind = o->kind;
    number(c, &kind, 1);
    field64(c, &o->sequence);
    uint64_t track = o->track;
    number(c, &track, 1);
    o->track = (uint32_t)track;
    if (c->in && track > GCL_TRACK_KERNELS_LAST)
        fail(c, "its track isn't known");
    o->kind = (enum gcl_operation_kind)kind;
    switch (o->kind) {
    case GCL_OPERATION_ALLOCATE:
        field64(c, &o->allocate.begin);
        field64(c, &o->allocate.size);
        field32(c, &o->allocate.space_kind);
        field32(c, &o->allocate.home);
        field32(c, &o->allocate.holder);
        break;
    case GCL_OPERATION_FREE:
        field64(c, &o->free.begin);
        break;
    case GCL_OPERATION_CODE:
        text(c, &o->code.id, &o->code.id_size, GCL_OPERATION_MAX_TEXT);
        field64(c, &o->code.stride);
        string(c, &o->code.addresses, &o->code.count, 8, GCL_OPERATION_MAX_TEXT);
        break;
    case GCL_OPERATION_MODULE:
        field32(c, &o->module.number);
        field64(c, &o->module.hash);
        string(c, &o->module.bytes, &o->module.size, 1, GCL_OPERATION_MAX_MODULE);
        break;
    case GCL_OPERATION_KERNEL:
        field32(c, &o->kernel.number);
        text(c, &o->kernel.id, &o->kernel.id_size, GCL_OPERATION_MAX_TEXT);
        text(c, &o->kernel.name, &o->kernel.name_size, GCL_OPERATION_MAX_TEXT);
        break;
    case GCL_OPERATION_LAUNCH:
        launch(c, o);
        break;
    case GCL_OPERATION_ACCESS:
        box(c, &o->access.read);
        box(c, &o->access.written);
        break;
    case GCL_OPERATION_FILL:
        box(c, &o->fill.box);
        field32(c, &o->fill.value);
        break;
    case GCL_OPERATION_ESCAPE:
        field64(c, &o->escape.begin);
        break;
    case GCL_OPERATION_AWAIT:
        field32(c, &o->await.node);
        break;
    case GCL_OPERATION_ALLOW:
        field32(c, &o->allow.node);
        field32(c, &o->allow.home);
        field32(c, &o->allow.is_allowed);
        break;
    case GCL_OPERATION_LIMIT:
        field32(c, &o->limit.node);
        field32(c, &o->limit.limit);
        field64(c, &o->limit.value);
        break;
    case GCL_OPERATION_LIBRARY:
        text(c, &o->library.path, &o->library.path_size, GCL_OPERATION_MAX_TEXT);
        field64(c, &o->library.content);
        break;
    case GCL_OPERATION_SETTLE:
        field32(c, &o->settle.tracks);
        break;
    case GCL_OPERATION_REPORT:
        break;
    default:
        fail(c, "its kind isn't known");
    }
}

const char *gcl_operation_name(enum gcl_operation_kind kind) {
    static const char *const names[] = {
        [GCL_OPERATION_ALLOCATE] = "an allocation",
        [GCL_OPERATION_FREE] = "the end of an allocation",
        [GCL_OPERATION_CODE] = "the variables of device code",
        [GCL_OPERATION_KERNEL] = "a kernel",
        [GCL_OPERATION_LAUNCH] = "a launch",
        [GCL_OPERATION_ACCESS] = "a copy",
        [GCL_OPERATION_FILL] = "a fill",
        [GCL_OPERATION_SETTLE] = "a request to settle",
        [GCL_OPERATION_ESCAPE] = "an escape",
        [GCL_OPERATION_REPORT] = "a request for a report",
        [GCL_OPERATION_AWAIT] = "a request to wait",
        [GCL_OPERATION_ALLOW] = "a right",
        [GCL_OPERATION_LIMIT] = "a limit",
        [GCL_OPERATION_MODULE] = "a module",
        [GCL_OPERATION_LIBRARY] = "a library",
    };
    assert((size_t)kind < sizeof names / sizeof names[0] && names[kind]);
    return names[kind];
}

size_t gcl_operation_size(const struct gcl_operation *operation) {
    struct gcl_operation copy = *operation;
    struct cursor cursor = {.out = NULL};
    fields(&cursor, &copy);
    assert(!cursor.wrong);
    return cursor.at;
}

void gcl_operation_write(const struct gcl_operation *operation, unsigned char *out) {
    struct gcl_operation copy = *operation;
    struct cursor cursor = {.out = out};
    fields(&cursor, &copy);
    assert(!cursor.wrong);
}

const char *gcl_operation_read(const unsigned char *bytes, size_t size,
                               struct gcl_operation *operation) {
    struct cursor cursor = {.in = bytes, .size = size};
    memset(operation, 0, sizeof *operation);
    fields(&cursor, operation);
    if (!cursor.wrong && cursor.at != size)
        fail(&cursor, "it is too long");
    return cursor.wrong;
}
