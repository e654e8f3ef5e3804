// Entries are written to a temporary name and renamed, which is atomic: a reader sees a whole entry
// or none. The folder is opened once and used by its descriptor, after its owner and permissions
// were checked, so that no other folder can take its place in between.
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostic.h"

// An entry: magic, key, three sizes of eight bytes each, the lowest first, what they are of, and
// the SHA-256 of all that.
static const char MAGIC[] = "gcluster cache 1\n";

enum { PARTS = 3, KEY_SIZE = 64, DIGEST_SIZE = 32, HEAD = sizeof MAGIC - 1 + KEY_SIZE + 8 * PARTS };

#define DEFAULT_LIMIT (G_GUINT64_CONSTANT(2) << 30)
#define LARGEST (G_GUINT64_CONSTANT(1) << 30) ///< bytes of an entry's parts together

struct gcl_cache {
    int folder;
    guint64 limit; ///< bytes
};

void gcl_cached_finish(struct gcl_cached *cached) {
    g_clear_pointer(&cached->object, g_bytes_unref);
    g_clear_pointer(&cached->messages, g_bytes_unref);
    g_clear_pointer(&cached->rule, g_bytes_unref);
}

// Entries.

static void digest_of(const guint8 *bytes, gsize size, guint8 *digest) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize length = DIGEST_SIZE;
    g_checksum_update(sum, bytes, (gssize)size);
    g_checksum_get_digest(sum, digest, &length);
}

GByteArray *gcl_cached_write(const char *key, const struct gcl_cached *cached) {
    GBytes *const parts[PARTS] = {cached->object, cached->messages, cached->rule};
    GByteArray *out = g_byte_array_new();
    guint8 digest[DIGEST_SIZE];
    g_assert(strlen(key) == KEY_SIZE);
    g_byte_array_append(out, (const guint8 *)MAGIC, sizeof MAGIC - 1);
    g_byte_array_append(out, (const guint8 *)key, KEY_SIZE);
    for (int i = 0; i < PARTS; i++) {
        guint64 size = GUINT64_TO_LE((guint64)g_bytes_get_size(parts[i]));
        g_byte_array_append(out, (const guint8 *)&size, sizeof size);
    }
    for (int i = 0; i < PARTS; i++) {
        gsize size;
        const guint8 *data = g_bytes_get_data(parts[i], &size);
        g_byte_array_append(out, data ? data : digest, (guint)size);
    }
    digest_of(out->data, out->len, digest);
    return g_byte_array_append(out, digest, sizeof digest);
}

static gboolean read_sizes(const guint8 *at, gsize rest, gsize *sizes) {
    for (int i = 0; i < PARTS; i++) {
        guint64 size;
        memcpy(&size, at + 8 * i, sizeof size);
        size = GUINT64_FROM_LE(size);
        if (size > rest)
            return FALSE;
        rest -= sizes[i] = (gsize)size;
    }
    return rest == 0;
}

bool gcl_cached_read(const guint8 *bytes, gsize size, const char *key, struct gcl_cached *cached) {
    GBytes **const parts[PARTS] = {&cached->object, &cached->messages, &cached->rule};
    const gsize magic = sizeof MAGIC - 1;
    guint8 digest[DIGEST_SIZE];
    gsize sizes[PARTS];
    if (size < HEAD + DIGEST_SIZE || memcmp(bytes, MAGIC, magic) != 0 ||
        memcmp(bytes + magic, key, KEY_SIZE) != 0 ||
        !read_sizes(bytes + magic + KEY_SIZE, size - HEAD - DIGEST_SIZE, sizes))
        return false;
    digest_of(bytes, size - DIGEST_SIZE, digest);
    if (memcmp(bytes + size - DIGEST_SIZE, digest, DIGEST_SIZE) != 0)
        return false;
    const guint8 *at = bytes + HEAD;
    for (int i = 0; i < PARTS; at += sizes[i], i++)
        *parts[i] = g_bytes_new(at, sizes[i]);
    return true;
}

// The folder.

/// Reads "512M", "2G". 0: it is no size.
static guint64 parse_size(const char *text) {
    static const char units[] = "KMGT";
    char *end;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, g_ascii_toupper(*end)) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    bool is_size = g_ascii_isdigit(*text) && (unit ? end[1] : *end) == 0;
    return is_size && number <= G_MAXUINT64 >> shift ? number << shift : 0;
}

