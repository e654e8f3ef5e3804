// From what clang makes back to the text: from instances to their templates, and from names that
// clang leaves open in templates to the members that they most likely mean.
#ifndef GCL_LSP_PATTERN_H
#define GCL_LSP_PATTERN_H

#include <clang-c/Index.h>
#include <stdbool.h>

/// The template of an instance, or, for a member of an instance, the template's member; any other
/// declaration itself.
CXCursor gcl_pattern_of(CXCursor declaration);

/// The member of that name of what has the type, or points or refers to it, or of what that is
/// derived from; null if there is none. Of several it is the first, and `is_guess` is set.
CXCursor gcl_pattern_member(CXType type, const char *name, bool *is_guess);

#endif
