// What the two ways have in common is gcl_request_advance, which says what an answer means; a ring
// asks for the rest by another entry, a call by another call.
#include "exec/residency/requests.h"

#include <assert.h>
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/residency/chunk.h"

enum { TOGETHER = 8 }; ///< requests that are handed to the system by one call, if it isn't waited

struct gcl_requests {
    struct gcl_requests_file file;
    bool is_ring;
    struct io_uring ring;
    unsigned in_flight;
    unsigned prepared;            ///< entries of the ring that the system hasn't got yet
    struct gcl_request *finished; ///< done by calls
};

bool gcl_request_advance(struct gcl_request *request, int64_t answer, size_t unit) {
    if (answer == -EINTR || answer == -EAGAIN)
        return true;
    if (answer < 0) {
        request->error = (int)-answer;
        return false;
    }
    size_t done = request->done + (size_t)answer;
    assert(done <= GCL_CHUNK_SIZE);
    done -= done % unit; // direct access goes on where a unit begins
    if (done == request->done)
        request->error = EIO; // the file ends here, or the disk makes no headway
    request->done = done;
    return !request->error && done < GCL_CHUNK_SIZE;
}

/// Hands prepared entries to the system, and waits for `wait` answers. The first call of a ring has
/// shown that the system permits it, so that what fails here is temporary, or our mistake.
static void enter(struct gcl_requests *requests, unsigned wait) {
    int result;
    do
        result = wait ? io_uring_submit_and_wait(&requests->ring, wait)
                      : io_uring_submit(&requests->ring);
    while (result == -EINTR || result == -EAGAIN || result == -EBUSY);
    if (result < 0) {
        // Requests in flight would go on to use their callers' memory.
        gcl_log(GCL_LOG_ERROR, "io_uring: %s", strerror(-result));
        abort();
    }
    requests->prepared = io_uring_sq_ready(&requests->ring);
}

/// Whether a ring does anything: some systems permit its creation only.
static bool is_alive(struct gcl_requests *requests) {
    struct io_uring_cqe *answer;
    io_uring_prep_nop(io_uring_get_sqe(&requests->ring));
    int result = io_uring_submit_and_wait(&requests->ring, 1);
    if (result >= 0)
        result = io_uring_wait_cqe(&requests->ring, &answer);
    if (result < 0) {
        errno = -result;
        return false;
    }
    io_uring_cqe_seen(&requests->ring, answer);
    return true;
}

static bool open_ring(struct gcl_requests *requests) {
    int result = io_uring_queue_init(GCL_REQUESTS_DEPTH, &requests->ring, 0);
    if (result < 0) {
        errno = -result;
        return false;
    }
    io_uring_ring_dontfork(&requests->ring);
    if (is_alive(requests))
        return true;
    int error = errno;
    io_uring_queue_exit(&requests->ring);
    errno = error;
    return false;
}

struct gcl_requests *gcl_requests_create(const struct gcl_requests_file *file, bool *is_ring) {
    struct gcl_requests *requests = calloc(1, sizeof *requests);
    if (!requests)
        return NULL;
    requests->file = *file;
    *is_ring = requests->is_ring = open_ring(requests);
    return requests;
}

void gcl_requests_destroy(struct gcl_requests *requests) {
    if (requests && requests->is_ring)
        io_uring_queue_exit(&requests->ring);
    free(requests);
}

/// Has the ring ask for what is left of a request.
static void prepare(struct gcl_requests *requests, struct gcl_request *request) {
    struct io_uring_sqe *entry = io_uring_get_sqe(&requests->ring);
    assert(entry); // there are as many as requests
    char *bytes = (char *)request->bytes + request->done;
    unsigned size = (unsigned)(GCL_CHUNK_SIZE - request->done);
    uint64_t offset = request->offset + request->done;
    if (request->is_write)
        io_uring_prep_write(entry, requests->file.descriptor, bytes, size, offset);
    else
        io_uring_prep_read(entry, requests->file.descriptor, bytes, size, offset);
    io_uring_sqe_set_data(entry, request);
    requests->prepared++;
}

static void call(struct gcl_requests *requests, struct gcl_request *request) {
    ssize_t answer;
    do {
        char *bytes = (char *)request->bytes + request->done;
        size_t size = GCL_CHUNK_SIZE - request->done;
        off_t offset = (off_t)(request->offset + request->done);
        answer = request->is_write ? pwrite(requests->file.descriptor, bytes, size, offset)
                                   : pread(requests->file.descriptor, bytes, size, offset);
    } while (gcl_request_advance(request, answer < 0 ? -errno : answer, requests->file.unit));
    request->next = requests->finished;
    requests->finished = request;
}

void gcl_requests_begin(struct gcl_requests *requests, struct gcl_request *request) {
    assert(requests->in_flight < GCL_REQUESTS_DEPTH);
    requests->in_flight++;
    if (!requests->is_ring) {
        call(requests, request);
        return;
    }
    prepare(requests, request);
    if (requests->prepared == TOGETHER)
        enter(requests, 0);
}

static struct gcl_request *next_of_ring(struct gcl_requests *requests) {
    for (;;) {
        struct io_uring_cqe *answer;
        if (io_uring_peek_cqe(&requests->ring, &answer) != 0) {
            enter(requests, 1);
            continue;
        }
        struct gcl_request *request = io_uring_cqe_get_data(answer);
        int result = answer->res;
        io_uring_cqe_seen(&requests->ring, answer);
        if (!gcl_request_advance(request, result, requests->file.unit))
            return request;
        prepare(requests, request);
    }
}

struct gcl_request *gcl_requests_next(struct gcl_requests *requests) {
    assert(requests->in_flight > 0);
    requests->in_flight--;
    if (requests->is_ring)
        return next_of_ring(requests);
    struct gcl_request *request = requests->finished;
    requests->finished = request->next;
    return request;
}
