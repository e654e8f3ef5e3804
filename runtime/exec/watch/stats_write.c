// Times are summed over nodes. A share is that of all nodes' time since the runtime started: what
// is left to 100 % they spent waiting for the program, or for lack of blocks. Planning goes on
// beside kernels that run: it has no share.
#include <inttypes.h>
#include <string.h>

#include "base/bytes_text.h"
#include "base/json.h"
#include "base/name.h"
#include "base/reason.h"
#include "base/staged.h"
#include "exec/watch/stats.h"
#include "gcluster/kernel.h"
#include "gcluster/reasons.h"

enum { NAME_SIZE = 256, NAME_WIDTH = 32 };

struct text {
    char text[NAME_SIZE];
};

static uint64_t sum_of(const struct gcl_stats_summary *s, const uint64_t *times_ns) {
    uint64_t sum = 0;
    for (gcl_node node = 0; node < s->node_count; node++)
        sum += times_ns[node];
    return sum;
}

static uint64_t exchange_time(const struct gcl_stats_summary *s) {
    uint64_t sum = 0;
    for (gcl_node node = 0; node < s->node_count; node++)
        sum += s->nodes[node].exchange_ns;
    return sum;
}

/// Bytes that went in and out of nodes while they were about transfers.
static double reached_rate(const struct gcl_stats_summary *s, uint64_t moved) {
    uint64_t time_ns = exchange_time(s);
    return time_ns > 0 ? 2 * (double)moved / (double)time_ns : 0;
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
                                   gcl_bytes_text((double)moves->bytes[i]).text);
    }
    return out;
}

static struct text split_text(const struct gcl_stats_summary *s,
                              const struct gcl_stats_kernel *kernel) {
    struct text out = {""};
    if (s->has_devices)
        return (struct text){"device"};
    for (int axis = 0; axis < 3; axis++) {
        if (kernel->splits[axis] > 0)
            strcat(out.text, axis == 0 ? "x" : axis == 1 ? "y" : "z");
    }
    if (singles_of(kernel) > 0)
        strcat(out.text, out.text[0] ? ", none" : "none");
    return out;
}

/// "13.2 MiB at 0.5 of 3.2 GB/s, mapped 2 MiB", without what there isn't: the second rate where no
/// link was measured.
static struct text transfers_text(const struct gcl_stats_summary *s, uint64_t moved) {
    struct text out;
    double reached = reached_rate(s, moved), link = s->link_bytes_per_ns;
    uint64_t mapped = 0;
    for (gcl_node node = 0; node < s->node_count; node++)
        mapped += s->nodes[node].mapped;
    int at = snprintf(out.text, sizeof out.text, "%s", gcl_bytes_text((double)moved).text);
    if (reached > 0)
        at += snprintf(out.text + at, sizeof out.text - (size_t)at, " at %.2g", reached);
    if (reached > 0 && link > 0)
        at += snprintf(out.text + at, sizeof out.text - (size_t)at, " of %.2g", link);
    if (reached > 0)
        at += snprintf(out.text + at, sizeof out.text - (size_t)at, " GB/s");
    if (mapped > 0)
        snprintf(out.text + at, sizeof out.text - (size_t)at, ", mapped %s",
                 gcl_bytes_text((double)mapped).text);
    return out;
}

/// A line of the table: what isn't text is a sum over nodes.
struct line {
    struct text name, launches, split, moved;
    uint64_t time_ns, planning_ns, inspection_ns;
};

static struct text planning_text(uint64_t ns) {
    return ns > 0 ? time_text(ns) : (struct text){"-"};
}

static void write_line(const struct gcl_stats_summary *s, const struct line *line, FILE *out) {
    fprintf(out, "  %-*.*s %9s  %-7s %10s %6.1f %% %10s %10s  %s\n", NAME_WIDTH, NAME_WIDTH,
            line->name.text, line->launches.text, line->split.text, time_text(line->time_ns).text,
            100 * share_of(s, line->time_ns), planning_text(line->planning_ns).text,
            planning_text(line->inspection_ns).text, line->moved.text);
}

static struct text count_text(uint64_t count) {
    struct text out;
    snprintf(out.text, sizeof out.text, "%" PRIu64, count);
    return out;
}

/// Below a kernel's row: how many blocks of which size there were, and what one takes.
static void write_shapes(const struct gcl_stats_kernel *kernel, FILE *out) {
    for (size_t i = 0; i < kernel->shape_count; i++) {
        const struct gcl_stats_shape *s = &kernel->shapes[i];
        fprintf(out, "      %" PRIu64 " launch%s of blocks of %u x %u x %u: %" PRIu64 " blocks",
                s->launches, s->launches == 1 ? "" : "es", s->block[0], s->block[1], s->block[2],
                s->blocks);
        if (s->measured > 0)
            fprintf(out, ", %.3g us each", (double)s->busy_ns * 1e-3 / (double)s->measured);
        fputc('\n', out);
    }
}