/// Opens a folder that nobody else can write to. -1: there is none, and `*why` is why.
static int open_folder(const char *path, const char **why) {
    struct stat status;
    g_autofree char *plain = g_canonicalize_filename(path, NULL); // "link/" would be followed
    g_mkdir_with_parents(plain, 0700);
    int folder = open(plain, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *why = NULL;
    if (folder < 0 || fstat(folder, &status) != 0)
        *why = g_strerror(errno);
    else if (status.st_uid != geteuid())
        *why = "it belongs to somebody else";
    else if (status.st_mode & (S_IWGRP | S_IWOTH))
        *why = "others can write to it";
    if (!*why)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

/// Whether the folder of this user's home belongs to somebody else, to whom root's files would be
/// in the way.
static bool is_guest(void) {
    GStatBuf status;
    return g_stat(g_get_home_dir(), &status) == 0 && status.st_uid != geteuid();
}

struct gcl_cache *gcl_cache_open(GPtrArray *diagnostics) {
    const char *said = g_getenv("GCL_CACHE"), *why;
    const char *colon = said ? strrchr(said, ':') : NULL;
    guint64 limit = colon ? parse_size(colon + 1) : DEFAULT_LIMIT;
    if (said ? !*said || strcmp(said, "0") == 0 : is_guest())
        return NULL;
    g_autofree char *path = said ? g_strndup(said, colon ? (gsize)(colon - said) : strlen(said))
                                 : g_build_filename(g_get_user_cache_dir(), "gcluster", NULL);
    int folder = limit ? open_folder(path, &why) : -1;
    if (folder < 0 && said)
        gcl_diagnostics_add(diagnostics, GCL_CODE_CACHE, NULL,
                            "name a folder of your own in GCL_CACHE, or set it to 0",
                            "nothing is cached in '%s': %s", path,
                            limit ? why : "what follows the colon is no size such as 512M");
    if (folder < 0)
        return NULL;
    struct gcl_cache *cache = g_new(struct gcl_cache, 1);
    *cache = (struct gcl_cache){folder, limit};
    return cache;
}

guint64 gcl_cache_limit(const struct gcl_cache *cache) {
    return cache->limit;
}

void gcl_cache_close(struct gcl_cache *cache) {
    if (cache)
        close(cache->folder);
    g_free(cache);
}

// Finding and keeping.

/// All bytes of a file of this user's, to be freed; NULL: there is none.
static guint8 *read_file(const struct gcl_cache *cache, const char *name, gsize *size) {
    int file = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    guint8 *bytes = NULL;
    gsize done = 0;
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        bytes = g_try_malloc((gsize)status.st_size + 1);
    *size = bytes ? (gsize)status.st_size : 0;
    for (gssize got = 1; bytes && done < *size && got > 0; done += (gsize)MAX(got, 0))
        got = read(file, bytes + done, *size - done);
    close(file);
    if (bytes && done == *size)
        return bytes;
    g_free(bytes);
    return NULL;
}

bool gcl_cache_find(struct gcl_cache *cache, const char *key, struct gcl_cached *cached) {
    gsize size;
    g_autofree guint8 *bytes = read_file(cache, key, &size);
    if (!bytes || !gcl_cached_read(bytes, size, key, cached))
        return false;
    utimensat(cache->folder, key, NULL, AT_SYMLINK_NOFOLLOW); // it is used
    return true;
}

struct file {
    char *name;
    guint64 size;
    gint64 used_ns;
};

static void clear_file(void *file) {
    g_free(((struct file *)file)->name);
}

static int compare_use(const void *first, const void *second) {
    const struct file *a = first, *b = second;
    return (a->used_ns > b->used_ns) - (a->used_ns < b->used_ns);
}

/// Whether gcl_cache_keep makes files of that name: an entry's, or that of one on its way. The
/// folder is the user's choice and may hold anything else, which nobody may lose.
static bool is_entry(const char *name) {
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == KEY_SIZE && (!name[digits] || g_str_has_suffix(name, ".tmp"));
}

/// The entries of the folder, and how many bytes they are.
static GArray *list_files(const struct gcl_cache *cache, guint64 *size) {
    GArray *files = g_array_new(FALSE, FALSE, sizeof(struct file));
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", cache->folder);
    GDir *directory = g_dir_open(path, 0, NULL);
    const char *name;
    *size = 0;
    g_array_set_clear_func(files, clear_file);
    while (directory && (name = g_dir_read_name(directory))) {
        struct stat status;
        if (!is_entry(name) || fstatat(cache->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        struct file file = {g_strdup(name), (guint64)status.st_size,
                            (gint64)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec};
        g_array_append_val(files, file);
        *size += file.size;
    }
    if (directory)
        g_dir_close(directory);
    return files;
}

/// Removes what is longest unused, down to nine tenths of the limit: not with each entry anew.
static void evict(const struct gcl_cache *cache) {
    guint64 size;
    g_autoptr(GArray) files = list_files(cache, &size);
    if (size <= cache->limit)
        return;
    g_array_sort(files, compare_use);
    for (guint i = 0; i < files->len && size > cache->limit / 10 * 9; i++) {
        const struct file *file = &g_array_index(files, struct file, i);
        unlinkat(cache->folder, file->name, 0);
        size -= file->size;
    }
}

static bool write_file(int file, const GByteArray *bytes) {
    gsize done = 0;
    for (gssize put = 1; done < bytes->len && put > 0; done += (gsize)MAX(put, 0))
        put = write(file, bytes->data + done, bytes->len - done);
    return done == bytes->len;
}

void gcl_cache_keep(struct gcl_cache *cache, const char *key, const struct gcl_cached *cached) {
    guint64 size = (guint64)g_bytes_get_size(cached->object) + g_bytes_get_size(cached->messages) +
                   g_bytes_get_size(cached->rule);
    if (size > LARGEST)
        return;
    g_autoptr(GByteArray) bytes = gcl_cached_write(key, cached);
    g_autofree char *beside = g_strdup_printf("%s.%08x.tmp", key, g_random_int());
    int file =
        openat(cache->folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    bool is_whole = write_file(file, bytes);
    if (close(file) != 0 || !is_whole || renameat(cache->folder, beside, cache->folder, key) != 0)
        unlinkat(cache->folder, beside, 0);
    evict(cache);
}
