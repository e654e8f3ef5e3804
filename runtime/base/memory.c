// Control groups are folders: a limit of one holds for all that are in it, so each group on the way
// from this process' own to the root counts. A container may see its own group as the root, and
// then name groups that it can't see. There are two versions: in the second a group has all limits,
// in the first there is a tree for memory alone.
#include "memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/// The number in a file; SIZE_MAX if there is none: "max".
static size_t read_limit(const char *path) {
    unsigned long long value;
    FILE *file = fopen(path, "re");
    bool is_number = file && fscanf(file, "%llu", &value) == 1;
    if (file)
        fclose(file);
    return is_number && value < SIZE_MAX ? (size_t)value : SIZE_MAX;
}

/// The smallest limit on the way from a group to the root of its tree.
static size_t limit_above(const char *tree, char *group, const char *name) {
    size_t limit = SIZE_MAX;
    char path[PATH_MAX];
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = 0;
        if (snprintf(path, sizeof path, "%s%s/%s", tree, group, name) < PATH_MAX)
            limit = smaller(limit, read_limit(path));
    }
    return limit;
}

/// The limit that a line says: "4:memory:/group", or "0::/group" in the second version.
static size_t limit_of_line(char *line, const char *root) {
    char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL, tree[PATH_MAX];
    if (!group)
        return SIZE_MAX;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    if (!kinds[1])
        return limit_above(root, group, "memory.max");
    bool has_room = snprintf(tree, sizeof tree, "%s/memory", root) < PATH_MAX;
    return has_room && strcmp(kinds + 1, "memory") == 0
               ? limit_above(tree, group, "memory.limit_in_bytes")
               : SIZE_MAX;
}

size_t gcl_memory_of_groups(const char *groups, const char *root) {
    size_t limit = SIZE_MAX;
    char line[PATH_MAX];
    FILE *file = fopen(groups, "re");
    while (file && fgets(line, sizeof line, file))
        limit = smaller(limit, limit_of_line(line, root));
    if (file)
        fclose(file);
    return limit;
}

size_t gcl_memory_limit(void) {
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t groups = gcl_memory_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    struct rlimit addresses = {.rlim_cur = RLIM_INFINITY}, data = {.rlim_cur = RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &addresses);
    getrlimit(RLIMIT_DATA, &data);
    return smaller(smaller(machine, groups), smaller(addresses.rlim_cur, data.rlim_cur));
}

unsigned long long gcl_memory_kills(const char *statistics) {
    unsigned long long kills = 0;
    char line[128];
    FILE *file = fopen(statistics, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "oom_kill %llu", &kills) != 1)
        ;
    if (file)
        fclose(file);
    return kills;
}
