// Judgements in words.
#include "exec/watch/judgement.h"

#include <assert.h>
#include <inttypes.h>

#include "base/bytes_text.h"
#include "base/log.h"
#include "base/name.h"
#include "gcluster/kernel.h"

enum { NAME_SIZE = 256, SENTENCE_SIZE = 1024 };

static double ms(double ns) {
    return ns * 1e-6;
}

static bool are_all(const struct gcl_judgement *j) {
    return j->kind == GCL_JUDGED_ALL || j->kind == GCL_JUDGED_FULL ||
           (j->kind == GCL_JUDGED_END && j->were_all);
}

const char *gcl_judgement_who(const struct gcl_judgement *judgement) {
    return are_all(judgement) ? "all nodes" : "node 0";
}

static void write_decision(const struct gcl_judgement *j, FILE *out) {
    switch (j->kind) {
    case GCL_JUDGED_NO_GAIN:
        fputs("node 0 runs everything by itself: other nodes would add nothing (GCL_SPLIT in "
              "gcluster(7)) [GCL228]",
              out);
        break;
    case GCL_JUDGED_ALL:
        fputs("all nodes take part from here on", out);
        break;
    case GCL_JUDGED_FULL:
        fprintf(out, "all nodes take part from here on: node 0 has no room for %" PRIu64 " bytes",
                j->memory);
        break;
    case GCL_JUDGED_ALONE:
        fprintf(out, "node 0 goes on alone: all nodes have lost %.1f ms so far", ms(j->lost_ns));
        break;
    case GCL_JUDGED_DEAR:
        fputs("node 0 goes on alone: to plan for all nodes takes too long", out);
        break;
    case GCL_JUDGED_END:
        fprintf(out, "%s ran the kernels to the end", gcl_judgement_who(j));
        break;
    }
}

/// What node 0 did alone, against what it would have been on all nodes.
static void write_foreseen(const struct gcl_judgement *j, FILE *out) {
    fprintf(out,
            ": kernels took %.1f ms on node 0, and would have taken %.1f ms on %" PRIu32
            " nodes, %.1f ms of it moving %s; planning took %.1f ms",
            ms(j->alone_ns), ms(j->all_ns), j->node_count, ms(j->moving_ns),
            gcl_bytes_text((double)j->moved).text, ms(j->planning_ns));
    if (j->kind == GCL_JUDGED_ALL || j->kind == GCL_JUDGED_END)
        fprintf(out, "; to change over takes %.1f ms, and pays from %.1f ms won on",
                ms(j->changing_ns), ms(j->needed_ns));
}

void gcl_judgement_write(const struct gcl_judgement *judgement, FILE *out) {
    const struct gcl_judgement *j = judgement;
    assert(j->alone_ns >= 0 && j->planning_ns >= 0);
    write_decision(j, out);
    if (j->node_count == 0)
        return;
    if (!j->were_all)
        write_foreseen(j, out);
    else
        fprintf(out, ": %.1f ms have passed since all took part, for what would have taken %.1f ms",
                ms(j->all_ns), ms(j->alone_ns));
}

void gcl_judgement_write_kernel(const struct gcl_judged_kernel *kernel, uint32_t node_count,
                                FILE *out) {
    const struct gcl_judged_kernel *k = kernel;
    fprintf(out,
            "%.3g us a block: %.1f ms on node 0, on %" PRIu32 " nodes %.1f ms and %.1f ms moving "
            "%s",
            k->block_ns * 1e-3, ms(k->alone_ns), node_count, ms(k->all_ns), ms(k->moving_ns),
            gcl_bytes_text((double)k->moved).text);
    if (k->kept > 0)
        fprintf(out, "; %" PRIu64 " of %" PRIu64 " launches stay on one", k->kept, k->launches);
    fprintf(out, "; planning took %.1f ms", ms(k->planning_ns));
}

static void log_kernel(const struct gcl_judged_kernel *kernel, uint32_t node_count) {
    char name[NAME_SIZE], sentence[SENTENCE_SIZE] = "";
    FILE *out = fmemopen(sentence, sizeof sentence, "w");
    if (!out)
        return;
    gcl_judgement_write_kernel(kernel, node_count, out);
    fclose(out);
    gcl_log(GCL_LOG_INFO, "  %s: %s", gcl_name_demangle(kernel->kernel->name, name, sizeof name),
            sentence);
}

void gcl_judgement_log(const struct gcl_judgement *judgement) {
    char sentence[SENTENCE_SIZE] = "";
    FILE *out = gcl_log_shows(GCL_LOG_INFO) ? fmemopen(sentence, sizeof sentence, "w") : NULL;
    if (!out)
        return;
    gcl_judgement_write(judgement, out);
    fclose(out);
    gcl_log(GCL_LOG_INFO, "%s", sentence);
    for (size_t i = 0; i < judgement->kernel_count; i++)
        log_kernel(&judgement->kernels[i], judgement->node_count);
}
