// gcluster-run: one program on many nodes.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <glib.h>

#include "base/predict_text.h"
#include "hosts.h"
#include "job.h"
#include "part.h"

enum { BAD_USAGE = 2, MAX_NODES = 65536, NOT_STARTED = 127 };

struct options {
    int count;
    char *hosts, *rsh, *stats, *predict, *link, *picture;
    gboolean is_dry, is_debugged, is_verified, uses_agents, shows_binding, is_part, shows_version;
    char **words;
};

static gboolean takes_value(const char *word) {
    return g_str_equal(word, "-n") || g_str_equal(word, "--nodes") || g_str_equal(word, "-H") ||
           g_str_equal(word, "--hosts") || g_str_equal(word, "--rsh") ||
           g_str_equal(word, "--predict") || g_str_equal(word, "--link") ||
           g_str_equal(word, "--picture");
}

// GLib would take the next word for the format.
static void complete_stats(int argc, char **argv) {
    for (int i = 1; i < argc && argv[i][0] == '-' && !g_str_equal(argv[i], "--"); i++) {
        if (g_str_equal(argv[i], "--stats"))
            argv[i] = (char *)"--stats=table";
        else if (takes_value(argv[i]))
            i++;
    }
}

/// Checks what goes with --predict. NULL is a good result; otherwise a text for people.
static char *check_predict(const struct options *options) {
    struct gcl_predict_counts counts;
    struct gcl_predict_link link;
    if (!options->predict)
        return options->link || options->picture
                   ? g_strdup("--link and --picture are for --predict")
                   : NULL;
    if (options->count || options->hosts || options->is_verified)
        return g_strdup("--predict runs one process: it can't be had with -n, --hosts or --verify");
    if (!gcl_predict_parse_counts(options->predict, &counts))
        return g_strdup_printf("--predict: expected up to %d ascending numbers from 2 to %d, such "
                               "as 2,8,64, and not \"%s\"",
                               GCL_PREDICT_MOST, GCL_PREDICT_MOST_NODES, options->predict);
    if (options->link && !gcl_predict_parse_link(options->link, &link))
        return g_strdup_printf("--link: expected a rate in kB/s, MB/s, GB/s or TB/s and a latency "
                               "in ns, us or ms, such as 12.5GB/s,2us, and not \"%s\"",
                               options->link);
    return NULL;
}

// NULL is a good result; otherwise a text for people.
static char *parse(int argc, char **argv, struct options *options) {
    const GOptionEntry entries[] = {
        {"nodes", 'n', 0, G_OPTION_ARG_INT, &options->count, "Number of nodes", "N"},
        {"hosts", 'H', 0, G_OPTION_ARG_STRING, &options->hosts,
         "Run on these machines, by ssh or srun; one node on each, unless -n says otherwise",
         "A,B,C"},
        {"rsh", 0, 0, G_OPTION_ARG_STRING, &options->rsh,
         "With --hosts: what runs a command on a machine, as ssh does", "COMMAND"},
        {"stats", 0, 0, G_OPTION_ARG_STRING, &options->stats,
         "At the end show what kernels did and what moved between nodes, and why",
         "json|FILE.json"},
        {"verify", 0, 0, G_OPTION_ARG_NONE, &options->is_verified,
         "Run each launch also on one node, and compare what they leave behind", NULL},
        {"agents", 0, 0, G_OPTION_ARG_NONE, &options->uses_agents,
         "Nodes share their machines by gclusterd, which has to run there", NULL},
        {"show-binding", 0, 0, G_OPTION_ARG_NONE, &options->shows_binding,
         "At the beginning show the GPU, cores, memory and network card of each node", NULL},
        {"predict", 0, 0, G_OPTION_ARG_STRING, &options->predict,
         "Run once on what there is, and say what so many nodes would take", "2,8,64"},
        {"link", 0, 0, G_OPTION_ARG_STRING, &options->link,
         "With --predict: what links nodes, such as 12.5GB/s,2us", "RATE,LATENCY"},
        {"picture", 0, 0, G_OPTION_ARG_FILENAME, &options->picture,
         "With --predict: where the picture goes, instead of PROGRAM-predict.svg", "FILE.svg"},
        {"debug", 0, 0, G_OPTION_ARG_NONE, &options->is_debugged,
         "Start gdb on all nodes, which are processes of this machine", NULL},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &options->is_dry,
         "With --hosts: print the commands that would start nodes", NULL},
        {"part", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options->is_part, NULL, NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->shows_version, "Print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->words, NULL,
         "PROGRAM [ARGUMENT...]"},
        {.long_name = NULL}};
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;

    complete_stats(argc, argv);
    g_option_context_set_summary(context, "Runs a program made by gcluster-cc on many nodes.");
    g_option_context_set_description(
        context,
        "The program sees one device, which all nodes are; with GCL_DEVICES=per-node in the\n"
        "environment it sees one a node, and manages them itself. See gcluster(7).");
    g_option_context_set_strict_posix(context, TRUE);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error))
        return g_strdup(error->message);
    if (options->shows_version || options->is_part)
        return NULL;
    if (!options->words)
        return g_strdup("a program is missing");
    if (options->count < 0 || options->count > MAX_NODES ||
        (options->count == 0 && !options->hosts && !options->predict))
        return g_strdup_printf("expected -n with a number from 1 to %d", MAX_NODES);
    if (options->is_dry && !options->hosts)
        return g_strdup("--dry-run is for --hosts");
    if (options->is_debugged && (options->hosts || options->predict))
        return g_strdup("--debug is for nodes of this machine: it can't be had with --hosts or "
                        "--predict. gcluster-gdb -p PROCESS follows a node where it runs");
    if (options->rsh && !options->hosts)
        return g_strdup("--rsh is for --hosts");
    if (options->stats && !g_str_equal(options->stats, "table") &&
        !g_str_equal(options->stats, "json") && !g_str_has_suffix(options->stats, ".json"))
        return g_strdup("expected --stats, --stats=json or --stats=FILE.json");
    return check_predict(options);
}

