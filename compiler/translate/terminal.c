// A table of files, then what needs somebody's attention, then kernels, a line each. What is the
// same for many places is said once; the report as JSON has each place.
#include "translate/terminal.h"

#include <string.h>

#include <glib.h>

#include "translate/page/entry.h"

enum { PATH_WIDTH = 36, PLACES = 3 };

static void heading(FILE *out, bool colour, const char *text) {
    fprintf(out, colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static void print_counts(const json_t *entry, FILE *out) {
    const json_t *uses = json_object_get(entry, "uses"), *more = json_object_get(entry, "launches");
    static const char *const columns[] = {"found", "converted", "compiled", "verified"};
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        fprintf(out, " %9lld",
                gcl_entry_number(uses, columns[i]) + gcl_entry_number(more, columns[i]));
    fputc('\n', out);
}

static void print_files(const json_t *report, FILE *out) {
    json_t *file;
    size_t i;
    fprintf(out, "  %-*s %9s %9s %9s %9s\n", PATH_WIDTH, "names and launches in", "found",
            "converted", "compiled", "verified");
    json_array_foreach(json_object_get(report, "files"), i, file) {
        fprintf(out, "  %-*s", PATH_WIDTH, gcl_entry_text(file, "path"));
        print_counts(file, out);
    }
    fprintf(out, "  %-*s", PATH_WIDTH, "all");
    print_counts(json_object_get(report, "totals"), out);
}

static void print_place(const json_t *entry, FILE *out) {
    fprintf(out, "  %s:%lld:%lld: ", gcl_entry_text(entry, "path"), gcl_entry_number(entry, "line"),
            gcl_entry_number(entry, "column"));
}

static void print_failures(const json_t *report, FILE *out, bool colour) {
    bool any = false;
    json_t *source;
    size_t i;
    json_array_foreach(json_object_get(report, "sources"), i, source) {
        bool failed = json_is_string(json_object_get(source, "failure"));
        if (!failed && !json_is_false(json_object_get(source, "compiled")))
            continue;
        if (!any)
            heading(out, colour, "Sources that failed");
        any = true;
        fprintf(out, "  %s: %s%s\n", gcl_entry_text(source, "path"),
                failed ? "" : "its translation doesn't compile: ",
                gcl_entry_text(source, failed ? "failure" : "complaint"));
    }
}

static void print_unsupported(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "unsupported");
    json_t *entry;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Not supported, or not understood");
    json_array_foreach((json_t *)all, i, entry) {
        const char *code = gcl_entry_text(entry, "code"), *help = gcl_entry_text(entry, "help");
        print_place(entry, out);
        fprintf(out, "%s%s%s%s\n", gcl_entry_text(entry, "message"), *code ? " [" : "", code,
                *code ? "]" : "");
        if (*help)
            fprintf(out, "    help: %s\n", help);
    }
}

// One reason to leave something as it stands, and the first places that have it.
static void print_reason(const json_t *all, const char *reason, FILE *out) {
    const char *advice = "";
    json_t *entry;
    size_t i, count = 0;
    fprintf(out, "  %s:", reason);
    json_array_foreach((json_t *)all, i, entry) {
        if (strcmp(gcl_entry_text(entry, "reason"), reason) != 0)
            continue;
        advice = gcl_entry_text(entry, "advice");
        if (++count <= PLACES)
            fprintf(out, "%s %s at %s:%lld", count > 1 ? "," : "", gcl_entry_text(entry, "name"),
                    gcl_entry_text(entry, "path"), gcl_entry_number(entry, "line"));
    }
    if (count > PLACES)
        fprintf(out, " and %zu more", count - PLACES);
    fprintf(out, "\n    help: %s\n", advice);
}

static void print_kept(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "kept");
    json_t *seen = json_object(), *entry;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Left as it stands");
    json_array_foreach((json_t *)all, i, entry) {
        const char *reason = gcl_entry_text(entry, "reason");
        if (!json_object_get(seen, reason))
            print_reason(all, reason, out);
        json_object_set_new(seen, reason, json_true());
    }
    json_decref(seen);
}

// A time of the costs, as people read it.
static void print_us(double us, FILE *out) {
    if (us >= 1000)
        fprintf(out, "%.3g ms", us / 1000);
    else
        fprintf(out, "%.3g us", us);
}

