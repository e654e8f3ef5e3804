// gcluster/text: {version, text} as the reader of sources has it, after all edits. Whoever looks
// for a difference between the editor's text and ours compares the two.
#include "lsp/features/writing/writing.h"

json_t *gcl_feature_text(const struct gcl_query *query) {
    size_t size;
    const char *data = gcl_line_table_data(query->view->text, &size);
    return json_pack("{s:I, s:o}", "version", query->view->version, "text",
                     json_stringn(data, size));
}
