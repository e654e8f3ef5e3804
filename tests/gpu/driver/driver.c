// Calls begin and end here. Handles are numbers that are no addresses, with the kind and the index
// of the object: never used again, so that a destroyed object's is told from one that never was.
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "card.h"

enum { HANDLE_MARK = 0x7e57 };

struct card card = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local const char *current_call = "no call";
static _Thread_local bool is_forbidden_here;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const char *card_call(void) {
    return current_call;
}

void card_forbid_calls(bool is_forbidden) {
    is_forbidden_here = is_forbidden;
}

void card_misuse(const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "test driver: %s: %s\n", current_call, text);
    abort();
}

void card_log(const char *format, ...) {
    char text[200];
    va_list arguments;
    if (!card.settings.log)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(card.settings.log, "%d %s\n", (int)getpid(), text);
    fflush(card.settings.log); // a line at once, which processes append to the same file
}

void *card_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        card_misuse("the host has no memory left");
    return memory;
}

// Settings.

static const char *setting(const char *name) {
    char full[64];
    snprintf(full, sizeof full, "GCL_TEST_DRIVER_%s", name);
    const char *value = getenv(full);
    return value && *value ? value : NULL;
}

static uint64_t number_setting(const char *name, uint64_t least, uint64_t most, uint64_t usual) {
    const char *text = setting(name);
    if (!text)
        return usual;
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    static const char units[] = "KMGT";
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit)
        value <<= 10 * (unit - units + 1), end++;
    if (*end || value < least || value > most)
        card_misuse("GCL_TEST_DRIVER_%s=%s: not a number from %" PRIu64 " to %" PRIu64, name, text,
                    least, most);
    return value;
}

static void forked(void) {
    card.is_forked = card.is_initialised;
}

/// As CUDA has it: the cards that are listed, up to one that there isn't.
static void read_places(void) {
    struct card_settings *s = &card.settings;
    const char *text = getenv("CUDA_VISIBLE_DEVICES");
    int count = 0;
    for (int i = 0; i < s->devices; i++)
        s->places[i] = i;
    while (text && count < s->devices) {
        char *end;
        long place = strtol(text, &end, 10);
        if (end == text || place < 0 || place >= s->devices)
            break;
        s->places[count++] = (int)place;
        text = *end == ',' ? end + 1 : "";
    }
    if (text)
        s->devices = count;
}

static void read_settings(void) {
    card.settings = (struct card_settings){
        .devices = (int)number_setting("DEVICES", 0, CARD_MAX_DEVICES, 1),
        .memory = number_setting("MEMORY", 1 << 20, UINT64_C(1) << 40, UINT64_C(4) << 30),
        .version = (int)number_setting("VERSION", 1000, 99999, 12050),
        .arch = (int)number_setting("ARCH", 50, 129, 90),
        .sms = (int)number_setting("SMS", 1, 1000, 132),
        .seed = number_setting("SEED", 0, UINT64_MAX, 0),
        .fail = setting("FAIL"),
        .most_addresses = number_setting("MOST_ADDRESSES", 0, UINT64_MAX, UINT64_MAX),
        .taken_begin = number_setting("TAKEN", 0, UINT64_C(1) << 47, 0),
        .granularity = number_setting("GRANULARITY", 4096, 1 << 30, CARD_GRANULARITY),
        .has_one_queue = number_setting("ONE_QUEUE", 0, 1, 0),
        .ignores_hints = number_setting("IGNORES_HINTS", 0, 1, 0),
        .exports = number_setting("EXPORTS", 0, 1, 1),
        .has_peers = number_setting("PEERS", 0, 1, 1),
        .maps_host = number_setting("MAPS_HOST", 0, 1, 1),
        .copy_ms = (unsigned)number_setting("COPY_MS", 0, 1000, 0),
    };
    read_places();
    const char *log = setting("LOG");
    card.settings.log = log ? fopen(log, "ae") : NULL;
    if (log && !card.settings.log)
        card_misuse("GCL_TEST_DRIVER_LOG=%s can't be opened", log);
    if (card.settings.taken_begin)
        card.settings.taken_end = card.settings.taken_begin + CARD_GRANULARITY;
    // Each exportable chunk of memory is a file.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    pthread_atfork(NULL, NULL, forked);
}

// GCL_TEST_DRIVER_FAIL.

