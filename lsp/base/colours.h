// LSP's semantic tokens: what kinds of names there are, and how a list of them is sent.
#ifndef GCL_LSP_COLOURS_H
#define GCL_LSP_COLOURS_H

#include "lsp/base/line_table.h"

/// X(name, LSP's name), in the order of the legend that editors are given.
#define GCL_COLOUR_TYPES(X)                                                                        \
    X(NAMESPACE, "namespace")                                                                      \
    X(TYPE, "type")                                                                                \
    X(CLASS, "class")                                                                              \
    X(ENUM, "enum")                                                                                \
    X(STRUCT, "struct")                                                                            \
    X(TYPE_PARAMETER, "typeParameter")                                                             \
    X(PARAMETER, "parameter")                                                                      \
    X(VARIABLE, "variable")                                                                        \
    X(PROPERTY, "property")                                                                        \
    X(ENUM_MEMBER, "enumMember")                                                                   \
    X(FUNCTION, "function")                                                                        \
    X(METHOD, "method")                                                                            \
    X(MACRO, "macro")
#define GCL_COLOUR_MODIFIERS(X)                                                                    \
    X(DECLARATION, "declaration")                                                                  \
    X(DEFINITION, "definition")                                                                    \
    X(READONLY, "readonly")                                                                        \
    X(DEFAULT_LIBRARY, "defaultLibrary")                                                           \
    X(KERNEL, "kernel")

enum gcl_colour_type {
#define GCL_COLOUR(name, text) GCL_COLOUR_##name,
    GCL_COLOUR_TYPES(GCL_COLOUR)
#undef GCL_COLOUR
        GCL_COLOUR_NONE = -1
};
enum gcl_colour_modifier {
#define GCL_COLOUR(name, text) GCL_COLOUR_IS_##name,
    GCL_COLOUR_MODIFIERS(GCL_COLOUR)
#undef GCL_COLOUR
};

/// A token: what the bytes [begin, end) of a text are.
struct gcl_colour {
    uint32_t begin, end;
    enum gcl_colour_type type;
    unsigned modifiers; ///< a bit for each enum gcl_colour_modifier
};

/// Where the token that was appended last begins; zeroed in front of the first.
struct gcl_colours_place {
    uint32_t line, character;
};

/// LSP's SemanticTokensLegend, a new reference.
json_t *gcl_colours_legend(void);

/// Appends the five numbers of a token to `data`; its place is counted from `last`, which becomes
/// the token's. Tokens are appended in the order of their places.
void gcl_colours_append(json_t *data, const struct gcl_line_table *text,
                        struct gcl_colours_place *last, const struct gcl_colour *colour);

#endif
