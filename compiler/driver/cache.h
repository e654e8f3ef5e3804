// Compiled sources, by what they depend on (cache_key.h): the second time, the object comes from
// here.
//
// A folder with a file for each entry, named after its key. Entries are written beside their place
// and renamed, so that compilers may run side by side, and end with a checksum: what is torn or
// damaged is compiled again. Those that are longest unused go when there are too many bytes.
// Nobody but its user may own the folder, or be able to write to it, since what lies there is
// linked into programs.
#ifndef GCL_DRIVER_CACHE_H
#define GCL_DRIVER_CACHE_H

#include <stdbool.h>

#include <glib.h>

/// What comes of compiling a source.
struct gcl_cached {
    GBytes *object;
    GBytes *messages; ///< as they were printed to standard error
    GBytes *rule;     ///< for make; empty: there is none
};
void gcl_cached_finish(struct gcl_cached *cached);

struct gcl_cache;
/// Opens the folder that GCL_CACHE names ("folder" or "folder:size"), or the user's. NULL: there is
/// none, because GCL_CACHE is 0, or it can't be used, which is said if the user has named it.
struct gcl_cache *gcl_cache_open(GPtrArray *diagnostics);
/// Bytes that its entries may have together.
guint64 gcl_cache_limit(const struct gcl_cache *cache);
/// Takes NULL.
void gcl_cache_close(struct gcl_cache *cache);

/// Looks up a key, of lower-case hexadecimal digits. False: it isn't there, whole.
bool gcl_cache_find(struct gcl_cache *cache, const char *key, struct gcl_cached *cached);
/// Keeps an entry, as far as that is possible.
void gcl_cache_keep(struct gcl_cache *cache, const char *key, const struct gcl_cached *cached);

// An entry as bytes.

GByteArray *gcl_cached_write(const char *key, const struct gcl_cached *cached);
/// False: that isn't an entry of the key, or it is damaged.
bool gcl_cached_read(const guint8 *bytes, gsize size, const char *key, struct gcl_cached *cached);

#endif