// What a launch takes on clusters; of one whose blocks nobody knows, what moves for it.
static void print_costs(const json_t *costs, FILE *out) {
    const json_t *grid = json_object_get(costs, "grid"),
                 *alone = json_object_get(costs, "alone_us");
    json_int_t blocks = 1, threads = 1;
    json_t *entry;
    size_t i;
    if (!json_is_object(costs))
        return;
    json_array_foreach((json_t *)grid, i, entry) blocks *= json_integer_value(entry);
    json_array_foreach(json_object_get(costs, "block"), i, entry) threads *=
        json_integer_value(entry);
    fprintf(out,
            "    %" JSON_INTEGER_FORMAT " blocks of %" JSON_INTEGER_FORMAT " threads: ", blocks,
            threads);
    if (json_is_real(alone))
        print_us(json_real_value(alone), out);
    fputs(json_is_real(alone) ? " on one node;" : "what moves between nodes takes", out);
    json_array_foreach(json_object_get(costs, "nodes"), i, entry) {
        const char *name = json_is_real(alone) ? "total_us" : "moves_us";
        fputs(i > 0 ? ", " : " ", out);
        print_us(json_number_value(json_object_get(entry, name)), out);
        fprintf(out, " on %lld", gcl_entry_number(entry, "nodes"));
    }
    fputc('\n', out);
}

// A kernel on a line, with the codes of its reasons, which go to `codes`.
static void print_kernel(const json_t *kernel, json_t *codes, FILE *out) {
    const char *split = gcl_entry_text(kernel, "split"), *worth = gcl_entry_text(kernel, "worth");
    bool splits = strcmp(split, "none") != 0;
    json_t *own = json_object(), *reason;
    size_t i;
    fprintf(out, "  %s:%lld: %s: %s%s", gcl_entry_text(kernel, "file"),
            gcl_entry_number(kernel, "line"), gcl_entry_text(kernel, "name"),
            splits ? "splits along blockIdx." : "runs on one node", splits ? split : "");
    if (*worth)
        fprintf(out, "; %s", worth);
    json_array_foreach(json_object_get(kernel, "reasons"), i, reason) {
        const char *code = gcl_entry_text(reason, "code");
        if (!json_object_get(own, code))
            fprintf(out, " [%s]", code);
        json_object_set_new(own, code, json_true());
        json_object_set(codes, code, reason);
    }
    fputc('\n', out);
    print_costs(json_object_get(kernel, "costs"), out);
    json_decref(own);
}

static void print_kernels(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "kernels");
    json_t *codes = json_object(), *kernel, *reason;
    const char *code;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Kernels");
    json_array_foreach((json_t *)all, i, kernel) print_kernel(kernel, codes, out);
    json_object_foreach(codes, code, reason)
        fprintf(out, "  %s: %s, because %s\n    help: %s\n", code, gcl_entry_text(reason, "what"),
                gcl_entry_text(reason, "why"), gcl_entry_text(reason, "advice"));
    json_decref(codes);
}

static void print_scripts(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "scripts");
    json_t *script;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Build files");
    json_array_foreach((json_t *)all, i, script)
        fprintf(out, "  %s: %s\n", gcl_entry_text(script, "path"),
                json_is_true(json_object_get(script, "changed")) ? "adapted" : "stays as it is");
}

static void print_verification(const json_t *report, FILE *out, bool colour) {
    const json_t *v = json_object_get(report, "verification");
    const char *original = gcl_entry_text(v, "original"),
               *translation = gcl_entry_text(v, "translation");
    if (!json_is_object(v))
        return;
    heading(out, colour, "Verification");
    if (json_is_true(json_object_get(v, "passed")))
        fprintf(out, "  %s prints the same %lld lines", gcl_entry_text(v, "command"),
                gcl_entry_number(v, "lines"));
    else
        fprintf(out, "  %s: %s", gcl_entry_text(v, "command"), gcl_entry_text(v, "reason"));
    if (gcl_entry_number(v, "varying") > 0)
        fprintf(out, "; %lld vary from run to run", gcl_entry_number(v, "varying"));
    fputc('\n', out);
    if (*original || *translation)
        fprintf(out, "    original:    %s\n    translation: %s\n", original, translation);
}

void gcl_terminal_print(const json_t *report, FILE *out, bool colour) {
    const json_t *totals = json_object_get(report, "totals");
    const char *output = gcl_entry_text(report, "output");
    fprintf(out, "%lld sources read, %lld failed; %lld of %lld files change%s%s\n\n",
            gcl_entry_number(totals, "sources") - gcl_entry_number(totals, "failed"),
            gcl_entry_number(totals, "failed"), gcl_entry_number(totals, "changed"),
            gcl_entry_number(totals, "files"), *output ? ", in " : "", output);
    print_files(report, out);
    print_failures(report, out, colour);
    print_unsupported(report, out, colour);
    print_kept(report, out, colour);
    print_kernels(report, out, colour);
    print_scripts(report, out, colour);
    print_verification(report, out, colour);
    fflush(out);
}
