// What the editor can, and what it is told that we can.
#ifndef GCL_LSP_CAPABILITIES_H
#define GCL_LSP_CAPABILITIES_H

#include <stdbool.h>

#include "lsp/base/encoding.h"
#include "lsp/base/line_table.h"

struct gcl_abilities {
    enum gcl_encoding encoding; ///< the one agreed on
    bool confirms;              ///< asks the user about edits that are marked
    bool explains_refusals;     ///< shows actions that can't be taken, and why
    bool inserts_snippets;      ///< completions may have places to fill in
    bool refreshes_colours;     ///< asks for semantic tokens again when told to
    bool refreshes_lenses;      ///< asks for code lenses again when told to
    bool registers_settings;    ///< sends changes of settings only if told to
    bool shows_progress;        ///< of what goes on in the background
    bool tells_settings;        ///< answers workspace/configuration
    bool watches_files;         ///< tells of changes to files that it hasn't open
};

/// From LSP's ClientCapabilities, which may be NULL.
struct gcl_abilities gcl_capabilities_read(const json_t *capabilities);
/// InitializeResult.
json_t *gcl_capabilities_answer(const struct gcl_abilities *can);
/// What the editor is to tell of: files that count, settings. A list of LSP's Registrations.
json_t *gcl_capabilities_registrations(const struct gcl_abilities *can);

#endif
