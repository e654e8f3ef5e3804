// Devices look like one kind of card, and each has its primary context, which lives while somebody
// retains it. Other contexts there are none.
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "ptx/ptx.h"

enum { STACK = 16 };

/// The calling thread's contexts, the current one on top.
static _Thread_local struct {
    uint64_t handles[STACK];
    int count;
} stack;

static bool is_device(int device) {
    return device >= 0 && device < card.settings.devices;
}

struct card_context *card_current(void) {
    if (stack.count == 0 || stack.handles[stack.count - 1] == 0)
        return NULL;
    return card_handle_find(CARD_KIND_CONTEXT, stack.handles[stack.count - 1]);
}

void card_flush_output(struct card_context *context) {
    if (context->output_size == 0)
        return;
    fwrite(context->output, 1, context->output_size, stdout);
    fflush(stdout);
    context->output_size = 0;
}

// What the driver says of itself and of devices.

int cuInit(unsigned flags) {
    int result = card_enter("cuInit", CARD_ANY);
    if (!result && flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result && card.settings.devices == 0)
        result = CUDA_ERROR_NO_DEVICE;
    card.is_initialised |= !result;
    return card_leave(result);
}

int cuDriverGetVersion(int *version) {
    int result = card_enter("cuDriverGetVersion", CARD_ANY);
    if (!result)
        *version = card.settings.version;
    return card_leave(result);
}

int cuDeviceGetCount(int *count) {
    int result = card_enter("cuDeviceGetCount", CARD_INITIALISED);
    if (!result)
        *count = card.settings.devices;
    return card_leave(result);
}

int cuDeviceGet(int *device, int number) {
    int result = card_enter("cuDeviceGet", CARD_INITIALISED);
    if (!result && !is_device(number))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (!result)
        *device = number;
    return card_leave(result);
}

static int enter_for_device(const char *call, int device) {
    int result = card_enter(call, CARD_INITIALISED);
    return !result && !is_device(device) ? CUDA_ERROR_INVALID_DEVICE : result;
}

