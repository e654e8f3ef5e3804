// A statement of PTX as text: what it says, not what it means.
#ifndef GCL_DEVICE_PTX_STATEMENT_H
#define GCL_DEVICE_PTX_STATEMENT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    GCL_PTX_OPERANDS = 8, ///< a statement
    GCL_PTX_NAMES = 16,   ///< a vector, `{a, b, …}`
    GCL_PTX_WORDS = 16,   ///< an instruction with its suffixes
};

/// A register or number, a vector of them, an address, or a pair of results (`value|predicate`).
struct gcl_ptx_operand {
    char *names[GCL_PTX_NAMES];
    unsigned count; ///< 1 for all but vectors
    char *second;   ///< behind `|`; NULL: nothing
    int64_t offset; ///< of an address: bytes behind what names[0] holds
    bool is_vector;
    bool is_address;
    bool is_negated; ///< `!` before a predicate
};

/// `[@[!]predicate] word.word… operand, operand…`. Borrows the text that it was read from.
struct gcl_ptx_statement {
    char *predicate; ///< NULL: always
    bool negated;
    char *words[GCL_PTX_WORDS]; ///< the instruction and its suffixes; words[0] is there
    unsigned word_count;
    struct gcl_ptx_operand operands[GCL_PTX_OPERANDS];
    unsigned operand_count;
};

/// Overwrites comments of a text by blanks.
void gcl_ptx_drop_comments(char *text);
/// The next statement at `*text`, which moves behind it: to be freed; NULL at the end. Braces
/// around statements, labels, and declarations of registers are passed over, as what a register
/// holds follows from what is put there.
char *gcl_ptx_next(const char **text);
/// Reads a statement, and cuts it to pieces. False: it isn't of that form.
bool gcl_ptx_parse(char *text, struct gcl_ptx_statement *s);

/// Whether `word` is among the instruction's words.
bool gcl_ptx_has(const struct gcl_ptx_statement *s, const char *word);
/// Whether one of `words`, which ends in a NULL, is among the instruction's.
bool gcl_ptx_has_any(const struct gcl_ptx_statement *s, const char *const *words);
/// The last word, which is a type wherever that is asked for.
const char *gcl_ptx_type(const struct gcl_ptx_statement *s);
/// What its first operand names, if that is no vector and no address; else "".
const char *gcl_ptx_result(const struct gcl_ptx_statement *s);

#endif
