// The list as a page: what is there by area, then what is refused by the part of CUDA it belongs
// to.
#include <string.h>

#include <glib.h>

#include "support/query.h"
#include "support/support.h"
#include "support/unsupported.h"

static const char introduction[] =
    "# What of CUDA there is\n"
    "\n"
    "Made of the list in `compiler/support`, which the compiler, `gcluster-translate --query` and "
    "the\n"
    "editor answer from too; a test holds this page to it. `*` stands for any letters: a\n"
    "name that a pattern covers is supported if a header declares it, and `gcluster-translate "
    "--query\n"
    "NAME` says whether one does. *Sampled* means that tests call some of the names for all of "
    "them.\n"
    "Names `cudaX` of the runtime are `gclX` in gcluster's own API. Messages are those of\n"
    "[diagnostics.md](diagnostics.md).\n";

// A cell of a table: names as code, one after the other.
static void write_names(FILE *out, const char *names) {
    g_auto(GStrv) list = g_strsplit(names, " ", -1);
    for (char **name = list; *name; name++)
        fprintf(out, "%s`%s`", name == list ? "" : " ", *name);
}

static void write_row(FILE *out, const struct gcl_support_row *row) {
    fputs("| ", out);
    write_names(out, row->names);
    fprintf(out, " | %s", row->is_beside ? "" : gcl_support_level_text(row->level));
    if (row->note)
        fprintf(out, "%s%s", row->is_beside ? "" : ": ", row->note);
    if (row->help)
        fprintf(out, "; %s", row->help);
    fprintf(out, " | %s | %s", row->since, row->is_sampled ? "*sampled* " : "");
    if (row->tests)
        write_names(out, row->tests);
    fputs(" |\n", out);
}

static void write_provided(FILE *out) {
    const struct gcl_support_row *row;
    for (size_t i = 0; (row = gcl_support_row(i)); i++) {
        if (row->names)
            write_row(out, row);
        else
            fprintf(
                out,
                "\n## %s\n\n| names | support | since CUDA | tests |\n| --- | --- | --- | --- |\n",
                row->area);
    }
}

// The rows with the same part and help are one row of the page, where the first of them stands.
static void write_refused_part(FILE *out, size_t first) {
    const struct gcl_unsupported *part, *row;
    bool is_header;
    part = gcl_unsupported_row(first, &is_header);
    for (size_t i = 0; i < first; i++) {
        row = gcl_unsupported_row(i, &is_header);
        if (strcmp(row->part, part->part) == 0 && strcmp(row->help, part->help) == 0)
            return;
    }
    fprintf(out, "| %s | ", part->part);
    for (size_t i = first; (row = gcl_unsupported_row(i, &is_header)); i++) {
        if (strcmp(row->part, part->part) == 0 && strcmp(row->help, part->help) == 0)
            fprintf(out, is_header ? "%s`<%s>`" : "%s`%s`", i == first ? "" : " ", row->pattern);
    }
    fprintf(out, " | %s | GCL%d |\n", part->help, part->code);
}

void gcl_page_write(FILE *out) {
    bool is_header;
    fputs(introduction, out);
    write_provided(out);
    fputs("\n## What is refused\n\n"
          "| part of CUDA | names and headers | instead | message |\n| --- | --- | --- | --- |\n",
          out);
    for (size_t i = 0; gcl_unsupported_row(i, &is_header); i++)
        write_refused_part(out, i);
}
