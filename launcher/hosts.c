// Each launcher's defaults are changed where they don't fit: cores aren't given to single
// processes, since a node runs threads on all of them, and mpirun has to be told which variables to
// take along.
#include "hosts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add(GPtrArray *command, const char *word) {
    g_ptr_array_add(command, g_strdup(word));
}

// mpirun's own connections: a host that doesn't answer for three seconds is lost.
static const struct {
    const char *name, *value;
} keepalive[] = {
    {"oob_tcp_keepalive_time", "1"},
    {"oob_tcp_keepalive_intvl", "1"},
    {"oob_tcp_keepalive_probes", "2"},
};

static void add_mpirun(GPtrArray *command, char **hosts, unsigned count) {
    guint host_count = g_strv_length(hosts), slots = (count + host_count - 1) / host_count;
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < host_count; i++)
        g_string_append_printf(list, "%s%s:%u", i ? "," : "", hosts[i], slots);
    add(command, "mpirun");
    add(command, "--host");
    g_ptr_array_add(command, g_string_free(list, FALSE));
    add(command, "--map-by");
    add(command, "node");
    add(command, "--bind-to");
    add(command, "none");
    for (size_t i = 0; i < G_N_ELEMENTS(keepalive); i++) {
        add(command, "--mca");
        add(command, keepalive[i].name);
        add(command, keepalive[i].value);
    }
    for (char **entry = environ; *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        if (!equals || !(g_str_has_prefix(*entry, "GCL_") || g_str_has_prefix(*entry, "UCX_")))
            continue;
        add(command, "-x");
        g_ptr_array_add(command, g_strndup(*entry, (gsize)(equals - *entry)));
    }
    add(command, "-n");
    g_ptr_array_add(command, g_strdup_printf("%u", count));
}

static void add_srun(GPtrArray *command, const char *hosts, guint host_count, unsigned count) {
    add(command, "srun");
    add(command, "--mpi=pmix");
    add(command, "--kill-on-bad-exit=1");
    g_ptr_array_add(command, g_strdup_printf("--nodelist=%s", hosts));
    g_ptr_array_add(command, g_strdup_printf("--nodes=%u", host_count));
    g_ptr_array_add(command, g_strdup_printf("--ntasks=%u", count));
    add(command, "--cpu-bind=none");
    add(command, "--input=0");
}

GPtrArray *gcl_hosts_command(const char *list, unsigned count, char **words) {
    g_auto(GStrv) hosts = g_strsplit(list, ",", -1);
    g_autofree char *mpirun = g_find_program_in_path("mpirun");
    g_autofree char *srun = g_find_program_in_path("srun");
    guint host_count = g_strv_length(hosts);

    for (guint i = 0; i < host_count || host_count == 0; i++) {
        if (host_count > 0 && *hosts[i])
            continue;
        fprintf(stderr, "gcluster-run: --hosts=%s: expected names with commas between them\n",
                list);
        return NULL;
    }
    bool uses_srun = srun && (g_getenv("SLURM_JOB_ID") || !mpirun);
    if (!mpirun && !srun) {
        fprintf(stderr, "gcluster-run: several hosts need mpirun (Debian's openmpi-bin) or srun "
                        "(Debian's slurm-client)\n");
        return NULL;
    }
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    if (count == 0)
        count = host_count;
    if (uses_srun)
        add_srun(command, list, host_count, count);
    else
        add_mpirun(command, hosts, count);
    for (; *words; words++)
        add(command, *words);
    g_ptr_array_add(command, NULL);
    return command;
}
