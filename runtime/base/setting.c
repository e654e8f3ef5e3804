// Of the user's settings none is overwritten.
#include "base/setting.h"

#include <stdlib.h>

void gcl_settings_apply(struct gcl_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct gcl_setting *s = &settings[i];
        s->is_ours = s->value && !getenv(s->name) && setenv(s->name, s->value, 0) == 0;
    }
}

void gcl_settings_remove(struct gcl_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (settings[i].is_ours)
            unsetenv(settings[i].name);
    }
}
