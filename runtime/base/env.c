// Variables as a table of name and reader; a name not in the table is probably misspelt.
#include "env.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "size_text.h"

enum { MAX_NAME = 32, NEAR = 3, MOST_GPUS = 1023 };

static bool read_memory(struct gcl_env *env, const char *value) {
    return gcl_size_parse(value, &env->memory) && env->memory > 0;
}

static bool read_host_memory(struct gcl_env *env, const char *value) {
    return gcl_size_parse(value, &env->host_memory);
}

// "/scratch:100G"; what follows the last colon is a size.
static bool read_spill(struct gcl_env *env, const char *value) {
    const char *colon = strrchr(value, ':');
    size_t length = colon ? (size_t)(colon - value) : strlen(value), size = SIZE_MAX;
    if (length == 0 || length >= sizeof env->spill.folder ||
        (colon && (!gcl_size_parse(colon + 1, &size) || size == 0)))
        return false;
    memcpy(env->spill.folder, value, length);
    env->spill.folder[length] = 0;
    env->spill.size = size;
    return true;
}

static bool read_number(const char *value, unsigned long largest, size_t *number) {
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    if (end == value || *end || count < 1 || count > largest)
        return false;
    *number = count;
    return true;
}

static bool read_threads(struct gcl_env *env, const char *value) {
    return read_number(value, 4096, &env->threads);
}

static bool read_timeout(struct gcl_env *env, const char *value) {
    return read_number(value, 1000000, &env->timeout);
}

// "unix:/run/gcluster/agent.sock", "yes" or "no"
static bool read_agent(struct gcl_env *env, const char *value) {
    bool is_no = strcmp(value, "no") == 0;
    env->has_agent = is_no ? GCL_ENV_NO : GCL_ENV_YES;
    return is_no || strcmp(value, "yes") == 0 ||
           (strncmp(value, "unix:/", 6) == 0 &&
            (size_t)snprintf(env->agent, sizeof env->agent, "%s", value + 5) < sizeof env->agent);
}

static bool read_agent_wait(struct gcl_env *env, const char *value) {
    return read_number(value, 1000000, &env->agent_wait);
}

static bool read_dry_nodes(struct gcl_env *env, const char *value) {
    size_t nodes;
    if (!read_number(value, 1 << 16, &nodes) || nodes < 2)
        return false;
    env->dry_nodes = nodes;
    return true;
}

static bool read_predict(struct gcl_env *env, const char *value) {
    return gcl_predict_parse_counts(value, &env->predict);
}

static bool read_predict_link(struct gcl_env *env, const char *value) {
    return gcl_predict_parse_link(value, &env->predict_link);
}

static bool read_predict_picture(struct gcl_env *env, const char *value) {
    env->predict_picture = value;
    return *value != 0;
}

// "0" or "1"
static bool parse_switch(const char *value, bool *is_on) {
    *is_on = strcmp(value, "1") == 0;
    return *is_on || strcmp(value, "0") == 0;
}

// "cuda:2"
static bool read_device(struct gcl_env *env, const char *value) {
    static const char *const names[] = {[GCL_ENV_DEVICE_AUTO] = "auto",
                                        [GCL_ENV_DEVICE_CPU] = "cpu",
                                        [GCL_ENV_DEVICE_CUDA] = "cuda"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i]) == 0) {
            env->device = (enum gcl_env_device)i;
            return true;
        }
    }
    char *end;
    if (strncmp(value, "cuda:", 5) != 0 || value[5] < '0' || value[5] > '9')
        return false;
    unsigned long number = strtoul(value + 5, &end, 10);
    if (*end || number > MOST_GPUS)
        return false;
    env->device = GCL_ENV_DEVICE_CUDA;
    env->gpu = (int)number;
    return true;
}

static bool read_devices(struct gcl_env *env, const char *value) {
    env->per_node = strcmp(value, "per-node") == 0;
    return env->per_node || strcmp(value, "one") == 0;
}

static bool read_split(struct gcl_env *env, const char *value) {
    static const char *const names[] = {[GCL_ENV_SPLIT_AUTO] = "auto",
                                        [GCL_ENV_SPLIT_ALWAYS] = "always",
                                        [GCL_ENV_SPLIT_NEVER] = "never"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i]) != 0)
            continue;
        env->split = (enum gcl_env_split)i;
        return true;
    }
    return false;
}

