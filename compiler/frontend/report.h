// clang's messages about the original text, and what they mean for a gcluster program.
#ifndef GCL_FRONTEND_REPORT_H
#define GCL_FRONTEND_REPORT_H

#include <clang-c/Index.h>
#include <glib.h>

#include "base/diagnostic.h"
#include "frontend/collect.h"
#include "frontend/text/unit.h"

/// Turns clang's messages into `unit->messages`. Those that come from a part of CUDA which gcluster
/// doesn't support become errors in `diagnostics` instead, one a name. Sets `unit->has_errors`.
/// Call after gcl_drafts_settle.
void gcl_report_messages(CXTranslationUnit translation, const GPtrArray *drafts,
                         struct gcl_source_unit *unit, GPtrArray *diagnostics);

/// Takes a text of clang's in which our headers' names stand (gclMalloc), and returns it with those
/// of CUDA (cudaMalloc), by which programs know them; to be freed.
char *gcl_report_in_cuda_words(char *text);

/// Adds a message, with the line that it is about, to `diagnostics`, which own what is returned.
/// `help` may be NULL.
struct gcl_diagnostic *gcl_report_error(GPtrArray *diagnostics, const struct gcl_unit_file *source,
                                        struct gcl_source_range range,
                                        enum gcl_diagnostic_code code, const char *help,
                                        const char *message);

/// Adds an error for each launch that stands in a kernel or another device function.
void gcl_report_launches(const GPtrArray *drafts, GPtrArray *diagnostics);

#endif