/// And what it would take on all nodes, as foreseen while node 0 did all alone.
static void write_foreseen(const struct gcl_stats_summary *s, const struct gcl_stats_kernel *kernel,
                           FILE *out) {
    if (!kernel->foreseen.kernel)
        return;
    fputs("      foreseen, with ", out);
    gcl_judgement_write_kernel(&kernel->foreseen, s->node_count, out);
    fputc('\n', out);
}

/// What came from other tiers; and how much more a device would have to hold for it to stay.
static void write_came(const struct gcl_stats_came *came, FILE *out) {
    if (came->announced + came->touched == 0)
        return;
    fprintf(
        out,
        "      %s came to devices before its blocks, and %s as they touched it; %s of that from "
        "files\n",
        gcl_bytes_text((double)came->announced).text, gcl_bytes_text((double)came->touched).text,
        gcl_bytes_text((double)came->from_files).text);
    fprintf(out,
            "      it had been there, and had gone for lack of %s on average, %s at most; %s went "
            "for it\n",
            gcl_bytes_text(gcl_stats_lack(came)).text, gcl_bytes_text((double)came->most_lack).text,
            gcl_bytes_text((double)came->went).text);
}

static void write_kernel_row(const struct gcl_stats_summary *s,
                             const struct gcl_stats_kernel *kernel, FILE *out) {
    struct line line = {.launches = count_text(kernel->launches),
                        .split = split_text(s, kernel),
                        .moved = moves_text(&kernel->moves),
                        .time_ns = sum_of(s, kernel->time_ns),
                        .planning_ns = sum_of(s, kernel->planning_ns),
                        .inspection_ns = sum_of(s, kernel->inspection_ns)};
    gcl_name_demangle(kernel->kernel->name, line.name.text, sizeof line.name.text);
    write_line(s, &line, out);
    write_shapes(kernel, out);
    write_foreseen(s, kernel, out);
    if (kernel->inspections > 0)
        fprintf(out, "      %" PRIu64 " looked up in memory before: %s [GCL%u]\n",
                kernel->inspections, gcl_reason_why(GCL_REASON_INSPECTED), GCL_REASON_INSPECTED);
    write_came(&kernel->came, out);
    if (kernel->kept > 0)
        fprintf(out, "      %" PRIu64 " on node 0 alone: %s [GCL%u]\n", kernel->kept,
                gcl_reason_why(kernel->reason), kernel->reason);
}

static void write_sums(const struct gcl_stats_summary *s, FILE *out) {
    struct gcl_moves moves = all_moves(s);
    struct line kernels = {.name = {"all kernels"}};
    const struct line copies = {.name = {"copies by the program"}, .moved = moves_text(&s->copies)};
    const struct line transfers = {.name = {"all transfers"},
                                   .time_ns = exchange_time(s),
                                   .moved = transfers_text(s, gcl_moves_total(&moves))};
    for (size_t i = 0; i < s->kernel_count; i++) {
        kernels.time_ns += sum_of(s, s->kernels[i].time_ns);
        kernels.planning_ns += sum_of(s, s->kernels[i].planning_ns);
        kernels.inspection_ns += sum_of(s, s->kernels[i].inspection_ns);
    }
    write_line(s, &kernels, out);
    fprintf(out, "  %-*s %9s  %-7s %10s %8s %10s %10s  %s\n", NAME_WIDTH, copies.name.text, "", "",
            "", "", "", "", copies.moved.text);
    write_line(s, &transfers, out);
    if (gcl_staged_bytes() > 0)
        fprintf(out, "  %s were copied twice, since the host's memory isn't page-locked\n",
                gcl_bytes_text((double)gcl_staged_bytes()).text);
}

/// Memory that has come and gone.
static void write_tiers(const struct gcl_stats_summary *s, FILE *out) {
    for (gcl_node node = 0; node < s->node_count; node++) {
        struct gcl_bytes_text text[GCL_TIER_COUNT];
        const uint64_t *tiers = s->nodes[node].tiers;
        if (tiers[GCL_TIER_MOST] == 0)
            continue;
        for (int i = 0; i < GCL_TIER_COUNT; i++)
            text[i] = gcl_bytes_text((double)tiers[i]);
        fprintf(
            out,
            "  memory of node %u: %s on the device at most; %s came for launches, %s at %" PRIu64
            " touches, %s of that from files; %s went, %s of that to files; %s dropped\n",
            node, text[GCL_TIER_MOST].text, text[GCL_TIER_ANNOUNCED].text,
            text[GCL_TIER_TOUCHED].text, tiers[GCL_TIER_STOPS], text[GCL_TIER_READ].text,
            text[GCL_TIER_WENT].text, text[GCL_TIER_WRITTEN].text, text[GCL_TIER_DROPPED].text);
    }
}

