// The definition of a kernel as it is written, for edits that write others from it.
#ifndef GCL_LSP_KERNEL_TEXT_H
#define GCL_LSP_KERNEL_TEXT_H

#include "frontend/text/lexer.h"
#include "lsp/read/meaning.h"

struct gcl_kernel_text {
    const struct gcl_view *view;
    const char *bytes;           ///< the view's text
    GArray *tokens;              ///< of the view's text
    char *name;                  ///< the kernel's
    uint32_t begin;              ///< of the kernel's text, with `template <…>`
    TSNode definition;           ///< the function_definition, without `template <…>`
    TSNode parameters;           ///< a parameter_list
    TSNode body;                 ///< a compound_statement
    struct gcl_meaning *meaning; ///< of the names in the definition
};

/// Parses the kernel's text, from `begin` to `end`; places in the tree are those in the whole text.
/// NULL if that takes too long.
TSTree *gcl_kernel_text_parse(const struct gcl_kernel_text *kernel, uint32_t end);
/// Finds definition, parameters and body in that tree; false if it has mistakes or is no kernel's.
bool gcl_kernel_text_find(struct gcl_kernel_text *kernel, TSNode root);

/// Whether a token is that name.
bool gcl_kernel_text_is_name(const struct gcl_kernel_text *kernel, const struct gcl_token *token,
                             const char *name);
/// A name like `wanted` that isn't taken in [begin, end), nor by a macro; to be freed.
char *gcl_kernel_text_free_name(const struct gcl_kernel_text *kernel, const char *wanted,
                                uint32_t begin, uint32_t end);
/// How many names in the body are spelt like that one, but for itself.
unsigned gcl_kernel_text_mentions(const struct gcl_kernel_text *kernel, TSNode name);

/// Whether each parameter has a name, and could be a host function's.
bool gcl_kernel_text_can_pass(const struct gcl_kernel_text *kernel);
/// ", int n, float *x" or, without types, ", n, x", to be freed: the parameters of which `names`
/// has the name, all if that is NULL.
char *gcl_kernel_text_list(const struct gcl_kernel_text *kernel, GHashTable *names,
                           bool with_types);
/// "<T, N>", "" if the kernel is no template, to be freed; NULL if a parameter of it has no name.
char *gcl_kernel_text_templates(const struct gcl_kernel_text *kernel);

#endif
