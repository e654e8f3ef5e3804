// What a program says about a kernel in front of it, where the compiler can't prove it:
//
//     #pragma gcluster split(y) reads(in[(blockIdx.y - 1) * w : 3 * w])
//     __global__ void blur(const float *in, float *out, int w) …
//
// nvcc ignores the pragma. grammar/pragma/grammar.js is the grammar, from which the parser is
// generated. Words are C's, with comments, white space and line continuations between them; numbers
// are integer constants of C, with any suffix; operators rank as in C.
//
// An object is a parameter of the kernel, or a field of one that is a struct passed by value. That
// of a clause is a pointer; those in expressions are integers.
//
// `in[first : count]` are the elements [first, first + count) of what `in` points to; `in[first]`
// is one element, a count of zero or less none. Each thread may touch that much, or, if threadIdx
// isn't named, each block. Unlike C, all arithmetic is on signed integers of 64 bits that wrap
// around: objects and indexes are extended as their type says, so `blockIdx.x - 1` is -1 in block
// 0. `>>` keeps the sign, comparisons give 0 or 1. Where there is a division by zero, or a
// shift by another number than 0 to 63, the clause says nothing.
#ifndef GCL_BASE_PRAGMA_H
#define GCL_BASE_PRAGMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <glib.h>

/// X(name, keyword)
#define GCL_PRAGMA_KINDS(X)                                                                        \
    X(SPLIT, "split")         /* the grid is cut along `axis` */                                   \
    X(SINGLE, "single")       /* all blocks run on one node */                                     \
    X(READS, "reads")         /* `object` is read within [first, first + count) at most */         \
    X(WRITES, "writes")       /* likewise written */                                               \
    X(REDUCES, "reduces")     /* all updates of `object` come to `reduction` */                    \
    X(REPLICATE, "replicate") /* every node gets all of `object` */                                \
    X(DISJOINT, "disjoint")   /* no two blocks write the same element of `object` */

enum gcl_pragma_kind {
#define GCL_PRAGMA_ENUM(name, keyword) GCL_PRAGMA_##name,
    GCL_PRAGMA_KINDS(GCL_PRAGMA_ENUM)
#undef GCL_PRAGMA_ENUM
        GCL_PRAGMA_KIND_COUNT,
};

/// X(name, text)
#define GCL_PRAGMA_REDUCTIONS(X)                                                                   \
    X(ADD, "+") X(AND, "&") X(OR, "|") X(XOR, "^") X(MIN, "min") X(MAX, "max")

enum gcl_pragma_reduction {
#define GCL_PRAGMA_ENUM(name, text) GCL_PRAGMA_REDUCTION_##name,
    GCL_PRAGMA_REDUCTIONS(GCL_PRAGMA_ENUM)
#undef GCL_PRAGMA_ENUM
};

/// Nodes of expressions. X(name, number of operands, how tightly it binds, text)
#define GCL_PRAGMA_NODES(X)                                                                        \
    X(CONSTANT, 0, 12, "")                                                                         \
    X(OBJECT, 0, 12, "")                                                                           \
    X(THREAD_INDEX, 0, 12, "threadIdx")                                                            \
    X(BLOCK_INDEX, 0, 12, "blockIdx")                                                              \
    X(BLOCK_SIZE, 0, 12, "blockDim")                                                               \
    X(GRID_SIZE, 0, 12, "gridDim")                                                                 \
    X(NEGATE, 1, 11, "-")                                                                          \
    X(COMPLEMENT, 1, 11, "~")                                                                      \
    X(NOT, 1, 11, "!")                                                                             \
    X(MULTIPLY, 2, 10, "*")                                                                        \
    X(DIVIDE, 2, 10, "/")                                                                          \
    X(REMAINDER, 2, 10, "%")                                                                       \
    X(ADD, 2, 9, "+")                                                                              \
    X(SUBTRACT, 2, 9, "-")                                                                         \
    X(SHIFT_LEFT, 2, 8, "<<")                                                                      \
    X(SHIFT_RIGHT, 2, 8, ">>")                                                                     \
    X(LESS, 2, 7, "<")                                                                             \
    X(GREATER, 2, 7, ">")                                                                          \
    X(LESS_EQUAL, 2, 7, "<=")                                                                      \
    X(GREATER_EQUAL, 2, 7, ">=")                                                                   \
    X(EQUAL, 2, 6, "==")                                                                           \
    X(UNEQUAL, 2, 6, "!=")                                                                         \
    X(BIT_AND, 2, 5, "&")                                                                          \
    X(BIT_XOR, 2, 4, "^")                                                                          \
    X(BIT_OR, 2, 3, "|")                                                                           \
    X(AND, 2, 2, "&&")                                                                             \
    X(OR, 2, 1, "||")                                                                              \
    X(SELECT, 3, 0, "?")                                                                           \
    X(MIN, 2, 12, "min")                                                                           \
    X(MAX, 2, 12, "max")

