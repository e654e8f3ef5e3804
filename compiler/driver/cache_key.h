// What an object depends on, as a key of the cache.
//
// A source and its headers: as both passes get them after preprocessing, and the bytes of those
// that aren't the system's, since comments, pragmas and names of macros count for messages. So a
// header that appears in front of another one changes the key as well. Besides: both command lines,
// the working folder, the programs and libraries that compile, and what they read in the
// environment. What clang makes of our headers alone has a key like that, of what both passes get
// up to the source itself.
#ifndef GCL_DRIVER_CACHE_KEY_H
#define GCL_DRIVER_CACHE_KEY_H

#include <glib.h>

#include "commands.h"
#include "process.h"

struct gcl_cache_key {
    char *text; ///< 64 lower-case hexadecimal digits; NULL: the object isn't cached
    char *headers[GCL_PASS_COUNT]; ///< keys of our headers as a pass gets them; NULL: there is none
    GHashTable
        *files; ///< the source and its headers: names, and what tells a file from its successor
};

/// The key of a compilation whose files have names. NULL: nothing of it can be cached, or it
/// doesn't compile. `*why` is why the object isn't cached, NULL if it is.
struct gcl_cache_key *gcl_cache_key(const struct gcl_compilation *compilation,
                                    struct gcl_workspace *workspace, const char **why);
/// Whether the source and its headers are still those that the key is made from. What was compiled
/// in between is an object of the key only then.
bool gcl_cache_key_holds(const struct gcl_cache_key *key);
/// Takes NULL.
void gcl_cache_key_free(struct gcl_cache_key *key);

#endif
