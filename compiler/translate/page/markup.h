// Writing HTML of a report's values.
#ifndef GCL_TRANSLATE_MARKUP_H
#define GCL_TRANSLATE_MARKUP_H

#include <glib.h>

/// Appends by a printf format, in which the text of each %s is escaped: markup comes from formats
/// alone. Widths and precisions stand in the format (GLib knows no `*`).
void gcl_markup(GString *page, const char *format, ...) G_GNUC_PRINTF(2, 3);

/// Appends a place in a source: "heat.cu:12".
void gcl_markup_place(GString *page, const char *path, long long line);

#endif
