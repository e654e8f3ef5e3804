// What the analysis knows of a kernel, for people and tools: how it will spread over nodes, what it
// does to each argument, and why not better.
#ifndef GCL_EXPLAIN_EXPLAIN_H
#define GCL_EXPLAIN_EXPLAIN_H

#include <glib.h>
#include <jansson.h>

#include "gcluster/access.h"

/// A field of a struct that is passed by value.
struct gcl_explained_field {
    uint32_t offset;  ///< bytes in the packed arguments
    uint32_t element; ///< bytes of what it points to, 0: it is no pointer, or that isn't known
    char *name;       ///< "size.x"
};

/// What a thread of a kernel costs: so much time for each round of some of its loops.
struct gcl_explained_term {
    double ns;
    unsigned parameters[2], count; ///< whose values, multiplied, are how many rounds there are
};

/// What a thread costs in all; no terms: nobody knows before it runs.
struct gcl_explained_work {
    struct gcl_explained_term terms[8];
    unsigned count;
};

/// A kernel that is to be explained. Strings and tables are borrowed.
struct gcl_explained_kernel {
    const char *name;   ///< in the source
    const char *symbol; ///< in device code
    const char *file;
    uint32_t line;
    const struct gcl_program *program;
    const uint32_t *parameters; ///< at which byte of the packed arguments each begins
    const uint32_t *elements;   ///< bytes of what each points to, 0 as for a field; NULL: unknown
    unsigned parameter_count;
    const struct gcl_explained_field *fields;
    unsigned field_count;
    const char *const *variables; ///< names of the variables that the program's bases count
    const uint32_t *block_size;   ///< a size that launches of it are known to have, or NULL
    size_t table_size;            ///< bytes that the program takes in an object
    struct gcl_explained_work work;
    const char *const *parameter_names;
};

/// How well it is known which bytes an access touches.
enum gcl_explained_certainty {
    GCL_EXPLAINED_EXACT,
    GCL_EXPLAINED_BOUNDED,   ///< at most those that are known
    GCL_EXPLAINED_INSPECTED, ///< memory that the kernel only reads decides
    GCL_EXPLAINED_DATA,      ///< data decides otherwise
};

/// What happens to one argument or variable.
struct gcl_explained_use {
    char *name;
    /// "rows y-1 … y+1 (halo 1 row)", "row y, written exactly once", …
    GPtrArray *words;
    GArray *accesses; ///< uint16_t: indices in the program
    uint16_t read;    ///< the first of them that reads, GCL_NONE: none
    int64_t halo[2];  ///< units before and behind its own that a block reads
    char *width;      ///< what that number depends on, NULL: nothing
};

struct gcl_explanation {
    const struct gcl_explained_kernel *kernel;
    char split;           ///< 'x', 'y', 'z'; 0: it stays on one node
    GPtrArray *uses;      ///< struct gcl_explained_use *
    GArray *reasons;      ///< struct gcl_reason, those of the program and what follows from them
    uint8_t *certainties; ///< enum gcl_explained_certainty of each access
    char *worth;          ///< from which size on it pays to spread a launch (worth.h); NULL: nobody
                          ///< can say
};

/// A reason in words, {code, argument, what, why, advice}, where `argument` is what it is about, or
/// null; a new reference.
json_t *gcl_explained_reason(const struct gcl_explained_kernel *kernel, uint16_t code,
                             uint16_t access);

struct gcl_explanation *gcl_explain(const struct gcl_explained_kernel *kernel);
void gcl_explanation_destroy(struct gcl_explanation *explanation);

/// An explanation as text, several lines, to be freed.
char *gcl_explanation_text(const struct gcl_explanation *explanation);
/// An explanation as JSON; a new reference.
json_t *gcl_explanation_json(const struct gcl_explanation *explanation);

#endif
