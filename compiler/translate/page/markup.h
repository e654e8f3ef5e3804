// Writing HTML of a report's values.
#ifndef GCL_TRANSLATE_MARKUP_H
#define GCL_TRANSLATE_MARKUP_H

#include <glib.h>
#include <jansson.h>

/// Appends by a printf format, in which the text of each %s is escaped: markup comes from formats
/// alone. Widths and precisions stand in the format (GLib knows no `*`).
void gcl_markup(GString *page, const char *format, ...) G_GNUC_PRINTF(2, 3);

/// The text under a key, "" if there is none; owned by the object.
const char *gcl_markup_text(const json_t *object, const char *key);

/// The number under a key, 0 if there is none.
long long gcl_markup_number(const json_t *object, const char *key);

/// Appends a place in a source: "heat.cu:12".
void gcl_markup_place(GString *page, const char *path, long long line);

#endif
