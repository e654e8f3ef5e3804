// What a prediction says, as tables.
#include "exec/watch/prediction.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/bytes_text.h"
#include "base/name.h"
#include "base/reason.h"
#include "gcluster/kernel.h"

enum { NAME_SIZE = 256, NAME_WIDTH = 32, TIME_SIZE = 24 };

double gcl_prediction_host_ns(const struct gcl_prediction_line *line) {
    double host_ns = line->time_ns - line->compute_ns - line->moving_ns;
    return host_ns > 0 ? host_ns : 0;
}

struct text {
    char text[NAME_SIZE];
};

static struct text time_text(double ns) {
    struct text out;
    if (ns < 1e6)
        snprintf(out.text, TIME_SIZE, "%.1f us", ns * 1e-3);
    else if (ns < 1e9)
        snprintf(out.text, TIME_SIZE, "%.1f ms", ns * 1e-6);
    else
        snprintf(out.text, TIME_SIZE, "%.2f s", ns * 1e-9);
    return out;
}

static struct text name_of(const struct gcl_kernel *kernel) {
    struct text out;
    gcl_name_demangle(kernel->name, out.text, sizeof out.text);
    return out;
}

/// What takes longest beyond its even part of what it takes on one node.
struct limit {
    const struct gcl_prediction_kernel *kernel; ///< NULL: the host, and its copies
    double lost_ns;
};

static struct limit find_limit(const struct gcl_prediction *prediction, size_t line) {
    const struct gcl_prediction_line *lines = prediction->lines;
    double even = 1 / (double)lines[line].nodes;
    struct limit limit = {.lost_ns = gcl_prediction_host_ns(&lines[line]) -
                                     gcl_prediction_host_ns(lines) * even};
    for (size_t i = 0; i < prediction->kernel_count; i++) {
        const struct gcl_prediction_kernel *kernel = &prediction->kernels[i];
        const struct gcl_prediction_share *share = &kernel->shares[line];
        double lost_ns = share->compute_ns + share->moving_ns - kernel->shares[0].compute_ns * even;
        if (lost_ns > limit.lost_ns)
            limit = (struct limit){kernel, lost_ns};
    }
    return limit;
}

// The program.

static void write_line(const struct gcl_prediction *prediction, size_t i, FILE *out) {
    const struct gcl_prediction_line *line = &prediction->lines[i];
    if (!line->is_known) {
        fprintf(out, "  %6" PRIu32 "  what the program does can't be planned for so many\n",
                line->nodes);
        return;
    }
    struct limit limit = find_limit(prediction, i);
    fprintf(out, "  %6" PRIu32 " %10s %8.2fx %10s %10s %10s %10s", line->nodes,
            time_text(line->time_ns).text, prediction->lines[0].time_ns / line->time_ns,
            time_text(line->compute_ns).text, time_text(line->moving_ns).text,
            time_text(gcl_prediction_host_ns(line)).text, gcl_bytes_text((double)line->moved).text);
    if (i > 0)
        fprintf(out, "  %.*s", NAME_WIDTH,
                limit.kernel ? name_of(limit.kernel->kernel).text : "host");
    fputc('\n', out);
}

// Kernels, on the most nodes.

static void write_why(const struct gcl_prediction_kernel *kernel, size_t line, uint32_t nodes,
                      FILE *out) {
    const struct gcl_prediction_share *share = &kernel->shares[line];
    double even_ns = kernel->shares[0].compute_ns / nodes;
    if (share->kept * 2 > kernel->launches)
        fprintf(out, "stays on one node: %s [GCL%u]", gcl_reason_why(share->reason), share->reason);
    else if (share->moving_ns > share->compute_ns)
        fprintf(out, "moves more than it computes");
    else if (share->compute_ns > 1.5 * even_ns)
        fprintf(out, "has too few blocks for so many threads");
    else
        fprintf(out, "scales");
}

static void write_kernel(const struct gcl_prediction *prediction, size_t i, FILE *out) {
    const struct gcl_prediction_kernel *kernel = &prediction->kernels[i];
    size_t last = prediction->line_count - 1;
    const struct gcl_prediction_share *share = &kernel->shares[last];
    fprintf(out, "  %-*.*s %9" PRIu64 " %10s %10s %10s %10s  ", NAME_WIDTH, NAME_WIDTH,
            name_of(kernel->kernel).text, kernel->launches,
            time_text(kernel->shares[0].compute_ns).text, time_text(share->compute_ns).text,
            time_text(share->moving_ns).text, gcl_bytes_text((double)share->moved).text);
    write_why(kernel, last, prediction->lines[last].nodes, out);
    fputc('\n', out);
}

void gcl_prediction_write(const struct gcl_prediction *prediction, FILE *out) {
    assert(prediction->line_count > 0);
    size_t last = prediction->line_count - 1;
    fprintf(out,
            "gcluster: what the program would take on nodes of %.0f thread%s, with links of %.3g "
            "GB/s and %.3g us\n",
            prediction->threads, prediction->threads > 1 ? "s" : "", prediction->bytes_per_ns,
            prediction->latency_ns * 1e-3);
    fprintf(out, "  %6s %10s %9s %10s %10s %10s %10s  %s\n", "nodes", "time", "speed-up",
            "computing", "moving", "host", "moved", "held up by");
    bool is_slower = false;
    for (size_t i = 0; i < prediction->line_count; i++) {
        write_line(prediction, i, out);
        is_slower |= prediction->lines[i].time_ns > prediction->lines[0].time_ns;
    }
    if (is_slower)
        fprintf(out, "  Where more nodes would take longer, node 0 does all alone (GCL_SPLIT in "
                     "gcluster(7)).\n");
    if (!prediction->lines[last].is_known)
        return;
    fprintf(out, "  %-*s %9s %10s %10s %10s %10s\n", NAME_WIDTH, "kernel", "launches", "on 1 node",
            "computing", "moving", "moved");
    for (size_t i = 0; i < prediction->kernel_count; i++)
        write_kernel(prediction, i, out);
}