static void print_commands(const struct gcl_hosts *hosts) {
    for (guint i = 0; hosts->names[i]; i++) {
        g_autoptr(GPtrArray) command = gcl_hosts_command(hosts, i);
        for (guint w = 0; command->pdata[w]; w++) {
            g_autofree char *quoted = g_shell_quote(command->pdata[w]);
            printf("%s%s", w ? " " : "", quoted);
        }
        putchar('\n');
    }
}

static int run_on_hosts(const struct options *options) {
    struct gcl_hosts hosts;
    g_autofree char *mistake = gcl_hosts_read(options->hosts, options->rsh, &hosts);
    unsigned count = (unsigned)options->count;
    int status = 0;
    if (mistake) {
        fprintf(stderr, "gcluster-run: %s\n", mistake);
        gcl_hosts_clear(&hosts);
        return BAD_USAGE;
    }
    if (count == 0)
        count = g_strv_length(hosts.names);
    if (options->is_dry)
        print_commands(&hosts);
    else
        status = gcl_job_run(count, &hosts, false, options->words);
    gcl_hosts_clear(&hosts);
    return status;
}

/// Becomes the program, whose runtime predicts.
static int predict(const struct options *options) {
    g_autofree char *name = g_path_get_basename(options->words[0]);
    g_autofree char *picture = g_strconcat(name, "-predict.svg", NULL);
    g_setenv("GCL_PREDICT", options->predict, TRUE);
    g_setenv("GCL_PREDICT_PICTURE", options->picture ? options->picture : picture, TRUE);
    if (options->link)
        g_setenv("GCL_PREDICT_LINK", options->link, TRUE);
    execvp(options->words[0], options->words);
    fprintf(stderr, "gcluster-run: can't start %s: %s\n", options->words[0], g_strerror(errno));
    return NOT_STARTED;
}

int main(int argc, char **argv) {
    struct options options = {.count = 0};
    g_autofree char *mistake = parse(argc, argv, &options);

    if (mistake) {
        fprintf(stderr, "gcluster-run: %s\nTry gcluster-run --help\n", mistake);
        return BAD_USAGE;
    }
    if (options.shows_version) {
        puts("gcluster-run " GCL_VERSION);
        return 0;
    }
    if (options.is_part)
        return gcl_part_run();
    if (options.stats)
        g_setenv("GCL_STATS", options.stats, TRUE);
    if (options.is_verified)
        g_setenv("GCL_VERIFY", "1", TRUE);
    if (options.uses_agents)
        g_setenv("GCL_AGENT", "yes", TRUE);
    if (options.shows_binding)
        g_setenv("GCL_SHOW_BINDING", "1", TRUE);
    if (options.predict)
        return predict(&options);
    if (options.hosts)
        return run_on_hosts(&options);
    return gcl_job_run((unsigned)options.count, NULL, options.is_debugged, options.words);
}
