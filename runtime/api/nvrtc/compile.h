// Runs the compiler on texts.
#ifndef GCL_API_NVRTC_COMPILE_H
#define GCL_API_NVRTC_COMPILE_H

#include "api/nvrtc/text.h"
#include "gcluster/nvrtc.h"

struct gcl_nvrtc_file {
    const char *name; ///< in a folder; may name folders itself, but none above that
    const char *text;
};

struct gcl_nvrtc_job {
    const struct gcl_nvrtc_file *files; ///< the first one is compiled
    size_t file_count;
    const struct gcl_words *options;
};

/// Compiles to a module in the form of PTX. `log` is what the compiler said, also where it fails.
nvrtcResult gcl_nvrtc_compile(const struct gcl_nvrtc_job *job, struct gcl_text *ptx,
                              struct gcl_text *log);

/// Whether a name is one of a file, in a folder or one in that.
bool gcl_nvrtc_is_name(const char *name);

#endif
