// A file that an editor has open: its text as the editor has it, not as on disk.
#ifndef GCL_LSP_DOCUMENT_H
#define GCL_LSP_DOCUMENT_H

#include "lsp/base/line_table.h"

struct gcl_document {
    char *uri;  ///< as the editor spells it
    char *path; ///< absolute; NULL if it isn't a file
    json_int_t version;
    struct gcl_line_table *text;
};

/// `text` is a JSON string.
struct gcl_document *gcl_document_create(const char *uri, json_int_t version, const json_t *text,
                                         enum gcl_encoding encoding);
void gcl_document_destroy(struct gcl_document *document);

/// What LSP's list of changes makes of a text, in order, each of what the one before has left. NULL
/// if one of them can't be understood.
struct gcl_line_table *gcl_document_changed_text(const struct gcl_line_table *text,
                                                 const json_t *changes);
/// Applies LSP's list of changes to a document. False, with the text as it was, if the list can't
/// be understood.
bool gcl_document_change(struct gcl_document *document, json_int_t version, const json_t *changes);

/// The URI of the document that a request's parameters are about, borrowed; NULL if there is none.
const char *gcl_document_uri(const json_t *params);

#endif
