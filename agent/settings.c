// agent.conf, in the form of desktop files:
//
//     [device]            [users]                [user alice]
//     memory = 48G        memory = 24G           memory = 40G
//     gpu_memory = 70G    client_memory = 16G    weight = 4
//     clients = 256       gpu_memory = 40G
//                         client_gpu_memory = 20G
//                         clients = 64
//                         weight = 1
#include "settings.h"

#include <pwd.h>
#include <string.h>

#include "base/size_text.h"

enum { MOST_CLIENTS = 65536, MOST_WEIGHT = 1000, USUAL_CLIENTS = 1024, USUAL_OF_USER = 256 };

enum key_kind { SIZE, NUMBER };

/// A key of a group, and where what it says goes.
struct key {
    const char *name;
    enum key_kind kind;
    unsigned most;
    void *value; ///< uint64_t or unsigned
};

#define SETTINGS_ERROR g_quark_from_static_string("gcluster-agent-settings")

static gboolean read_key(GKeyFile *file, const char *group, const struct key *key, GError **error) {
    g_autofree char *text = g_key_file_get_value(file, group, key->name, NULL);
    size_t size = 0;
    guint64 number = 0;
    if (!text)
        return TRUE;
    if (key->kind == SIZE && gcl_size_parse(text, &size) && size > 0) {
        *(uint64_t *)key->value = size;
        return TRUE;
    }
    if (key->kind == NUMBER && g_ascii_string_to_unsigned(text, 10, 1, key->most, &number, NULL)) {
        *(unsigned *)key->value = (unsigned)number;
        return TRUE;
    }
    if (key->kind == SIZE)
        g_set_error(error, SETTINGS_ERROR, 0,
                    "[%s] %s: expected a size such as 512M or 16G, and not \"%s\"", group,
                    key->name, text);
    else
        g_set_error(error, SETTINGS_ERROR, 0,
                    "[%s] %s: expected a number from 1 to %u, and not \"%s\"", group, key->name,
                    key->most, text);
    return FALSE;
}

/// Reads a group, in which there may be no other keys.
static gboolean read_group(GKeyFile *file, const char *group, const struct key *keys, size_t count,
                           GError **error) {
    g_auto(GStrv) names = g_key_file_get_keys(file, group, NULL, NULL);
    for (char **name = names; name && *name; name++) {
        const struct key *key = keys;
        while (key < keys + count && !g_str_equal(key->name, *name))
            key++;
        if (key == keys + count) {
            g_set_error(error, SETTINGS_ERROR, 0, "[%s] has no \"%s\"", group, *name);
            return FALSE;
        }
        if (!read_key(file, group, key, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_share(GKeyFile *file, const char *group, struct gcl_share *share,
                           GError **error) {
    const struct key keys[] = {{"memory", SIZE, 0, &share->memory},
                               {"client_memory", SIZE, 0, &share->client_memory},
                               {"gpu_memory", SIZE, 0, &share->gpu_memory},
                               {"client_gpu_memory", SIZE, 0, &share->client_gpu_memory},
                               {"clients", NUMBER, MOST_CLIENTS, &share->clients},
                               {"weight", NUMBER, MOST_WEIGHT, &share->weight}};
    return read_group(file, group, keys, G_N_ELEMENTS(keys), error);
}

static gboolean find_user(const char *name, const char *group, uid_t *user, GError **error) {
    guint64 number;
    const struct passwd *entry = getpwnam(name);
    if (entry) {
        *user = entry->pw_uid;
        return TRUE;
    }
    if (g_ascii_string_to_unsigned(name, 10, 0, UINT32_MAX - 1, &number, NULL)) {
        *user = (uid_t)number;
        return TRUE;
    }
    g_set_error(error, SETTINGS_ERROR, 0, "[%s]: there is no user \"%s\"", group, name);
    return FALSE;
}

/// Users have what all have where nothing else is said of them.
static gboolean read_users(GKeyFile *file, struct gcl_settings *settings, GError **error) {
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (char **group = groups; *group; group++) {
        uid_t user;
        if (g_str_equal(*group, "device") || g_str_equal(*group, "users"))
            continue;
        if (!g_str_has_prefix(*group, "user ")) {
            g_set_error(error, SETTINGS_ERROR, 0,
                        "[%s]: there are [device], [users] and [user NAME]", *group);
            return FALSE;
        }
        if (!find_user(*group + strlen("user "), *group, &user, error))
            return FALSE;
        struct gcl_share *share = g_memdup2(&settings->share, sizeof *share);
        g_hash_table_insert(settings->users, GUINT_TO_POINTER(user), share);
        if (!read_share(file, *group, share, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_all(GKeyFile *file, struct gcl_settings *settings, GError **error) {
    const struct key keys[] = {{"memory", SIZE, 0, &settings->memory},
                               {"gpu_memory", SIZE, 0, &settings->gpu_memory},
                               {"clients", NUMBER, MOST_CLIENTS, &settings->clients}};
    return read_group(file, "device", keys, G_N_ELEMENTS(keys), error) &&
           read_share(file, "users", &settings->share, error) && read_users(file, settings, error);
}

struct gcl_settings *gcl_settings_read(const char *name, gboolean must_exist, GError **error) {
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) problem = NULL;
    struct gcl_settings *settings = g_new(struct gcl_settings, 1);
    *settings = (struct gcl_settings){
        .memory = UINT64_MAX,
        .gpu_memory = UINT64_MAX,
        .clients = USUAL_CLIENTS,
        .share = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, USUAL_OF_USER, 1},
        .users = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free)};
    gboolean is_read = g_key_file_load_from_file(file, name, G_KEY_FILE_NONE, &problem);
    if (!is_read && !must_exist && g_error_matches(problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return settings;
    if (is_read && read_all(file, settings, &problem))
        return settings;
    gcl_settings_free(settings);
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", name);
    return NULL;
}

void gcl_settings_free(struct gcl_settings *settings) {
    if (settings)
        g_hash_table_destroy(settings->users);
    g_free(settings);
}

const struct gcl_share *gcl_settings_of(const struct gcl_settings *settings, uid_t user) {
    const struct gcl_share *share = g_hash_table_lookup(settings->users, GUINT_TO_POINTER(user));
    return share ? share : &settings->share;
}
