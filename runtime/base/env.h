// The GCL_ environment variables, and nothing else from the environment.
#ifndef GCL_BASE_ENV_H
#define GCL_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predict_text.h"

enum { GCL_ENV_FOLDER_SIZE = 1024 }; ///< of a folder's name, with the zero behind it

enum gcl_env_choice { GCL_ENV_UNSAID, GCL_ENV_NO, GCL_ENV_YES };

/// When launches are spread over the nodes of a job.
enum gcl_env_split {
    GCL_ENV_SPLIT_AUTO,   ///< when that makes the program faster
    GCL_ENV_SPLIT_ALWAYS, ///< whenever that is possible
    GCL_ENV_SPLIT_NEVER,
};

/// What kernels run on.
enum gcl_env_device {
    GCL_ENV_DEVICE_AUTO, ///< a GPU if there is one that can run the program, otherwise the CPU
    GCL_ENV_DEVICE_CPU,
    GCL_ENV_DEVICE_CUDA, ///< a GPU, or the program ends
};

/// What GCL_DEBUG says.
struct gcl_env_debug {
    bool is_set;
    uint32_t block[3]; ///< that of each launch runs after all others
};

/// What GCL_SPILL says.
struct gcl_env_spill {
    char folder[GCL_ENV_FOLDER_SIZE]; ///< "": none
    size_t size;                      ///< bytes of each node; SIZE_MAX: what is free there
};

/// What the user asked for; 0, false and NULL where they said nothing.
struct gcl_env {
    size_t memory;              ///< GCL_MEMORY: bytes of device memory, "512M"
    size_t host_memory;         ///< GCL_HOST_MEMORY: bytes; SIZE_MAX: nothing said, and 0 is none
    struct gcl_env_spill spill; ///< GCL_SPILL
    char agent[GCL_ENV_FOLDER_SIZE]; ///< GCL_AGENT: its socket; "": where one is looked for
    enum gcl_env_choice has_agent; ///< GCL_AGENT: whether there has to be one; unsaid: if there is
    size_t agent_wait;             ///< GCL_AGENT_WAIT: seconds to wait for room there
    size_t threads;                ///< GCL_THREADS: workers
    enum gcl_env_choice pin;       ///< GCL_PIN: each worker stays on a core of its own
    unsigned cpu_level;            ///< GCL_CPU_LEVEL: 2 for v2, and so on
    struct gcl_env_debug debug;    ///< GCL_DEBUG
    bool strict;                   ///< GCL_STRICT: what fell back to something slower is an error
    bool trusted_network;          ///< GCL_TRUSTED_NETWORK: nobody else reaches the hosts' ports
    size_t dry_nodes;              ///< GCL_DRY_NODES: plan for so many nodes, and run nothing
    struct gcl_predict_counts predict;    ///< GCL_PREDICT: nodes to predict for; count 0: none
    struct gcl_predict_link predict_link; ///< GCL_PREDICT_LINK: between those nodes
    const char *predict_picture;          ///< GCL_PREDICT_PICTURE: file; as `trace`
    size_t timeout;             ///< GCL_TIMEOUT: seconds of silence or waiting until a node is lost
    enum gcl_env_device device; ///< GCL_DEVICE
    int gpu;                    ///< GCL_DEVICE=cuda:2: that one; -1: any
    bool per_node;              ///< GCL_DEVICES: each node is a device, instead of all of them one
    bool is_secure;             ///< the program has rights that its user hasn't: see gcl_env_read
    bool is_wrong;              ///< something that can't be ignored can't be read: after a message
    enum gcl_env_split split;   ///< GCL_SPLIT
    bool verify;                ///< GCL_VERIFY: compare each launch with one node
    bool show_binding;          ///< GCL_SHOW_BINDING: what nodes are bound to, at the beginning
    bool deterministic;         ///< GCL_DETERMINISTIC: atomic operations in the order of blocks
    bool progress;              ///< GCL_PROGRESS: a progress line for what takes long
    enum gcl_env_choice margin; ///< GCL_MARGIN: what lies behind allocations may be touched
    const char *stats;          ///< GCL_STATS: "table", "json" or a file's name; lives as long, too
    const char *trace; ///< GCL_TRACE: file for a Chrome trace; lives as long as the environment
};

/// Reads the environment and sets the log level from GCL_LOG. A value that can't be read is warned
/// about and ignored, unless the program would be another one without it; so is a GCL_ variable
/// that doesn't exist, with the nearest one that does. In a program that has rights that its user
/// hasn't (`is_secure`: set-user-id and the like) what writes files is warned about and ignored.
struct gcl_env gcl_env_read(char **environment, bool is_secure);

/// Whether GCL_TRACE is set: what the environment will have, once it is read, if that is allowed.
bool gcl_env_asks_for_trace(void);

/// In a program that has rights that its user hasn't: takes out of the environment what has the
/// libraries that the runtime uses load code or read files whose names the user chooses, and warns
/// of each. The dynamic linker does so with its own.
void gcl_env_disarm(void);

/// The name among the variables that is nearest to `name`, NULL if none is near.
const char *gcl_env_nearest(const char *name, size_t length);

#endif
