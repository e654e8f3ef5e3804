// Names of hosts become words of other programs' command lines: none may look like an option.
#include "hosts.h"

#include <assert.h>
#include <string.h>

// A host that doesn't answer for three seconds is lost, as it is to the nodes.
static const char SSH[] = "ssh -x -o ConnectTimeout=10 -o ServerAliveInterval=1 "
                          "-o ServerAliveCountMax=3";
// srun makes a step of the allocation for each host, beside other steps; frames have no lines, so
// output mustn't be kept until a line is complete.
static const char SRUN[] = "srun --overlap --nodes=1 --ntasks=1 --cpu-bind=none --unbuffered "
                           "--kill-on-bad-exit=1";

static gboolean is_name(const char *text) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@";
    return *text && *text != '-' && strspn(text, plain) == strlen(text);
}

static char *check_names(const char *list, char **names) {
    for (guint i = 0; names[i]; i++) {
        if (!is_name(names[i]))
            return g_strdup_printf("--hosts=%s: expected names with commas between them", list);
        for (guint j = 0; j < i; j++) {
            if (g_str_equal(names[i], names[j]))
                return g_strdup_printf("--hosts=%s names %s twice: -n says how many nodes there "
                                       "are on all hosts together",
                                       list, names[i]);
        }
    }
    return names[0] ? NULL : g_strdup_printf("--hosts=%s: expected names", list);
}

char *gcl_hosts_read(const char *list, const char *rsh, struct gcl_hosts *hosts) {
    g_autoptr(GError) error = NULL;
    *hosts = (struct gcl_hosts){.names = g_strsplit(list, ",", -1)};
    char *wrong = check_names(list, hosts->names);
    if (wrong)
        return wrong;
    hosts->is_srun = !rsh && g_getenv("SLURM_JOB_ID") != NULL;
    if (!g_shell_parse_argv(rsh ? rsh : hosts->is_srun ? SRUN : SSH, NULL, &hosts->starter, &error))
        return g_strdup_printf("--rsh=%s: %s", rsh, error->message);
    return NULL;
}

void gcl_hosts_clear(struct gcl_hosts *hosts) {
    g_strfreev(hosts->names);
    g_strfreev(hosts->starter);
    *hosts = (struct gcl_hosts){.names = NULL};
}

GPtrArray *gcl_hosts_command(const struct gcl_hosts *hosts, guint index) {
    assert(index < g_strv_length(hosts->names));
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *quoted = g_shell_quote(self ? self : "gcluster-run");

    for (char **word = hosts->starter; *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    if (hosts->is_srun) {
        g_ptr_array_add(words, g_strdup_printf("--nodelist=%s", hosts->names[index]));
        g_ptr_array_add(words, g_strdup(self ? self : "gcluster-run"));
        g_ptr_array_add(words, g_strdup("--part"));
    } else {
        g_ptr_array_add(words, g_strdup(hosts->names[index]));
        g_ptr_array_add(words, g_strdup_printf("exec %s --part", quoted));
    }
    g_ptr_array_add(words, NULL);
    return words;
}
