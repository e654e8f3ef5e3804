// Memory that the driver allocates, and memory of the host that it makes known to devices.
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"

static size_t whole_pages(size_t size) {
    return (size + 4095) / 4096 * 4096;
}

// Device memory.

int cuMemAlloc_v2(uint64_t *address, size_t size) {
    int result = card_enter("cuMemAlloc_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    if (!address || size == 0)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    struct card_context *context = card_current();
    struct card_device *device = &card.devices[context->device];
    if (whole_pages(size) > card.settings.memory - device->used)
        return card_leave(CUDA_ERROR_OUT_OF_MEMORY);
    uint64_t at = card_address_take(size);
    unsigned char *bytes = at ? card_bytes_create(whole_pages(size)) : NULL;
    if (!bytes)
        return card_leave(CUDA_ERROR_OUT_OF_MEMORY);
    device->used += whole_pages(size);
    card_piece_add(&(struct card_piece){.begin = at,
                                        .end = at + size,
                                        .bytes = bytes,
                                        .origin = CARD_ALLOCATED,
                                        .context = context});
    *address = at;
    return card_leave(CUDA_SUCCESS);
}

/// The piece that begins at an address, of the origin. Misuse: there is none.
static struct card_piece piece_to_free(uint64_t address, enum card_origin origin) {
    const struct card_piece *piece = card_piece_find(address);
    if (!piece || piece->origin != origin || piece->begin != address)
        card_misuse("nothing is allocated at %#" PRIx64, address);
    card_check_unused(piece->begin, piece->end);
    return *piece;
}

int cuMemFree_v2(uint64_t address) {
    int result = card_enter("cuMemFree_v2", CARD_CONTEXT);
    if (result || address == 0)
        return card_leave(result);
    struct card_piece piece = piece_to_free(address, CARD_ALLOCATED);
    size_t size = whole_pages(piece.end - piece.begin);
    card_piece_remove(address);
    munmap(piece.bytes, size);
    card.devices[piece.context->device].used -= size;
    return card_leave(CUDA_SUCCESS);
}

int cuMemGetInfo_v2(size_t *free_size, size_t *size) {
    int result = card_enter("cuMemGetInfo_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    *free_size = card.settings.memory - card.devices[card_current()->device].used;
    *size = card.settings.memory;
    return card_leave(CUDA_SUCCESS);
}

int cuMemGetAddressRange_v2(uint64_t *begin, size_t *size, uint64_t address) {
    int result = card_enter("cuMemGetAddressRange_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find(address);
    if (!piece)
        return card_leave(CUDA_ERROR_NOT_FOUND);
    if (begin)
        *begin = piece->begin;
    if (size)
        *size = piece->end - piece->begin;
    return card_leave(CUDA_SUCCESS);
}

// Memory of the host.

static int allocate_host(void **memory, size_t size, unsigned flags) {
    if (!memory || size == 0 || flags > 7)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned char *bytes = card_bytes_create(whole_pages(size));
    if (!bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    card_piece_add(&(struct card_piece){.begin = (uint64_t)bytes,
                                        .end = (uint64_t)bytes + size,
                                        .bytes = bytes,
                                        .origin = CARD_HOST_ALLOCATED,
                                        .flags = flags,
                                        .context = card_current()});
    *memory = bytes;
    return CUDA_SUCCESS;
}

int cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
    int result = card_enter("cuMemHostAlloc", CARD_CONTEXT);
    return card_leave(result ? result : allocate_host(memory, size, flags));
}

int cuMemAllocHost_v2(void **memory, size_t size) {
    int result = card_enter("cuMemAllocHost_v2", CARD_CONTEXT);
    return card_leave(result ? result : allocate_host(memory, size, 0));
}

int cuMemFreeHost(void *memory) {
    int result = card_enter("cuMemFreeHost", CARD_CONTEXT);
    if (result || !memory)
        return card_leave(result);
    struct card_piece piece = piece_to_free((uint64_t)memory, CARD_HOST_ALLOCATED);
    card_piece_remove(piece.begin);
    munmap(memory, whole_pages(piece.end - piece.begin));
    return card_leave(CUDA_SUCCESS);
}

/// Whether the process has a range mapped, readable and, if that is wanted, writable.
static bool is_usable(uint64_t begin, uint64_t end, bool is_write) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    if (!maps)
        return true;
    while (begin < end && fgets(line, sizeof line, maps)) {
        uint64_t from, to;
        char rights[5];
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights) != 3)
            continue;
        if (from > begin)
            break;
        if (to > begin && rights[0] == 'r' && (!is_write || rights[1] == 'w'))
            begin = to;
    }
    fclose(maps);
    return begin >= end;
}

