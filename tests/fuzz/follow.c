// A node that is told what to do: sequences of operations, right and wrong ones, as node 0 would
// send them. Whatever they are, it does them or says why not, and no memory is overwritten.
//
// An input is a row of operations, each behind a byte of flags and its size in two bytes,
// little-endian. Flags have the harness put in what no random bytes would hit: the number that is
// due, the directory's hash, addresses from where memory begins.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exec/spread/launch.h"
#include "follower.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RIGHT_NUMBER = 1, RIGHT_HASH = 2, IN_MEMORY = 4, HEAD = 3, MOST = 64 };
/// Bytes that an input may allocate at once: more would take the machine's memory.
#define MOST_BYTES (UINT64_C(1) << 26)

static struct follower *follower;

static void shift_box(struct gcl_operation_box *box, uint64_t by) {
    if (box->width > 0)
        box->begin += by;
}

static void shift_addresses(struct gcl_operation *o, uint64_t by) {
    switch (o->kind) {
    case GCL_OPERATION_ALLOCATE:
        o->allocate.begin += by;
        break;
    case GCL_OPERATION_FREE:
        o->free.begin += by;
        break;
    case GCL_OPERATION_ESCAPE:
        o->escape.begin += by;
        break;
    case GCL_OPERATION_ACCESS:
        shift_box(&o->access.read, by);
        shift_box(&o->access.written, by);
        break;
    case GCL_OPERATION_FILL:
        shift_box(&o->fill.box, by);
        break;
    default:
        break;
    }
}

/// Whether this takes more memory or time than a try may: a run has as many blocks as it says.
static bool is_large(const struct gcl_operation *o) {
    const uint32_t *grid = o->launch.geometry.grid;
    return (o->kind == GCL_OPERATION_ALLOCATE && o->allocate.size > MOST_BYTES) ||
           (o->kind == GCL_OPERATION_LAUNCH &&
            (grid[0] > MOST || grid[1] > MOST || grid[2] > MOST ||
             o->launch.geometry.shared_size > MOST_BYTES));
}

/// Variables' addresses are in the operation's bytes, which are borrowed.
static void put_addresses(struct gcl_operation *o, unsigned char *room, size_t size) {
    if (o->kind != GCL_OPERATION_CODE || o->code.count * 8 > size)
        return;
    for (uint32_t i = 0; i < o->code.count; i++) {
        uint64_t address;
        memcpy(&address, o->code.addresses + 8 * i, 8);
        address += follower->begin;
        memcpy(room + 8 * i, &address, 8);
    }
    o->code.addresses = room;
}

/// False: it is none, or is refused.
static bool apply(const uint8_t *bytes, size_t size, unsigned flags) {
    unsigned char room[256];
    struct gcl_operation o;
    if (gcl_operation_read(bytes, size, &o) || is_large(&o))
        return false;
    if (flags & IN_MEMORY) {
        shift_addresses(&o, follower->begin);
        put_addresses(&o, room, sizeof room);
    }
    if (o.kind == GCL_OPERATION_LAUNCH && (flags & RIGHT_HASH))
        o.launch.directory = gcl_directory_hash(follower->spread->directory);
    if (o.kind == GCL_OPERATION_KERNEL && gcl_spread_kernel_count(follower->spread) < MOST &&
        (flags & RIGHT_HASH))
        o.kernel.number = gcl_spread_kernel_count(follower->spread);
    if (flags & RIGHT_NUMBER)
        return follower_apply(follower, &o);
    return follower_apply_bytes(follower, bytes, size);
}

/// Frees what an input has allocated, so that the next one finds what the first one found.
static void clear(void) {
    size_t count;
    const struct gcl_directory_entry *entries;
    follower_settle(follower);
    while ((entries = gcl_directory_entries(follower->spread->directory, &count)) && count > 0) {
        struct gcl_operation o = {.kind = GCL_OPERATION_FREE, .free.begin = entries->begin};
        if (!follower_apply(follower, &o))
            abort();
    }
    follower_settle(follower);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool are_right = size >= HEAD;
    if (!follower)
        follower = follower_start();
    for (size_t at = 0; size - at >= HEAD;) {
        size_t length = (size_t)data[at + 1] | (size_t)data[at + 2] << 8;
        const uint8_t *bytes = data + at + HEAD;
        if (length > size - at - HEAD)
            length = size - at - HEAD;
        if (!apply(bytes, length, data[at])) {
            are_right = false;
            follower_settle(follower);
        }
        at += HEAD + length;
    }
    clear();
    return are_right ? 0 : -1;
}
