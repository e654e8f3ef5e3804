// gcluster/explain: all that is known of a kernel, to be read.
#include "lsp/base/json.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/launches.h"
#include "lsp/read/tree.h"

json_t *gcl_feature_explain(const struct gcl_query *query) {
    const json_t *kernel = gcl_launches_explained(query);
    if (!kernel)
        return NULL;
    g_autofree char *summary = gcl_kernels_summary(kernel);
    g_autofree char *text = gcl_kernels_explanation(query, kernel);
    const char *name = json_string_value(json_object_get(kernel, "name"));
    return json_pack("{s:o, s:o}", "title", json_sprintf("%s: %s", name, summary), "markdown",
                     gcl_json_text(text));
}
