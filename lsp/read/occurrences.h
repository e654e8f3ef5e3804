// Every name in a text, with what it refers to: one walk over clang's tree, made when first asked
// for, from which references, highlights, renames, colours and the index come.
#ifndef GCL_LSP_OCCURRENCES_H
#define GCL_LSP_OCCURRENCES_H

#include <clang-c/Index.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct gcl_view;

/// A name in the text. `target` is what the name refers to, as clang declares it first; of
/// templates what stands in the text, not an instance.
struct gcl_occurrence {
    uint32_t begin; ///< bytes of the text
    uint32_t end;
    CXCursor target;
    bool declares; ///< the name stands in a declaration of the target
    bool defines;  ///< the declaration is the target's definition
    bool calls;    ///< the target is called here
    bool is_guess; ///< another target of that name is possible: a template's arguments decide
};

/// A name of which nobody knows what it refers to: it depends on the arguments of a template, or
/// stands in dead text or in a macro's.
struct gcl_unknown_name {
    uint32_t begin; ///< bytes of the text
    uint32_t end;
};

/// The names in the view's text, which must have been read: struct gcl_occurrence, ascending. The
/// view keeps them until it is read again.
const GArray *gcl_occurrences_of(struct gcl_view *view);
/// The names of the view's text of which nobody knows what they refer to: struct gcl_unknown_name,
/// ascending. The view keeps them, too.
const GArray *gcl_occurrences_unknown(struct gcl_view *view);

/// The name at a byte, or NULL.
const struct gcl_occurrence *gcl_occurrences_at(struct gcl_view *view, uint32_t offset);

/// Whether the name at a byte stands behind `.` or `->`.
bool gcl_occurrences_is_member(const struct gcl_view *view, uint32_t begin);

#endif
