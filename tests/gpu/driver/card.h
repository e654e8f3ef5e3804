// What the parts of the test driver share: a pretended card with its contexts, streams and memory.
//
// driver    settings, entering and leaving of calls, handles
// names     texts of results, functions by name
// device    devices and contexts
// memory    addresses and what lies behind them
// mapping   physical memory that is mapped where the caller wants it
// host      allocations of the driver's own, and memory of the host
// task      work in streams, and when it runs
// stream    calls for streams and events
// copy      copies and fills
// module    PTX and its entries
// launch    kernels, and how many blocks fit
//
// One lock guards all state. A call takes it in card_enter and gives it back in card_leave; work
// runs without it. What a real driver reports comes back as a result; what it would leave
// undefined, or what is certainly a mistake of a caller that knows the driver, ends the process:
// card_misuse. Destroyed objects leave their handles behind, so that later use is recognised.
#ifndef CARD_H
#define CARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "api.h"

enum { CARD_MAX_DEVICES = 16 };

struct card_context;
struct card_stream;
struct card_task;

/// From the environment: GCL_TEST_DRIVER_DEVICES and so on.
struct card_settings {
    int devices;
    int places[CARD_MAX_DEVICES]; ///< which card of the machine each is, by CUDA_VISIBLE_DEVICES
    size_t memory;                ///< bytes of a device
    int version;                  ///< 12050: CUDA 12.5
    int arch;                     ///< 90
    int sms;
    uint64_t seed;                   ///< see task.c
    const char *fail;                ///< call[:n[:result]], separated by commas
    FILE *log;                       ///< a line for each call and each copy; NULL: none
    size_t most_addresses;           ///< of one reservation
    uint64_t taken_begin, taken_end; ///< a chunk of addresses that the driver keeps for itself
    size_t granularity;              ///< that it names; chunks of 2 MiB are what it takes
    bool has_one_queue; ///< work of all streams runs in the order in which it was submitted
    bool ignores_hints; ///< reservations are where it likes
    bool exports;       ///< memory, to other processes
    bool has_peers;     ///< devices use each other's memory
    bool maps_host;     ///< memory of the host, where the caller wants it
    unsigned copy_ms;   ///< milliseconds that each copy takes besides
};

struct card_device {
    size_t used;                  ///< bytes of its memory
    struct card_context *context; ///< its primary context; NULL: not active
    int retained;
    unsigned flags;
};

struct card {
    pthread_mutex_t lock;
    pthread_cond_t changed; ///< work was submitted, ran, or may run
    struct card_settings settings;
    bool is_initialised, is_forked;
    struct card_device devices[CARD_MAX_DEVICES];
    struct card_context *destroyed;
    uint64_t operations;   ///< calls so far
    uint64_t last_call_ns; ///< when a call began or ended
    int waiting;           ///< threads in calls that wait for work
};
extern struct card card;

// driver.c

enum card_need { CARD_ANY, CARD_INITIALISED, CARD_CONTEXT };

/// Begins a call: takes the lock. What isn't CUDA_SUCCESS is the call's result, to be passed to
/// card_leave at once. CARD_CONTEXT: with a context current, whose sticky error is the result.
int card_enter(const char *call, enum card_need need);
/// Ends a call with its result, which it returns.
int card_leave(int result);
/// Adds a line to the log, if there is one: the process, and the text.
void card_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Ends the process: "test driver: <call>: <what is wrong>".
_Noreturn void card_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// The call that this thread is in.
const char *card_call(void);
/// While host functions run, the thread mustn't call.
void card_forbid_calls(bool is_forbidden);
/// Memory of the driver's own, zeroed; ends the process if there is none.
void *card_allocate(size_t count, size_t size);

enum card_kind {
    CARD_KIND_CONTEXT,
    CARD_KIND_STREAM,
    CARD_KIND_EVENT,
    CARD_KIND_MODULE,
    CARD_KIND_FUNCTION,
    CARD_KIND_MEMORY,
    CARD_KIND_COUNT
};

