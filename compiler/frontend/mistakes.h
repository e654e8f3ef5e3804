// Mistakes in CUDA that clang finds, said in CUDA's words: clang's are about overloads, properties
// and names of our headers.
//
// Only clang's text is looked at, so that messages which libclang hands over and those in the
// device pass's log become the same.
#ifndef GCL_FRONTEND_MISTAKES_H
#define GCL_FRONTEND_MISTAKES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"

// What the kernels' text shows before clang's device pass finds it, said alike (lint/refusal.c).
#define GCL_HOST_VARIABLE "'%s' is a variable of the host, which device code can't read"
#define GCL_HOST_VARIABLE_HELP                                                                     \
    "pass its value as an argument; or declare it __device__ or __constant__, and let the host "   \
    "use cudaMemcpyToSymbol()"
#define GCL_VARIABLE_LENGTH "array of a size that isn't constant in device code"
#define GCL_VARIABLE_LENGTH_HELP                                                                   \
    "give it a constant size, or take memory that the host has allocated"

/// An error of clang's, as it says it.
struct gcl_mistake_said {
    const char *text;  ///< of the message, in one line
    const char *notes; ///< below it, "path:1:2: note: text", one a line; "" if there are none
    const char *line;  ///< of the source, without its end; "" if it isn't known
    uint32_t column;   ///< of the message in `line`, from 1
};

enum gcl_mistake_kind {
    GCL_MISTAKE_OTHER,   ///< not known here: clang's words are what there is
    GCL_MISTAKE_KNOWN,   ///< a struct gcl_mistake says it
    GCL_MISTAKE_FOLLOWS, ///< nothing but what another error, which is said, leads to
};

/// A mistake that is known, in CUDA's words.
struct gcl_mistake {
    enum gcl_diagnostic_code code;
    char *message;    ///< to be freed
    char *help;       ///< to be freed; NULL: there is none
    uint32_t column;  ///< where it begins, from 1
    uint32_t length;  ///< bytes from there; 1: whatever begins there
    uint32_t address; ///< the argument, from 1, whose address is meant; 0: none
};

/// Frees what a mistake holds, not the mistake.
void gcl_mistake_clear(struct gcl_mistake *mistake);

/// What clang has said in CUDA's words; `mistake` is set only if it is GCL_MISTAKE_KNOWN.
enum gcl_mistake_kind gcl_mistake_find(const struct gcl_mistake_said *said,
                                       struct gcl_mistake *mistake);

/// A mistake in a call of a function that our headers declare, found by clang's candidates
/// (arguments.c). False: it isn't one.
bool gcl_mistake_find_arguments(const struct gcl_mistake_said *said, struct gcl_mistake *mistake);
/// A mistake with an operator on a type of CUDA's, found likewise.
bool gcl_mistake_find_operator(const struct gcl_mistake_said *said, struct gcl_mistake *mistake);

/// Whether one of clang's notes, "path:1:2: note: text", is about the inside of our headers and
/// means nothing to a program's author.
bool gcl_mistake_is_internal(const char *note);

/// What is said of an error in a library's template at the place of the program that asks for the
/// instance: clang's `text`, the instance, and where the template is; to be freed. `note` is
/// clang's "in instantiation of function template specialization 'f<int>' requested here". NULL: it
/// is another note.
char *gcl_mistake_in_instance(const char *text, const char *note, const char *path, uint32_t line);

#endif