enum gcl_pragma_node_kind {
#define GCL_PRAGMA_ENUM(name, operands, binding, text) GCL_PRAGMA_NODE_##name,
    GCL_PRAGMA_NODES(GCL_PRAGMA_ENUM)
#undef GCL_PRAGMA_ENUM
        GCL_PRAGMA_NODE_COUNT
};

/// What is known of a kind of node.
struct gcl_pragma_operator {
    uint8_t operand_count;
    uint8_t binding;
    char text[12];
};
extern const struct gcl_pragma_operator gcl_pragma_operators[GCL_PRAGMA_NODE_COUNT];

/// X(name, word). UNKNOWN: it depends on arguments of the template.
#define GCL_PRAGMA_TYPES(X)                                                                        \
    X(UNKNOWN, "unknown")                                                                          \
    X(SIGNED, "signed") X(UNSIGNED, "unsigned") X(FLOAT, "float") X(OTHER, "other")

enum gcl_pragma_type {
#define GCL_PRAGMA_ENUM(name, word) GCL_PRAGMA_TYPE_##name,
    GCL_PRAGMA_TYPES(GCL_PRAGMA_ENUM)
#undef GCL_PRAGMA_ENUM
};

/// A parameter of the kernel or a field of one. The parser knows name and bytes, the rest comes
/// from the kernel that follows.
struct gcl_pragma_object {
    char *name;         ///< "n" or "p.n"; NULL if there is none
    uint32_t begin;     ///< bytes [begin, end) of the text
    uint32_t end;       ///< as those of a node; not carried to code generation
    uint32_t parameter; ///< index
    uint32_t offset;    ///< bytes from the beginning of the parameter
    uint32_t size;      ///< bytes; of a clause's pointer, of one element. 0 if UNKNOWN
    uint8_t type;       ///< enum gcl_pragma_type, likewise
};

/// Operands are indices of nodes in front of this one.
struct gcl_pragma_node {
    uint8_t kind; ///< enum gcl_pragma_node_kind
    uint8_t axis; ///< of an index: 0 is x
    uint16_t a;
    uint16_t b;
    uint16_t c;
    int64_t value;                   ///< of a constant
    struct gcl_pragma_object object; ///< of an object
};

/// Limits of one clause, which keep stack and tables small.
enum { GCL_PRAGMA_DEPTH = 64, GCL_PRAGMA_NODES_MAX = 1024 };

/// One clause about one object: `reads(a[i], b[i])` makes two.
struct gcl_pragma_clause {
    uint8_t kind;                    ///< enum gcl_pragma_kind
    uint8_t axis;                    ///< of SPLIT: 0 is x
    uint8_t reduction;               ///< of REDUCES: enum gcl_pragma_reduction
    uint32_t begin;                  ///< bytes [begin, end) of the text: the word, or the access
    uint32_t end;                    ///< that it is about
    struct gcl_pragma_object object; ///< but for SPLIT and SINGLE
    GArray *nodes;                   ///< struct gcl_pragma_node, of READS and WRITES; else NULL
    uint16_t first;                  ///< node
    uint16_t count;                  ///< node
};

void gcl_pragma_clause_clear(struct gcl_pragma_clause *clause);

/// Appends the clause as a program would write it, with no more parentheses than it needs.
void gcl_pragma_clause_write(GString *out, const struct gcl_pragma_clause *clause);

/// What is wrong with bytes [begin, end) of the text, one at least.
struct gcl_pragma_error {
    uint32_t begin;
    uint32_t end;
    char *message;
    char *help; ///< NULL if there is none
};

struct gcl_pragma_parsed {
    GArray *clauses; ///< struct gcl_pragma_clause: those without mistakes, in order
    GArray *errors;  ///< struct gcl_pragma_error, in order
};

/// Reads bytes [begin, end) of `text`, what stands behind `#pragma gcluster`. Any bytes are fine.
/// After a mistake it goes on with the next clause.
struct gcl_pragma_parsed gcl_pragma_parse(const char *text, uint32_t begin, uint32_t end);
void gcl_pragma_parsed_finish(struct gcl_pragma_parsed *parsed);

/// A clause with the kernel that it is about and its place in the source.
struct gcl_pragma {
    char *kernel; ///< name in the source, qualified, without template arguments
    /// Name in device code; NULL for a template, all whose instances are meant that have no pragma
    /// by symbol. With -rdc=true clang lengthens the names of static kernels.
    char *symbol;
    uint32_t parameter_count;
    char *path;
    uint32_t line;   ///< from 1
    uint32_t column; ///< from 1, in bytes
    uint32_t length; ///< bytes
    struct gcl_pragma_clause clause;
};

/// An empty list of struct gcl_pragma *, which owns what is added; freed by g_ptr_array_unref.
GPtrArray *gcl_pragmas_create(void);

/// The list as text for code generation, one clause a line, to be freed; and back: what
/// gcl_pragmas_read can't read, or knows already, it leaves out. Any bytes are fine.
char *gcl_pragmas_format(const GPtrArray *pragmas);
void gcl_pragmas_read(GPtrArray *pragmas, const char *text);

/// Prints what was understood, as `--dump=pragmas` shows it.
void gcl_pragmas_print(const GPtrArray *pragmas, FILE *out);

#endif
