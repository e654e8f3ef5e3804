// What the text has of what clang makes: templates for their instances, and members for names that
// clang leaves open until there is an instance.
#ifndef GCL_LSP_PATTERN_H
#define GCL_LSP_PATTERN_H

#include <clang-c/Index.h>

/// The template of an instance, or the member of one for the instance's; other declarations are
/// given back.
CXCursor gcl_pattern_of(CXCursor declaration);

/// The member of that name of what has the type, or points or refers to it; null if there is none,
/// or several.
CXCursor gcl_pattern_member(CXType type, const char *name);

#endif
