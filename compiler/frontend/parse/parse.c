// A session of one reading.
#include "frontend/parse/parse.h"

#include "frontend/parse/session.h"

struct gcl_source_unit *gcl_parse(const struct gcl_parse_options *options, GPtrArray *diagnostics) {
    struct gcl_session *session = gcl_session_create(options, false);
    struct gcl_source_unit *unit = NULL;
    if (gcl_session_read(session, options->overlays, options->overlay_count, diagnostics))
        unit = gcl_session_unit(session, diagnostics);
    gcl_session_destroy(session);
    return unit;
}
