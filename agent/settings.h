// What agent.conf says: how much of the device there is to share, and who may have how much.
#ifndef GCL_AGENT_SETTINGS_H
#define GCL_AGENT_SETTINGS_H

#include <stdint.h>
#include <sys/types.h>

#include <glib.h>

#define GCL_AGENT_CONF "/etc/gcluster/agent.conf"

/// What a user may have. UINT64_MAX: as much as there is.
struct gcl_share {
    uint64_t memory;            ///< bytes, of all programs together
    uint64_t client_memory;     ///< bytes of one program
    uint64_t gpu_memory;        ///< bytes of each GPU, of all programs together
    uint64_t client_gpu_memory; ///< bytes of a GPU, of one program
    unsigned clients;           ///< programs at a time
    unsigned weight;            ///< of each program's time on the CPU device
};

struct gcl_settings {
    uint64_t memory;        ///< bytes of the CPU device that are shared; UINT64_MAX: what it has
    uint64_t gpu_memory;    ///< of each GPU
    unsigned clients;       ///< programs at a time
    struct gcl_share share; ///< of users without one of their own
    GHashTable *users;      ///< by number: struct gcl_share
};

/// Reads a file. Without one that anybody asked for, settings are the usual. NULL: it can't be
/// read, and `error` says where and why.
struct gcl_settings *gcl_settings_read(const char *file, gboolean must_exist, GError **error);
void gcl_settings_free(struct gcl_settings *settings);
const struct gcl_share *gcl_settings_of(const struct gcl_settings *settings, uid_t user);

#endif
