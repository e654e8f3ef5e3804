// The table is made from the list in features.h, so that a feature that is listed is answered and
// known to the server.
#include "lsp/features/features.h"

#include "lsp/features/names/names.h"
#include "lsp/features/report/report.h"
#include "lsp/features/writing/writing.h"

const struct gcl_feature gcl_features[] = {
#define GCL_FEATURE(method, function, needs, position, asks)                                       \
    {method, gcl_feature_##function, GCL_NEEDS_##needs, position},
#define GCL_SERVER(method, kind, when, handler)
    GCL_METHODS(GCL_FEATURE, GCL_SERVER)
#undef GCL_FEATURE
#undef GCL_SERVER
        {GCL_METHOD_DIAGNOSE, gcl_feature_diagnose, GCL_NEEDS_TEXT, false},
    {0},
};

enum gcl_need gcl_features_need(const char *method) {
    const struct gcl_feature *feature = gcl_feature_find(gcl_features, method);
    return feature ? feature->needs : GCL_NEEDS_TEXT;
}
