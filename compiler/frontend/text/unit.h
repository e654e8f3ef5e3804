// The facts of one source file and of the project headers it includes: where CUDA is in the text.
//
// Everything is a byte range of a file as it lies on disk, so a unit holds no clang types and can
// be printed, compared and rewritten without clang. Made by gcl_parse (parse.h), read by
// gcl_rewrite (rewrite.h).
#ifndef GCL_FRONTEND_UNIT_H
#define GCL_FRONTEND_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "base/pragma.h"
#include "frontend/text/names.h"

/// Bytes [begin, end) of a file.
struct gcl_source_range {
    uint32_t begin;
    uint32_t end;
};

/// Why a launch or a name stays as it stands. Such a launch still runs: the host pass compiles it
/// natively. X(name, text for the dump)
#define GCL_KEEP_LIST(X)                                                                           \
    X(NONE, "rewritten")                                                                           \
    X(UNMATCHED, "brackets don't match")                                                           \
    X(NOT_A_CALL, "no kernel before or no arguments after the configuration")                      \
    X(DIRECTIVE, "directive inside the launch")                                                    \
    X(CONFIGURATION, "number of configuration arguments is not clear from the text")               \
    X(MACRO_ARGUMENT, "commas split the launch between arguments of a macro")                      \
    X(EXTENT, "text and syntax tree disagree about the launch")                                    \
    X(CHILD, "launch from device code")                                                            \
    X(IN_KERNEL, "launch from device code that can't be told from the text")                       \
    X(DECLARED, "declared by the program")                                                         \
    X(MEMBER, "member or qualified name")                                                          \
    X(MACRO, "defined or pasted as a macro by the program")                                        \
    X(STRINGIFIED, "in an argument that a macro turns into a string")

enum gcl_keep {
#define GCL_KEEP_ENUM(name, text) GCL_KEEP_##name,
    GCL_KEEP_LIST(GCL_KEEP_ENUM)
#undef GCL_KEEP_ENUM
};

/// How far the facts about a launch are confirmed.
enum gcl_evidence {
    GCL_EVIDENCE_TREE, ///< clang's syntax tree has it at this very place
    GCL_EVIDENCE_TEXT, ///< only the text: dead code, macro that is never used, unit with errors
};

/// One use of a CUDA name: `range` covers exactly the identifier.
struct gcl_source_use {
    struct gcl_source_range range;
    const struct gcl_name *name;
    enum gcl_keep keep;
};

enum { GCL_CONFIGURATION_MAX = 4 };

/// One `kernel<<<configuration>>>(arguments)`. Ranges are trimmed of space and comments at both
/// ends. Those after `chevrons` are meaningless if `keep` is UNMATCHED or NOT_A_CALL.
struct gcl_source_launch {
    struct gcl_source_range chevrons; ///< the `<<<`
    struct gcl_source_range kernel;
    struct gcl_source_range configuration[GCL_CONFIGURATION_MAX];
    uint32_t configuration_count;      ///< 2 to 4 if rewritten
    struct gcl_source_range close;     ///< the `>>>`
    struct gcl_source_range arguments; ///< between the parentheses; begin == end if there are none
    uint32_t open;                     ///< offset of the `(` before the arguments
    enum gcl_evidence evidence;
    enum gcl_keep keep;
    bool in_macro;  ///< in the body of a `#define`
    uint8_t commas; ///< parts with a comma outside parentheses: bit i configuration i, bit 4 kernel
    uint32_t argument_count;
    const char *type; ///< CHILD: the kernel's, interned, where its name has several; else NULL
};

/// A parameter of a kernel ("n"), or a field of one that is a struct passed by value ("p.n").
struct gcl_source_parameter {
    char *name;                ///< "" if it has none
    uint32_t index;            ///< of the parameter
    uint32_t offset;           ///< bytes from the beginning of the parameter
    uint32_t size;             ///< bytes; of a pointer, of one element. 0 if the type is UNKNOWN
    enum gcl_pragma_type type; ///< of a pointer, what it points to
    bool is_pointer;
    bool is_const; ///< points to what is const
};

/// One `__global__` function, at its name, each declaration by itself.
struct gcl_source_kernel {
    struct gcl_source_range range;
    char *name;       ///< qualified, without arguments
    char *symbol;     ///< in device code, without -rdc=true; NULL for templates
    const char *type; ///< as it may stand anywhere, interned; NULL if parts of it have no name
    uint32_t parameter_count;
    GArray *parameters; ///< struct gcl_source_parameter
    bool is_template;
    bool is_definition;
};

/// One file of the project: the main file first, then headers in the order clang met them.
struct gcl_unit_file {
    char *path;        ///< as clang opened it
    GBytes *bytes;     ///< as on disk
    GBytes *prepared;  ///< same length, `<< <` and `> >>` mended so that clang reads it; or NULL
    GArray *lines;     ///< uint32_t, offset of the start of each line
    GArray *uses;      ///< struct gcl_source_use, ascending
    GArray *launches;  ///< struct gcl_source_launch, ascending
    GArray *kernels;   ///< struct gcl_source_kernel, ascending
    GArray *constants; ///< uint32_t: where `__device__`, or a macro for it, stands in declarations
                       ///< of constants that aren't `__constant__` (gcl_rewrite_device)
    GArray *templates; ///< uint32_t: names before which clang wants `template`, and nvcc doesn't
};

struct gcl_source_unit {
    GPtrArray *sources; ///< struct gcl_unit_file *
    GArray *shapes;     ///< struct gcl_shape (base/shape.h): block sizes of launches
    GPtrArray *pragmas; ///< struct gcl_pragma * (base/pragma.h), in the order of the text
    GPtrArray *lowered; ///< char *: names in device code that the source asks for
    bool has_errors; ///< clang found errors: what it didn't understand is known from the text alone
    bool lacks_header; ///< an #include found no file: other errors may only follow from that
    /// clang's own messages about the original text (struct gcl_diagnostic *, code 0), with the
    /// user's lines, columns and text. Not among the diagnostics that gcl_parse reports.
    GPtrArray *messages;
};

/// An empty unit, and a source without facts; for gcl_parse. Bytes are shared, `path` is copied.
struct gcl_source_unit *gcl_unit_create(void);
struct gcl_unit_file *gcl_unit_file_create(const char *path, GBytes *bytes, GBytes *prepared);
void gcl_unit_file_destroy(struct gcl_unit_file *source);

/// What clang reads and what all ranges are taken from: `prepared` if there is such, else `bytes`.
GBytes *gcl_unit_file_text(const struct gcl_unit_file *source);

void gcl_unit_destroy(struct gcl_source_unit *unit);

/// The source with this path, as in gcl_edits.path; NULL if there is none.
const struct gcl_unit_file *gcl_unit_find(const struct gcl_source_unit *unit, const char *path);

/// The text of a line, counted from 1, without its end; freed by the caller. NULL if there is none.
char *gcl_unit_file_line(const struct gcl_unit_file *source, uint32_t line);

/// Line and column, both from 1, of a byte offset.
void gcl_unit_file_locate(const struct gcl_unit_file *source, uint32_t offset, uint32_t *line,
                          uint32_t *column);

/// Prints all facts, one a line, as `--dump=unit` shows them.
void gcl_unit_print(const struct gcl_source_unit *unit, FILE *out);

/// The text of a reason in GCL_KEEP_LIST.
const char *gcl_keep_text(enum gcl_keep keep);

/// True for the text of clang's message that an #include found no file.
bool gcl_unit_lacks_file(const char *text);

#endif