static void write_judgements(const struct gcl_stats_summary *s, FILE *out) {
    for (size_t i = 0; i < s->judgement_count; i++) {
        uint64_t after_ns = s->judgements[i].at_ns - s->begin_ns;
        fprintf(out, "  after %s ", time_text(after_ns).text);
        gcl_judgement_write(&s->judgements[i], out);
        fputc('\n', out);
    }
}

void gcl_stats_write_table(const struct gcl_stats_summary *s, FILE *out) {
    fprintf(out, "gcluster: %u node%s, %s%s\n", s->node_count, s->node_count > 1 ? "s" : "",
            s->has_devices ? "each a device, " : "", time_text(s->elapsed_ns).text);
    if (s->told_count < s->node_count)
        fprintf(out, "  times of %u of the nodes only\n", s->told_count);
    fprintf(out, "  %-*s %9s  %-7s %10s %8s %10s %10s  %s\n", NAME_WIDTH, "kernel", "launches",
            "split", "time", "share", "planning", "inspection", "moved between nodes");
    for (size_t i = 0; i < s->kernel_count; i++)
        write_kernel_row(s, &s->kernels[i], out);
    if (s->node_count > 1)
        write_sums(s, out);
    write_tiers(s, out);
    write_judgements(s, out);
}

// For programs.

static void write_moves(const struct gcl_moves *moves, FILE *out) {
    fputc('{', out);
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", gcl_moves_name((enum gcl_move_cause)i),
                moves->bytes[i]);
    fputc('}', out);
}

static void write_times(const struct gcl_stats_summary *s, const char *name,
                        const uint64_t *times_ns, FILE *out) {
    fprintf(out, ", \"%s\": [", name);
    for (gcl_node node = 0; node < s->node_count; node++)
        fprintf(out, "%s%" PRIu64, node ? ", " : "", times_ns[node]);
    fputc(']', out);
}

static void write_shapes_json(const struct gcl_stats_kernel *kernel, FILE *out) {
    fputs(", \"shapes\": [", out);
    for (size_t i = 0; i < kernel->shape_count; i++) {
        const struct gcl_stats_shape *s = &kernel->shapes[i];
        fprintf(out,
                "%s{\"block\": [%u, %u, %u], \"launches\": %" PRIu64 ", \"blocks\": %" PRIu64
                ", \"measured\": %" PRIu64 ", \"busy_ns\": %" PRIu64 "}",
                i ? ", " : "", s->block[0], s->block[1], s->block[2], s->launches, s->blocks,
                s->measured, s->busy_ns);
    }
    fputc(']', out);
}

static void write_foreseen_json(const struct gcl_judged_kernel *k, FILE *out) {
    if (!k->kernel)
        return;
    fprintf(out,
            ", \"foreseen\": {\"launches\": %" PRIu64 ", \"kept\": %" PRIu64
            ", \"block_ns\": %.1f, \"alone_ns\": %.0f, \"all_ns\": %.0f, \"moving_ns\": %.0f, "
            "\"moved\": %" PRIu64 ", \"planning_ns\": %.0f}",
            k->launches, k->kept, k->block_ns, k->alone_ns, k->all_ns, k->moving_ns, k->moved,
            k->planning_ns);
}

