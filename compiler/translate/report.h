// What a translation has done, as JSON: the one form of it, which the terminal and others render.
//
//     {version: 1, root, output,
//      totals: {sources, failed, files, changed, uses: COUNTS, launches: COUNTS},
//      sources: [{path, failure, compiled, complaint}],
//      files: [{path, changed, compiled, uses: COUNTS, launches: COUNTS}],
//      apis: [{name, to, kind, uses: COUNTS}],
//      kept: [{path, line, column, name, reason, advice}],
//      unsupported: [{path, line, column, code, message, help}],
//      kernels: [what gcluster-cc --explain=json says of them],
//      scripts: [{path, changed, notes: [text]}],
//      verification: null or {command, …}}
//
// COUNTS are {found, converted, compiled, verified}: uses of CUDA's names, or launches; those that
// are gcluster's in the translation; of those, the ones in files that compile in all compilations;
// of those, all if the project was seen to do the same (verify.h), else none. `compiled` of a file
// or source is null where nobody has tried. Paths are relative to the project's folder where they
// are below it.
#ifndef GCL_TRANSLATE_REPORT_H
#define GCL_TRANSLATE_REPORT_H

#include <stdbool.h>

#include <glib.h>
#include <jansson.h>

struct gcl_translation;

/// The report of a translation, a new reference.
json_t *gcl_report(const struct gcl_translation *translation);

/// Writes a report to a file: as a page for browsers (page/page.h) if its name ends in .html, else
/// as JSON. False with a diagnostic.
bool gcl_report_write(const json_t *report, const char *path, GPtrArray *diagnostics);

#endif
