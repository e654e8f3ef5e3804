// Pieces gather until a system call is full of them.
#include "reading.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

enum { MOST_BYTES = 1 << 30 }; ///< of one system call

enum gcl_status gcl_reading_finish(struct gcl_reading *r) {
    if (r->pieces == 0)
        return GCL_OK;
    ssize_t done = process_vm_readv(r->process, r->here, r->pieces, r->there, r->pieces, 0);
    bool is_done = done >= 0 && (size_t)done == r->size;
    if (!is_done && !(done < 0 && errno == ESRCH))
        gcl_log(GCL_LOG_ERROR, "%zu bytes of process %d can't be read: %s", r->size, r->process,
                done < 0 ? strerror(errno) : "not all of them are there");
    enum gcl_status status = is_done                      ? GCL_OK
                             : done < 0 && errno == ESRCH ? GCL_NODE_LOST
                                                          : GCL_SYSTEM;
    r->pieces = r->size = 0;
    return status;
}

enum gcl_status gcl_reading_add(struct gcl_reading *r, unsigned char *here,
                                const unsigned char *there, size_t size) {
    enum gcl_status status = GCL_OK;
    while (size > 0 && status == GCL_OK) {
        size_t piece = size < MOST_BYTES - r->size ? size : MOST_BYTES - r->size;
        r->here[r->pieces] = (struct iovec){here, piece};
        r->there[r->pieces++] = (struct iovec){(void *)(uintptr_t)there, piece};
        r->size += piece;
        here += piece;
        there += piece;
        size -= piece;
        if (r->pieces == GCL_READING_PIECES || r->size == MOST_BYTES)
            status = gcl_reading_finish(r);
    }
    return status;
}

enum gcl_status gcl_reading_add_region(struct gcl_reading *r, const struct gcl_request *request) {
    struct gcl_region_cursor cursor = {.region = request->region};
    unsigned char *out = request->bytes;
    struct gcl_span run;
    enum gcl_status status = GCL_OK;
    while (status == GCL_OK && gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        unsigned char *place = request->place + run.begin;
        status = gcl_reading_add(r, out ? out : place, place, size);
        out = out ? out + size : NULL;
    }
    return status;
}