static void write_judgement_json(const struct gcl_stats_summary *s, const struct gcl_judgement *j,
                                 FILE *out) {
    static const char *const kinds[] = {
        [GCL_JUDGED_NO_GAIN] = "no gain", [GCL_JUDGED_ALL] = "faster",
        [GCL_JUDGED_FULL] = "no room",    [GCL_JUDGED_ALONE] = "slower",
        [GCL_JUDGED_DEAR] = "planning",   [GCL_JUDGED_END] = "end",
    };
    fprintf(out, "{\"at_ns\": %" PRIu64 ", \"from\": \"%s\", \"to\": \"%s\", \"why\": \"%s\"",
            j->at_ns - s->begin_ns, j->were_all ? "all nodes" : "node 0", gcl_judgement_who(j),
            kinds[j->kind]);
    if (j->node_count > 0)
        fprintf(out,
                ", \"alone_ns\": %.0f, \"all_ns\": %.0f, \"moving_ns\": %.0f, \"moved\": %" PRIu64
                ", \"planning_ns\": %.0f, \"changing_ns\": %.0f, \"needed_ns\": %.0f, "
                "\"lost_ns\": %.0f",
                j->alone_ns, j->all_ns, j->moving_ns, j->moved, j->planning_ns, j->changing_ns,
                j->needed_ns, j->lost_ns);
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
            ", \"came\": %" PRIu64 ", \"touched\": %" PRIu64 ", \"from_files\": %" PRIu64
            ", \"lack\": %.0f, \"most_lack\": %" PRIu64 ", \"evicted\": %" PRIu64,
            kernel->came.announced, kernel->came.touched, kernel->came.from_files,
            gcl_stats_lack(&kernel->came), kernel->came.most_lack, kernel->came.went);
    fprintf(out,
            ", \"split\": {\"x\": %" PRIu64 ", \"y\": %" PRIu64 ", \"z\": %" PRIu64
            ", \"none\": %" PRIu64 "}",
            kernel->splits[0], kernel->splits[1], kernel->splits[2], singles_of(kernel));
    if (kernel->kept > 0) {
        fprintf(out, ", \"kept\": %" PRIu64 ", \"reason\": \"GCL%u\", \"why\": ", kernel->kept,
                kernel->reason);
        gcl_json_write_string(out, gcl_reason_why(kernel->reason));
    }
    write_shapes_json(kernel, out);
    write_foreseen_json(&kernel->foreseen, out);
    fputs(", \"moved\": ", out);
    write_moves(&kernel->moves, out);
    write_times(s, "time_ns", kernel->time_ns, out);
    write_times(s, "planning_ns", kernel->planning_ns, out);
    write_times(s, "inspection_ns", kernel->inspection_ns, out);
    fprintf(out, ", \"inspections\": %" PRIu64 ", \"share\": %.6f}", kernel->inspections,
            share_of(s, sum_of(s, kernel->time_ns)));
}

static void write_tiers_json(const struct gcl_stats_summary *s, FILE *out) {
    static const char *const names[] = {
        [GCL_TIER_MOST] = "most",       [GCL_TIER_ANNOUNCED] = "announced",
        [GCL_TIER_TOUCHED] = "touched", [GCL_TIER_STOPS] = "stops",
        [GCL_TIER_WENT] = "went",       [GCL_TIER_DROPPED] = "dropped",
        [GCL_TIER_READ] = "read",       [GCL_TIER_WRITTEN] = "written"};
    fputs(", \"memory\": [", out);
    for (gcl_node node = 0; node < s->node_count; node++) {
        fputs(node ? ", {" : "{", out);
        for (int i = 0; i < GCL_TIER_COUNT; i++)
            fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", names[i], s->nodes[node].tiers[i]);
        fputs("}", out);
    }
    fputs("]", out);
}

void gcl_stats_write_json(const struct gcl_stats_summary *s, FILE *out) {
    struct gcl_moves moves = all_moves(s);
    fprintf(out,
            "{\"nodes\": %u, \"nodes_told\": %u, \"devices\": %u, \"elapsed_ns\": %" PRIu64
            ", \"kernels\": [",
            s->node_count, s->told_count, s->has_devices ? s->node_count : 1, s->elapsed_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        fputs(i ? ", " : "", out);
        write_kernel_json(s, &s->kernels[i], out);
    }
    fputs("], \"judgements\": [", out);
    for (size_t i = 0; i < s->judgement_count; i++) {
        fputs(i ? ", " : "", out);
        write_judgement_json(s, &s->judgements[i], out);
    }
    fputs("], \"copies\": ", out);
    write_moves(&s->copies, out);
    fputs(", \"moved\": ", out);
    write_moves(&moves, out);
    fprintf(out, ", \"total\": %" PRIu64 ", \"link_bytes_per_s\": %.0f, \"transfers\": [",
            gcl_moves_total(&moves), s->link_bytes_per_ns * 1e9);
    for (gcl_node node = 0; node < s->node_count; node++)
        fprintf(out, "%s{\"sent\": %" PRIu64 ", \"mapped\": %" PRIu64 ", \"time_ns\": %" PRIu64 "}",
                node ? ", " : "", s->nodes[node].sent, s->nodes[node].mapped,
                s->nodes[node].exchange_ns);
    fputs("]", out);
    write_tiers_json(s, out);
    fprintf(out, ", \"host_bytes_copied\": %" PRIu64 "}\n", gcl_staged_bytes());
}
