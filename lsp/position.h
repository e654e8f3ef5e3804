// Places in a text: bytes for us, lines and code units for editors.
//
// Lines end with \n, \r\n or \r and count from 0. In a line an editor counts bytes (UTF-8), UTF-16
// units or characters (UTF-32), as was agreed on when it started. Bytes that aren't UTF-8 count as
// one character each. Places behind the end of a line or of the text are its end, as LSP has it.
#ifndef GCL_LSP_POSITION_H
#define GCL_LSP_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <jansson.h>

enum gcl_encoding {
    GCL_ENCODING_UTF16,
    GCL_ENCODING_UTF8,
    GCL_ENCODING_UTF32,
};

/// "utf-16" and so on; and back: false if it is none of them.
const char *gcl_encoding_name(enum gcl_encoding encoding);
bool gcl_encoding_parse(const char *name, enum gcl_encoding *encoding);

/// A text with the begins of its lines. `bytes` is referenced.
struct gcl_lines {
    GBytes *bytes;
    GArray *begins; ///< uint32_t; line 0 is always there
    enum gcl_encoding encoding;
};

struct gcl_lines *gcl_lines_create(GBytes *bytes, enum gcl_encoding encoding);
void gcl_lines_destroy(struct gcl_lines *text);

const char *gcl_lines_data(const struct gcl_lines *text, size_t *size);

/// The byte at a line and code unit; inside a character: its begin.
uint32_t gcl_lines_offset(const struct gcl_lines *text, uint32_t line, uint32_t character);
/// The same from LSP's {"line", "character"}; false if it isn't one.
bool gcl_lines_offset_of(const struct gcl_lines *text, const json_t *position, uint32_t *offset);
/// Both ends of {"start", "end"}; false if it isn't one or the end comes first.
bool gcl_lines_range_of(const struct gcl_lines *text, const json_t *range, uint32_t *begin,
                        uint32_t *end);

/// Line and code unit of a byte, each from 0.
void gcl_lines_locate(const struct gcl_lines *text, uint32_t offset, uint32_t *line,
                      uint32_t *character);
/// The same as JSON.
json_t *gcl_lines_position(const struct gcl_lines *text, uint32_t offset);
json_t *gcl_lines_range(const struct gcl_lines *text, uint32_t begin, uint32_t end);

/// [begin, end) of a line without what ends it.
void gcl_lines_line(const struct gcl_lines *text, uint32_t line, uint32_t *begin, uint32_t *end);
/// The bytes [begin, end) as a string, to be freed.
char *gcl_lines_copy(const struct gcl_lines *text, uint32_t begin, uint32_t end);
/// The blanks and tabs that the line of a byte begins with, to be freed.
char *gcl_lines_indentation(const struct gcl_lines *text, uint32_t offset);
/// The name around a byte, begin == end if there is none.
void gcl_lines_word(const struct gcl_lines *text, uint32_t offset, uint32_t *begin, uint32_t *end);

/// How many code units the bytes [begin, end) of a line are.
uint32_t gcl_lines_units(const struct gcl_lines *text, uint32_t begin, uint32_t end);

#endif
