// The legend and the numbers that are sent come from the same lists, so they cannot differ.
#include "lsp/base/colours.h"

#include <assert.h>

json_t *gcl_colours_legend(void) {
    json_t *types = json_array(), *modifiers = json_array();
#define GCL_COLOUR(name, text) json_array_append_new(types, json_string(text));
    GCL_COLOUR_TYPES(GCL_COLOUR)
#undef GCL_COLOUR
#define GCL_COLOUR(name, text) json_array_append_new(modifiers, json_string(text));
    GCL_COLOUR_MODIFIERS(GCL_COLOUR)
#undef GCL_COLOUR
    return json_pack("{s:o, s:o}", "tokenTypes", types, "tokenModifiers", modifiers);
}

void gcl_colours_append(json_t *data, const struct gcl_line_table *text,
                        struct gcl_colours_place *last, const struct gcl_colour *colour) {
    struct gcl_colours_place at;
    assert(colour->type != GCL_COLOUR_NONE && colour->begin < colour->end);
    gcl_line_table_locate(text, colour->begin, &at.line, &at.character);
    assert(at.line > last->line || (at.line == last->line && at.character >= last->character));
    const uint32_t numbers[] = {
        at.line - last->line, at.line == last->line ? at.character - last->character : at.character,
        gcl_line_table_units(text, colour->begin, colour->end), (uint32_t)colour->type,
        colour->modifiers};
    for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++)
        json_array_append_new(data, json_integer(numbers[n]));
    *last = at;
}