static bool read_pin(struct gcl_env *env, const char *value) {
    bool is_on;
    if (!parse_switch(value, &is_on))
        return false;
    env->pin = is_on ? GCL_ENV_YES : GCL_ENV_NO;
    return true;
}

static bool read_margin(struct gcl_env *env, const char *value) {
    bool is_on;
    if (!parse_switch(value, &is_on))
        return false;
    env->margin = is_on ? GCL_ENV_YES : GCL_ENV_NO;
    return true;
}

static bool read_debug(struct gcl_env *env, const char *value) {
    struct gcl_env_debug debug = {.is_set = true};
    int length = 0;
    if (sscanf(value, "block:%u,%u,%u%n", &debug.block[0], &debug.block[1], &debug.block[2],
               &length) != 3 ||
        value[length] || strpbrk(value, "+- "))
        return false;
    env->debug = debug;
    return true;
}

static bool read_level(struct gcl_env *env, const char *value) {
    if (value[0] != 'v' || value[1] < '2' || value[1] > '4' || value[2])
        return false;
    env->cpu_level = (unsigned)(value[1] - '0');
    return true;
}

static bool read_progress(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->progress);
}

static bool read_strict(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->strict);
}

static bool read_trusted_network(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->trusted_network);
}

static bool read_verify(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->verify);
}

static bool read_show_binding(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->show_binding);
}

static bool read_deterministic(struct gcl_env *env, const char *value) {
    return parse_switch(value, &env->deterministic);
}

static bool read_stats(struct gcl_env *env, const char *value) {
    const char *end = strrchr(value, '.');
    if (strcmp(value, "table") != 0 && strcmp(value, "json") != 0 &&
        (!end || strcmp(end, ".json") != 0))
        return false;
    env->stats = value;
    return true;
}

static bool read_trace(struct gcl_env *env, const char *value) {
    env->trace = value;
    return *value != 0;
}

static bool read_log(struct gcl_env *env, const char *value) {
    enum gcl_log_level level;
    (void)env;
    if (!gcl_log_parse(value, &level))
        return false;
    gcl_log_set(level);
    return true;
}

// cluster/load.c reads it, before anything else.
static bool read_ranks(struct gcl_env *env, const char *value) {
    (void)env;
    return strcmp(value, "nodes") == 0 || strcmp(value, "processes") == 0;
}

// What others read: a process of a job has some of these until it has joined.
static bool read_nothing(struct gcl_env *env, const char *value) {
    (void)env, (void)value;
    return true;
}

static const struct variable {
    const char *name;
    const char *expected;
    bool (*read)(struct gcl_env *env, const char *value);
} variables[] = {
    {"GCL_AGENT", "unix: and the name of a socket, yes or no", read_agent},
    {"GCL_AGENT_WAIT", "a number of seconds", read_agent_wait},
    {"GCL_CACHE", "what gcluster-cc reads", read_nothing},
    {"GCL_CPU_LEVEL", "v2, v3 or v4", read_level},
    {"GCL_DEBUG", "a block such as block:3,0,0", read_debug},
    {"GCL_DETERMINISTIC", "0 or 1", read_deterministic},
    {"GCL_DEVICE", "auto, cpu, cuda or a GPU such as cuda:0", read_device},
    {"GCL_DEVICES", "one or per-node", read_devices},
    {"GCL_DRY_NODES", "a number from 2 to 65536", read_dry_nodes},
    {"GCL_HOST_MEMORY", "a size such as 512M or 4G, or 0", read_host_memory},
    {"GCL_JOB", "what gcluster-run sets", read_nothing},
    {"GCL_LOG", "error, warn, info, debug or trace", read_log},
    {"GCL_MARGIN", "0 or 1", read_margin},
    {"GCL_MEMORY", "a size such as 512M or 4G", read_memory},
    {"GCL_NODE", "what gcluster-run sets", read_nothing},
    {"GCL_PIN", "0 or 1", read_pin},
    {"GCL_PREDICT", "ascending numbers of nodes such as 2,8,64", read_predict},
    {"GCL_PREDICT_LINK", "a rate and a time such as 12.5GB/s,2us", read_predict_link},
    {"GCL_PREDICT_PICTURE", "a file name", read_predict_picture},
    {"GCL_PROGRESS", "0 or 1", read_progress},
    {"GCL_RANKS", "nodes or processes", read_ranks},
    {"GCL_SHOW_BINDING", "0 or 1", read_show_binding},
    {"GCL_SPILL", "a folder and, if wanted, a size, such as /scratch:100G", read_spill},
    {"GCL_SPLIT", "auto, always or never", read_split},
    {"GCL_STATS", "table, json or a file name that ends in .json", read_stats},
    {"GCL_STRICT", "0 or 1", read_strict},
    {"GCL_THREADS", "a number from 1 to 4096", read_threads},
    {"GCL_TIMEOUT", "a number of seconds", read_timeout},
    {"GCL_TRACE", "a file name", read_trace},
    {"GCL_TRUSTED_NETWORK", "0 or 1", read_trusted_network},
    {"GCL_VERIFY", "0 or 1", read_verify},
};

