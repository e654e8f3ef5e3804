// What the device analysis has found out about kernels, as --explain=json has it, for a text that
// may have moved on since: places follow their lines, and those in what was edited are gone.
//
// This header is the front of the room `kernel`, which says what becomes of a text's kernels:
//
//     analysis            the process that asks the compiler
//     kernels summary     its explanations, in words and in one line
//     launches            where kernels are launched
//     measure evaluate    what one launch does on several nodes
//     trace traced        what a run spent, and which launches of a text that was
//     effects slice       what of a kernel's body decides whether a place in it is reached
#ifndef GCL_LSP_KERNELS_H
#define GCL_LSP_KERNELS_H

#include "lsp/read/view.h"

/// The line, from 0, of the view's text that was `line`, from 1, when kernels were analysed; false
/// if it isn't there any more or is in another file.
bool gcl_kernels_follow(const struct gcl_view *view, const char *path, json_int_t line,
                        uint32_t *now);

/// The line, from 0, of the view's text where a kernel's name is now; false if it isn't there.
bool gcl_kernels_line(const struct gcl_view *view, const json_t *kernel, uint32_t *now);

/// Whether a kernel has that name, or is an instance of the template that does.
bool gcl_kernels_is_named(const json_t *kernel, const char *name);
/// The kernel of that name; borrowed, NULL if there is none. Of a template, the first instance.
json_t *gcl_kernels_named(const struct gcl_view *view, const char *name);

/// Appends " · GCL209: why" for a kernel that stays on one node, nothing for others.
void gcl_kernels_append_single(GString *out, const json_t *kernel);
/// What becomes of what several nodes write of an argument: "merged", "combined" or NULL, nothing.
const char *gcl_kernels_combined(const json_t *kernel, const char *name);
/// What --explain=json has of the argument of that name; borrowed, NULL if it has nothing.
const json_t *gcl_kernels_find_argument(const json_t *kernel, const char *name);
/// What happens to an argument, in words and formulas, as markdown; to each pointer in it, if it is
/// a struct. NULL if nothing is known. To be freed.
char *gcl_kernels_argument(const json_t *kernel, const char *name);

/// What happens to each argument of a kernel, and each reason with its page; markdown, to be freed.
char *gcl_kernels_explanation(const struct gcl_query *query, const json_t *kernel);

/// The first kernel whose name is on a line of the view's text; borrowed, NULL if none is.
json_t *gcl_kernels_at(const struct gcl_view *view, uint32_t line);

/// The number of a reason's code: 201 of "GCL201".
unsigned gcl_kernels_code(const json_t *reason);

/// What happens to an argument: "rows y-1 … y+1 (halo 1 row); row y", to be freed, "" if nothing is
/// known; "halo 1 row: in", NULL if there is none; and how well it is known: "exact", "bounded"
/// or "data-dependent".
char *gcl_kernels_words(const json_t *kernel, const char *name);
char *gcl_kernels_halo(const json_t *kernel, const char *name);
const char *gcl_kernels_certainty(const json_t *kernel, const char *name);
/// Whether the kernel may write or reduce an argument; whether it may read one.
bool gcl_kernels_changes(const json_t *kernel, const char *name);
bool gcl_kernels_reads(const json_t *kernel, const char *name);
/// A kernel's reasons as [{code, argument, what, why, advice, page}], and those of `more` with
/// other codes.
json_t *gcl_kernels_reasons(const struct gcl_query *query, const json_t *kernel,
                            const json_t *more);

/// How many nodes lines on launches are about, by the settings.
json_int_t gcl_kernels_nodes(const struct gcl_query *query);

/// The URI of a code's page.
json_t *gcl_kernels_page(const struct gcl_query *query, unsigned code);

#endif
