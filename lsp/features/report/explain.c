// gcluster/explain: all that is known of a kernel, to be read.
#include "lsp/base/json.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/launches.h"
#include "lsp/kernel/summary.h"
#include "lsp/read/tree.h"

json_t *gcl_feature_explain(const struct gcl_query *query) {
    const json_t *kernel = gcl_launches_explained(query);
    if (!kernel)
        return NULL;
    g_autofree char *summary = gcl_summary_whole(kernel);
    g_autofree char *text = gcl_kernels_explanation(query, kernel);
    g_autofree char *both = g_strdup_printf("%s\n\n%s", summary, text);
    g_autofree char *legend = gcl_summary_legend(both);
    return json_pack("{s:o, s:o}", "title", gcl_json_text(gcl_json_words(kernel, "name")),
                     "markdown",
                     json_sprintf("%s%s%s", both, *legend ? "\n### Words\n\n" : "", legend));
}
