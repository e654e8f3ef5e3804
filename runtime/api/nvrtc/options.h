// NVRTC's options as gcluster-cc's. Pure but for the current folder's name.
#ifndef GCL_API_NVRTC_OPTIONS_H
#define GCL_API_NVRTC_OPTIONS_H

#include <stdbool.h>

#include "api/nvrtc/text.h"

struct gcl_nvrtc_options {
    struct gcl_words words; ///< for gcluster-cc; paths are absolute
    bool is_virtual;        ///< the architecture is one of PTX, compute_80, or isn't said
    bool is_closed;         ///< headers aren't looked for beside the source
};

/// False if there is an option that NVRTC doesn't have: `*wrong` is it.
bool gcl_nvrtc_options_read(const char *const *options, int count, struct gcl_nvrtc_options *read,
                            const char **wrong);
/// Has headers be looked for in a folder, after those that options name.
void gcl_nvrtc_options_add_folder(struct gcl_nvrtc_options *read, const char *folder);

#endif
