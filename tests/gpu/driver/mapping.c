// Physical memory and its mappings. Memory that can be exported is a file of its own, which other
// processes of the same card map too; its name says which device it is of.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "card.h"

static const char file_name[] = "gcluster-test-driver-";

static bool is_whole(uint64_t value) {
    return value > 0 && value % CARD_GRANULARITY == 0;
}

static void check_whole(const char *what, uint64_t value) {
    if (!is_whole(value))
        card_misuse("%s %#" PRIx64 " is no multiple of the granularity, 2 MiB", what, value);
}

// Addresses.

int cuMemAddressReserve(uint64_t *address, size_t size, size_t alignment, uint64_t wanted,
                        uint64_t flags) {
    int result = card_enter("cuMemAddressReserve", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    check_whole("the size", size);
    if (flags || (alignment & (alignment - 1)))
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    if (alignment < CARD_GRANULARITY)
        alignment = CARD_GRANULARITY;
    bool is_done = card_address_reserve(address, size, alignment, wanted);
    return card_leave(is_done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

int cuMemAddressFree(uint64_t address, size_t size) {
    int result = card_enter("cuMemAddressFree", CARD_INITIALISED);
    if (!result)
        card_address_free(address, size);
    return card_leave(result);
}

// Memory.

static int check_form(const struct card_allocation_form *form) {
    if (!form || form->type != CARD_ALLOCATION_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    bool is_in_host = form->location.type == CARD_LOCATION_HOST_NUMA && card.settings.maps_host;
    if (form->location.type != CARD_LOCATION_DEVICE && !is_in_host)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (form->location.id < 0 || form->location.id >= (is_in_host ? 1 : card.settings.devices))
        return CUDA_ERROR_INVALID_DEVICE;
    if (form->handle_types & ~(card.settings.exports ? CARD_HANDLE_POSIX : CARD_HANDLE_NONE))
        return CUDA_ERROR_NOT_SUPPORTED;
    return CUDA_SUCCESS;
}

int cuMemGetAllocationGranularity(size_t *size, const struct card_allocation_form *form,
                                  int option) {
    int result = card_enter("cuMemGetAllocationGranularity", CARD_INITIALISED);
    if (!result)
        result = option < 0 || option > 1 ? CUDA_ERROR_INVALID_VALUE : check_form(form);
    if (!result)
        *size = card.settings.granularity;
    return card_leave(result);
}

static unsigned char *open_bytes(int file, size_t size) {
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static int open_file(int device, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "%s%d", file_name, device);
    int file = memfd_create(name, MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
        close(file);
        return -1;
    }
    return file;
}

static struct card_memory *add_memory(const struct card_memory *like) {
    struct card_memory *memory = card_allocate(1, sizeof *memory);
    *memory = *like;
    memory->references = 1;
    memory->handle = card_handle_add(CARD_KIND_MEMORY, memory);
    return memory;
}

int cuMemCreate(uint64_t *memory, size_t size, const struct card_allocation_form *form,
                uint64_t flags) {
    int result = card_enter("cuMemCreate", CARD_INITIALISED);
    if (!result)
        result = flags ? CUDA_ERROR_INVALID_VALUE : check_form(form);
    if (result)
        return card_leave(result);
    check_whole("the size", size);
    struct card_device *device = &card.devices[form->location.id];
    bool is_in_host = form->location.type == CARD_LOCATION_HOST_NUMA;
    if (!is_in_host && size > card.settings.memory - device->used)
        return card_leave(CUDA_ERROR_OUT_OF_MEMORY);
    struct card_memory m = {.device = form->location.id,
                            .size = size,
                            .handle_types = form->handle_types,
                            .file = -1,
                            .is_in_host = is_in_host};
    if (form->handle_types) {
        m.file = open_file(m.device, size);
        m.bytes = m.file >= 0 ? open_bytes(m.file, size) : NULL;
        if (m.bytes)
            memset(m.bytes, 0xa5, size);
    } else {
        m.bytes = card_bytes_create(size);
    }
    if (!m.bytes) {
        if (m.file >= 0)
            close(m.file);
        return card_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    device->used += is_in_host ? 0 : size;
    *memory = add_memory(&m)->handle;
    return card_leave(CUDA_SUCCESS);
}

static void drop_unused(struct card_memory *memory) {
    if (memory->references > 0 || memory->mappings > 0)
        return;
    munmap(memory->bytes, memory->size);
    if (memory->file >= 0)
        close(memory->file);
    if (!memory->is_imported && !memory->is_in_host)
        card.devices[memory->device].used -= memory->size;
    free(memory);
}

int cuMemRelease(uint64_t handle) {
    int result = card_enter("cuMemRelease", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    struct card_memory *memory = card_handle_find(CARD_KIND_MEMORY, handle);
    if (--memory->references == 0)
        card_handle_remove(CARD_KIND_MEMORY, handle);
    drop_unused(memory);
    return card_leave(CUDA_SUCCESS);
}

int cuMemRetainAllocationHandle(uint64_t *handle, void *address) {
    int result = card_enter("cuMemRetainAllocationHandle", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    struct card_piece *piece = card_piece_find((uint64_t)address);
    if (!piece || piece->origin != CARD_MAPPED)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    if (piece->memory->references++ == 0)
        piece->memory->handle = card_handle_add(CARD_KIND_MEMORY, piece->memory);
    *handle = piece->memory->handle;
    return card_leave(CUDA_SUCCESS);
}

int cuMemGetAllocationPropertiesFromHandle(struct card_allocation_form *form, uint64_t handle) {
    int result = card_enter("cuMemGetAllocationPropertiesFromHandle", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    const struct card_memory *memory = card_handle_find(CARD_KIND_MEMORY, handle);
    *form = (struct card_allocation_form){
        .type = CARD_ALLOCATION_PINNED,
        .handle_types = memory->handle_types,
        .location = {memory->is_in_host ? CARD_LOCATION_HOST_NUMA : CARD_LOCATION_DEVICE,
                     memory->device}};
    return card_leave(CUDA_SUCCESS);
}

// Mappings.

int cuMemMap(uint64_t address, size_t size, size_t offset, uint64_t handle, uint64_t flags) {
    int result = card_enter("cuMemMap", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    struct card_memory *memory = card_handle_find(CARD_KIND_MEMORY, handle);
    check_whole("the address", address);
    check_whole("the size", size);
    if (offset || flags)
        card_misuse("offset and flags have to be 0");
    if (size > memory->size)
        card_misuse("%zu bytes are to be mapped of a memory of %zu", size, memory->size);
    for (uint64_t at = address; at < address + size; at += CARD_GRANULARITY) {
        if (!card_address_is_own(at))
            card_misuse("%#" PRIx64 " isn't reserved", at);
    }
    size_t index = 0;
    if (card_piece_next(address, address + size, &index))
        card_misuse("memory is mapped in %zu bytes at %#" PRIx64 " already", size, address);
    card_piece_add(&(struct card_piece){.begin = address,
                                        .end = address + size,
                                        .bytes = memory->bytes,
                                        .origin = CARD_MAPPED,
                                        .memory = memory});
    memory->mappings++;
    return card_leave(CUDA_SUCCESS);
}

/// The range has to be whole mappings, without a gap.
static void check_mappings(uint64_t address, size_t size) {
    uint64_t at = address;
    check_whole("the address", address);
    check_whole("the size", size);
    while (at < address + size) {
        const struct card_piece *piece = card_piece_find(at);
        if (!piece || piece->origin != CARD_MAPPED)
            card_misuse("no memory is mapped at %#" PRIx64, at);
        if (piece->begin != at || piece->end > address + size)
            card_misuse("%zu bytes at %#" PRIx64 " are part of the mapping [%#" PRIx64 ", %#" PRIx64
                        ")",
                        size, address, piece->begin, piece->end);
        at = piece->end;
    }
}

int cuMemUnmap(uint64_t address, size_t size) {
    int result = card_enter("cuMemUnmap", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    check_mappings(address, size);
    card_check_unused(address, address + size);
    for (uint64_t at = address; at < address + size;) {
        const struct card_piece *piece = card_piece_find(at);
        struct card_memory *memory = piece->memory;
        at = piece->end;
        card_piece_remove(piece->begin);
        memory->mappings--;
        drop_unused(memory);
    }
    return card_leave(CUDA_SUCCESS);
}

int cuMemSetAccess(uint64_t address, size_t size, const struct card_access *access, size_t count) {
    int result = card_enter("cuMemSetAccess", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    check_mappings(address, size);
    for (size_t i = 0; i < count; i++) {
        const struct card_access *a = &access[i];
        if (a->location.type != CARD_LOCATION_DEVICE || a->location.id < 0 ||
            a->location.id >= card.settings.devices)
            return card_leave(CUDA_ERROR_INVALID_VALUE);
        if (a->flags != CARD_ACCESS_NONE && a->flags != CARD_ACCESS_READ &&
            a->flags != CARD_ACCESS_BOTH)
            return card_leave(CUDA_ERROR_INVALID_VALUE);
        size_t index = 0;
        for (struct card_piece *p; (p = card_piece_next(address, address + size, &index));) {
            if (!card.settings.has_peers && !p->memory->is_in_host &&
                p->memory->device != a->location.id)
                return card_leave(CUDA_ERROR_INVALID_DEVICE);
        }
        index = 0;
        for (struct card_piece *p; (p = card_piece_next(address, address + size, &index));)
            p->access[a->location.id] = (unsigned char)a->flags;
    }
    return card_leave(CUDA_SUCCESS);
}

int cuMemGetAccess(uint64_t *flags, const struct card_location *location, uint64_t address) {
    int result = card_enter("cuMemGetAccess", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    const struct card_piece *piece = card_piece_find(address);
    if (!piece || piece->origin != CARD_MAPPED || location->type != CARD_LOCATION_DEVICE ||
        location->id < 0 || location->id >= card.settings.devices)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = piece->access[location->id];
    return card_leave(CUDA_SUCCESS);
}

// Other processes.

int cuMemExportToShareableHandle(void *shared, uint64_t handle, int type, uint64_t flags) {
    int result = card_enter("cuMemExportToShareableHandle", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    const struct card_memory *memory = card_handle_find(CARD_KIND_MEMORY, handle);
    if (!shared || flags || type != CARD_HANDLE_POSIX || memory->file < 0)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    int file = dup(memory->file);
    if (file < 0)
        return card_leave(CUDA_ERROR_OPERATING_SYSTEM);
    memcpy(shared, &file, sizeof file);
    return card_leave(CUDA_SUCCESS);
}

/// The device of an exported memory; -1: the file is none.
static int device_of_file(int file, size_t *size) {
    char path[64], name[128];
    struct stat status;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, name, sizeof name - 1);
    if (length <= 0 || fstat(file, &status) != 0)
        return -1;
    name[length] = 0;
    const char *found = strstr(name, file_name);
    *size = (size_t)status.st_size;
    return found ? atoi(found + strlen(file_name)) : -1;
}

int cuMemImportFromShareableHandle(uint64_t *handle, void *shared, int type) {
    int result = card_enter("cuMemImportFromShareableHandle", CARD_INITIALISED);
    if (result)
        return card_leave(result);
    if (type != CARD_HANDLE_POSIX)
        return card_leave(CUDA_ERROR_NOT_SUPPORTED);
    size_t size = 0;
    int device = device_of_file((int)(intptr_t)shared, &size);
    if (device < 0 || device >= card.settings.devices || !is_whole(size))
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    int file = dup((int)(intptr_t)shared);
    unsigned char *bytes = file >= 0 ? open_bytes(file, size) : NULL;
    if (!bytes) {
        if (file >= 0)
            close(file);
        return card_leave(CUDA_ERROR_OPERATING_SYSTEM);
    }
    *handle = add_memory(&(struct card_memory){.device = device,
                                               .size = size,
                                               .handle_types = CARD_HANDLE_POSIX,
                                               .file = file,
                                               .bytes = bytes,
                                               .is_imported = true})
                  ->handle;
    return card_leave(CUDA_SUCCESS);
}
