#include "report.h"

#include <stdlib.h>

#include "base/log.h"
#include "exec/errand.h"
#include "exec/stats.h"

static bool carry(const struct gcl_courier *courier, gcl_node peer, bool is_sent, uint64_t sequence,
                  void *bytes, size_t size) {
    struct gcl_parcel parcel = {.peer = peer,
                                .is_sent = is_sent,
                                .tag = gcl_errand_tag_beside(sequence),
                                .bytes = bytes,
                                .size = size};
    return courier->exchange(courier->context, 0, &parcel, 1) == GCL_OK;
}

bool gcl_report_send(struct gcl_stats *stats, uint64_t sequence,
                     const struct gcl_courier *courier) {
    size_t size = gcl_stats_report_size(stats);
    unsigned char *bytes = malloc(size);
    if (!bytes) {
        gcl_log(GCL_LOG_ERROR, "no memory to report what this node did");
        return false;
    }
    gcl_stats_write_report(stats, bytes);
    bool ok = carry(courier, 0, true, sequence, bytes, size);
    free(bytes);
    return ok;
}

bool gcl_report_receive(struct gcl_stats *stats, gcl_node node, uint64_t sequence,
                        const struct gcl_courier *courier) {
    size_t size = gcl_stats_report_size(stats);
    unsigned char *bytes = malloc(size);
    bool ok = bytes && carry(courier, node, false, sequence, bytes, size);
    if (ok)
        gcl_stats_read_report(stats, node, bytes);
    free(bytes);
    return ok;
}
