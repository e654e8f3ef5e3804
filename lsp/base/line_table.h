// A text with a table of its lines: places are bytes for us, lines and code units for editors.
//
// Lines end with \n, \r\n or \r and count from 0. In a line an editor counts bytes (UTF-8), UTF-16
// units or characters (UTF-32), as was agreed on when it started. Bytes that aren't UTF-8 count as
// one character each. Places behind the end of a line or of the text are its end, as LSP has it.
#ifndef GCL_LSP_LINE_TABLE_H
#define GCL_LSP_LINE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <jansson.h>

#include "lsp/base/encoding.h"

/// A text with the begins of its lines. `bytes` is referenced.
struct gcl_line_table {
    GBytes *bytes;
    GArray *begins; ///< uint32_t, ascending; line 0 is always there
    enum gcl_encoding encoding;
};

struct gcl_line_table *gcl_line_table_create(GBytes *bytes, enum gcl_encoding encoding);
void gcl_line_table_destroy(struct gcl_line_table *text);

const char *gcl_line_table_data(const struct gcl_line_table *text, size_t *size);

/// The byte at a line and code unit; inside a character: its begin.
uint32_t gcl_line_table_offset(const struct gcl_line_table *text, uint32_t line,
                               uint32_t character);
/// The byte at LSP's {"line", "character"}; false if `position` isn't one.
bool gcl_line_table_offset_of(const struct gcl_line_table *text, const json_t *position,
                              uint32_t *offset);
/// The bytes from and up to which a range {"start", "end"} goes; false, and nothing set, if `range`
/// isn't one, or its end comes first.
bool gcl_line_table_range_of(const struct gcl_line_table *text, const json_t *range,
                             uint32_t *begin, uint32_t *end);

/// Line and code unit of a byte, each from 0.
void gcl_line_table_locate(const struct gcl_line_table *text, uint32_t offset, uint32_t *line,
                           uint32_t *character);
/// LSP's Position of a byte, and Range of [begin, end).
json_t *gcl_line_table_position(const struct gcl_line_table *text, uint32_t offset);
json_t *gcl_line_table_range(const struct gcl_line_table *text, uint32_t begin, uint32_t end);

/// [begin, end) of a line without what ends it.
void gcl_line_table_line(const struct gcl_line_table *text, uint32_t line, uint32_t *begin,
                         uint32_t *end);
/// How many lines two texts begin with alike, and how many of the others they end with alike.
void gcl_line_table_compare(const struct gcl_line_table *one, const struct gcl_line_table *other,
                            uint32_t *before, uint32_t *behind);
/// The bytes [begin, end) as a string, to be freed.
char *gcl_line_table_copy(const struct gcl_line_table *text, uint32_t begin, uint32_t end);
/// The blanks and tabs that the line of a byte begins with, to be freed.
char *gcl_line_table_indentation(const struct gcl_line_table *text, uint32_t offset);
/// The name around a byte, begin == end if there is none.
void gcl_line_table_word(const struct gcl_line_table *text, uint32_t offset, uint32_t *begin,
                         uint32_t *end);

/// How many code units the bytes [begin, end) of a line are.
uint32_t gcl_line_table_units(const struct gcl_line_table *text, uint32_t begin, uint32_t end);

#endif
