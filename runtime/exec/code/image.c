// The bytes of an image differ from node to node in the descriptors of functions, which lead to
// where this process' functions lie. So images are no device memory: no node ever sends one to
// another.
#include "exec/code/image.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/memory/space.h"

/// Where an image lies, or did.
struct place {
    uint64_t hash, size;
    void *address;
    const struct gcl_image *image; ///< NULL: its object is unloaded
    struct place *next;
};

static struct place *places;

/// The image's bytes at that address, to be freed; NULL: no memory.
static unsigned char *build(const struct gcl_image *image, unsigned char *address) {
    unsigned char *bytes = calloc(1, image->size);
    for (uint32_t i = 0; bytes && i < image->function_count; i++)
        memcpy(bytes + (size_t)i * GCL_DESCRIPTOR_SIZE, &image->functions[i],
               sizeof image->functions[i]);
    for (uint32_t i = 0; bytes && i < image->constant_count; i++) {
        const struct gcl_image_constant *constant = &image->constants[i];
        memcpy(bytes + constant->offset, constant->bytes, constant->size);
    }
    for (uint32_t i = 0; bytes && i < image->pointer_count; i++) {
        const unsigned char *target = address + image->pointers[i].target;
        memcpy(bytes + image->pointers[i].offset, &target, sizeof target);
    }
    return bytes;
}

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t size, size_t unit) {
    assert(unit > 0);
    return (size + unit - 1) / unit * unit;
}

static bool is_reserved(const struct gcl_space *space, uintptr_t address, size_t size) {
    uintptr_t begin, end;
    gcl_space_images(space, &begin, &end);
    return address % page_size() == 0 && address >= begin && address < end && size <= end - address;
}

/// Puts bytes of an image at an address, for reading only.
static enum gcl_status write_pages(const struct gcl_space *space, void *address,
                                   const unsigned char *bytes, size_t size) {
    size_t all = round_up(size, page_size());
    const struct gcl_page_ops *pages = gcl_space_pages(space);
    bool is_inside = is_reserved(space, (uintptr_t)address, all);
    if (!is_inside || !pages->commit((uintptr_t)address, all)) {
        gcl_log(GCL_LOG_ERROR, "no memory for %zu bytes of device code's constants at %p: %s", size,
                address, is_inside ? strerror(errno) : "these addresses aren't reserved for that");
        return GCL_NO_MEMORY;
    }
    pages->write((uintptr_t)address, bytes, size);
    return pages->seal((uintptr_t)address, all) ? GCL_OK : GCL_SYSTEM;
}

enum gcl_status gcl_image_adopt(const struct gcl_image *image, struct gcl_space *space,
                                void *address) {
    unsigned char *bytes = build(image, address);
    if (!bytes)
        return GCL_NO_MEMORY;
    enum gcl_status status = write_pages(space, address, bytes, image->size);
    free(bytes);
    if (status == GCL_OK)
        *image->address = address;
    return status;
}

static struct place *find_place(const struct gcl_image *image) {
    struct place *found = places;
    while (found && found->image != image)
        found = found->next;
    return found;
}

/// Addresses behind all places, 0 if there are none.
static uintptr_t find_room(const struct gcl_space *space, size_t size) {
    uintptr_t begin, end;
    gcl_space_images(space, &begin, &end);
    for (const struct place *p = places; p; p = p->next) {
        uintptr_t behind = (uintptr_t)p->address + round_up(p->size, page_size());
        begin = behind > begin ? behind : begin;
    }
    return begin < end && size <= end - begin ? begin : 0;
}

/// A place that an image left which was just like this one; otherwise a new place, NULL: no memory.
static struct place *take_place(const struct gcl_image *image, struct gcl_space *space) {
    struct place *p = places;
    while (p && (p->image || p->hash != image->hash || p->size != image->size))
        p = p->next;
    if (p)
        return p;
    void *address = (void *)find_room(space, image->size);
    p = address ? calloc(1, sizeof *p) : NULL;
    if (!p) {
        gcl_log(GCL_LOG_ERROR, "no memory for the constants of device code (%llu bytes)",
                (unsigned long long)image->size);
        return NULL;
    }
    *p = (struct place){image->hash, image->size, address, NULL, places};
    places = p;
    return p;
}

enum gcl_status gcl_image_place(const struct gcl_image *image, struct gcl_space *space) {
    if (find_place(image))
        return GCL_OK;
    struct place *place = take_place(image, space);
    enum gcl_status status = place ? gcl_image_adopt(image, space, place->address) : GCL_NO_MEMORY;
    if (status == GCL_OK)
        place->image = image;
    return status;
}

void gcl_image_leave(const struct gcl_image *image) {
    struct place *place = find_place(image);
    if (place)
        place->image = NULL;
}
