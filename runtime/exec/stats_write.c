// Times are summed over nodes. A share is that of all nodes' time since the runtime started: what
// is left to 100 % they spent waiting for the program, or for lack of blocks.
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/name.h"
#include "base/reason.h"
#include "exec/stats.h"
#include "gcluster/kernel.h"

enum { NAME_SIZE = 256, NAME_WIDTH = 32 };

struct text {
    char text[NAME_SIZE];
};

static uint64_t time_of(const struct gcl_stats_summary *s, const struct gcl_stats_kernel *kernel) {
    uint64_t sum = 0;
    for (gcl_node node = 0; node < s->node_count; node++)
        sum += kernel->time_ns[node];
    return sum;
}

static uint64_t exchange_time(const struct gcl_stats_summary *s) {
    uint64_t sum = 0;
    for (gcl_node node = 0; node < s->node_count; node++)
        sum += s->nodes[node].exchange_ns;
    return sum;
}

static double share_of(const struct gcl_stats_summary *s, uint64_t time_ns) {
    uint64_t all_ns = s->elapsed_ns * s->told_count;
    return all_ns > 0 ? (double)time_ns / (double)all_ns : 0;
}

static uint64_t singles_of(const struct gcl_stats_kernel *kernel) {
    return kernel->launches - kernel->splits[0] - kernel->splits[1] - kernel->splits[2];
}

static struct gcl_moves all_moves(const struct gcl_stats_summary *s) {
    struct gcl_moves sum = s->copies;
    for (size_t i = 0; i < s->kernel_count; i++)
        gcl_moves_add(&sum, &s->kernels[i].moves);
    return sum;
}

// For people.

static struct text bytes_text(uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    struct text out;
    double value = (double)bytes;
    int unit = -1;
    for (; value >= 1024 && unit < 3; unit++)
        value /= 1024;
    if (unit < 0)
        snprintf(out.text, sizeof out.text, "%" PRIu64 " B", bytes);
    else
        snprintf(out.text, sizeof out.text, "%.1f %s", value, units[unit]);
    return out;
}

static struct text time_text(uint64_t ns) {
    struct text out;
    if (ns < 1000000000)
        snprintf(out.text, sizeof out.text, "%.1f ms", (double)ns * 1e-6);
    else
        snprintf(out.text, sizeof out.text, "%.2f s", (double)ns * 1e-9);
    return out;
}

/// "halo 1.5 KiB, host 12 B"; "-" if nothing moves.
static struct text moves_text(const struct gcl_moves *moves) {
    struct text out = {"-"};
    size_t at = 0;
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++) {
        if (moves->bytes[i] > 0 && at < sizeof out.text)
            at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%s%s %s", at ? ", " : "",
                                   gcl_moves_name((enum gcl_move_cause)i),
                                   bytes_text(moves->bytes[i]).text);
    }
    return out;
}

static struct text split_text(const struct gcl_stats_kernel *kernel) {
    struct text out = {""};
    for (int axis = 0; axis < 3; axis++) {
        if (kernel->splits[axis] > 0)
            strcat(out.text, axis == 0 ? "x" : axis == 1 ? "y" : "z");
    }
    if (singles_of(kernel) > 0)
        strcat(out.text, out.text[0] ? ", none" : "none");
    return out;
}

static void write_line(const struct gcl_stats_summary *s, const char *name, const char *launches,
                       const char *split, uint64_t time_ns, const char *moved, FILE *out) {
    fprintf(out, "  %-*.*s %9s  %-7s %10s %6.1f %%  %s\n", NAME_WIDTH, NAME_WIDTH, name, launches,
            split, time_text(time_ns).text, 100 * share_of(s, time_ns), moved);
}

static void write_kernel_row(const struct gcl_stats_summary *s,
                             const struct gcl_stats_kernel *kernel, FILE *out) {
    struct text name;
    char launches[24];
    gcl_name_demangle(kernel->kernel->name, name.text, sizeof name.text);
    snprintf(launches, sizeof launches, "%" PRIu64, kernel->launches);
    write_line(s, name.text, launches, split_text(kernel).text, time_of(s, kernel),
               moves_text(&kernel->moves).text, out);
    if (s->node_count > 1 && kernel->reason)
        fprintf(out, "      %" PRIu64 " on node 0 alone: %s [GCL%u]\n", singles_of(kernel),
                gcl_reason_why(kernel->reason), kernel->reason);
}

