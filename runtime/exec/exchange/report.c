// Three requests: the sizes of the other two, statistics, the trace. Empty ones aren't sent.
#include "exec/exchange/report.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/log.h"
#include "exec/exchange/movement.h"
#include "exec/watch/stats.h"
#include "exec/watch/trace.h"

enum { PART_SIZES, PART_STATS, PART_TRACE, SIZES_SIZE = 16 };

static bool carry(const struct gcl_report *report, gcl_node peer, bool is_sent, size_t part,
                  void *bytes, size_t size) {
    struct gcl_request request = {.what = "the report of what nodes did",
                                  .peer = peer,
                                  .is_sent = is_sent,
                                  .tag = gcl_movement_tag_beside(report->sequence, part),
                                  .bytes = bytes,
                                  .size = size};
    const struct gcl_communicator *communicator = report->communicator;
    return size == 0 || communicator->exchange(communicator->context, (struct gcl_turn){0},
                                               &request, 1) == GCL_OK;
}

bool gcl_report_send(const struct gcl_report *report) {
    unsigned char sizes[SIZES_SIZE];
    size_t stats_size = report->stats ? gcl_stats_report_size(report->stats) : 0, trace_size = 0;
    unsigned char *trace = report->trace ? gcl_trace_report(report->trace, &trace_size) : NULL;
    unsigned char *stats = malloc(stats_size + 1);
    if (stats && stats_size > 0)
        gcl_stats_write_report(report->stats, stats);
    gcl_bytes_put64(gcl_bytes_put64(sizes, stats ? stats_size : 0), trace_size);
    bool ok = carry(report, 0, true, PART_SIZES, sizes, sizeof sizes) &&
              carry(report, 0, true, PART_STATS, stats, stats ? stats_size : 0) &&
              carry(report, 0, true, PART_TRACE, trace, trace_size);
    free(stats);
    free(trace);
    return ok;
}

static bool take_stats(const struct gcl_report *report, gcl_node node, const unsigned char *bytes,
                       size_t size) {
    if (!report->stats || size == 0)
        return true;
    if (size != gcl_stats_report_size(report->stats))
        return false;
    gcl_stats_read_report(report->stats, node, bytes);
    return true;
}

static bool take_trace(const struct gcl_report *report, gcl_node node,
                       const struct gcl_clocks *clocks, const unsigned char *bytes, size_t size) {
    return !report->trace || gcl_trace_merge(report->trace, node, clocks, bytes, size);
}

bool gcl_report_receive(const struct gcl_report *report, gcl_node node,
                        const struct gcl_clocks *clocks) {
    unsigned char sizes[SIZES_SIZE];
    uint64_t stats_size, trace_size;
    if (!carry(report, node, false, PART_SIZES, sizes, sizeof sizes))
        return false;
    gcl_bytes_get64(gcl_bytes_get64(sizes, &stats_size), &trace_size);
    bool fits = stats_size <= GCL_TRACE_MOST && trace_size <= GCL_TRACE_MOST;
    unsigned char *bytes = fits ? malloc(stats_size + trace_size + 1) : NULL;
    bool is_here = bytes && carry(report, node, false, PART_STATS, bytes, stats_size) &&
                   carry(report, node, false, PART_TRACE, bytes + stats_size, trace_size);
    bool ok = is_here && take_stats(report, node, bytes, stats_size) &&
              take_trace(report, node, clocks, bytes + stats_size, trace_size);
    if (!bytes || (is_here && !ok))
        gcl_log(GCL_LOG_WARN, "what node %u did can't be read", node);
    free(bytes);
    return ok;
}