/// A handle for an object, never used before.
uint64_t card_handle_add(enum card_kind kind, void *object);
/// The object; anything but the handle of one that lives is misuse.
void *card_handle_find(enum card_kind kind, uint64_t handle);
void card_handle_remove(enum card_kind kind, uint64_t handle);
/// Iterates over living objects; `*index` begins at 0. NULL: there are no more.
void *card_handle_next(enum card_kind kind, size_t *index);

// names.c

const char *card_result_name(int result);
const char *card_result_text(int result);

// device.c

struct card_context {
    uint64_t handle;
    struct card_context *next; ///< among destroyed ones, which threads may still look at
    int device;
    _Atomic int error;          ///< sticky; 0: none
    struct card_stream *legacy; ///< the default stream
    struct card_stream *streams;
    struct ptx_heap *heap; ///< of malloc in kernels
    size_t limits[7];
    char *output; ///< of printf in kernels, until somebody waits
    size_t output_size;
};

/// The calling thread's; NULL: none.
struct card_context *card_current(void);
/// Writes what kernels have printed to stdout.
void card_flush_output(struct card_context *context);

// memory.c

enum card_origin {
    CARD_MAPPED,    ///< by cuMemMap
    CARD_ALLOCATED, ///< by cuMemAlloc
    CARD_VARIABLE,  ///< of a module
    CARD_HOST_ALLOCATED,
    CARD_HOST_REGISTERED,
};

/// Addresses [begin, end) that mean something to the device, and the bytes behind them.
struct card_piece {
    uint64_t begin, end;
    unsigned char *bytes;
    enum card_origin origin;
    unsigned flags;                         ///< of memory of the host
    struct card_context *context;           ///< of what belongs to one; NULL: CARD_MAPPED
    struct card_memory *memory;             ///< CARD_MAPPED
    unsigned char access[CARD_MAX_DEVICES]; ///< CARD_MAPPED
};

/// NULL: none there. Valid until pieces are added or removed.
struct card_piece *card_piece_find(uint64_t address);
/// Iterates over pieces that overlap [begin, end), upwards; `*index` begins at 0.
struct card_piece *card_piece_next(uint64_t begin, uint64_t end, size_t *index);
void card_piece_add(const struct card_piece *piece);
void card_piece_remove(uint64_t begin);
/// Whether a context's device may use a piece.
bool card_piece_allows(const struct card_piece *piece, const struct card_context *context,
                       bool is_write);
static inline bool card_piece_is_host(const struct card_piece *piece) {
    return piece->origin >= CARD_HOST_ALLOCATED;
}

/// Takes `size` bytes of device addresses that nobody gets again; 0: there are none.
uint64_t card_address_take(size_t size);
/// Whether addresses are the driver's: reserved by a call, or of its allocations, also freed ones.
bool card_address_is_own(uint64_t address);
/// A reservation by a call. False: they aren't free.
bool card_address_reserve(uint64_t *address, size_t size, uint64_t alignment, uint64_t wanted);
void card_address_free(uint64_t address, size_t size);

/// Pages for bytes of device memory, filled with garbage; NULL: there are none.
unsigned char *card_bytes_create(size_t size);

enum card_place { CARD_PAGEABLE, CARD_PINNED, CARD_DEVICE_MEMORY };
/// Where a range lies that work of `context` is to use; misuse if it may not, or only part of it
/// lies there.
enum card_place card_place_of(const struct card_context *context, uint64_t address, size_t size,
                              bool is_write);
/// Bytes at an address that a task uses, and how many of them lie together, at most `size`.
unsigned char *card_bytes_at(uint64_t address, size_t *size);

// mapping.c

/// Physical memory, which may be mapped in several places.
struct card_memory {
    uint64_t handle;
    int device;
    size_t size;
    int handle_types;
    int file; ///< -1: can't be exported
    unsigned char *bytes;
    int references; ///< by handle
    int mappings;
    bool is_imported;
    bool is_in_host; ///< and so takes none of the device's
};