int cuMemHostRegister_v2(void *memory, size_t size, unsigned flags) {
    int result = card_enter("cuMemHostRegister_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    uint64_t begin = (uint64_t)memory, end = begin + size;
    size_t index = 0;
    if (!memory || size == 0 || flags > 15 || card_address_is_own(begin) ||
        card_address_is_own(end - 1))
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    if (card_piece_next(begin, end, &index))
        return card_leave(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    if (!is_usable(begin, end, !(flags & CARD_HOST_READ_ONLY)))
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    card_piece_add(&(struct card_piece){.begin = begin,
                                        .end = end,
                                        .bytes = memory,
                                        .origin = CARD_HOST_REGISTERED,
                                        .flags = flags,
                                        .context = card_current()});
    return card_leave(CUDA_SUCCESS);
}

int cuMemHostUnregister(void *memory) {
    int result = card_enter("cuMemHostUnregister", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find((uint64_t)memory);
    if (!piece || piece->origin != CARD_HOST_REGISTERED || piece->begin != (uint64_t)memory)
        return card_leave(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    card_check_unused(piece->begin, piece->end);
    card_piece_remove(piece->begin);
    return card_leave(CUDA_SUCCESS);
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags) {
    int result = card_enter("cuMemHostGetDevicePointer_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find((uint64_t)memory);
    if (flags || !piece || !card_piece_is_host(piece))
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    *address = (uint64_t)memory;
    return card_leave(CUDA_SUCCESS);
}

int cuMemHostGetFlags(unsigned *flags, void *memory) {
    int result = card_enter("cuMemHostGetFlags", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find((uint64_t)memory);
    if (!piece || piece->origin != CARD_HOST_ALLOCATED)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = piece->flags | CARD_HOST_MAPPED;
    return card_leave(CUDA_SUCCESS);
}

// What an address is.

static int device_of(const struct card_piece *piece) {
    return piece->memory ? piece->memory->device : piece->context->device;
}

/// Writes an attribute of `size` bytes.
static int tell(void *value, uint64_t attribute, size_t size) {
    memcpy(value, &attribute, size);
    return CUDA_SUCCESS;
}

static int tell_attribute(void *value, int attribute, uint64_t address,
                          const struct card_piece *piece) {
    enum { CONTEXT = 1, TYPE, DEVICE_POINTER, HOST_POINTER, MANAGED = 8, ORDINAL, BEGIN = 11 };
    enum { SIZE = 12, IS_MAPPED = 13 };
    switch (attribute) {
    case CONTEXT:
        return tell(value, piece->context ? piece->context->handle : 0, 8);
    case TYPE:
        return tell(value, card_piece_is_host(piece) ? CARD_MEMORY_HOST : CARD_MEMORY_DEVICE, 4);
    case DEVICE_POINTER:
        return tell(value, address, 8);
    case HOST_POINTER:
        return card_piece_is_host(piece) ? tell(value, address, 8) : CUDA_ERROR_INVALID_VALUE;
    case MANAGED:
        return tell(value, 0, 1);
    case ORDINAL:
        return tell(value, (uint64_t)device_of(piece), 4);
    case BEGIN:
        return tell(value, piece->begin, 8);
    case SIZE:
        return tell(value, piece->end - piece->begin, 8);
    case IS_MAPPED:
        return tell(value, 1, 1);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
    int result = card_enter("cuPointerGetAttribute", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find(address);
    if (!value || !piece)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    return card_leave(tell_attribute(value, attribute, address, piece));
}
