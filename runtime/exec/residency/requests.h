// Reads and writes of a file, many of them in flight. They go through io_uring; where the system
// doesn't permit that, as in many containers, each is done by a call when it begins.
//
// One thread at a time uses what one creation gave.
#ifndef GCL_EXEC_REQUESTS_H
#define GCL_EXEC_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GCL_REQUESTS_DEPTH = 64 }; ///< requests in flight at most

struct gcl_requests;

/// A read or write of one chunk; the caller's until gcl_requests_next has given it back.
struct gcl_request {
    bool is_write;
    void *bytes;
    uint64_t offset; ///< in the file
    size_t done;     ///< bytes; 0 at the beginning
    int error;       ///< as errno has them; 0: all bytes are done
    struct gcl_request *next;
};

/// What is read and written, and in what units: 1, or what direct access asks for.
struct gcl_requests_file {
    int descriptor;
    size_t unit;
};

/// NULL: no memory. `is_ring` false: the system doesn't permit io_uring, for the reason in `errno`.
struct gcl_requests *gcl_requests_create(const struct gcl_requests_file *file, bool *is_ring);
/// Takes NULL. Nothing is in flight any more.
void gcl_requests_destroy(struct gcl_requests *requests);

/// Begins a request. Fewer than GCL_REQUESTS_DEPTH are in flight.
void gcl_requests_begin(struct gcl_requests *requests, struct gcl_request *request);
/// Waits for a request that is over, done or with an error, of those that are in flight.
struct gcl_request *gcl_requests_next(struct gcl_requests *requests);

/// Notes what the system answered to a request: a number of bytes, or an errno, negated. True: the
/// rest has to be asked for. Interruptions and short transfers aren't errors; no bytes are.
bool gcl_request_advance(struct gcl_request *request, int64_t answer, size_t unit);

#endif
