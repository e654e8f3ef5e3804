// What other nodes say, against what this one knows: node 0's operations before any of them is
// carried out, and the others' words to node 0. Whoever speaks has proven to be of the job, which
// doesn't keep it from being broken; what is checked here overwrites no memory afterwards. What
// doesn't fit ends the job, with the node and with what was expected of it.
//
// The form of operations is checked where they are read (cluster/communicator/operation.h), the
// size of requests where they come (cluster/messages/mailbox.h), and what nodes found in memory
// where it is unpacked (plan/survey/survey.h).
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/name.h"
#include "exec/code/module.h"
#include "exec/code/registry.h"
#include "exec/spread/check.h"
#include "exec/spread/launch.h"
#include "exec/spread/track.h"

enum { MOST_GRID_X = INT32_MAX, MOST_GRID_YZ = UINT16_MAX };

/// An operation, and what is wrong with it.
struct check {
    struct gcl_spread *spread;
    const struct gcl_operation *operation;
    char *wrong;
    size_t room;
};

/// Always false.
__attribute__((format(printf, 2, 3))) static bool refuse(const struct check *c, const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->wrong, c->room, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_node(const struct check *c, uint32_t node) {
    return node < c->spread->options.count;
}

// Memory.

/// The allocation that holds `size` bytes from `begin` on, NULL: none does.
static const struct gcl_directory_entry *find_room(const struct check *c, uint64_t begin,
                                                   uint64_t size) {
    const struct gcl_directory_entry *entry = gcl_directory_find(c->spread->directory, begin);
    return entry && size <= entry->size - (begin - entry->begin) ? entry : NULL;
}

static bool check_allocate(const struct check *c) {
    const unsigned kinds = GCL_SPACE_DEVICE | GCL_SPACE_MANAGED | GCL_SPACE_PINNED |
                           GCL_SPACE_VARIABLE | GCL_SPACE_ARRAY;
    uint64_t at = c->operation->allocate.begin, size = c->operation->allocate.size, begin, end;
    uint32_t kind = c->operation->allocate.space_kind, home = c->operation->allocate.home;
    gcl_space_range(c->spread->options.space, &begin, &end);
    if (size == 0 || at < begin || at >= end || size > end - at)
        return refuse(c,
                      "%" PRIu64 " bytes at %#" PRIx64 " aren't within %#" PRIx64 " to %#" PRIx64,
                      size, at, begin, end);
    if (!gcl_directory_is_free(c->spread->directory, at, size))
        return refuse(c, "some of %" PRIu64 " bytes at %#" PRIx64 " are allocated already", size,
                      at);
    if (!kind || (kind & (kind - 1)) || (kind & ~kinds))
        return refuse(c, "there is no memory of kind %u", kind);
    if (c->operation->allocate.holder != GCL_NOBODY && c->operation->allocate.holder != 0)
        return refuse(c, "it says that node %u alone has new memory",
                      c->operation->allocate.holder);
    return home == GCL_NOBODY || is_node(c, home) ||
           refuse(c, "it gives memory to node %u of %u", home, c->spread->options.count);
}

static bool check_free(const struct check *c) {
    uint64_t begin = c->operation->free.begin;
    const struct gcl_directory_entry *entry = gcl_directory_find(c->spread->directory, begin);
    return (entry && entry->begin == begin) ||
           refuse(c, "no allocation begins at %#" PRIx64, begin);
}

/// Whether a box lies in one allocation, or outside of all, where only node 0 uses it.
static bool check_box(const struct check *c, const struct gcl_operation_box *box, bool is_needed) {
    uint64_t slices, rows, span;
    if (box->width == 0 && !is_needed)
        return true;
    if (box->width == 0 || box->height == 0 || box->depth == 0 ||
        __builtin_mul_overflow(box->slice, box->depth - 1, &slices) ||
        __builtin_mul_overflow(box->pitch, box->height - 1, &rows) ||
        __builtin_add_overflow(slices, rows, &span) ||
        __builtin_add_overflow(span, box->width, &span))
        return refuse(c, "a box of %" PRIu64 " x %" PRIu64 " x %" PRIu64 " bytes is none",
                      box->width, box->height, box->depth);
    bool is_known = gcl_directory_find(c->spread->directory, box->begin) != NULL;
    if ((!is_known && !is_needed) || find_room(c, box->begin, span))
        return true;
    return refuse(c, "%" PRIu64 " bytes at %#" PRIx64 " aren't in one allocation", span,
                  box->begin);
}

static bool check_access(const struct check *c) {
    const struct gcl_operation_box *read = &c->operation->access.read;
    const struct gcl_operation_box *written = &c->operation->access.written;
    if (!check_box(c, read, false) || !check_box(c, written, false))
        return false;
    bool is_copy = read->width > 0 && written->width > 0;
    return !is_copy ||
           (read->width == written->width && read->height == written->height &&
            read->depth == written->depth) ||
           refuse(c,
                  "it copies %" PRIu64 " x %" PRIu64 " x %" PRIu64 " bytes to %" PRIu64
                  " x %" PRIu64 " x %" PRIu64,
                  read->width, read->height, read->depth, written->width, written->height,
                  written->depth);
}

static bool check_fill(const struct check *c) {
    uint32_t value = c->operation->fill.value;
    return check_box(c, &c->operation->fill.box, true) &&
           (value <= UINT8_MAX || refuse(c, "%u is no byte", value));
}

// Device code.

/// Whether a variable has room on each device.
static bool check_variable(const struct check *c, const struct gcl_variable *variable,
                           uint64_t begin) {
    uint64_t stride = c->operation->code.stride;
    gcl_node count = stride ? c->spread->options.count : 1;
    if (variable->flags & GCL_VARIABLE_MANAGED)
        return true; // it lies in memory of node 0's program, where only node 0 uses it
    for (gcl_node i = 0; i < count; i++) {
        uint64_t shift, at;
        if (__builtin_mul_overflow(stride, i, &shift) ||
            __builtin_add_overflow(begin, shift, &at) || !find_room(c, at, variable->size))
            return refuse(c, "variable %s of %zu bytes at %#" PRIx64 " isn't in an allocation",
                          variable->name, (size_t)variable->size, begin);
    }
    return true;
}

/// Whether the image of an object's functions and constants lies where images do.
static bool check_image(const struct check *c, uint64_t size, uint64_t at) {
    uintptr_t begin, end;
    gcl_space_images(c->spread->options.space, &begin, &end);
    return (at >= begin && at < end && size <= end - at) ||
           refuse(c,
                  "an image of %" PRIu64 " bytes at %#" PRIx64 " isn't within %#" PRIxPTR
                  " to %#" PRIxPTR,
                  size, at, begin, end);
}

static bool check_code(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    const struct gcl_code *code = gcl_registry_code_of(o->code.id, o->code.id_size);
    if (!code || gcl_registry_address_count(code) != o->code.count)
        return refuse(c, "this program has no device code %.*s with %u addresses",
                      (int)o->code.id_size, o->code.id, o->code.count);
    for (uint32_t i = 0; i < o->code.count; i++) {
        uint64_t begin;
        gcl_bytes_get64(o->code.addresses + 8 * (size_t)i, &begin);
        if (!(i < code->variable_count ? check_variable(c, &code->variables[i], begin)
                                       : check_image(c, code->image->size, begin)))
            return false;
    }
    return true;
}

/// What is in it gcl_library_load checks.
static bool check_library(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    return (o->library.path_size > 0 && o->library.path[0] == '/' &&
            !memchr(o->library.path, 0, o->library.path_size)) ||
           refuse(c, "the path of a library isn't absolute");
}

static bool check_kernel(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    if (o->kernel.number != gcl_spread_kernel_count(c->spread))
        return refuse(c, "it gives a kernel number %u instead of %u", o->kernel.number,
                      gcl_spread_kernel_count(c->spread));
    if (o->kernel.name_size == 0)
        return true; // its library is gone: nobody launches it any more
    return gcl_registry_kernel(o->kernel.id, o->kernel.id_size, o->kernel.name,
                               o->kernel.name_size) ||
           refuse(c, "this program has no kernel %.*s", (int)o->kernel.name_size, o->kernel.name);
}

/// Whether a module's bytes are those that node 0 has loaded.
static bool check_module(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    bool is_whole = gcl_module_size(o->module.bytes, o->module.size) == o->module.size &&
                    gcl_hash(o->module.bytes, o->module.size) == o->module.hash;
    return (o->module.size > 0 && is_whole) ||
           refuse(c, "%u bytes of a module are damaged, or for another processor", o->module.size);
}

static bool check_extent(const struct check *c, const struct gcl_kernel *kernel) {
    const uint32_t *grid = c->operation->launch.geometry.grid;
    const uint32_t *block = c->operation->launch.geometry.block;
    uint64_t most = kernel->max_threads;
    bool is_grid = grid[0] <= MOST_GRID_X && grid[1] <= MOST_GRID_YZ && grid[2] <= MOST_GRID_YZ;
    bool is_block = block[0] <= most && block[1] <= most && block[2] <= most &&
                    (uint64_t)block[0] * block[1] * block[2] <= most;
    return (is_grid && is_block) ||
           refuse(c,
                  "a kernel of at most %u threads a block can't run as %u x %u x %u blocks of "
                  "%u x %u x %u",
                  kernel->max_threads, grid[0], grid[1], grid[2], block[0], block[1], block[2]);
}

static bool check_launch(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    struct gcl_spread *spread = c->spread;
    char name[96];
    const struct gcl_kernel *kernel = gcl_spread_kernel(spread, o->launch.kernel);
    if (!kernel)
        return refuse(c, "there is no kernel number %u of %u", o->launch.kernel,
                      gcl_spread_kernel_count(spread));
    if (o->launch.argument_size != kernel->argument_size)
        return refuse(c, "%s takes %u bytes of arguments, not %u",
                      gcl_name_demangle(kernel->name, name, sizeof name), kernel->argument_size,
                      o->launch.argument_size);
    if (o->launch.node != GCL_NOBODY && !is_node(c, o->launch.node))
        return refuse(c, "there is no node %u of %u", o->launch.node, spread->options.count);
    const uint32_t known = GCL_OPERATION_COOPERATIVE | GCL_OPERATION_ORDERED |
                           GCL_OPERATION_BESIDE_CALL | (spread->remote ? GCL_OPERATION_FAULTS : 0);
    if (o->launch.flags & ~known)
        return refuse(c, "there are no flags %#x", o->launch.flags);
    if (o->launch.directory != gcl_directory_hash(spread->directory))
        return refuse(c, "its directory of memory is another one");
    return check_extent(c, kernel);
}

// Nodes and tracks.

static bool check_allow(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    return (is_node(c, o->allow.node) && is_node(c, o->allow.home)) ||
           refuse(c, "there is no node %u or %u of %u", o->allow.node, o->allow.home,
                  c->spread->options.count);
}

static bool check_limit(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    return ((o->limit.node == UINT32_MAX || is_node(c, o->limit.node)) &&
            o->limit.limit < GCL_DEVICE_LIMITS) ||
           refuse(c, "there is no limit %u of node %u", o->limit.limit, o->limit.node);
}

static bool check_await(const struct check *c) {
    uint32_t node = c->operation->await.node;
    return is_node(c, node) ||
           refuse(c, "there is no node %u of %u", node, c->spread->options.count);
}

static bool check_settle(const struct check *c) {
    uint32_t tracks = c->operation->settle.tracks;
    return (tracks && !(tracks & ~(uint32_t)GCL_SPREAD_ALL_TRACKS)) ||
           refuse(c, "there are no tracks %#x", tracks);
}

/// Where nodes are devices there is one track.
static bool check_tracks(const struct check *c) {
    const struct gcl_operation *o = c->operation;
    uint32_t tracks = 1u << o->track | (o->kind == GCL_OPERATION_SETTLE ? o->settle.tracks : 0);
    return !c->spread->options.has_devices || tracks == 1u << GCL_TRACK_KERNELS ||
           refuse(c, "devices have no tracks %#x", tracks);
}

static bool check_kind(const struct check *c) {
    switch (c->operation->kind) {
    case GCL_OPERATION_ALLOCATE:
        return check_allocate(c);
    case GCL_OPERATION_FREE:
        return check_free(c);
    case GCL_OPERATION_CODE:
        return check_code(c);
    case GCL_OPERATION_MODULE:
        return check_module(c);
    case GCL_OPERATION_KERNEL:
        return check_kernel(c);
    case GCL_OPERATION_LAUNCH:
        return check_launch(c);
    case GCL_OPERATION_ACCESS:
        return check_access(c);
    case GCL_OPERATION_FILL:
        return check_fill(c);
    case GCL_OPERATION_AWAIT:
        return check_await(c);
    case GCL_OPERATION_ALLOW:
        return check_allow(c);
    case GCL_OPERATION_LIMIT:
        return check_limit(c);
    case GCL_OPERATION_SETTLE:
        return check_settle(c);
    case GCL_OPERATION_LIBRARY:
        return check_library(c);
    case GCL_OPERATION_ESCAPE: // also of memory that only node 0 knows
    case GCL_OPERATION_REPORT:
        return true;
    }
    return refuse(c, "its kind isn't known");
}

bool gcl_spread_check(struct gcl_spread *spread, const struct gcl_operation *o) {
    char wrong[160], reason[224];
    const struct check check = {spread, o, wrong, sizeof wrong};
    assert(!gcl_spread_is_home(spread)); // node 0 makes them
    bool ok = o->sequence == spread->sequence + 1
                  ? check_tracks(&check) && check_kind(&check)
                  : refuse(&check, "expected number %" PRIu64, spread->sequence + 1);
    if (ok)
        return true;
    snprintf(reason, sizeof reason, "node 0 sent it %s as operation %" PRIu64 ": %s",
             gcl_operation_name(o->kind), o->sequence, wrong);
    gcl_spread_fail(spread, GCL_SYSTEM, reason);
    return false;
}

enum gcl_status gcl_spread_word_status(struct gcl_spread *spread, gcl_node node,
                                       const struct gcl_spread_word *word) {
    char reason[96];
    if (word->status >= GCL_OK && word->status <= GCL_UNLOADING)
        return (enum gcl_status)word->status;
    snprintf(reason, sizeof reason, "node %u sent it a status of %" PRId64 ", which is none", node,
             word->status);
    gcl_spread_fail(spread, GCL_SYSTEM, reason);
    return GCL_SYSTEM;
}