void gcl_stats_write_table(const struct gcl_stats_summary *s, FILE *out) {
    struct gcl_moves moves = all_moves(s);
    fprintf(out, "gcluster: %u node%s, %s\n", s->node_count, s->node_count > 1 ? "s" : "",
            time_text(s->elapsed_ns).text);
    if (s->told_count < s->node_count)
        fprintf(out, "  times of %u of the nodes only\n", s->told_count);
    fprintf(out, "  %-*s %9s  %-7s %10s %8s  %s\n", NAME_WIDTH, "kernel", "launches", "split",
            "time", "share", "moved between nodes");
    for (size_t i = 0; i < s->kernel_count; i++)
        write_kernel_row(s, &s->kernels[i], out);
    if (s->node_count == 1)
        return;
    fprintf(out, "  %-*s %9s  %-7s %10s %8s  %s\n", NAME_WIDTH, "copies by the program", "", "", "",
            "", moves_text(&s->copies).text);
    write_line(s, "all transfers", "", "", exchange_time(s),
               bytes_text(gcl_moves_total(&moves)).text, out);
}

// For programs.

static void write_moves(const struct gcl_moves *moves, FILE *out) {
    fputc('{', out);
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", gcl_moves_name((enum gcl_move_cause)i),
                moves->bytes[i]);
    fputc('}', out);
}

static void write_kernel_json(const struct gcl_stats_summary *s,
                              const struct gcl_stats_kernel *kernel, FILE *out) {
    struct text name;
    fputs("{\"name\": ", out);
    gcl_json_write_string(out,
                          gcl_name_demangle(kernel->kernel->name, name.text, sizeof name.text));
    fprintf(out, ", \"launches\": %" PRIu64, kernel->launches);
    fprintf(out,
            ", \"split\": {\"x\": %" PRIu64 ", \"y\": %" PRIu64 ", \"z\": %" PRIu64
            ", \"none\": %" PRIu64 "}",
            kernel->splits[0], kernel->splits[1], kernel->splits[2], singles_of(kernel));
    if (kernel->reason) {
        fprintf(out, ", \"reason\": \"GCL%u\", \"why\": ", kernel->reason);
        gcl_json_write_string(out, gcl_reason_why(kernel->reason));
    }
    fputs(", \"moved\": ", out);
    write_moves(&kernel->moves, out);
    fputs(", \"time_ns\": [", out);
    for (gcl_node node = 0; node < s->node_count; node++)
        fprintf(out, "%s%" PRIu64, node ? ", " : "", kernel->time_ns[node]);
    fprintf(out, "], \"share\": %.6f}", share_of(s, time_of(s, kernel)));
}

void gcl_stats_write_json(const struct gcl_stats_summary *s, FILE *out) {
    struct gcl_moves moves = all_moves(s);
    fprintf(out, "{\"nodes\": %u, \"nodes_told\": %u, \"elapsed_ns\": %" PRIu64 ", \"kernels\": [",
            s->node_count, s->told_count, s->elapsed_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        fputs(i ? ", " : "", out);
        write_kernel_json(s, &s->kernels[i], out);
    }
    fputs("], \"copies\": ", out);
    write_moves(&s->copies, out);
    fputs(", \"moved\": ", out);
    write_moves(&moves, out);
    fprintf(out, ", \"total\": %" PRIu64 ", \"transfers\": [", gcl_moves_total(&moves));
    for (gcl_node node = 0; node < s->node_count; node++)
        fprintf(out, "%s{\"sent\": %" PRIu64 ", \"time_ns\": %" PRIu64 "}", node ? ", " : "",
                s->nodes[node].sent, s->nodes[node].exchange_ns);
    fputs("]}\n", out);
}