// task.c

/// A stream's work up to and with task `number`.
struct card_moment {
    struct card_stream *stream; ///< NULL: nothing
    uint64_t number;
};

struct card_use {
    uint64_t begin, end;
};

/// Work in a stream. `run` is called without the lock, and not at all once the context has an
/// error, unless `is_always`; `finish` frees what `run` needs, with the lock.
struct card_task {
    struct card_task *next;
    struct card_stream *stream;
    const char *call;
    uint64_t number;
    int (*run)(struct card_task *task);
    void (*finish)(struct card_task *task);
    void *data;
    const void *module; ///< whose code it runs
    struct card_moment *waits;
    size_t wait_count;
    struct card_use *uses; ///< addresses that it touches, as far as is known
    size_t use_count;
    uint64_t release; ///< it may run when so many calls were made; UINT64_MAX: when it must
    unsigned asked;   ///< how often somebody asked for it and it wasn't done
    bool is_always;   ///< runs after errors
    bool is_host;     ///< a function of the program, which may wait for anything
};

struct card_stream {
    uint64_t handle;
    struct card_context *context;
    struct card_stream *next; ///< of the context
    bool is_blocking;         ///< waits for the legacy stream, and the legacy stream for it
    bool is_destroyed, has_thread;
    unsigned flags;
    int priority;
    struct card_task *first, *last; ///< of those that aren't done
    uint64_t submitted, done, demanded;
};

/// A task for `stream`, to be filled in and submitted.
struct card_task *card_task_create(struct card_stream *stream, int (*run)(struct card_task *task),
                                   void (*finish)(struct card_task *task), void *data);
void card_task_use(struct card_task *task, uint64_t begin, size_t size);
void card_task_wait_for(struct card_task *task, struct card_moment moment);
/// Puts it at the end of its stream.
void card_task_submit(struct card_task *task);
/// What was given to a stream so far.
struct card_moment card_moment_of(struct card_stream *stream);
bool card_moment_is_past(struct card_moment moment);
/// Whether it is past, for somebody who asks again and again.
bool card_moment_ask(struct card_moment moment);
/// Waits, with the lock given away meanwhile. Returns the context's error.
int card_moment_await(struct card_context *context, struct card_moment moment);
/// Like card_moment_await, for all streams.
int card_context_await(struct card_context *context);
struct card_stream *card_stream_create(struct card_context *context, unsigned flags);
/// Misuse if work that isn't done touches the range, or runs code of `module`.
void card_check_unused(uint64_t begin, uint64_t end);
void card_check_not_running(const void *module);
/// The number of tasks that aren't done.
size_t card_unfinished(const struct card_context *context);

// stream.c

/// The stream of a handle, which has to be of the current context.
struct card_stream *card_stream_find(void *handle);
/// Destroyed with the context.
void card_streams_leak_check(struct card_context *context);

// module.c

/// An entry of a module, as a context has loaded it.
struct card_function {
    uint64_t handle;
    struct card_module *module;
    struct card_function *next; ///< of the module
    const struct ptx_function *code;
    int max_dynamic_shared, carveout;
};
/// The function of a handle, which has to be of the current context.
struct card_function *card_function_find(void *handle);

struct card_module {
    uint64_t handle;
    struct card_context *context;
    struct ptx_module *code;
    int target;          ///< 90
    uint64_t *addresses; ///< of its variables, as the program knows them
    struct card_function *functions;
};

// launch.c

enum {
    CARD_SHARED_BLOCK = 48 << 10,
    CARD_SHARED_OPTIN = 227 << 10,
    CARD_SHARED_SM = 228 << 10,
    CARD_SHARED_RESERVED = 1 << 10,
    CARD_THREADS_SM = 2048,
    CARD_BLOCKS_SM = 32,
    CARD_REGISTERS_SM = 65536,
};

#endif
