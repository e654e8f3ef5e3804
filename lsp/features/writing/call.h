// The call, or the launch configuration, around a place.
#ifndef GCL_LSP_CALL_H
#define GCL_LSP_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct gcl_call {
    bool is_configuration; ///< between <<< and >>>
    uint32_t open;         ///< byte behind the bracket
    guint commas;          ///< before the place
    guint name;            ///< token before the bracket; the number of tokens if there is none
};

/// Goes back to the bracket that is open at a byte. False if there is none. `tokens` are the
/// lexer's (frontend/text/lexer.h).
bool gcl_call_find(const GArray *tokens, uint32_t offset, struct gcl_call *call);

#endif
