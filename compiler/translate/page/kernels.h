// The part of a report's page that is about kernels.
#ifndef GCL_TRANSLATE_PAGE_KERNELS_H
#define GCL_TRANSLATE_PAGE_KERNELS_H

#include <glib.h>
#include <jansson.h>

/// What becomes of a kernel on several nodes, from best to worst.
enum gcl_verdict {
    GCL_VERDICT_CLEAR,    ///< it is split, and what its blocks touch is known
    GCL_VERDICT_RESERVED, ///< it is split, with reasons why more moves, or is looked up, than
                          ///< needed
    GCL_VERDICT_ALONE,    ///< it runs on one node
    GCL_VERDICT_COUNT,
};

/// The verdict on a kernel of the report.
enum gcl_verdict gcl_verdict_of(const json_t *kernel);

/// Appends a picture of all kernels by file, coloured by verdict, as inline SVG; nothing for none.
void gcl_kernels_map(GString *page, const json_t *kernels);

/// Appends a table with each kernel's split, costs and reasons; nothing for none.
void gcl_kernels_table(GString *page, const json_t *kernels);

#endif