enum { VARIABLE_COUNT = sizeof variables / sizeof variables[0] };

static size_t minimum(size_t a, size_t b) {
    return a < b ? a : b;
}

// Edit distance, row by row.
static size_t distance(const char *a, size_t a_length, const char *b) {
    size_t row[MAX_NAME + 1];
    size_t b_length = strlen(b);

    assert(b_length <= MAX_NAME);
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = minimum(replaced, minimum(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

const char *gcl_env_nearest(const char *name, size_t length) {
    const char *nearest = NULL;
    size_t best = NEAR + 1;

    for (size_t i = 0; length <= MAX_NAME && i < VARIABLE_COUNT; i++) {
        size_t d = distance(name, length, variables[i].name);
        if (d < best) {
            best = d;
            nearest = variables[i].name;
        }
    }
    return nearest;
}

/// Whether a value has the runtime write where the user chooses.
static bool writes_file(const struct variable *variable, const char *value) {
    return variable->read == read_trace || variable->read == read_spill ||
           variable->read == read_predict_picture ||
           (variable->read == read_stats && strcmp(value, "table") != 0 &&
            strcmp(value, "json") != 0);
}

static const struct variable *find(const char *name, size_t length) {
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        if (strlen(variables[i].name) == length && memcmp(variables[i].name, name, length) == 0)
            return &variables[i];
    }
    return NULL;
}

// Without its value the program would see other devices, or a prediction be about other nodes.
static bool is_vital(const struct variable *variable) {
    return variable->read == read_device || variable->read == read_devices ||
           variable->read == read_agent || variable->read == read_ranks ||
           variable->read == read_predict || variable->read == read_predict_link;
}

static void read_variable(struct gcl_env *env, const char *name, size_t length) {
    const struct variable *variable = find(name, length);
    const char *value = name + length + 1;

    assert(name[length] == '=');
    if (variable && env->is_secure && writes_file(variable, value)) {
        gcl_log(GCL_LOG_WARN,
                "%s is ignored: it says where to write, and this program has rights that its "
                "user hasn't",
                variable->name);
        return;
    }
    if (variable) {
        if (variable->read(env, value))
            return;
        gcl_log(is_vital(variable) ? GCL_LOG_ERROR : GCL_LOG_WARN, "%s=%s %s: expected %s",
                variable->name, value, is_vital(variable) ? "can't be read" : "is ignored",
                variable->expected);
        env->is_wrong |= is_vital(variable);
        return;
    }
    const char *nearest = gcl_env_nearest(name, length);
    gcl_log(GCL_LOG_WARN, "unknown environment variable %.*s%s%s%s", (int)length, name,
            nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

void gcl_env_disarm(void) {
    static const char *const names[] = {"HWLOC_PLUGINS_PATH", "HWLOC_PLUGINS_BLACKLIST",
                                        "HWLOC_COMPONENTS",   "HWLOC_XMLFILE",
                                        "HWLOC_SYNTHETIC",    "HWLOC_FSROOT",
                                        "HWLOC_CPUID_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!getenv(names[i]))
            continue;
        unsetenv(names[i]);
        gcl_log(GCL_LOG_WARN, "%s is ignored: this program has rights that its user hasn't",
                names[i]);
    }
}

bool gcl_env_asks_for_trace(void) {
    return getenv("GCL_TRACE") != NULL;
}

struct gcl_env gcl_env_read(char **environment, bool is_secure) {
    struct gcl_env env = {.is_secure = is_secure, .gpu = -1, .host_memory = SIZE_MAX};

    for (char **entry = environment; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        // GCL_TEST_ is for what tests put in the place of something else.
        if (equals && strncmp(*entry, "GCL_", 4) == 0 && strncmp(*entry, "GCL_TEST_", 9) != 0)
            read_variable(&env, *entry, (size_t)(equals - *entry));
    }
    return env;
}
