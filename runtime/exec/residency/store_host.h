// The tier of a store that is the host's memory.
#ifndef GCL_EXEC_STORE_HOST_H
#define GCL_EXEC_STORE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/residency/slots.h"

struct gcl_store_host {
    unsigned char *memory; ///< addresses of all slots, which take memory only when they are used
    size_t size;
    struct gcl_slots slots;
};

/// Maps `size` bytes from a large page's beginning on, which become large pages when they are used.
/// NULL, with `errno`: no addresses.
void *gcl_store_host_map(size_t size);
/// Takes zeroed storage; `size` may be 0. False, after a message: no memory.
bool gcl_store_host_init(struct gcl_store_host *host, size_t size);
void gcl_store_host_finish(struct gcl_store_host *host);
/// Where the bytes of a slot are.
void *gcl_store_host_at(const struct gcl_store_host *host, uint64_t slot);

#endif
