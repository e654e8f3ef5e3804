// Settings of other libraries that gcluster needs, which read the environment as they are loaded or
// started: each setting is there for that time only, and the user's own hold.
#ifndef GCL_BASE_SETTING_H
#define GCL_BASE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

struct gcl_setting {
    const char *name;
    const char *value; ///< NULL: none after all
    bool is_ours;
};

void gcl_settings_apply(struct gcl_setting *settings, size_t count);
/// Removes what was applied.
void gcl_settings_remove(struct gcl_setting *settings, size_t count);

#endif
