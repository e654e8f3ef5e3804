// `#pragma gcluster` in source files: which kernel each is about (the language: base/pragma.h).
#ifndef GCL_FRONTEND_PRAGMAS_H
#define GCL_FRONTEND_PRAGMAS_H

#include <clang-c/Index.h>
#include <glib.h>

/// The text with blanks in place of every `#pragma gcluster` and `_Pragma("gcluster …")`, byte for
/// byte as long, so that clang doesn't warn of a pragma that it doesn't know; NULL if there is
/// none.
GBytes *gcl_pragmas_hide(GBytes *bytes);

/// Finds the pragmas in the live text of all `drafts` (struct gcl_source_draft *), binds each to
/// the kernel that follows, and adds its clauses to `pragmas` (base/pragma.h). What can't be
/// understood is added to `diagnostics` as an error. Call after gcl_drafts_settle.
void gcl_pragmas_collect(CXTranslationUnit unit, const GPtrArray *drafts, GPtrArray *pragmas,
                         GPtrArray *diagnostics);

#endif
