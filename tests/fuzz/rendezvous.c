// Frames between a launcher and its nodes, from any bytes, and what is in them: a head that is
// taken is written again as the same bytes, and so are a welcome, what nodes share, and what to
// start.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/job/rendezvous.h"
#include "start.h"

enum { MOST_NODES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void try_welcome(const uint8_t *body, size_t size) {
    struct gcl_rendezvous_welcome welcome;
    uint8_t bytes[GCL_RENDEZVOUS_WELCOME_SIZE];
    if (gcl_rendezvous_read_welcome(body, size, &welcome))
        return;
    require(welcome.node < welcome.count && welcome.local_rank < welcome.local_count);
    require(gcl_rendezvous_write_welcome(&welcome, bytes) == size);
    require(memcmp(bytes, body, size) == 0);
}

static void try_shared(const uint8_t *body, size_t size) {
    struct gcl_rendezvous_share shares[MOST_NODES];
    for (gcl_node count = 1; count <= MOST_NODES; count++) {
        size_t sum = 4 * (size_t)count;
        if (gcl_rendezvous_read_shared(body, size, count, shares))
            continue;
        for (gcl_node n = 0; n < count; n++) {
            require(shares[n].bytes >= body && shares[n].bytes + shares[n].size <= body + size);
            sum += shares[n].size;
        }
        require(sum == size);
    }
}

static void try_start(const uint8_t *body, size_t size) {
    struct gcl_start start;
    if (!gcl_start_read(body, size, &start))
        return;
    g_autoptr(GByteArray) bytes = gcl_start_write(&start);
    require(bytes->len == size && memcmp(bytes->data, body, size) == 0);
    gcl_start_clear(&start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t bytes[GCL_RENDEZVOUS_HEAD_SIZE];
    struct gcl_rendezvous_head head;
    if (size < sizeof bytes || gcl_rendezvous_read_head(data, &head))
        return -1;
    gcl_rendezvous_write_head(&head, bytes);
    require(memcmp(bytes, data, sizeof bytes) == 0);
    // Bodies of any size are tried, as readers check them again.
    try_welcome(data + sizeof bytes, size - sizeof bytes);
    try_shared(data + sizeof bytes, size - sizeof bytes);
    try_start(data + sizeof bytes, size - sizeof bytes);
    return 0;
}
