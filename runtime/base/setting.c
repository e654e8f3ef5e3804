// Of the user's settings none is overwritten.
#include "ucx_settings.h"

#include <stdlib.h>

void gcl_ucx_settings_apply(struct gcl_ucx_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct gcl_ucx_setting *s = &settings[i];
        s->is_ours = s->value && !getenv(s->name) && setenv(s->name, s->value, 0) == 0;
    }
}

void gcl_ucx_settings_remove(struct gcl_ucx_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (settings[i].is_ours)
            unsetenv(settings[i].name);
    }
}
