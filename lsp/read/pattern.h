// What the text has of what clang makes: templates for their instances, and members for names that
// clang leaves open until there is an instance.
#ifndef GCL_LSP_PATTERN_H
#define GCL_LSP_PATTERN_H

#include <clang-c/Index.h>
#include <stdbool.h>

/// The template of an instance, or the member of one for the instance's; other declarations are
/// given back.
CXCursor gcl_pattern_of(CXCursor declaration);

/// The member of that name of what has the type, or points or refers to it, or of what that is
/// derived from; null if there is none. Of several it is the first, and `is_guess` is set.
CXCursor gcl_pattern_member(CXType type, const char *name, bool *is_guess);

#endif
