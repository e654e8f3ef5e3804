// A key of precompiled headers names all that they depend on (cache_key.h), so what is in the cache
// is never out of date. An entry without an object only says that somebody has asked before.
#include "headers.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "cache.h"
#include "compile.h"

/// Bytes of a cache where headers don't drive out objects: they are some megabytes for each set of
/// options.
#define LEAST_CACHE (G_GUINT64_CONSTANT(256) << 20)

static GPtrArray *command_of(const struct gcl_compilation *c, enum gcl_pass pass) {
    return pass == GCL_PASS_HOST ? gcl_command_host(c) : gcl_command_device(c);
}

static void keep(const struct gcl_compilation *c, enum gcl_pass pass, GBytes *bytes) {
    struct gcl_cached made = {.object = g_bytes_ref(bytes),
                              .messages = g_bytes_new(NULL, 0),
                              .rule = g_bytes_new(NULL, 0)};
    gcl_cache_keep(c->cache, c->headers[pass], &made);
    gcl_cached_finish(&made);
}

// Makes `path` and keeps it.
static bool precompile(const struct gcl_compilation *c, enum gcl_pass pass, const char *path) {
    g_autofree char *log = g_strconcat(path, ".log", NULL); // messages come where it isn't taken
    char *text;
    gsize size;
    if (gcl_compile_run(c, gcl_command_precompile(c, pass, GCL_EMPTY_FILE, path), log) != 0 ||
        !g_file_get_contents(path, &text, &size, NULL))
        return false;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, size);
    keep(c, pass, bytes);
    return true;
}

char *gcl_headers_take(const struct gcl_compilation *c, enum gcl_pass pass, const char *output) {
    struct gcl_cached cached = {.object = NULL};
    gsize size = 0;
    if (!c->cache || !c->headers[pass] || gcl_cache_limit(c->cache) < LEAST_CACHE)
        return NULL;
    if (!gcl_cache_find(c->cache, c->headers[pass], &cached)) {
        g_autoptr(GBytes) nothing = g_bytes_new(NULL, 0);
        keep(c, pass, nothing);
        return NULL;
    }
    g_autofree char *path = g_strconcat(output, ".pch", NULL);
    const char *bytes = g_bytes_get_data(cached.object, &size);
    bool taken =
        size > 0 ? g_file_set_contents(path, bytes, (gssize)size, NULL) : precompile(c, pass, path);
    gcl_cached_finish(&cached);
    return taken ? g_steal_pointer(&path) : NULL;
}

static void show(const char *path, const char *log) {
    g_autofree char *text = NULL;
    if (log)
        g_rename(path, log);
    else if (g_file_get_contents(path, &text, NULL, NULL))
        fputs(text, stderr);
}

// clang has make look at what the headers were precompiled from as well.
static bool mend_rule(const char *path) {
    static const char added[] = " " GCL_EMPTY_FILE;
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return false;
    char *first = strstr(text, ": ") ? strstr(text, ": ") + 1 : text;
    if (!g_str_has_prefix(first, added))
        return false;
    memmove(first, first + strlen(added), strlen(first + strlen(added)) + 1);
    return g_file_set_contents(path, text, -1, NULL);
}

// What fails may do so because of how the headers were read, so it is done again without.
int gcl_headers_run(const struct gcl_compilation *c, enum gcl_pass pass, const char *log) {
    struct gcl_compilation plain = *c;
    plain.precompiled = NULL;
    if (!c->precompiled)
        return gcl_compile_run(c, command_of(c, pass), log);
    g_autofree char *said = g_strdup_printf("%s.said", c->precompiled);
    bool has_rule = pass == GCL_PASS_HOST && c->depend_output;
    if (gcl_compile_run(c, command_of(c, pass), said) != 0 ||
        (has_rule && !mend_rule(c->depend_output)))
        return gcl_compile_run(c, command_of(&plain, pass), log);
    show(said, log);
    return 0;
}
