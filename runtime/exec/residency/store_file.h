// The tier of a store that is a file on a local disk.
#ifndef GCL_EXEC_STORE_FILE_H
#define GCL_EXEC_STORE_FILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/residency/requests.h"
#include "exec/residency/slots.h"
#include "exec/residency/spill.h"
#include "exec/residency/store.h"

enum { GCL_STORE_FILE_IDLE = 16 }; ///< calls at a time whose rings are kept for later ones

struct gcl_store_file {
    char *folder; ///< NULL: there is no file
    struct gcl_spill spill;
    size_t size;
    struct gcl_slots slots;
    uint64_t *checksums; ///< of each slot's bytes
    atomic_uint_fast64_t written, read;
    atomic_bool is_said; ///< that there is no io_uring
    pthread_mutex_t lock;
    struct gcl_requests *idle[GCL_STORE_FILE_IDLE]; ///< which no call uses
    unsigned idle_count;
};

/// Takes zeroed storage; `folder` NULL: without a file. Otherwise as gcl_store_create.
bool gcl_store_file_init(struct gcl_store_file *file, const char *folder, size_t size);
void gcl_store_file_finish(struct gcl_store_file *file);
/// Writes or reads those of the transfers whose place is in the file and whose status is GCL_OK,
/// and sets their status.
void gcl_store_file_run(struct gcl_store_file *file, bool is_write,
                        struct gcl_store_transfer *transfers, size_t count);

#endif
