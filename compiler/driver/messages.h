// What the passes of one file have said, put together for the user.
#ifndef GCL_DRIVER_MESSAGES_H
#define GCL_DRIVER_MESSAGES_H

#include <glib.h>

/// The text to show for logs of the host and the device pass (either may be NULL): first the
/// host's, then what only the device pass found. Both read the same source, so most messages come
/// twice; a message is the same if place, severity and text are. Summary lines ("2 errors
/// generated.") are left out. To be freed.
char *gcl_messages_join(const char *host, const char *device);

#endif
