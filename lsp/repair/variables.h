// How a stretch of a function's text uses the function's variables: what a function of its own has
// to be given for it, and what it gives back.
#ifndef GCL_LSP_VARIABLES_H
#define GCL_LSP_VARIABLES_H

#include "lsp/read/node.h"
#include "lsp/read/view.h"

/// A variable of the function that the stretch uses.
struct gcl_variable {
    CXCursor declaration;
    CXType type;
    char *name;
    bool is_inside;    ///< declared in the stretch
    bool is_used_on;   ///< is_inside, and used outside
    bool is_assigned;  ///< in the stretch, by name
    bool is_aliased;   ///< anywhere, something else may refer to it
    bool is_shared;    ///< by threads or calls
    bool has_value;    ///< a parameter, or initialised where it is declared
    bool is_const_for; ///< something that needs a constant in the stretch
    bool escapes;      ///< is_inside, and something that stays may refer to it
};

/// The variables of [begin, end), in the order of their first use there, as struct gcl_variable *
/// in an array that owns them; NULL, and in words why, if something there has a name of which clang
/// doesn't know what it stands for, or a macro does what the text doesn't show. `function` is the
/// definition around it in tree-sitter's tree of the view's text, which clang has read, and
/// `cursor` clang's.
GPtrArray *gcl_variables_of(struct gcl_view *view, TSNode function, CXCursor cursor, uint32_t begin,
                            uint32_t end, const char **why);

/// Whether a type is a number's or pointer's, so that a copy is as good where nobody changes it.
bool gcl_variables_is_scalar(CXType type);

#endif
