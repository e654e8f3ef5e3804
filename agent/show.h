// What an agent says of itself, as a table for people.
#ifndef GCL_AGENT_SHOW_H
#define GCL_AGENT_SHOW_H

#include <glib.h>
#include <jansson.h>

/// Asks the agent at `path`. NULL, with `error`: there is none, or it doesn't answer.
json_t *gcl_show_ask(const char *path, GError **error);
/// A table of its programs. `before`: what it said earlier, from which on its device's use counts;
/// NULL: there is no use to show.
char *gcl_show_table(json_t *now, json_t *before);

#endif
