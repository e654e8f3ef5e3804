// A table of files, then what needs somebody's attention, then kernels, a line each. What is the
// same for many places is said once; the report as JSON has each place.
#include "translate/terminal.h"

#include <string.h>

#include <glib.h>

enum { PATH_WIDTH = 36, PLACES = 3 };

static const char *text_of(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static int number_of(const json_t *object, const char *name) {
    return (int)json_integer_value(json_object_get(object, name));
}

static void heading(FILE *out, bool colour, const char *text) {
    fprintf(out, colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static void print_counts(const json_t *entry, FILE *out) {
    const json_t *uses = json_object_get(entry, "uses"), *more = json_object_get(entry, "launches");
    static const char *const columns[] = {"found", "converted", "compiled", "verified"};
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        fprintf(out, " %9d", number_of(uses, columns[i]) + number_of(more, columns[i]));
    fputc('\n', out);
}

static void print_files(const json_t *report, FILE *out) {
    json_t *file;
    size_t i;
    fprintf(out, "  %-*s %9s %9s %9s %9s\n", PATH_WIDTH, "names and launches in", "found",
            "converted", "compiled", "verified");
    json_array_foreach(json_object_get(report, "files"), i, file) {
        fprintf(out, "  %-*s", PATH_WIDTH, text_of(file, "path"));
        print_counts(file, out);
    }
    fprintf(out, "  %-*s", PATH_WIDTH, "all");
    print_counts(json_object_get(report, "totals"), out);
}

static void print_place(const json_t *entry, FILE *out) {
    fprintf(out, "  %s:%d:%d: ", text_of(entry, "path"), number_of(entry, "line"),
            number_of(entry, "column"));
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
        fprintf(out, "  %s: %s%s\n", text_of(source, "path"),
                failed ? "" : "its translation doesn't compile: ",
                text_of(source, failed ? "failure" : "complaint"));
    }
}

static void print_unsupported(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "unsupported");
    json_t *entry;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Not supported, or not understood");
    json_array_foreach((json_t *)all, i, entry) {
        const char *code = text_of(entry, "code"), *help = text_of(entry, "help");
        print_place(entry, out);
        fprintf(out, "%s%s%s%s\n", text_of(entry, "message"), *code ? " [" : "", code,
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
        if (strcmp(text_of(entry, "reason"), reason) != 0)
            continue;
        advice = text_of(entry, "advice");
        if (++count <= PLACES)
            fprintf(out, "%s %s at %s:%d", count > 1 ? "," : "", text_of(entry, "name"),
                    text_of(entry, "path"), number_of(entry, "line"));
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
        const char *reason = text_of(entry, "reason");
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
        fprintf(out, " on %d", number_of(entry, "nodes"));
    }
    fputc('\n', out);
}

// A kernel on a line, with the codes of its reasons, which go to `codes`.
static void print_kernel(const json_t *kernel, json_t *codes, FILE *out) {
    const char *split = text_of(kernel, "split"), *worth = text_of(kernel, "worth");
    bool splits = strcmp(split, "none") != 0;
    json_t *own = json_object(), *reason;
    size_t i;
    fprintf(out, "  %s:%d: %s: %s%s", text_of(kernel, "file"), number_of(kernel, "line"),
            text_of(kernel, "name"), splits ? "splits along blockIdx." : "runs on one node",
            splits ? split : "");
    if (*worth)
        fprintf(out, "; %s", worth);
    json_array_foreach(json_object_get(kernel, "reasons"), i, reason) {
        const char *code = text_of(reason, "code");
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
        fprintf(out, "  %s: %s, because %s\n    help: %s\n", code, text_of(reason, "what"),
                text_of(reason, "why"), text_of(reason, "advice"));
    json_decref(codes);
}

static void print_scripts(const json_t *report, FILE *out, bool colour) {
    const json_t *all = json_object_get(report, "scripts");
    json_t *script;
    size_t i;
    if (json_array_size(all) > 0)
        heading(out, colour, "Build files");
    json_array_foreach((json_t *)all, i, script)
        fprintf(out, "  %s: %s\n", text_of(script, "path"),
                json_is_true(json_object_get(script, "changed")) ? "adapted" : "stays as it is");
}

static void print_verification(const json_t *report, FILE *out, bool colour) {
    const json_t *v = json_object_get(report, "verification");
    const char *original = text_of(v, "original"), *translation = text_of(v, "translation");
    if (!json_is_object(v))
        return;
    heading(out, colour, "Verification");
    if (json_is_true(json_object_get(v, "passed")))
        fprintf(out, "  %s prints the same %d lines", text_of(v, "command"), number_of(v, "lines"));
    else
        fprintf(out, "  %s: %s", text_of(v, "command"), text_of(v, "reason"));
    if (number_of(v, "varying") > 0)
        fprintf(out, "; %d vary from run to run", number_of(v, "varying"));
    fputc('\n', out);
    if (*original || *translation)
        fprintf(out, "    original:    %s\n    translation: %s\n", original, translation);
}

void gcl_terminal_print(const json_t *report, FILE *out, bool colour) {
    const json_t *totals = json_object_get(report, "totals");
    const char *output = text_of(report, "output");
    fprintf(out, "%d sources read, %d failed; %d of %d files change%s%s\n\n",
            number_of(totals, "sources") - number_of(totals, "failed"), number_of(totals, "failed"),
            number_of(totals, "changed"), number_of(totals, "files"), *output ? ", in " : "",
            output);
    print_files(report, out);
    print_failures(report, out, colour);
    print_unsupported(report, out, colour);
    print_kept(report, out, colour);
    print_kernels(report, out, colour);
    print_scripts(report, out, colour);
    print_verification(report, out, colour);
    fflush(out);
}
