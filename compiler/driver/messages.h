// What the passes of one file have said, put together for the user.
#ifndef GCL_DRIVER_MESSAGES_H
#define GCL_DRIVER_MESSAGES_H

#include <stdbool.h>

#include <glib.h>

/// The text to show for logs of the host and the device pass (either may be NULL): first the
/// host's, then what only the device pass found. Both read the same source, so most messages come
/// twice; a message is the same if place, severity and text are, and an error is if the host's log
/// has one of ours on its line. What clang says of mistakes in CUDA is said in CUDA's words
/// (frontend/mistakes.h), in `colour` or not. Summary lines ("2 errors generated.") are left out.
/// To be freed.
char *gcl_messages_join(const char *host, const char *device, bool colour);

#endif
