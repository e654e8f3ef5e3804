// Tokens are gone through backwards, and brackets that close are skipped with what they hold.
#include "lsp/features/writing/call.h"

#include "frontend/text/lexer.h"

bool gcl_call_find(const GArray *tokens, uint32_t offset, struct gcl_call *call) {
    int depth = 0;
    *call = (struct gcl_call){.name = tokens->len};
    for (guint i = gcl_token_at(tokens, offset); i-- > 0;) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        switch (token->kind) {
        case GCL_TOKEN_ROUND_CLOSE:
        case GCL_TOKEN_SQUARE_CLOSE:
        case GCL_TOKEN_CURLY_CLOSE:
        case GCL_TOKEN_LAUNCH_CLOSE:
            depth++;
            break;
        case GCL_TOKEN_ROUND_OPEN:
        case GCL_TOKEN_LAUNCH_OPEN:
            if (depth-- > 0)
                break;
            call->is_configuration = token->kind == GCL_TOKEN_LAUNCH_OPEN;
            call->open = token->end;
            call->name = i > 0 ? i - 1 : tokens->len;
            return true;
        case GCL_TOKEN_SQUARE_OPEN:
        case GCL_TOKEN_CURLY_OPEN:
        case GCL_TOKEN_SEMICOLON:
            if (token->kind == GCL_TOKEN_SEMICOLON ? depth == 0 : depth-- == 0)
                return false;
            break;
        case GCL_TOKEN_COMMA:
            call->commas += depth == 0;
            break;
        default:
            break;
        }
    }
    return false;
}