static int usual_failure(const char *call) {
    static const char *const memory[] = {"cuMemCreate",       "cuMemAlloc_v2",
                                         "cuMemHostAlloc",    "cuMemHostRegister_v2",
                                         "cuMemAllocHost_v2", "cuMemAddressReserve"};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        if (strcmp(call, memory[i]) == 0)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_ERROR_UNKNOWN;
}

static bool is_sticky(int result) {
    return result == CUDA_ERROR_ECC_UNCORRECTABLE ||
           (result >= CUDA_ERROR_ILLEGAL_ADDRESS && result < CUDA_ERROR_NOT_PERMITTED);
}

/// What the setting wants of this call, one of whose name it is, counted from 1.
static int wanted_failure(const char *call) {
    enum { MOST = 16 };
    static unsigned long seen[MOST];
    const char *entry = card.settings.fail;
    for (int i = 0; entry && i < MOST; i++) {
        size_t length = strcspn(entry, ":,");
        if (length == strlen(call) && strncmp(entry, call, length) == 0) {
            const char *rest = entry + length;
            unsigned long which = 1, result = (unsigned long)usual_failure(call);
            if (*rest == ':')
                which = strtoul(rest + 1, (char **)&rest, 10);
            if (*rest == ':')
                result = strtoul(rest + 1, NULL, 10);
            if (++seen[i] == which)
                return (int)result;
        }
        entry = strchr(entry, ',');
        entry = entry ? entry + 1 : NULL;
    }
    return CUDA_SUCCESS;
}

// Calls.

int card_enter(const char *call, enum card_need need) {
    current_call = call;
    pthread_mutex_lock(&card.lock);
    if (!card.settings.version)
        read_settings();
    card.operations++;
    card_log("%s", call);
    card.last_call_ns = now_ns();
    if (is_forbidden_here)
        card_misuse("called by a host function of a stream");
    if (card.is_forked)
        return CUDA_ERROR_NOT_INITIALIZED;
    struct card_context *context = need == CARD_CONTEXT ? card_current() : NULL;
    int wanted = card.settings.fail ? wanted_failure(call) : CUDA_SUCCESS;
    if (wanted && context && is_sticky(wanted))
        context->error = wanted;
    if (wanted)
        return wanted;
    if (need != CARD_ANY && !card.is_initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (need == CARD_CONTEXT && !context)
        card_misuse("no context is current on this thread");
    pthread_cond_broadcast(&card.changed);
    return context ? context->error : CUDA_SUCCESS;
}

int card_leave(int result) {
    card.last_call_ns = now_ns();
    pthread_mutex_unlock(&card.lock);
    current_call = "no call";
    return result;
}

// Handles.

static struct {
    void **objects; ///< NULL: destroyed
    size_t count, capacity;
} tables[CARD_KIND_COUNT];

static const char *const kind_names[] = {"context", "stream",   "event",
                                         "module",  "function", "memory handle"};

uint64_t card_handle_add(enum card_kind kind, void *object) {
    if (tables[kind].count == tables[kind].capacity) {
        size_t capacity = 2 * tables[kind].capacity + 64;
        void **objects = realloc(tables[kind].objects, capacity * sizeof *objects);
        if (!objects)
            card_misuse("the host has no memory left");
        tables[kind].objects = objects;
        tables[kind].capacity = capacity;
    }
    size_t index = tables[kind].count++;
    tables[kind].objects[index] = object;
    return (uint64_t)HANDLE_MARK << 48 | (uint64_t)(kind + 1) << 40 | index << 4;
}

static void **slot_of(enum card_kind kind, uint64_t handle) {
    size_t index = (handle & ((UINT64_C(1) << 40) - 1)) >> 4;
    if (!handle)
        card_misuse("NULL is no %s", kind_names[kind]);
    if (handle >> 40 != ((uint64_t)HANDLE_MARK << 8 | (uint64_t)(kind + 1)) ||
        index >= tables[kind].count)
        card_misuse("%#" PRIx64 " is no %s", handle, kind_names[kind]);
    if (!tables[kind].objects[index])
        card_misuse("%#" PRIx64 " is a %s that is destroyed", handle, kind_names[kind]);
    return &tables[kind].objects[index];
}

void *card_handle_find(enum card_kind kind, uint64_t handle) {
    return *slot_of(kind, handle);
}

void card_handle_remove(enum card_kind kind, uint64_t handle) {
    *slot_of(kind, handle) = NULL;
}

void *card_handle_next(enum card_kind kind, size_t *index) {
    while (*index < tables[kind].count) {
        void *object = tables[kind].objects[(*index)++];
        if (object)
            return object;
    }
    return NULL;
}