int cuDeviceGetName(char *name, int size, int device) {
    int result = enter_for_device("cuDeviceGetName", device);
    if (!result && (!name || size <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        snprintf(name, (size_t)size, "gcluster test driver");
    return card_leave(result);
}

int cuDeviceGetUuid_v2(void *bytes, int device) {
    int result = enter_for_device("cuDeviceGetUuid_v2", device);
    if (!result) {
        memcpy(bytes, "gcl test driver", 15);
        ((unsigned char *)bytes)[15] = (unsigned char)card.settings.places[device];
    }
    return card_leave(result);
}

int cuDeviceTotalMem_v2(size_t *size, int device) {
    int result = enter_for_device("cuDeviceTotalMem_v2", device);
    if (!result)
        *size = card.settings.memory;
    return card_leave(result);
}

int cuDeviceGetPCIBusId(char *text, int size, int device) {
    int result = enter_for_device("cuDeviceGetPCIBusId", device);
    if (!result && (!text || size < 13))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        snprintf(text, (size_t)size, "0000:%02X:00.0", card.settings.places[device] + 1);
    return card_leave(result);
}

int cuDeviceCanAccessPeer(int *can, int device, int peer) {
    int result = enter_for_device("cuDeviceCanAccessPeer", device);
    if (!result && !is_device(peer))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (!result)
        *can = device != peer && card.settings.has_peers;
    return card_leave(result);
}

/// Attributes of every card, by number; those that aren't here are 0, as features that it lacks.
static const int attributes[148] = {
    [1] = 1024,       // threads of a block
    [2] = 1024,       // block
    [3] = 1024,       //
    [4] = 64,         //
    [5] = 2147483647, // grid
    [6] = 65535,      //
    [7] = 65535,      //
    [8] = CARD_SHARED_BLOCK,
    [9] = 65536,       // constant memory
    [10] = 32,         // warp
    [11] = 2147483647, // pitch
    [12] = CARD_REGISTERS_SM,
    [13] = 1980000,  // clock, kHz
    [14] = 512,      // alignment of textures
    [15] = 1,        // overlap
    [19] = 1,        // maps memory of the host
    [30] = 512,      // alignment of surfaces
    [31] = 1,        // concurrent kernels
    [32] = 1,        // ECC
    [36] = 2619000,  // memory clock, kHz
    [37] = 5120,     // memory bus, bits
    [38] = 52428800, // L2
    [39] = CARD_THREADS_SM,
    [40] = 3,  // engines for copies
    [41] = 1,  // unified addressing
    [51] = 32, // alignment of pitches
    [78] = 1,  // priorities
    [79] = 1,  // L1 for global and local memory
    [80] = 1,  //
    [81] = CARD_SHARED_SM,
    [82] = CARD_REGISTERS_SM,
    [83] = 1, // managed memory
    [87] = 2, // single precision over double precision
    [90] = 1, // preemption
    [91] = 1, // device pointers of registered memory are those of the host
    [95] = 1, // cooperative launches
    [97] = CARD_SHARED_OPTIN,
    [99] = 1,  // registers memory of the host
    [102] = 1, // maps memory where the caller wants it
    [103] = 1, // exports memory as descriptors
    [106] = CARD_BLOCKS_SM,
    [110] = 1, // GPUDirect RDMA of mapped memory
    [111] = CARD_SHARED_RESERVED,
    [134] = 0, // the host's nearest NUMA node
};

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    int result = enter_for_device("cuDeviceGetAttribute", device);
    if (!result && (attribute < 1 || attribute >= (int)(sizeof attributes / sizeof *attributes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result)
        return card_leave(result);
    switch (attribute) {
    case 16:
        *value = card.settings.sms;
        break;
    case 33:
        *value = card.settings.places[device] + 1; // bus
        break;
    case 75:
        *value = card.settings.arch / 10;
        break;
    case 76:
        *value = card.settings.arch % 10;
        break;
    case 103:
        *value = card.settings.exports;
        break;
    case 141:
        *value = card.settings.maps_host;
        break;
    default:
        *value = attributes[attribute];
    }
    return card_leave(CUDA_SUCCESS);
}

// Primary contexts.

static struct card_context *create_context(int device) {
    struct card_context *context = card_allocate(1, sizeof *context);
    context->handle = card_handle_add(CARD_KIND_CONTEXT, context);
    context->device = device;
    context->limits[0] = 1024;
    context->limits[1] = 1 << 20;
    context->limits[2] = 8 << 20;
    context->limits[5] = 64;
    context->legacy = card_stream_create(context, 0);
    return context;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    int result = enter_for_device("cuDevicePrimaryCtxRetain", device);
    if (result)
        return card_leave(result);
    struct card_device *d = &card.devices[device];
    if (!d->context)
        d->context = create_context(device);
    d->retained++;
    *context = (void *)d->context->handle;
    return card_leave(CUDA_SUCCESS);
}

static void check_leaks(struct card_context *context) {
    size_t modules = 0, memories = 0, events = 0, index = 0;
    for (struct card_module *m; (m = card_handle_next(CARD_KIND_MODULE, &index));)
        modules += m->context == context;
    index = 0;
    for (struct card_memory *m; (m = card_handle_next(CARD_KIND_MEMORY, &index));)
        memories += m->device == context->device;
    index = 0;
    for (struct card_context **e; (e = card_handle_next(CARD_KIND_EVENT, &index));)
        events += *e == context;
    if (card_unfinished(context) > 0)
        card_misuse("%zu tasks of the context aren't done", card_unfinished(context));
    card_streams_leak_check(context);
    if (modules || events || memories)
        card_misuse("not given back: %zu modules, %zu events, %zu chunks of memory", modules,
                    events, memories);
    index = 0;
    for (struct card_piece *p; (p = card_piece_next(0, UINT64_MAX, &index));) {
        if (p->context == context || (p->memory && p->memory->device == context->device))
            card_misuse("not given back: memory of %zu bytes at %#lx", p->end - p->begin,
                        (unsigned long)p->begin);
    }
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    int result = enter_for_device("cuDevicePrimaryCtxRelease_v2", device);
    if (result)
        return card_leave(result);
    struct card_device *d = &card.devices[device];
    if (d->retained == 0)
        card_misuse("the primary context of device %d isn't retained", device);
    if (--d->retained > 0)
        return card_leave(CUDA_SUCCESS);
    if (!d->context->error)
        check_leaks(d->context);
    card_flush_output(d->context);
    d->context->legacy->is_destroyed = true;
    pthread_cond_broadcast(&card.changed);
    card_handle_remove(CARD_KIND_CONTEXT, d->context->handle);
    ptx_heap_destroy(d->context->heap);
    d->context->heap = NULL;
    d->context->next = card.destroyed;
    card.destroyed = d->context;
    d->context = NULL;
    return card_leave(CUDA_SUCCESS);
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    int result = enter_for_device("cuDevicePrimaryCtxSetFlags_v2", device);
    if (!result && flags > 0x1ff)
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        card.devices[device].flags = flags;
    return card_leave(result);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *is_active) {
    int result = enter_for_device("cuDevicePrimaryCtxGetState", device);
    if (!result) {
        *flags = card.devices[device].flags;
        *is_active = card.devices[device].context != NULL;
    }
    return card_leave(result);
}

// The calling thread's contexts.

int cuCtxSetCurrent(void *context) {
    int result = card_enter("cuCtxSetCurrent", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    if (context)
        card_handle_find(CARD_KIND_CONTEXT, (uint64_t)context);
    if (stack.count == 0)
        stack.count = 1;
    stack.handles[stack.count - 1] = (uint64_t)context;
    return card_leave(CUDA_SUCCESS);
}

int cuCtxGetCurrent(void **context) {
    int result = card_enter("cuCtxGetCurrent", CARD_INITIALISED);
    if (!result)
        *context = stack.count > 0 ? (void *)stack.handles[stack.count - 1] : NULL;
    return card_leave(result);
}

int cuCtxPushCurrent_v2(void *context) {
    int result = card_enter("cuCtxPushCurrent_v2", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    card_handle_find(CARD_KIND_CONTEXT, (uint64_t)context);
    if (stack.count == STACK)
        card_misuse("%d contexts are on this thread's stack", STACK);
    stack.handles[stack.count++] = (uint64_t)context;
    return card_leave(CUDA_SUCCESS);
}

int cuCtxPopCurrent_v2(void **context) {
    int result = card_enter("cuCtxPopCurrent_v2", CARD_INITIALISED);
    if (!result && stack.count == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result)
        return card_leave(result);
    stack.count--;
    if (context)
        *context = (void *)stack.handles[stack.count];
    return card_leave(CUDA_SUCCESS);
}

int cuCtxGetDevice(int *device) {
    int result = card_enter("cuCtxGetDevice", CARD_CONTEXT);
    if (!result)
        *device = card_current()->device;
    return card_leave(result);
}

int cuCtxSynchronize(void) {
    int result = card_enter("cuCtxSynchronize", CARD_CONTEXT);
    return card_leave(result ? result : card_context_await(card_current()));
}

int cuCtxGetLimit(size_t *value, int limit) {
    int result = card_enter("cuCtxGetLimit", CARD_CONTEXT);
    if (!result && (limit < 0 || limit > 6))
        result = CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (!result)
        *value = card_current()->limits[limit];
    return card_leave(result);
}

int cuCtxSetLimit(int limit, size_t value) {
    int result = card_enter("cuCtxSetLimit", CARD_CONTEXT);
    if (!result && (limit < 0 || limit > 6))
        result = CUDA_ERROR_UNSUPPORTED_LIMIT;
    // The heap of kernels has its size from the first launch on.
    if (!result && limit == 2 && card_current()->heap)
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        card_current()->limits[limit] = value;
    return card_leave(result);
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    int result = card_enter("cuCtxGetStreamPriorityRange", CARD_CONTEXT);
    if (!result) {
        *least = 0;
        *greatest = -5;
    }
    return card_leave(result);
}
