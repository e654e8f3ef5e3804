// Settings of UCX that gcluster needs. UCX reads the environment, partly when it is loaded, partly
// when it is started; each setting is there for that time only, and the user's own hold.
#ifndef GCL_CLUSTER_UCX_SETTINGS_H
#define GCL_CLUSTER_UCX_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct gcl_ucx_setting {
    const char *name;
    const char *value; ///< NULL: none after all
    bool is_ours;
};

void gcl_ucx_settings_apply(struct gcl_ucx_setting *settings, size_t count);
/// Removes what was applied.
void gcl_ucx_settings_remove(struct gcl_ucx_setting *settings, size_t count);

#endif
