// What the scanner tells, see scanner.c.
#ifndef TREE_SITTER_GCLUSTER_TOKENS_H
#define TREE_SITTER_GCLUSTER_TOKENS_H

#include "tree_sitter/parser.h"

// In the order of `externals` in grammar.js.
enum token {
    RAW_STRING_DELIMITER,
    RAW_STRING_CONTENT,
    LINE_END,
    IF,
    IFDEF,
    IFNDEF,
    ELIF,
    ELIFDEF,
    ELIFNDEF,
    ELSE,
    ENDIF,
    LINE,
    INACTIVE,
    DIRECTIVE,       // any other, where the grammar has a place for it
    MACRO_CALL,      // of a statement without semicolon
    MACRO_HEAD,      // likewise in front of a body
    MACRO_QUALIFIER, // in front of a type
    MACRO_QUALIFIER_BEHIND,
    MACRO_QUALIFIER_CALL, // with arguments
    MACRO_QUALIFIER_LAMBDA,
    MACRO_QUALIFIER_CLASS, // behind `class` and kin, perhaps with arguments
    MACRO_BEHIND_PARAMETER,
    MACRO_PARAMETER,  // in place of a template's parameter, with arguments
    MACRO_EXTERN,     // behind `extern`, with arguments
    MACRO_ACCESS,     // in front of a colon in a class
    STATEMENTS_OPEN,  // the `(` of an argument
    STATEMENTS_BEGIN, // nothing, in front of an argument
    STATEMENTS_CALL,  // the name of a macro that is called where an argument begins
    MACRO,            // alone
};

static bool found(TSLexer *lexer, enum token token) {
    lexer->result_symbol = (TSSymbol)token;
    return true;
}

#endif
